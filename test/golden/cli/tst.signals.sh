#!/bin/bash
# ASSERTION: SIGINT and SIGTERM end tracing in order: newline, END, aggregations, status 0 or exit()'s; a second one
# abandons the output; an ignored SIGINT stays ignored.
# SECTION: Command line, 10
# @@timeout: 60
. "$(dirname "$0")/../../runner/show.sh"
until_said() { # FILE WORD
	until grep -q "$2" "$1" 2>/dev/null; do :; done
}
program='BEGIN{printf("begin\n"); @=count();} END{printf("end\n");}'
for signal in INT TERM; do
	rm -f out  # the words of the run before must not be taken for this one's
	env --default-signal=INT "$dtrace" -qn "$program" >out 2>err &
	pid=$!
	until_said out begin
	kill -$signal $pid
	wait $pid
	show $?
done

# Ignored where it was ignored; SIGTERM still ends it.
rm -f out
(trap '' INT; exec "$dtrace" -qn 'BEGIN{printf("begin\n")} tick-10ms{printf("%d\n", ++n)}') >out 2>err &
pid=$!
until_said out begin
kill -INT $pid
count=$(tail -1 out)
until_said out "^$((count + 20))\$"
kill -TERM $pid
wait $pid
echo "status $?"

# Nobody reads the output: the first signal waits for the write, the second does not.
mkfifo pipe
env --default-signal=INT "$dtrace" -xbufsize=64m -qn 'BEGIN{printf("begin\n"); @=count();} tick-1ms{printf("%2000d\n", 1)} END{printf("end\n")}' >pipe 2>err &
pid=$!
exec 3<pipe
read -r line <&3
echo "$line"
# until it blocks in write(2)
while [ "$(awk '{print $1}' /proc/$pid/syscall 2>/dev/null)" != 1 ]; do :; done
kill -INT $pid
until [ "$(awk '{print $1}' /proc/$pid/syscall 2>/dev/null)" = 1 ]; do :; done
kill -INT $pid
wait $pid
echo "status $?"
exec 3<&-
cat err
