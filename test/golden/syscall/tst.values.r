read(3, _, 16) args 3 16
read 5 5 5, errno 0
read(-7, _, 3) args -7 3
read -1 -1 -9, errno 9
openat(-100, _, 2, 600) args -100 2 600
openat -1 -1 -2, errno 2
lseek(_, 42949672960, 0) args 42949672960 0
lseek -1 -1 -29, errno 29
mmap(0, 0, 1, 2, 3, 4096)
mmap -1 -1 -22, errno 22
syscall:vmlinux:rt_sigsuspend:entry
rt_sigsuspend -1 -1 -514, errno 4

