#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: queries are counted by their text as the client counts them, in processes that start after the tracer.
# @@lock: postgresql
. ./common.sh
start_postgres
cat >"$pgdir/script" <<'S'
SELECT 'first' AS a;
SELECT 'second' AS a;
SELECT 'second' AS a;
S
chmod 644 "$pgdir/script"
trace -q -n 'BEGIN { printf("ready\n"); }
  postgresql*:::query-start /ppid == '"$postgres"' && strstr(copyinstr(arg0), "AS a") != NULL/ { @[copyinstr(arg0)] = count(); self->t = timestamp; }
  postgresql*:::query-done /self->t/ { @latency = quantize(timestamp - self->t); @done = count(); self->t = 0; }
  END { printa("%s %@d\n", @); printa("done %@d\n", @done); printa(@latency); }'
pg pgbench -h "$pgdir" -U test -n -c 4 -t 250 -f "$pgdir/script" postgres >"$tmpdir/bench" 2>&1 || cat "$tmpdir/bench"
end_trace
grep -o 'number of transactions actually processed: [0-9/]*' "$tmpdir/bench"
grep -E "^(SELECT|done)" "$out" | sort
awk '/Distribution/ { on = 1; next } on && NF > 2 { sum += $NF } END { print "latencies", sum }' "$out"
