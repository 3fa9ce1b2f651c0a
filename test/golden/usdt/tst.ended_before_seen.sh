#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a file that came after the tracer, and whose only process ended before the tracer could look at it, has its probes
# when it is executed again; -x ledger says that they were set late.
. ./common.sh
build_operands -o "$tmpdir/known"
trace -qZ -x ledger=text -n 'BEGIN { printf("ready\n"); } opnd*:::memory { @[execname] = count(); } END { printa("%s %@d\n", @); }'
links() { ls -l "/proc/$tracer/fd" 2>/dev/null | grep -c bpf_link; }
# Where the folder is a file system of its own, probes stay as long as a process executes a file of it.
cp "$(command -v sleep)" "$tmpdir/holder"
"$tmpdir/holder" 600 &
holder=$!
trap 'kill $holder' EXIT
cp "$tmpdir/known" "$tmpdir/fresh"
before=$(links)
kill -STOP "$tracer"
echo f | "$tmpdir/fresh" >/dev/null
kill -CONT "$tracer"
for ((i = 0; i < 600 && $(links) == before; i++)); do sleep 0.05; done
echo f | "$tmpdir/fresh" >/dev/null
end_trace
grep -v '^ready' "$out" | sed 's/[0-9.]* ms/N ms/'
