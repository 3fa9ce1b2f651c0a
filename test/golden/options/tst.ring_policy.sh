#!/bin/bash
# ASSERTION: bufpolicy=ring keeps the newest records of each CPU, whole and without gaps, loses none of them by load, wakes
#   nobody for them, and prints them at the end, with exit()'s record and END's.
# SECTION: Options, 18
# @@timeout: 120
. "$(dirname "$0")/../../runner/show.sh"
cat >calls.c <<'C'
#include <sys/syscall.h>
#include <unistd.h>
int main(void) { for (int i = 0; i < 300000; i++) syscall(SYS_getppid); return 0; }
C
cc -O1 -o calls calls.c || exit 1
program='syscall::getppid:entry /pid == $target/ { printf("%d\n", ++n); } END { printf("end %d\n", n); }'
"$dtrace" -qxbufpolicy=ring -b 64k -xledger=text -c 'taskset -c 0 ./calls' -n "$program" >out 2>err
echo "status $?"
awk '/^end/ { print; next } NF { if (last && $1 != last + 1) print "gap before", $1; last = $1; n++ }
     END { print (n > 1000 && n < 3000) ? "a buffer full" : n, "the last", last }' out
grep -v 'no losses\|nothing' err

# Speculative records too, which the consumer keeps: on one CPU, for each has its own.
"$dtrace" -xcpu=0 -qxbufpolicy=ring -b 4k -xnspec=100 -n '
BEGIN { self->s = speculation(); }
BEGIN { speculate(self->s); printf("first\n"); }
BEGIN { commit(self->s); }
tick-1ms { self->s = speculation(); }
tick-1ms { speculate(self->s); printf("%d\n", ++n); }
tick-1ms { commit(self->s); }
tick-1ms /n == 400/ { exit(0); }' >out 2>err
echo "status $?"
awk '/first/ { print "too old" } NF { if ($1 <= last) print "disorder", $1; last = $1; n++ } END { print (n > 0 && n < 400) ? "some" : n, (last > 390 ? "late" : last) }' out
grep -v 'failed spec\|drops on CPU' err  # a machine that is busy may let the rings run full

# Firings that fault leave nothing and are reported; a clause that exits comes last; an aggregation is not concerned.
run -xcpu=0 -qxbufpolicy=ring -b 4k -n 'BEGIN{printf("begin\n")} BEGIN{@ = sum(3); trace(*(int *)0)} BEGIN{printf("second\n")} tick-1ms{printf("tick\n");exit(4)} END{printf("end\n")}'
# Large values, stacks and branches at the same offsets.
run -xcpu=0 -qxbufpolicy=ring -n 'BEGIN{this->s = strjoin("a", "b"); if (pid == 1) { printf("one\n"); } else { printf("%s %d\n", this->s, pid == $pid); } print(this->s); exit(0)}'
run -xcpu=0 -xbufpolicy=ring -Fn 'BEGIN{trace(1)} BEGIN{trace(2)} END{trace(3)} BEGIN{exit(0)}'
# By time across CPUs.
"$dtrace" -qxbufpolicy=ring -xtemporal -n 'BEGIN{start = timestamp} profile-2ms{printf("%d\n", timestamp - start)} tick-100ms{exit(0)}' |
	awk 'NF { if ($1 + 0 < last) print "disorder"; last = $1; n++ } END { print (n > 4 ? "many" : n) }'
