#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a tracer that is killed in the midst of a benchmark does the server no harm: every transaction is made, and the
# counters that its sites test are 0 again.
# @@timeout: 90
# @@tags: long release
# @@lock: postgresql
. ./common.sh
start_postgres
echo "SELECT 'some' AS a;" >"$pgdir/script"
chmod 644 "$pgdir/script"
counter() { counter_of "$postgres" "$postgres_bin/postgres" query__start; }
echo "before: $(counter)"
trace -q -n 'BEGIN { printf("ready\n"); }
  postgresql*::: { @[probename, arg0] = count(); }
  postgresql*:::query-start /n++ == 100/ { printf("midst\n"); }'
[ "$(counter)" -gt 0 ] && echo "raised"
pg pgbench -h "$pgdir" -U test -n -c 4 -t 1000 -f "$pgdir/script" postgres >"$tmpdir/bench" 2>&1 &
bench=$!
until grep -q midst "$out" || ! kill -0 $bench 2>/dev/null; do sleep 0.01; done
grep midst "$out"
{ kill -KILL "$tracer"; wait "$tracer"; } 2>/dev/null
wait $bench
grep -o 'number of transactions actually processed: [0-9/]*\|number of failed transactions: [0-9]*' "$tmpdir/bench"
for ((i = 0; i < 200; i++)); do [ "$(counter)" = 0 ] && break; sleep 0.05; done
echo "after: $(counter)"
