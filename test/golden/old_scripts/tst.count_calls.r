SYSCALL             COUNT
lseek                   7

