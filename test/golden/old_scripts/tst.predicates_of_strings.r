syscalls lseek 2
in order 2

