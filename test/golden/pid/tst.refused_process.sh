#!/bin/bash
# ASSERTION: a process that may not be inspected is named, if it is the only one; not at all if the description means another process.
# A PID namespace has one process of root's, and those of a user with CAP_BPF and CAP_PERFMON.
chmod 755 "$(dirname "$tmpdir")" "$tmpdir"
cp "$dtrace" "$tmpdir/dt"
mkdir -m 700 "$tmpdir/roots"
cp "$(command -v sleep)" "$tmpdir/roots/root_spin"
cat >"$tmpdir/user.sh" <<'SH'
for description in 'pid*:root_spin:main:entry' 'nosuch*:::go' "nosuch*$2:::go" 'nosuch*1:::go'; do
  echo "-- $description" | sed "s/[*]$2:/*PID:/"
  "$1/dt" -x nolibs -n "$description { exit(0); }" 2>&1 | grep -oE '([0-9]* processes|process [0-9]+ [^ ]*) cannot be .*' | sed "s/process $2 /process PID /"
done
# A process of our own has the probe.
$system_python -c 'import sys; sys.stdin.read()' <&3 &
until read -r name </proc/$!/comm && [ "$name" = "${system_python##*/}" ]; do kill -0 $! || exit 1; done
echo "-- python*:::gc-start"
"$1/dt" -x nolibs -n 'python*:::gc-start, tick-1ms { exit(0); }' 2>&1 | grep 'cannot be' | sed "s/process $2 /process PID /"
exit 0
SH
unshare --pid --fork --mount-proc bash -c '
  "$1/roots/root_spin" 60 &
  until read -r name </proc/$!/comm && [ "$name" = root_spin ]; do kill -0 $! || exit 1; done
  mkfifo "$1/in"
  exec 3<>"$1/in"
  exec setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=+bpf,+perfmon --ambient-caps=+bpf,+perfmon bash "$1/user.sh" "$1" $!
' bash "$tmpdir"
