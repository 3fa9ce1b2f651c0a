#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: of several processes, started and grabbed in any order, $target is the first of the command line; all that are
# started wait until BEGIN has run and the probes are set, so that nothing of any is missed; the end of each is reported,
# tracing goes on to the last, and the status is not theirs.
dtrace=$1
include=$PWD/../../../usdt/include
cat >"$tmpdir/works.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <sys/sdt.h>
__attribute__((noinline, noclone)) void work(int n) { DTRACE_PROBE1(dtseveral, work, n); __asm__ volatile(""); }
int main(int argc, char **argv) { /* COUNT STATUS [FILE to wait for] */
  if (argc > 3) {
    FILE *wait = fopen(argv[3], "r");
    if (wait == NULL || getc(wait) == EOF) return 9;
  }
  for (int i = 0; i < atoi(argv[1]); i++) work(i);
  return atoi(argv[2]);
}
C
cc -O1 -I"$include" -o "$tmpdir/works" "$tmpdir/works.c" || exit 1
cd "$tmpdir" || exit 1
script='BEGIN { printf("begin\n"); }
  pid$target:a.out:work:entry { @target = count(); }
  dtseveral*:::work { @all[pid == $target ? "target" : "another"] = count(); @sum = sum(arg0); }
  END { printa("\ntarget calls %@d\n", @target); printa("%s %@d\n", @all); printa("sum %@d\n", @sum); }'
names() { # hides numbers: PID NAME...
  local edit= ; while [ $# -gt 0 ]; do edit="$edit;s/pid $1 /pid $2 /"; shift 2; done
  sed -E "$edit; s/pid [0-9]+ /pid COMMAND /" | grep .
}
echo '== two commands'
"$dtrace" $dt_flags -c './works 300 3' -c './works 500 0' -qn "$script" 2>&1 | names
echo "status ${PIPESTATUS[0]}"
# With the notices, in the order of the ends, which is not promised.
"$dtrace" $dt_flags -c './works 1 3' -c './works 1 0' -c './works 1 4' -n 'syscall:::entry /0/ { }' 2>&1 |
  grep '^dtrace: pid' | names | sort
for order in grabbed_first command_first; do
  echo "== $order"
  mkfifo go
  ./works 70 5 go & grabbed=$!
  exec 7<>go  # so that neither end waits for the other
  if [ $order = grabbed_first ]; then set -- -p $grabbed -c './works 30 6'; else set -- -c './works 30 6' -p $grabbed; fi
  "$dtrace" $dt_flags "$@" -n "$script" 2>&1 | while IFS= read -r line; do
    case $line in *'exited with status 6'*) echo >go ;; esac
    case $line in 'dtrace: pid'* | target* | another* | sum*) echo "$line" ;; esac
  done | names $grabbed GRABBED
  wait $grabbed
  echo "grabbed $?"
  exec 7>&-
  rm go
done
