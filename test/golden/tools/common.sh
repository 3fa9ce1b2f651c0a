# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests of this folder: the helpers of the examples' tests, and `tool`. Each test runs a tool beside a workload
# whose numbers are known, and says what is true of the output: `.r` files hold the claims.
. "$(dirname "${BASH_SOURCE[0]}")/../examples/common.sh"
tools=$PWD/../../../tools
export DTRACE=$dtrace
python=$(python3 -c 'import sys; print(sys.executable)') # not a script that looks for it

# tool NAME ARGUMENTS...: what it prints goes to $out, without the empty line with which dtrace ends. A status that is not 0 is said, and all of stderr.
tool() {
  local status=0
  "$tools/dtrace-tool" "$@" >"$out" 2>"$err" </dev/null || status=$?
  [ "$status" = 0 ] || echo "$1: exit status $status"
  # The kernel runs no program for a lock that another program on that CPU waits for; that dtrace reports it is right.
  without_preempted "$err" | grep -vE '^dtrace: [0-9]+ program not run by the kernel \(contention_[a-z0-9_]+\)$'
  sed -i '${/^$/d}' "$out"
}

# awk_claim TEXT PROGRAM: as claim, for an awk program whose exit status is 0 if it is so.
awk_claim() {
  claim "$1" awk -v name="$name" "$2"
}

# tool_beside COMMAND NAME ARGUMENTS...: the same for a tool that takes no command. It traces when it prints its heading, and gets
# Ctrl-C when the command has ended and $awaited, if set, is in the output.
tool_beside() {
  local command=$1 tracer
  shift
  : >"$out"
  "$tools/dtrace-tool" "$@" >"$out" 2>"$err" </dev/null &
  tracer=$!
  until [ -s "$out" ] || ! kill -0 $tracer 2>/dev/null; do sleep 0.05; done
  $command
  for _ in $(seq 100); do
    [ -n "${awaited-}" ] || break
    ! grep -q "$awaited" "$out" || break
    sleep 0.05
  done
  kill -INT $tracer
  wait $tracer || echo "$1: exit status $?"
  without_preempted "$err"
  sed -i '${/^$/d}' "$out"
}
