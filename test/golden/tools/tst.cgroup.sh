#!/bin/bash
# ASSERTION: -g traces the processes of a control group and of those below it, and no others; a group that is not there is
#   waited for. --unit is one by its name; --container and --pod want a value.
# @@timeout: 180      @@tags: long release
. ./common.sh
root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
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
for group in $name $root/$name/ $name/below; do
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
"$tools/dtrace-tool" opensnoop.d -t 1 -g $name/missing 2>&1 | sed "s,$name,GROUP,"
"$tools/dtrace-tool" opensnoop.d -t 1 --unit=$name 2>&1 | sed "s,$name,GROUP,"
"$tools/dtrace-tool" opensnoop.d --container 2>&1
"$tools/dtrace-tool" tcpstates.d --container=web 2>&1
exit 0
