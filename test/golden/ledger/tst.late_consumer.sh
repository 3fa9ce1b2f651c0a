#!/bin/bash
# ASSERTION: a consumer that does not run for a while loses no keys: the first tables have room for 200 000 new ones.
# SECTION: Aggregations without a limit on keys
# @@timeout: 120
triggers=$(dirname "$dtrace")/../test/triggers
mkfifo "$tmpdir/go"
# Stopped by a signal, so that the machine's speed does not matter.
$dtrace -qn 'syscall::lseek:entry /ppid == '$$' && arg0 == 12345/ { @[arg1] = count(); } BEGIN { printf("go\n"); }' \
	-xledger=text >"$tmpdir/out" 2>"$tmpdir/ledger" &
tracer=$!
until grep -qs go "$tmpdir/out"; do read -rt 0.01 <> "$tmpdir/go"; done
kill -STOP $tracer
"$triggers/syscalls" 200000
kill -CONT $tracer
kill -TERM $tracer
wait $tracer
awk 'NF == 2 { keys++; sum += $2 } END { print keys, sum }' "$tmpdir/out"
cat "$tmpdir/ledger"
