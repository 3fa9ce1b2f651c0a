#!/bin/bash
# ASSERTION: a record of bufpolicy=ring that is given up while others are written behind it leaves a gap, which is counted; it
#   leaves none if nobody came between.
# SECTION: Options, 18
. "$(dirname "$0")/../../runner/show.sh"
cat >calls.c <<'C'
#include <sys/syscall.h>
#include <unistd.h>
int main(void) { for (int i = 0; i < 2002; i++) syscall(SYS_getppid); return 0; }
C
cc -O1 -o calls calls.c || exit 1
# The log has room for some hundred records. After 2000 one is reserved, waits until the clock has written some behind it,
# and faults.
traced() {
	"$dtrace" -wqxbufpolicy=ring -b 4k -xledger=text -c 'taskset -c 0 ./calls' -n "
syscall::getppid:entry /pid == \$target && ++n <= 2000/ { trace(n); }
syscall::getppid:entry /pid == \$target && n == 2001/ { trace(n); $1 trace(*(int *)0); }
syscall::getppid:entry /pid == \$target && n == 2001/ { meanwhile = 0; }
syscall::getppid:entry /pid == \$target && n == 2002/ { exit(0); }
profile-997 /meanwhile/ { trace(0); }" >out 2>err
	echo "status $?"
	sed -n 's/^dtrace: \([0-9]* record: overwritten.*\)/\1/p' err
}
# Where everything is slow the clock may not come for that long.
traced "meanwhile = 1; chill(${slow:+4}20000000);"
traced ''
