vmlinux`vfs_read 2 42
vmlinux 1 7

  vmlinux`vfs_read                                                  2

on all CPUs: 2
