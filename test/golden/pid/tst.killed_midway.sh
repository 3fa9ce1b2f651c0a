#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A tracer killed at any moment while it sets or removes thousands of probes leaves no breakpoint in its target, whether
# the signal is sent to the process or to its group.   @@timeout: 300   @@tags: long release
# ROUNDS=200 makes more of them.
dtrace=$1
rounds=${ROUNDS:-${slow:+3}}
rounds=${rounds:-6}

bash -c 'while :; do for ((i = 0; i < 100; i++)); do :; done; sleep 0.05; done' &
target=$!
cat >"$tmpdir/changed.py" <<'EOF2'
import sys, time

def changed(pid):
    bytes_changed = 0
    for line in open(f"/proc/{pid}/maps"):
        word = line.split()
        if len(word) < 6 or "x" not in word[1] or not word[5].endswith("/bash"):
            continue
        start, end = (int(part, 16) for part in word[0].split("-"))
        with open(f"/proc/{pid}/mem", "rb") as memory, open(word[5], "rb") as file:
            memory.seek(start)
            file.seek(int(word[2], 16))
            now, before = memory.read(end - start), file.read(end - start)
            if now != before:
                bytes_changed += sum(a != b for a, b in zip(now, before))
    return bytes_changed

pid, patience = sys.argv[1], float(sys.argv[2])
# A worker of the kernel removes what a dead process had, hundreds a second on a loaded machine: as long as it does.
least, until = None, 0
while count := changed(pid):
    if least is None or count < least:
        least, until = count, time.monotonic() + patience
    if time.monotonic() >= until:
        break
    time.sleep(0.05)
print(count)
EOF2
start() {
  : >"$tmpdir/log" # there before anybody looks into it
  # In a process group of its own.
  set -m
  DTRACE_DEBUG=1 $dtrace $dt_flags -qn "pid$target:bash:[a-e]*: { @ = count(); }" >/dev/null 2>"$tmpdir/log" &
  tracer=$!
  set +m
}
# Steps as DTRACE_DEBUG reports them, with the milliseconds since the start: probes are set between the first two, removed between
# the last two.
until_step() { # STEP: until the tracer comes to it, or ends
  until grep -q ": $1" "$tmpdir/log" || ! kill -0 $tracer 2>/dev/null; do sleep 0.01; done
}
at() { awk -v step="$1" '$4 == "ms:" && index($0, step) { print $3 }' "$tmpdir/log"; }

start
until_step 'probes attached'
[ "$(python3 "$tmpdir/changed.py" $target 0)" -gt 5000 ] && echo "breakpoints are there"
kill -INT $tracer
wait $tracer
sets="$(at 'BPF programs loaded') $(at 'probes attached')" removes="$(at 'tracing ends') $(at 'probes removed')"
echo "left by one that ends: $(python3 "$tmpdir/changed.py" $target 0)"

left=0
for ((round = 0; round < rounds; round++)); do
  start
  if ((round % 3 == 2)); then
    until_step 'probes attached'
    kill -INT $tracer
    until_step 'tracing ends'
    took=$removes
  else
    until_step 'BPF programs loaded'
    took=$sets
  fi
  # Each round a bit later in the time that it took before.
  delay=$(awk -v round="$round" -v rounds="$rounds" '{ print ($2 - $1) / 1000 * round / rounds }' <<<"$took")
  sleep "$delay"
  if ((round % 2)); then kill -KILL -$tracer; else kill -KILL $tracer; fi 2>/dev/null
  wait $tracer 2>/dev/null
  count=$(python3 "$tmpdir/changed.py" $target 20)
  left=$((left + (count > 0)))
  [ "$count" = 0 ] || { echo "round $round, $delay s: $count bytes"; break; }
done 2>/dev/null
echo "left by one that is killed: $left"
kill -0 $target && echo "the program runs on"
kill $target
wait $target 2>/dev/null
exit 0
