#!/bin/bash
# ASSERTION: -g traces the processes of a control group and of those below it, and no others.
# @@timeout: 180      @@tags: long
. ./common.sh
root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
if [ -z "$root" ]; then
  # Mounted in a namespace of our own.
  [ "${1-}" != inside ] || exit 1
  exec unshare --mount bash -c "mount -t cgroup2 none /mnt && exec bash '$0' inside"
fi
mkdir -p "$root/$name/below"
trap 'rmdir "$root/$name/below" "$root/$name"' EXIT
cat=$(program cat)
echo text >"$tmpdir/there"
cat >"$tmpdir/script" <<SCRIPT
run() { bash -c 'echo \$\$ >\$0; exec $cat $tmpdir/there >/dev/null' $root/\$1/cgroup.procs; }
run $name
run $name/below
run .
exit 0
SCRIPT
for group in $name $root/$name/ $name/below .; do
  : >"$out"
  "$tools/dtrace-tool" opensnoop.d -f "$tmpdir/there" -g "$group" >"$out" 2>"$err" &
  tracer=$!
  until [ -s "$out" ]; do sleep 0.05; done
  bash "$tmpdir/script"
  kill -INT $tracer
  wait $tracer
  group=${group/$name/GROUP}
  echo "${group#"$root"}: $(grep -c "$name.* $tmpdir/there" "$out") opens, status $?"
done
"$tools/dtrace-tool" opensnoop.d -g $name/missing 2>&1 | sed "s,$root/$name,ROOT/GROUP,"
