#!/bin/bash
# ASSERTION: operands are macro arguments of every program: each must be used unless argref, each used must be there;
# without a program, the message says which option is missing.
# SECTION: Command line, 5
# @@tags: userland
. "$(dirname "$0")/../../runner/show.sh"
echo 'BEGIN{printf("%s %d\n", $$1, $1); exit(0);}' >a.d
echo 'END{printf("end %d\n", $1)}' >b.d
echo 'END{printf("end\n")}' >c.d
run -q -s a.d -s b.d 7
run -q -s a.d -s c.d 7
run -q -xargref -s a.d -s c.d 7 8
run -q -s a.d
run -qn 'BEGIN{exit($1)}' 3 13
run -q 4 -n 'BEGIN{exit($1)}'
run -qxdefaultargs -n 'BEGIN{printf("[%d][%s]", $1, $$2); exit(0)}'
run -qn 'BEGIN{printf("[%s]", $$1); exit(0)}' 'two words/and-more\t1x'
run -qn 'BEGIN{printf("[%s]", $1); exit(0)}' '"two words"'
run -qn 'BEGIN{$1 = 5; printf("[%d]", $1); exit(0)}' name
run -qn 'BEGIN{exit($1)}' -- -3 | grep -v '^$'
"$dtrace" -qn 'BEGIN{printf("%d %d %d", $uid, $euid, $projid + $taskid + $zoneid);exit(0)}'
"$dtrace" -qn 'BEGIN{printf("%d %d", $pid == pid, $ppid == '$$');exit(0)}'
for mode in '' -e -l -Z; do
	run $mode 'BEGIN { exit(0); }'
	run $mode a.d
	run $mode syscall::read:entry
done
run 'BEGIN {
}'
(exec -a /some/where/dt "$dtrace" -qn 'BEGIN{printf("%s", $0);exit(0)}')
