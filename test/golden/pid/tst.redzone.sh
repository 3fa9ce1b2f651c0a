#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A 5-byte NOP inside a function can have no probe: it would overwrite what the function keeps below its stack
# pointer. It is refused by name, left out of a glob, and the program computes what it did before.
dtrace=$1

$dtrace -qn 'pid$target:a.out:red_zone:5 { @ = count(); }' -c "$triggers/redzone 1000" -xerrtags 2>&1 | grep -o 'D_PROC_CREATEFAIL'
$dtrace -qn 'pid$target:a.out:red_zone: { @[probename] = count(); } END { printa("%s %@d\n", @); }' \
  -c "$triggers/redzone 1000" 2>"$tmpdir/err" | sed "/^$/d" | sort
