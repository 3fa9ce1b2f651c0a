#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Numbers of processes are those of dtrace's own PID namespace: pid, tid, ppid, $pid, $target, progenyof() and the
# process of a user stack agree inside a nested one, and outside for a target in one of its own.
dtrace=$1

cat >"$tmpdir/inside.sh" <<EOF2
$dtrace $dt_flags -qn 'BEGIN { printf("BEGIN: pid is %s, small: %d\n", pid == \$pid ? "\$pid" : "other", pid < 1000); }
  syscall::openat:entry /pid == \$target/ { opens++; same = tid == pid; parent = ppid == \$pid; mine = progenyof(\$pid);
    own = progenyof(\$target); none = progenyof(99999); }
  END { printf("opens: %d, tid %d, ppid %d, progenyof %d %d %d\n", opens > 0, same, parent, mine, own, none); }' \
  -c '/bin/cat /dev/null'
$dtrace $dt_flags -qn 'pid\$target:a.out:spin_here:entry { @[pid == \$target] = count(); @s[ustack(2)] = count(); i++; }
  pid\$target:a.out:spin_here:entry /i == 3/ { exit(0); }
  END { printa("pid is \$target: %d\n", @); printa(@s); }' -c '$triggers/spin 60'
EOF2
echo "== inside"
unshare -pf --mount-proc bash "$tmpdir/inside.sh" | grep -oE '^BEGIN.*|^opens.*|^pid is.*|spin`[a-z_]*'

echo "== a target in a namespace of its own"
unshare -pf --kill-child --mount-proc "$triggers/spin" 60 2>/dev/null &
outer=$!
until target=$(pgrep -P $outer -x spin); do sleep 0.05; done
$dtrace $dt_flags -qn 'pid$target:a.out:spin_here:entry { @[pid == $target] = count(); @s[ustack(1)] = count(); i++; }
  pid$target:a.out:spin_here:entry /i == 3/ { exit(0); }
  END { printa("pid is $target: %d\n", @); printa(@s); }' -p "$target" | grep -oE 'pid is.*|spin`spin_here'
kill -KILL $target # the first process of a namespace ignores other signals
wait $outer 2>/dev/null

echo "== /proc of another namespace"
unshare -pf "$dtrace" $dt_flags -qn 'BEGIN { exit(0); }' -c /bin/true 2>&1
exit 0
