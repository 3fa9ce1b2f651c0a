# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts about programs that ask whether a probe is enabled, behind common.sh.

# as_asked WHEN [LETTER]: the answer in the process that was started last.
as_asked() { ask "${2:-a}" && echo "$1: $answer"; }
# sold PROBES: a program that tells how often they fired.
sold() {
  echo "BEGIN { printf(\"ready\n\"); } $1 { fired++; last = arg0; } END { printf(\"fired %d, last %d\n\", fired, last); }"
}
# answers_of BUILD...: what each build of asks.c answers before, while and after a probe is enabled in it. Builds that answer as
# the one before them are not mentioned.
answers_of() {
  local build
  for build in "$@"; do
    $build -pthread -o "$tmpdir/asks" asks.c || exit 1
    start "$tmpdir/asks"
    as_asked "before" >"$tmpdir/answers"
    trace -q -n "$(sold "shop$program:::sold")"
    as_asked "enabled" >>"$tmpdir/answers"
    as_asked "again" >>"$tmpdir/answers"
    as_asked "all threads" t >>"$tmpdir/answers"
    as_asked "not described" c >>"$tmpdir/answers"
    end_trace
    as_asked "after" >>"$tmpdir/answers"
    finish
    cat "$out" >>"$tmpdir/answers"
    cmp -s "$tmpdir/answers" "$tmpdir/first" || { echo "$build"; cat "$tmpdir/answers"; mv "$tmpdir/answers" "$tmpdir/first"; }
  done
}
# ask_until BEGINNING: asks until the answer begins so, half a minute at most.
ask_until() {
  local i
  for ((i = 0; i < 600; i++)); do
    ask a
    [[ $answer == "$1"* ]] && break
    sleep 0.05
  done
}
