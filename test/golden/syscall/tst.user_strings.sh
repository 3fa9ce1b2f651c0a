#!/bin/bash
# ASSERTION: stringof() and (string) of an argument that holds an address of the process read that process's memory, in
# clauses of system calls and of functions; an address of the kernel is read there.
# SECTION: Strings
rows() { "$dtrace" -q "$@" 2>&1 | sort -u; }
rows -c '/bin/cat /proc/sys/kernel/ostype' -n 'syscall::openat:entry
    /pid == $target && stringof(arg1) == "/proc/sys/kernel/ostype"/ { printf("%s %s\n", (string)arg1, stringof(arg1)); }'
rows -c '/bin/cat /proc/sys/kernel/ostype' -n 'pid$target::open*:entry
    /(int)arg0 != -100 && strstr(stringof(arg0), "ostype") != NULL/ { printf("seen\n"); }'
rows -n 'BEGIN { printf("%s\n", stringof((uintptr_t)&curthread->comm)); exit(0); }'
rows -n 'BEGIN { trace(stringof((uintptr_t)16)); } ERROR { printf("%x\n", arg5); exit(0); }'
