#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The ledger counts strings that were cut at strsize: read from the kernel, from a process, or joined. One that just fits,
# and one that was asked to be shorter, are not cut.
dtrace=$1
cuts() { # STRSIZE PROGRAM ARGS
  local size=$1 program=$2
  shift 2
  local text
  text=$($dtrace $dt_flags -x strsize="$size" -x ledger=text -qn "$program" "$@" 2>"$tmpdir/ledger")
  echo "${text//$'\n'/}, cut: $(awk '/string cut at its size/ { n += $1 } END { print n + 0 }' "$tmpdir/ledger")"
}
# The name of "cat".
name='syscall::openat:entry /pid == $target/ { printf("%s", stringof(curthread->comm)); exit(0); }'
cuts 3 "$name" -c '/bin/cat /dev/null'
cuts 4 "$name" -c '/bin/cat /dev/null'
cuts 8 'BEGIN { printf("%s", strjoin("abcd", "efgh")); exit(0); }'
cuts 9 'BEGIN { printf("%s", strjoin("abcd", "efgh")); exit(0); }'
opens='syscall::openat:entry /pid == $target/ { n++; self->name = copyinstr(arg1); } END { printf("%s", n > 0 ? "opens" : "none"); }'
counted=$(cuts 8 "${opens/n > 0 ?/0 ?}" -c '/bin/cat /dev/null')
number=$($dtrace $dt_flags -qn 'syscall::openat:entry /pid == $target/ { n++; } END { printf("%d", n); }' -c '/bin/cat /dev/null' 2>&1 | tr -dc 0-9)
echo "each open: $([ "$counted" = "none, cut: $number" ] && echo yes || echo "no: $counted of $number")"
cuts 256 "$opens" -c '/bin/cat /dev/null'
cuts 8 "${opens/arg1/arg1, 3}" -c '/bin/cat /dev/null'
exit 0
