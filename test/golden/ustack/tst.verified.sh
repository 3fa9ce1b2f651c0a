#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a program with a user stack, as a key or a value, has the verifier look at less than 5000 instructions while no
# process with Python or Java is met. (At its own function a system call's program has the parts of these in itself, 12 000
# instructions. Its copies, one for each function, could call another program only through a map each: the kernel takes into a map of
# programs those of one function's type. And each copy would need a second program. On arm64, where return addresses may be in a
# register, a walk has a fifth more.)
limit=5000
[ "$(uname -m)" != aarch64 ] || limit=5600
verified() {
  "$dtrace" $dt_flags -q -x bpflog -x syscalls=tracepoint -n "$1 BEGIN { exit(0); }" 2>&1 |
    awk -v limit=$limit '/^processed [0-9]+ insns/ && $2 > most { most = $2 } END { print (most == 0 ? "no account" : most < limit ? "few" : most " instructions") }'
}
verified 'profile-97 { @[ustack()] = count(); }'
verified 'profile-97 { @[execname, stack(), ustack()] = count(); }'
verified 'profile-97 { ustack(); }'
verified 'syscall::write:entry { @[execname, ustack(5)] = count(); }'
verified 'syscall::write:entry { @ = quantize(ustackdepth); }'
verified 'sched:::off-cpu { self->stack = timestamp; @[ustack(), stack()] = count(); }'
