  openat                                              /nosuch                                                           1
1 
1 1 0x0 6
3 dtrace: error in dt_clause_0 for probe ID N (syscall:vmlinux:lseek:entry): invalid address (0x0)
3 dtrace: error in dt_clause_0 for probe ID N (syscall:vmlinux:lseek:return): invalid address (0x0)
