before tl 0
before bef
00 befotail!
fault 1 at a kernel address: 1

dtrace: error in dt_clause_1 for probe ID N (syscall:vmlinux:lseek:entry): invalid address (ADDRESS)
