#!/bin/bash
# ASSERTION: with -v, or if stderr is a terminal, a line says that tracing has begun and how many probes are set; -q hides it
#   at a terminal, and there is none if BEGIN called exit().
program='syscall::read:entry, syscall::write:entry, syscall::read:entry { @ = count(); } tick-10ms { exit(0); }'
ends='BEGIN { exit(0); }'
shown() { # NAME COMMAND...
  printf -- '-- %s\n' "$1"
  shift
  "$@" 2>&1 </dev/null | tr -d '\r' | grep 'has begun'
}
at_terminal() { python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$@"; }
shown "no terminal" "$dtrace" -n "$program"
shown "no terminal, -q" "$dtrace" -qn "$program"
shown "no terminal, -v" "$dtrace" -vn "$program"
shown "no terminal, -q -v" "$dtrace" -qvn "$program"
shown "no terminal, -v, exit() in BEGIN" "$dtrace" -vn "$ends"
shown "terminal" at_terminal "$dtrace" -n "$program"
shown "terminal, -q" at_terminal "$dtrace" -qn "$program"
shown "terminal, exit() in BEGIN" at_terminal "$dtrace" -n "$ends"
exit 0
