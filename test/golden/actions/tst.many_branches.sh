#!/bin/bash
# ASSERTION: hundreds of branches of one clause may record, one after the other, chained and nested.
# SECTION: Stability, faults, drops, speculation, clause semantics/Clause evaluation
# @@tags: long
{
	echo '#pragma D option quiet'
	echo 'int n; BEGIN {'
	for i in {1..300}; do echo "if (n % 7 == 0) printf(\"$i \"); n++;"; done
	echo 'printf("\n"); }'
	echo 'BEGIN { i = 60;'
	for i in {1..100}; do echo "if (i == $i) printf(\"chain $i\n\"); else"; done
	echo 'printf("none\n"); }'
	echo 'BEGIN {'
	for i in {1..60}; do echo "if (i > $i) { printf(\"$i \");"; done
	for i in {1..60}; do echo '}'; done
	echo 'printf("\n"); exit(0); }'
} >"$tmpdir/many.d"
"$dtrace" -s "$tmpdir/many.d"
