#!/bin/bash
# ASSERTION: fds[n] names the open files of the running process: path, directory, name, offset, flags, file system; what is
# not open is <none>, what lies in no directory has a file system and no path.
# SECTION: Variables/Built-in variables
cd "$tmpdir" || exit 1
cat >fds.d <<'D'
#pragma D option quiet
syscall::lseek:entry
/pid == $target && arg0 == 5/
{
	printf("%s %s %s\n", basename(fds[5].fi_dirname), fds[5].fi_name, basename(fds[5].fi_pathname));
	printf("%d %d %d %d\n", fds[5].fi_offset, fds[5].fi_fs == $$2, fds[5].fi_mount == $$3, (fds[5].fi_oflags & O_ACCMODE) == O_RDWR);
	printf("%s %s %s\n", fds[6].fi_name, fds[6].fi_pathname, fds[6].fi_fs);
	printf("%s %s %s %d\n", fds[7].fi_name, fds[7].fi_pathname, fds[7].fi_fs, fds[7].fi_offset);
	printf("%s %s\n", fds[8].fi_pathname, fds[8].fi_name);
	printf("%s %s\n", fds[-1].fi_name, fds[100000].fi_dirname);
	printf("%d\n", strstr(fds[5].fi_pathname, $$1) != NULL);
}
D
mkdir place
cat >files.py <<'PY'
import os, socket
os.dup2(os.open("place/file", os.O_RDWR | os.O_CREAT), 5)
os.write(5, b"x" * 77)
os.dup2(os.pipe()[0], 6)
os.dup2(os.open("/", os.O_RDONLY), 8)
os.closerange(7, 8)
os.lseek(5, 0, os.SEEK_CUR)
PY
"$dtrace" -s fds.d -c 'python3 files.py' "$PWD/place/file" "$(findmnt -nro FSTYPE -T .)" "$(findmnt -nro TARGET -T .)"
