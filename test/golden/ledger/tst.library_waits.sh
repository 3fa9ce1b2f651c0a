#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A process of -c or -p that loads a library waits until its probes are set: all that it calls at once is seen. One that asks
# in vain, of a tracer that is stopped, goes on after a while, and the ledger says that the probes were late.
# @@timeout: 60
# @@tags: release
dtrace=$1
program='BEGIN { printf("ready\n"); } pid$target:libm.so.6:cbrt:entry { @ = count(); } END { printa("%@d\n", @); }'
command() { # [what the kernel lacks]
  for ((round = 0; round < 10; round++)); do
    DTRACE_KERNEL_LACKS=$1 $dtrace $dt_flags -x ledger=text -qZn "$program" -c "$triggers/dlopens burst" 2>&1
  done | sort | uniq -c
}
echo "== -c"
command
echo "== -c, a link a probe"
command uprobe_multi
mkfifo "$tmpdir/in"
exec 3<>"$tmpdir/in"
process() {
  rm -f "$tmpdir/out" # what the round before said
  "$triggers/dlopens" burst-wait <"$tmpdir/in" &
  target=$!
  $dtrace $dt_flags -x ledger=text -qZn "$program" -p $target >"$tmpdir/out" 2>&1 &
  tracer=$!
  until grep -q ready "$tmpdir/out" 2>/dev/null; do :; done
}
echo "== -p"
for ((round = 0; round < 10; round++)); do
  process
  echo >&3
  wait $tracer
  cat "$tmpdir/out"
done | sort | uniq -c
echo "== -p, the tracer is stopped"
process
kill -STOP $tracer
echo >&3
wait $target && echo "the program has ended"
kill -CONT $tracer
wait $tracer
sed -E "/^$/d; s/[0-9.]+ ms/N ms/" "$tmpdir/out"
exit 0
