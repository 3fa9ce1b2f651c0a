#!/bin/bash
# ASSERTION: ledto.d ends at a signal, and the calls before it are there in order.
. ./common.sh
example ledto.d -c "$(workload <<'END'
trap : USR1
kill -USR1 $$
while :; do :; done
END
)" &
wait $!
sort -n "$out" | grep . >"$tmpdir/sorted"
mv "$tmpdir/sorted" "$out"
claim "the signal is last" sh -c "tail -n 1 | grep -qE ' signal 10$'"
claim "the call that sent it comes before" sh -c "tail -n 3 | head -n 1 | grep -qE ' kill\(0x[0-9a-f]+, 0xa, '"
claim "with its return" sh -c "tail -n 2 | head -n 1 | grep -qE ' kill = 0, errno 0$'"
