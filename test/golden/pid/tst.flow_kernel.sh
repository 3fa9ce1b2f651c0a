#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: one flow through all functions of a program, one of its libraries and the system call, with flowindent; the thread
# is in the kernel (K) where the system call is, and in the program (U) everywhere else.
dtrace=$1
$dtrace $dt_flags -F -c "$triggers/descend" -n '
pid$target:a.out:main:entry { self->on = 1; }
pid$target:a.out::entry, pid$target:libc:write:entry, syscall::write:entry /self->on/ {
  trace(curlwpsinfo->pr_syscall == -1 ? "U" : "K");
}
pid$target:a.out::return, pid$target:libc:write:return, syscall::write:return /self->on/ {
  trace(curlwpsinfo->pr_syscall == -1 ? "U" : "K");
}
pid$target:a.out:main:return { self->on = 0; }' 2>/dev/null | sed 's/^ *[0-9]* //; s/ *$//; /^$/d'
