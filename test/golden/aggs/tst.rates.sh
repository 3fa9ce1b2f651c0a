#!/bin/bash
# ASSERTION: %@/d is a count by the seconds in which it was counted: those since tracing began or since clear() or a trunc() of
#   everything; trunc(@, n) keeps the time, and so the rates of what it keeps; normalize() divides rates as well.
# SECTION: Aggregations	@@tags: long
exec 2>&1
period=500
[ -z "$slow" ] || period=1000  # the consumer may be half a second late there
"$dtrace" -qn 'BEGIN { @s["a"] = sum(3000000); @s["b"] = sum(1000); begin = timestamp; }
tick-'$period'ms /++n == 3/ {
	trunc(@s, 1); printa("%s %@/.0f\n", @s, 1);
	@t = max((timestamp - begin) / 1000000); printa("took %@d\n", @t);
	normalize(@s, 1000); printa("%s %@/.3f\n", @s); denormalize(@s);
	clear(@s); }
tick-'$period'ms /n == 4/ { @s["a"] = sum(500); }
tick-'$period'ms /n == 6/ { @c = max(timestamp); printa("%s %@/.1f %@/d\n", @s, @s); exit(0); }
END { trunc(@s); trunc(@t); trunc(@c); }' >$tmpdir/out
awk -v period=$period '/^took/ { took = $2 }
	NR == 1 { first = $2 } NR == 3 { third = $2 } NR == 4 { last = $2; whole = $3 }
	function near(what, value, wanted) {
		print what, (value > wanted * 0.6 && value < wanted * 1.6) ? "as expected" : value " not near " wanted }
	END { near("since the beginning", first, 3000000 / (took / 1000)); near("normalised", third * 1000, first)
		near("since clear", last, 500 / (3 * period / 1000)); near("whole", whole, last) }' $tmpdir/out
exit 0
