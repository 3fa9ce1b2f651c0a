#!/bin/bash
# ASSERTION: one signal ends a dtrace whose output nobody reads, and one that waits for a command: what is not printed is
# counted, and no child survives. A second interrupt, later, abandons what has not been printed, and that is counted.
# SECTION: Command line, 10
# @@timeout: 90
. "$(dirname "$0")/../../runner/gone.sh"
. "$(dirname "$0")/../../runner/machine.sh"
. "$(dirname "$0")/../../runner/show.sh"
mkfifo pipe
rows='BEGIN{printf("begin\n"); @=count();} tick-1ms{printf("%2000d\n", 1)} END{printf("end\n")}'
blocked() { # until $pid waits in write(2)
	until [ "$(awk '{print $1}' /proc/$pid/syscall 2>/dev/null)" = $write_call ]; do sleep 0.02; done
}
start() { # writes into a pipe that nobody reads, as $pid
	"$dtrace" -xbufsize=16m -xledger=json -qn "$rows" >pipe 2>err &
	pid=$!
	exec 3<pipe
	read -r line <&3
	echo "$line"
	blocked
}
counts() { # NAME...: of which causes something was lost
	for cause; do
		grep -q "\"cause\":\"$cause\"" err && echo "lost: $cause"
	done
	grep -v '^{\|drops on CPU' err
}
for signal in INT TERM; do
	echo "== nobody reads, $signal"
	start
	kill -$signal $pid
	wait $pid
	echo "status $?"
	exec 3<&-
	counts OutputLost Abandoned
done

echo "== abandoned"
start
kill -INT $pid
first=$(date +%s%N)
until [ $(($(date +%s%N) - first)) -gt 1200000000 ]; do sleep 0.1; done
kill -INT $pid
wait $pid
echo "status $?"
exec 3<&-
counts OutputLost Abandoned

echo "== a slow reader gets everything"
"$dtrace" -xbufsize=16m -xledger=text -qn 'BEGIN{printf("begin\n")} tick-1ms/i<200/{printf("%2000d\n", ++i)} END{printf("end\n")}' 2>err >pipe &
pid=$!
exec 3<pipe
blocked
kill -INT $pid
timeout 5 cat <&3 | tr -s ' ' | grep . | sed -n '1p;$p'
exec 3<&-
wait $pid
echo "status $?"
cat err

echo "== waiting for a command"
"$dtrace" -wqxledger=text -n 'BEGIN{printf("begin\n"); system("echo $PPID >ppid; sleep 4321 & echo $! >sleep; wait"); system("echo not run")} END{printf("end\n")}' >out 2>err &
pid=$!
until [ -s sleep ]; do sleep 0.02; done
kill -TERM $pid
wait $pid
show $?
is_gone $(cat sleep) || echo "the command survived"

echo "== waiting for the preprocessor"
mkfifo never.h
echo '#include "never.h"' >script.d
"$dtrace" -C -s script.d >out 2>err &
pid=$!
children() { cat /proc/$1/task/$1/children 2>/dev/null; }
until compiler=$(children $(children $pid)) && [ -n "$compiler" ]; do sleep 0.02; done
kill -TERM $pid
wait $pid
echo "status $?"
until is_gone $compiler; do sleep 0.02; done
echo "none is left"
