zero 7
asked 86415
vmlinux vfs_read 7
got 86415
arg1 86415
arg0 -7
-2 -2
