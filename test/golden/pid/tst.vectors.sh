#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The kernel mistakes instructions with a VEX prefix for others, so none is probed: entry is seen at the first other one,
# with the arguments as they were, and the program computes what it did before.
dtrace=$1

"$triggers/vectors" 1
[ $? = 2 ] && { cat "${BASH_SOURCE[0]%.sh}.r"; exit 0; } # no AVX
$dtrace -qn '
pid$target:a.out:vector_twice: { @[probename] = count(); }
pid$target:a.out:vector_twice:entry { @sum = sum(arg0); }
END { printa("%s %@d\n", @); printa("sum %@d\n", @sum); }' -c "$triggers/vectors 1000" 2>"$tmpdir/err" | sed '/^$/d' | sort
cat "$tmpdir/err"
$dtrace -n 'pid$target:libc:str*:entry, pid$target:libc:mem*:entry, pid$target:libc:wc*:entry { @ = count(); }' \
  -qc "printf '%s\\n' the_same" -o "$tmpdir/out" 2>"$tmpdir/err"
