#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: arguments and return values of kernel functions, with the kernel's types, are those of the live run in a
#   replay: members behind pointers, bit-fields, strings, faults.
# SECTION: Recordings    @@timeout: 120
cd "$tmpdir" || exit 1
cat >functions.d <<'D'
fbt::vfs_write:entry /pid == $target/ { @name[stringof(args[0]->f_path.dentry->d_name.name), args[2]] = count(); self->in = 1; }
fbt::vfs_write:return /self->in/ { @result[args[1]] = count(); self->in = 0; }
fbt::vfs_write:entry /pid == $target/ { @task[curthread->pid == pid, curthread->in_execve, curthread->comm] = count(); }
fbt::vfs_write:entry /pid == $target/ { @fault = sum(*(int *)8); }
ERROR { @faults[arg4, arg5] = count(); }
D
"$dtrace" -q --record run.rec -x recordrun -s functions.d -c 'dd if=/dev/zero of=out bs=100 count=30 status=none' >live 2>live.err
"$dtrace" -q --replay run.rec -s functions.d >replayed 2>replayed.err
cmp live replayed && cat live
