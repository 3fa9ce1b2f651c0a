#!/bin/bash
# ASSERTION: -B prints each piece of text as a string, with the probe, the action and the aggregation it comes from.
# SECTION: Command line, 3
. "$(dirname "$0")/../../runner/show.sh"
run -Bqxcpu=0 -n 'BEGIN{trace(1); printf("%s\t%d\n", "two", 2); @a["key", 3] = count(); printa("%s %d %@d\n", @a); exit(0)}'
run -Bxcpu=0 -n 'BEGIN{@["key", 3] = count(); @q = quantize(1); exit(0)}'
run -Bqxcpu=0 -n 'BEGIN{@a[1] = sum(2); @b[1] = sum(3); printa(@a, @b); exit(0)}'
run -B -l
run -B -o file -n BEGIN
