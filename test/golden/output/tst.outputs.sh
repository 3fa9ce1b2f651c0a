#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: -o names several outputs with formats of their own; what cannot be is an error with its reason; files are
#   rotated between rows and opened again on SIGHUP, and no row is lost or split; rows have the time if that is asked for.
# SECTION: Output formats    @@timeout: 120    @@tags: userland
. ../../runner/show.sh

echo "== errors"
run -qn 'BEGIN { exit(0); }' -o file:jsn
run -qn 'BEGIN { exit(0); }' -o file -o file:json
run -qn 'BEGIN { exit(0); }' -xformat=xml
run -ln BEGIN -o file:json
run -qn 'BEGIN { exit(0); }' -o no/such:json -o other
run -qn 'BEGIN { exit(0); }' -xrotatesize=1k
run -qn 'BEGIN { exit(0); }' -xrotatesize=1k -o file:folded
run -qn 'BEGIN { exit(0); }' -xrotatetime=1m -o /dev/null
run -qn 'BEGIN { exit(0); }' -xrotatekeep=10000 -xrotatesize=1k -o file
run -qn 'BEGIN { trace(1); exit(0); }' -o file -o /dev/full:json
run -B -qn 'BEGIN { exit(0); }' -xformat=csv
run -qn 'BEGIN { freopen("other"); exit(0); }' -wo file:pprof
rm -f file other

echo "== a terminal"
/usr/bin/python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' "$dtrace" -xformat=pprof -qn 'BEGIN { exit(0); }' </dev/null | tr -d '\r'
echo "status ${PIPESTATUS[0]}"

echo "== several"
run -qn 'BEGIN { printf("row\n"); freopen("elsewhere"); printf("moved\n"); freopen(""); printf("back\n"); exit(0); }' -wo a:text -o b:csv -o c
echo "a: $(cat a)"
echo "c: $(cat c)"
echo "elsewhere: $(cat elsewhere)"
grep -c row b
run -qn 'BEGIN { printf("again\n"); exit(0); }' -o 12:30:45 -o a
cat 12:30:45 a
run -qn 'BEGIN { printf("json\n"); exit(0); }' -xformat=json -o d -o e:text
head -c 20 d; echo; cat e
run -qn 'BEGIN { trace(*(int *)16); } BEGIN { exit(0); }' -o f -o g:csv -o h:folded
run -qn 'BEGIN { trace(*(int *)16); } BEGIN { exit(0); }' -o i:json

echo "== rotation"
for format in text json csv; do
	rm -rf log*
	"$dtrace" -qn 'tick-1ms { printf("row %d\n", n++); } tick-1ms /n == 300/ { exit(0); }' -xrotatesize=500 -xrotatekeep=1000 -o "log:$format" || echo failed
	files=$(printf '%s\n' log.* | sort -t. -k2 -rn)
	case $format in
	text) pattern='row [0-9]*' ;;
	json) pattern='"values":\[[0-9]*\]' ;;
	csv) pattern='BEGIN|tick-1ms,[0-9]*' ;;
	esac
	cat $files log | grep -Eo "$pattern" | grep -Eo '[0-9]+\]?$' | tr -d ']' >seen
	seq 0 299 | cmp - seen && echo "$format: all rows, in order"
	[ "$(echo "$files" | wc -l)" -gt 2 ] || echo "not rotated: $files"
	for file in $files log; do
		case $format in
		text) grep -qxEv '(row [0-9]+)?' "$file" && echo "$file has a part of a row" ;;
		json)
			/usr/bin/python3 -c 'import json, sys; [json.loads(line) for line in open(sys.argv[1])]' "$file" || echo "$file has a part of a row"
			head -1 "$file" | grep -q '"type":"begin"' || echo "$file has no beginning"
			;;
		csv) [ -s "$file" ] && { head -1 "$file" | grep -q '^clause,' || echo "$file has no header"; } ;;
		esac
		size=$(stat -c %s "$file")
		[ "$size" -le 1000 ] || echo "$file has $size bytes"
	done
done
rm -rf log*
"$dtrace" -qn 'tick-1ms { printf("row %d\n", n++); } tick-1ms /n == 300/ { exit(0); }' -xrotatesize=200 -xrotatekeep=2 -o log || echo failed
echo log*
rm -rf log*
"$dtrace" -n 'tick-1ms { trace(n++); } tick-1ms /n == 50/ { exit(0); }' -xrotatesize=300 -xrotatekeep=100 -o log 2>err || echo failed
for file in log*; do head -1 "$file" | grep -qE '^CPU +ID +FUNCTION:NAME$' || [ ! -s "$file" ] || echo "$file has no header"; done
grep -hoE ':tick-1ms +[0-9]+' $(printf '%s\n' log.* | sort -t. -k2 -rn) log | grep -oE '[0-9]+$' | cmp - <(seq 0 49) && echo "with headers: all rows"
rm -rf log* err
"$dtrace" -qn 'tick-10ms { printf("row %d\n", n++); } tick-10ms /n == 100/ { exit(0); }' -xrotatetime=200ms -xrotatekeep=20 -o log || echo failed
cat $(printf '%s\n' log.* | sort -t. -k2 -rn) log | grep -Eo '[0-9]+' >seen
seq 0 99 | cmp - seen && echo "by time: all rows"
[ "$(ls log.* | wc -l)" -ge 3 ] || echo "not rotated: $(echo log*)"
rm -rf log* seen
mkdir -p log.1/full
"$dtrace" -qn 'tick-1ms { printf("row %d\n", n++); } tick-1ms /n == 100/ { exit(0); }' -xrotatesize=500 -xrotatekeep=1 -o log 2>err
sort -u err
seq 0 99 | sed 's/^/row /' | cmp - <(grep . log) && echo "failed: all rows"
ls -d log*

echo "== SIGHUP"
rm -rf log*
for format in text json; do
	"$dtrace" -qn 'tick-1ms { printf("row %d\n", n++); } tick-1ms /n == 1200/ { exit(0); }' \
		-o "log:$format" &
	dtrace_pid=$!
	for i in 1 2 3; do
		until [ -s log ] && grep -qs row log; do sleep 0.01; done
		mv log "log.$i"
		kill -HUP $dtrace_pid
		until [ -e log ]; do sleep 0.01; done
	done
	wait $dtrace_pid || echo "status $?"
	cat log.1 log.2 log.3 log | grep -Eo '(^|")row [0-9]+' | grep -Eo '[0-9]+' >seen
	seq 0 1199 | cmp - seen && echo "$format: all rows"
	[ $format = json ] && for file in log*; do head -1 "$file" | cut -d, -f1; done
	rm -f log*
done
"$dtrace" -qn 'BEGIN { printf("begun\n"); }' >log &
dtrace_pid=$!
until grep -qs begun log; do sleep 0.01; done
kill -HUP $dtrace_pid
wait $dtrace_pid
echo "without files: status $?"

rm -f log
/usr/bin/python3 - "$dtrace" <<'PYTHON'
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], [sys.argv[1], '-qn', 'BEGIN { printf("begun"); } END { printf(" ended"); }', '-o', 'log'])
while not os.path.exists('log') or not os.path.getsize('log'):
    time.sleep(0.01)
os.close(terminal)
print('without a terminal: status', os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), *open('log').read().split())
PYTHON

echo "== time"
stamp='20[0-9][0-9]-[0-1][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]\.[0-9]{6}\+00:00'
"$dtrace" -xstamp -n 'BEGIN { trace(1); exit(0); }' 2>err | sed -E "s/$stamp/STAMP/; s/  */ /g; s/STAMP [0-9]+ /STAMP CPU /"
"$dtrace" -xstamp -qn 'BEGIN { printf("one\n"); } BEGIN { printf("two, "); } BEGIN { printf("three\n"); } BEGIN { n = 1; exit(0); }' | sed -E "s/$stamp/STAMP/"
"$dtrace" -xstamp -xformat=json -qn 'BEGIN { trace(1); exit(0); }' | grep '"row"' | grep -Eo "\"time\":\"$stamp\"" | sed -E "s/$stamp/STAMP/"
before=$(date +%s%N)
seen=$("$dtrace" -xstamp -qn 'BEGIN { printf("%d\n", walltimestamp); exit(0); }')
after=$(date +%s%N)
at=$(date -d "${seen% *}" +%s%N)
[ "$before" -le "$at" ] && [ "$at" -le "$after" ] && [ $((${seen#* } / 1000000 - at / 1000000)) -le 5 ] && echo "the time of the row"
