#!/bin/bash
# ASSERTION: -c and -p: $target is the first, tracing ends when all have ended, notices tell how; quiet silences them.
# SECTION: Command line, 24
. "$(dirname "$0")/../../runner/show.sh"
pids() { sed -E 's/(! dtrace: pid )[0-9]+/\1N/; s/[0-9]+ sh -c/N sh -c/'; }
run -qc true -n 'END{trace("end")}'
run -qc false -n 'END{trace("end")}'
run -xcpu=0 -c false -n 'END{trace("end")}' | pids
cat >suicide <<'S'
#!/bin/sh
kill -TERM $$
S
chmod +x suicide
run -xcpu=0 -c ./suicide -n 'END{trace("end")}' | pids
run -xcpu=0 -c 'echo one' -c 'sh ./suicide' -n 'END{}' | grep -v one | sort | pids
run -qc 'echo   several	blanks' -n 'BEGIN{printf("begin\n")} END{printf("end\n")}'
run -c /nonexistent/command -n 'BEGIN{exit(0)}'
run -c '' -n 'BEGIN{exit(0)}'
run -p nonumber -n BEGIN
run -p 0 -n BEGIN
run -p 999999999 -n BEGIN
run -c true -n 'BEGIN{x=}' | pids

# A grabbed process: its end is noticed; it lives on when tracing ends first.
mkfifo end_first end_second
(read -r _ <end_first) & first=$!
(read -r _ <end_second) & second=$!
"$dtrace" -xcpu=0 -p $first -p $second -n 'BEGIN{printf("%d", $target == $1)}' $first 2>&1 | while IFS= read -r line; do
	case $line in
	*:BEGIN*) echo >end_first ;;
	*"pid $first has exited"*) echo >end_second ;;
	esac
	printf '%s\n' "$line"
done | sed "s/$first/FIRST/; s/$second/SECOND/"
sleep 100 & first=$!
"$dtrace" -qp $first -n 'BEGIN{exit(0)}'
kill -0 $first && echo lives on
kill $first
# A command is ended with tracing.
"$dtrace" -qc 'sleep 100' -n 'BEGIN{printf("%d", $target);exit(0)}' >pid
kill -0 "$(cat pid)" 2>/dev/null || echo ended
# It does not outlive us, however we end.
env --default-signal=HUP "$dtrace" -qc 'sleep 100' -n 'BEGIN{printf("%d\n", $target)}' >pid 2>/dev/null &
killed=$!
until grep -qs . pid; do :; done
target=$(cat pid)
{ kill -KILL $killed; wait $killed; } 2>/dev/null  # who was killed is said as soon as it is seen
echo "status $?"
while kill -0 "$target" 2>/dev/null && ! grep -qs '^State:.Z' "/proc/$target/status"; do :; done
echo "gone too"
# $target is set before anything is compiled, and the command waits for BEGIN.
run -qc 'echo command' -n 'BEGIN{printf("%s\n", $target > 1 ? "begin" : "no target")}'
# A number that is no pid is not cut to one: 2^32 + 1 is not process 1.
run -p 4294967297 -n BEGIN
run -p 1x -n BEGIN
