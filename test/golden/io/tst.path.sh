#!/bin/bash
# ASSERTION: args[2] has the path, the folder and the mount of the file whose pages are written, as a program would name them.
# SECTION: Providers, 10
# @@timeout: 60
cd "$tmpdir" || exit 1
mkdir -p inner/folder
path=$(realpath .)/inner/folder/io_path.$$
mount=$(findmnt -no TARGET -T .)
"$dtrace" -q -n '
io:::start /args[2]->fi_name == $$1/ {
	seen = 1;
	wrong += args[2]->fi_pathname != $$2 || args[2]->fi_dirname != $$3 || args[2]->fi_mount != $$4;
	last = wrong == 0 ? "" : strjoin(strjoin(args[2]->fi_pathname, " "), args[2]->fi_mount);
}
syscall::fdatasync:entry, syscall::fsync:entry /pid == $target/ { opened = fds[arg0].fi_mount == $$4 && fds[arg0].fi_pathname == $$2; }
END { printf("seen %d, wrong %d, of the open file %d%s\n", seen, wrong, opened, last); }' \
	-c "dd if=/dev/zero of=$path bs=64k count=2 conv=fsync" "$(basename "$path")" "$path" "$(dirname "$path")" "$mount" 2>err
grep -v 'records in\|records out\|copied' err
true
