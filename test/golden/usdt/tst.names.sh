#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a provider's name without a process is no provider, and the message says what is; an unknown one matches
# nothing.
. ./common.sh
mkfifo "$tmpdir/in"
$system_python -c 'import sys; sys.stdin.read()' <"$tmpdir/in" &
python=$!
exec 5>"$tmpdir/in"
until grep -q python3 "/proc/$python/maps"; do sleep 0.05; done
"$dtrace" -xerrtags -n 'python:::gc-start { }' 2>&1 | grep -o 'D_PDESC_ZERO\|for all processes python\*'
"$dtrace" -xerrtags -n 'nosuchprovider:::x { }' 2>&1 | grep -o 'D_PDESC_ZERO'
"$dtrace" -xerrtags -n "python$((python + 100000))"':::gc-start { }' 2>&1 | grep -o 'D_PDESC_ZERO'
"$dtrace" -l -n "python$python:::gc-*" | awk 'NR > 1 { sub(/^python3[.].*/, "python3", $3); print $3, $NF }' | sort -u
exec 5>&-
wait $python
