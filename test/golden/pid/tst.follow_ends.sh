#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: with -x follow=fork tracing ends when the targets and all followed children have ended; without it, with the
# target. A target that is killed leaves its children followed. dtrace that is killed leaves nothing in the kernel.
dtrace=$1
count='pid$target:a.out:member:entry { @ = count(); } END { printa("%@d\n", @); }'
echo "== the target ends before its child"
"$dtrace" $dt_flags -qn "$count" -x follow=fork -c "$triggers/families /dev/null leave" 2>&1
echo "== the default"
"$dtrace" $dt_flags -qn "$count" -c "$triggers/families /dev/null leave" 2>&1
echo "== by a pragma"
"$dtrace" $dt_flags -qn "#pragma D option follow=fork
$count" -c "$triggers/families /dev/null leave" 2>&1
echo "== the target is killed"
mkfifo "$tmpdir/go"
exec {go}<>"$tmpdir/go"
bash -c "read -r w <'$tmpdir/go'; (read -r w <'$tmpdir/go'; exec $triggers/families /dev/null) & echo forked; wait" \
  >"$tmpdir/forked" & target=$!
"$dtrace" $dt_flags -qZ -x follow=fork -p $target -n 'BEGIN { printf("ready\n"); }
  pid$target:families:member:entry { @ = count(); } END { printa("%@d\n", @); }' >"$tmpdir/out" 2>&1 & tracer=$!
until grep -qs ready "$tmpdir/out"; do sleep 0.02; done
echo >&$go
until grep -q forked "$tmpdir/forked"; do sleep 0.02; done
{ kill -KILL $target; wait $target; } 2>/dev/null
echo >&$go
wait $tracer
grep -v ready "$tmpdir/out"
echo "== dtrace is killed"
changed() {
  python3 - "$1" <<'EOF'
import sys
count = 0
for line in open(f"/proc/{sys.argv[1]}/maps"):
    word = line.split()
    if len(word) < 6 or "x" not in word[1] or not word[5].endswith("/spin"):
        continue
    start, end = (int(part, 16) for part in word[0].split("-"))
    with open(f"/proc/{sys.argv[1]}/mem", "rb") as memory, open(word[5], "rb") as file:
        memory.seek(start)
        file.seek(int(word[2], 16))
        code = file.read(end - start)  # the last page may be longer than the file
        count += memory.read(len(code)) != code
print(count)
EOF
}
: >"$tmpdir/out"  # else the "ready" of the first is taken for that of the second
bash -c "read -r w <'$tmpdir/go'; $triggers/spin 60 & echo \$! >'$tmpdir/spin'; wait" & target=$!
"$dtrace" $dt_flags -qZ -x follow=fork -p $target -n 'BEGIN { printf("ready\n"); }
  pid$target:spin:spin_here:entry /!told/ { told = 1; printf("fired\n"); }' >"$tmpdir/out" 2>&1 & tracer=$!
until grep -qs ready "$tmpdir/out"; do sleep 0.02; done
echo >&$go
until grep -q fired "$tmpdir/out"; do sleep 0.02; done
spin=$(cat "$tmpdir/spin")
echo "a breakpoint in the child: $(changed "$spin")"
{ kill -KILL $tracer; wait $tracer; } 2>/dev/null
for ((i = 0; i < 500; i++)); do
  [ "$(changed "$spin")" = 0 ] && break
  sleep 0.02
done
echo "left in the child: $(changed "$spin")"
kill "$spin"
wait $target
exit 0
