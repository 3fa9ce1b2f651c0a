#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A tracer killed in the midst leaves no breakpoint in the memory of what it traced.
dtrace=$1

"$triggers/spin" 60 &
target=$!
# The bytes of spin_here() in the process.
code() {
  python3 - "$triggers/spin" "$target" <<'EOF'
import subprocess, sys
file, pid = sys.argv[1], sys.argv[2]
for line in subprocess.run(["nm", file], capture_output=True, text=True).stdout.splitlines():
    word = line.split()
    if word[-1] == "spin_here":
        address = int(word[0], 16)
for line in subprocess.run(["readelf", "-lW", file], capture_output=True, text=True).stdout.splitlines():
    word = line.split()
    if word[:1] == ["LOAD"] and 0 <= address - int(word[2], 16) < int(word[4], 16):
        offset = int(word[1], 16) + address - int(word[2], 16)
for line in open(f"/proc/{pid}/maps"):
    word = line.split()
    if word[-1].endswith("/spin") and int(word[2], 16) <= offset and "x" in word[1]:
        start = int(word[0].split("-")[0], 16) + offset - int(word[2], 16)
with open(f"/proc/{pid}/mem", "rb") as memory:
    memory.seek(start)
    print(memory.read(64).hex())
EOF
}
before=$(code)
mkfifo "$tmpdir/out"
$dtrace $dt_flags -qn 'pid$target:a.out:spin_here:return { @[probename] = count(); }
pid$target:a.out:spin_here:entry /!self->told/ { printf("armed\n"); self->told = 1; }' -p $target >"$tmpdir/out" &
tracer=$!
read -r word <"$tmpdir/out"
echo "$word"
[ "$(code)" != "$before" ] && echo "breakpoints are there"
{ kill -KILL $tracer; wait $tracer; } 2>/dev/null
for ((i = 0; i < 500; i++)); do
  [ "$(code)" = "$before" ] && break
  sleep 0.02
done
[ "$(code)" = "$before" ] && echo "and are gone"
kill -0 $target && echo "the program runs on"
kill $target
wait $target 2>/dev/null
exit 0
