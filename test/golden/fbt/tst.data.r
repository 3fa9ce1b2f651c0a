swapper/0 0
1
vmlinux`vfs_read vmlinux`init_task
vmlinux`vfs_read
vmlinux`vfs_read
vmlinux
vmlinux`vfs_read+N
swapper/0 0
ok: release
ok: command line
ok: possible CPUs
ok: forks
ok: declared
ok: a type by its module
