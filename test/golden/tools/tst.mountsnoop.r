0 mount("ours", "TMP/at", "tmpfs", MS_NOSUID|MS_NOEXEC, "size=1m") = 0
0 mount(NULL, "TMP/at", NULL, MS_RDONLY|MS_REMOUNT|0x40, NULL) = 0
0 mount("TMP/at", "TMP/at", NULL, MS_BIND, NULL) = 0
0 umount2("TMP/at", 0x2) = 0
ENOENT mount("none", "TMP/missing", "tmpfs", 0, NULL) = -1
EFAULT mount(0x1, ADDRESS, ADDRESS, 0, NULL) = -1
0 umount2("TMP/at", 0) = 0
EINVAL umount2("TMP/at", 0) = -1
0 fsopen("tmpfs", 0x1) = 3
0 fsconfig(3, FSCONFIG_SET_STRING, "size", "2m", 0) = 0
0 fsconfig(3, FSCONFIG_CMD_CREATE, NULL, NULL, 0) = 0
0 fsmount(3, 0, 0) = 4
0 move_mount(4, "", AT_FDCWD, "TMP/at", 0x4) = 0
0 open_tree(AT_FDCWD, "TMP/at", 0x1) = 5
EBADF move_mount(4, "", 99, "nowhere", 0x4) = -1
-x:
ENOENT mount("none", "TMP/missing", "tmpfs", 0, NULL) = -1
EFAULT mount(0x1, ADDRESS, ADDRESS, 0, NULL) = -1
EINVAL umount2("TMP/at", 0) = -1
EBADF move_mount(4, "", 99, "nowhere", 0x4) = -1
ok: -x, -n: nothing else
