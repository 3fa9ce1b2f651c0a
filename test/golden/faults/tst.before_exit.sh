#!/bin/bash
# ASSERTION: if a fault ends a clause of BEGIN before its exit(), a note says that tracing goes on; not if exit() was called otherwise.
# SECTION: Faults and the ERROR probe
shown() {
  printf -- '-- %s\n' "$1"
  "$dtrace" -qn "$1" 2>&1 | sed 's/ at BPF pc [0-9]*//'
}
shown 'BEGIN { trace(*(int *)0); exit(0); } tick-10ms { exit(0); }'
shown 'BEGIN { trace(*(int *)0); } tick-10ms { exit(0); }'
shown 'BEGIN { trace(*(int *)0); exit(0); } ERROR { exit(0); }'
shown 'BEGIN { trace(*(int *)0); exit(0); } BEGIN { exit(0); }'
shown 'BEGIN { exit(0); trace(*(int *)0); }'
