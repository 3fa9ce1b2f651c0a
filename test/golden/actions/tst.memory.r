b'befota\x00xyz\x00' b'abc34py789\x00'
before tl 0
before bef
00 befotail!
fault 1 at a kernel address: 1

dtrace: error in dt_clause_2 for probe ID N (syscall:vmlinux:lseek:entry): invalid address (ADDRESS)
