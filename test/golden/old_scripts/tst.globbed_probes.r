glob:lseek:entry 3
syscall:lseek:entry 3
syscall:lseek:return 3

