$ dtrace -en syscall::close:entry /arg0 == 0xffffffff/ { }
! dtrace: warning: in predicate: arg0 is an int whose sign is extended to 64 bits, and never 4294967295: compare it with -1, or write (uint_t)arg0
status 0
$ dtrace -en syscall::close:entry /-2u <= arg0/ { }
! dtrace: warning: in predicate: arg0 is an int whose sign is extended to 64 bits, and never 4294967294: compare it with -2, or write (uint_t)arg0
status 0
$ dtrace -en syscall::close:entry /arg0 == -1 || (uint_t)arg0 == 0xffffffff || arg0 == 3/ { }
status 0
$ dtrace -en syscall::read:entry /arg1 == 0xffffffff || arg2 > 0x80000000/ { }
status 0
$ dtrace -en syscall:::entry /arg0 == 0xffffffff/ { }
status 0
