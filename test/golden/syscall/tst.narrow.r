== narrow
getpid mkdir (0, 755) -1 14
close -1
kill -2 77
lseek -1 -5 1, args[1] -5
pread64 -1 0 7 100000002
fallocate -1 3 -1 600000005
chown 0 4464 65535
chown32 0 70000 4294967295
mmap2 fffff000 0 3 22 -1 5
mmap2 -1 22 -22
old_mmap 64
futex 64 1 fffffffd 9
== wide
getpid mkdir (0, 755) -1 14
close -1
kill -2 77
lseek -1 -5 1, args[1] -5
pread64 -1 0 7 100000002
fallocate -1 3 -1 600000005
chown 0 4464 65535
chown32 0 70000 4294967295
mmap2 fffff000 0 3 22 -1 5
mmap2 -1 22 -22
old_mmap 64
futex 64 1 fffffffd 9
== results
open narrow.c 0: DESCRIPTOR 0
open /no/such/file 241 644: -1 2 -2
stat64 /no/such/other: 2
munmap what mmap2 gave: 4096
clone True tls 4321
clone: -1 22
== among all calls
kill -2 77 0 0
lseek -1 -5 1 0
pread64 -1 0 7 4294967298
fallocate -1 3 -1 25769803781
chown 0 4464 65535 0
2
== counts
             1000
           499500
             1000
nothing was lost
             1000
           499500
             1000
nothing was lost
