#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# One flow through a program's function, a library's and the system call, indented.
dtrace=$1
$dtrace $dt_flags -F -c "$triggers/syscalls 2" -n '
pid$target:a.out:main:entry { self->on = 1; }
pid$target:a.out:main:entry, pid$target:libc:lseek:entry, syscall::lseek:entry /self->on/ { trace("in"); }
syscall::lseek:return, pid$target:libc:lseek:return, pid$target:a.out:main:return /self->on/ { trace("out"); }
pid$target:a.out:main:return { self->on = 0; }' 2>/dev/null | sed 's/^ *[0-9]* *//; s/  */ /g; /^$/d'
