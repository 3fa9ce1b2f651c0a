#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: Options rotatesize, rotatetime and rotatekeep, and SIGHUP, divide a recording into files. Each replays by itself,
#   also stacks and what no row has; all together have all rows, as an aggregation of the same run counts them.
# SECTION: Recordings    @@timeout: 200    @@tags: userland
. ../../runner/show.sh

# At a known number of firings, with a number that is different at each: its sum shows a row that is missing or double.
program=(-qn 'syscall::pread64:entry /pid == $target/ { @n = count(); @sum = sum(arg3); ustack(2); }
	END { printa("live %@d %@d\n", @n, @sum); }')
reader='import os
file = os.open("/dev/zero", os.O_RDONLY)
for i in range(COUNT): os.pread(file, 1, i)'

# FILES: each by itself, then all.
check() {
	for file; do
		"$dtrace" --replay "$file" -qn 'syscall::pread64:entry /pid == $target/ { @n = count(); @sum = sum(arg3); }
			END { printa("%@d %@d\n", @n, @sum); }' 2>>errors || echo "$file does not replay"
		"$dtrace" --replay "$file" --summary | grep -E '^(cut|damaged)'
		# A file may have rows of other processes only.
		"$dtrace" --replay "$file" -qn 'syscall::pread64:entry /pid == $target/ { @[ustack(2)] = count(); }' 2>>errors >stacks
		! grep -q . stacks || grep -q '`.*pread' stacks || echo "$file has no names"
		[ "$(stat -c %a "$file")" = 600 ] || echo "$file can be read by others"
	done | awk '/^[0-9]/ { n += $1; sum += $2; next } NF { print } END { printf "replayed %d %.0f\n", n, sum }'
	[ $# -ge 3 ] || echo "not divided: $*"
	sort -u errors
	rm -f errors stacks
}
by_age() { printf '%s\n' file.* | sort -t. -k2 -rn; }

echo "== by size"
"$dtrace" --record file -b 64m -x recordrun -x rotatesize=20k -x rotatekeep=1000 "${program[@]}" \
	-c "/usr/bin/python3 -c '${reader/COUNT/80000}'" | grep live
check $(by_age) file
rm -f file*

echo "== by time"
"$dtrace" --record file -b 64m -x recordrun -x rotatetime=100ms -x rotatekeep=1000 "${program[@]}" \
	-c "/usr/bin/python3 -c '${reader/COUNT/100000}'" | grep live
check $(by_age) file
rm -f file*

echo "== as many as are kept"
"$dtrace" --record file -b 64m -x rotatesize=20k -x rotatekeep=2 "${program[@]}" -c "/usr/bin/python3 -c '${reader/COUNT/80000}'"
ls file*
rm -f file*

echo "== SIGHUP"
mkfifo go
"$dtrace" --record file -b 64m -x recordrun "${program[@]}" -c "/usr/bin/python3 -c '
${reader/COUNT/10000}
open(\"first\", \"w\")
open(\"go\").read()
${reader/COUNT/20000}
open(\"second\", \"w\")
open(\"go\").read()
${reader/COUNT/30000}'" >out &
dtrace_pid=$!
for n in 1 2; do
	part=$([ $n = 1 ] && echo first || echo second)
	until [ -e $part ]; do sleep 0.01; done
	# One that is still there goes on.
	[ $n = 1 ] && kill -HUP $dtrace_pid
	mv file file.$n
	kill -HUP $dtrace_pid
	until [ -s file ]; do sleep 0.01; done
	echo >go
done
wait $dtrace_pid || echo "status $?"
grep live out
check file.1 file.2 file
rm -f file* out

echo "== where it does not work"
mkdir -p file.1/full
"$dtrace" --record file -b 64m -x recordrun -x rotatesize=20k -x rotatekeep=1 "${program[@]}" \
	-c "/usr/bin/python3 -c '${reader/COUNT/80000}'" 2>err | grep live
sort -u err
"$dtrace" --replay file -qn 'syscall::pread64:entry /pid == $target/ { @n = count(); } END { printa("%@d\n", @n); }' 2>&1 | grep .
ls -d file*
run --record file -x rotatesize=1k -x rotatekeep=10000 -qn 'BEGIN { exit(0); }'
