#!/bin/bash
# ASSERTION: fsinfo fires for what else a program does with its open files: ioctl, readdir, space and map, seek and fsync.
# SECTION: Providers, 18
# @@timeout: 60
cd "$tmpdir" || exit 1
cat >operations.py <<'P'
import fcntl, mmap, os, termios
file = os.open("dtfile", os.O_RDWR | os.O_CREAT)
for _ in range(3): fcntl.ioctl(file, termios.FIONREAD, b"\0" * 8)
os.posix_fallocate(file, 0, 8192)
os.ftruncate(file, 4096)
for _ in range(4): os.lseek(file, 10, os.SEEK_SET)
os.fsync(file)
os.fdatasync(file)
mmap.mmap(file, 4096)
mmap.mmap(-1, 4096)
os.mkdir("dtfolder")
os.listdir("dtfolder")
P
"$dtrace" -q -n '
fsinfo:::ioctl, fsinfo:::readdir, fsinfo:::space, fsinfo:::seek, fsinfo:::fsync, fsinfo:::map
/pid == $target && (args[0]->fi_name == "dtfile" || args[0]->fi_name == "dtfolder")/ { @[probename, args[0]->fi_name] = count(); }
END { printa("%s %s %@d\n", @); }' -c '/usr/bin/python3 operations.py' | sort
