#!/bin/bash
# ASSERTION: Rows of BEGIN, END, ticks and walks name the CPU that they fired on, though all CPUs record in one ring.
# SECTION: Output, 1
for cpu in $(taskset -cp $$ | sed 's/.*: //; s/[,-]/ /g'); do
	taskset -c "$cpu" "$dtrace" -xquiet=no -n '
	BEGIN { trace(cpu); }
	tick-97hz { trace(cpu); }
	tick-50hz /++n == 5/ { trace(cpu); exit(0); }
	iter::task:at-end /args[0]->tgid == $pid && args[0]->pid == $pid/ { trace(cpu); }
	END { trace(cpu); }' 2> "$tmpdir/errors" > "$tmpdir/rows" || cat "$tmpdir/errors"
	awk -v cpu="$cpu" '
		$1 ~ /^[0-9]+$/ { rows[$3]++; if ($1 != $NF) print "on CPU", $1, "says", $NF }
		$3 == ":BEGIN" && $1 != cpu { print "BEGIN on", $1 }
		END { print rows[":BEGIN"], rows[":END"], rows[":tick-50hz"], (rows[":tick-97hz"] > 0) }' "$tmpdir/rows"
done | sort -u
