# SPDX-License-Identifier: Apache-2.0
# A control group with a limit of memory, of version 1 or 2: `make NAME BYTES` prints its folder, `remove FOLDER` removes it.
# `can` only says whether there can be one.
one=/sys/fs/cgroup/memory two=/sys/fs/cgroup
if [ -w $one/cgroup.procs ]; then
  top=$one limit=memory.limit_in_bytes
elif grep -qw memory $two/cgroup.subtree_control 2>/dev/null && [ -w $two/cgroup.procs ]; then
  top=$two limit=memory.max
else
  echo "no control group of memory"
  exit 2
fi
case $1 in
  can) ;;
  make) mkdir "$top/$2" && echo "$3" >"$top/$2/$limit" && echo "$top/$2" ;;
  remove) rmdir "$2" ;;
esac
