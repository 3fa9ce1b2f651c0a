#!/bin/bash
# ASSERTION: one signal that asks for the end ends tracing in order: newline, END, aggregations, status 0 or exit()'s. Others
# within a second are the same request, as timeout(1) sends them. SIGINT counts also if it was ignored, SIGHUP does not
# then.
# SECTION: Command line, 10
# @@timeout: 60
# @@tags: release
. "$(dirname "$0")/../../runner/show.sh"
until_said() { # FILE WORD
	until grep -q "$2" "$1" 2>/dev/null; do :; done
}
program='BEGIN{printf("begin\n"); @=count();} END{printf("end\n");}'
start() { # COMMAND...: runs until it has begun, as $pid
	rm -f out  # the words of the run before must not be taken for this one's
	"$@" "$dtrace" -qn "$program" >out 2>err &
	pid=$!
	until_said out begin
}
for signal in INT TERM HUP QUIT USR1 ALRM; do
	echo "== $signal"
	start env --default-signal
	kill -$signal $pid
	wait $pid
	show $?
done

echo "== one request"
for round in 1 2 3 4 5 6 7 8 9 10; do
	start env --default-signal
	kill -TERM $pid
	kill -TERM $pid
	kill -INT $pid
	wait $pid
	echo "status $? $(tr '\n' ' ' <out)"
done | uniq -c

echo "== timeout"
# A signal to dtrace and then one to its group, when tracing has begun: for timeout(1), SIGALRM is the end of its time.
for round in 1 2 3 4 5; do
	start timeout 1000
	kill -ALRM $pid
	wait $pid
	echo "status $? $(tr '\n' ' ' <out)"
done | uniq

echo "== ignored SIGINT"
start sh -c 'trap "" INT; exec "$@"' sh
kill -INT $pid
wait $pid
show $?

echo "== ignored SIGHUP"
start sh -c 'trap "" HUP; exec "$@"' sh
kill -HUP $pid
kill -0 $pid && echo "still there"
kill -TERM $pid
wait $pid
show $?
