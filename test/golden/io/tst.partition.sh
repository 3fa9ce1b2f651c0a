#!/bin/bash
# ASSERTION: io tells a partition by its own number and name, blocks by where they are on the disk, and an error as who asked
#   gets it.
# SECTION: Providers, 10
# @@timeout: 60
# @@lock: loop
cd "$tmpdir" || exit 1
mkdir full && mount -t tmpfs -o size=64k t full || exit 1
truncate -s 4M full/image
disk=$(losetup -f --show full/image) || exit 1
trap 'delpart "$disk" 1; losetup -d "$disk"; umount full' EXIT
name=$(basename "$disk")
addpart "$disk" 1 2048 2048 || exit 1
IFS=: read -r major minor <"/sys/block/$name/${name}p1/dev"
mknod part b "$major" "$minor"
cat >work <<END
blkdiscard -f part # moves no data
dd if=part of=/dev/null bs=4k count=2 skip=3 iflag=direct
dd if=/dev/zero of=part bs=64k count=2 oflag=direct
END
"$dtrace" -q -n '
io:::start, io:::done /args[0]->b_edev == ($1 << 20) + $2/ {
	printf("%s: %d bytes at %d, %s%s%s %d %d %d %d\n", probename, args[0]->b_bcount, args[0]->b_blkno,
	    args[0]->b_flags & B_READ ? "read" : "", args[0]->b_flags & B_WRITE ? "written" : "",
	    args[0]->b_flags & B_ERROR ? ", error" : "",
	    args[1]->dev_major == $1, args[1]->dev_minor == $2, args[1]->dev_statname == $$3, args[1]->dev_name == "loop");
}
io:::done /args[0]->b_edev == ($1 << 20) + $2 && args[0]->b_error != 0/ {
	printf("%d undone: %s\n", args[0]->b_resid, args[0]->b_error == ENOSPC ? "No space left on device" :
	    args[0]->b_error == EIO ? "Input/output error" : "?");
}' -c "sh work" "$major" "$minor" "${name}p1" 2>err >out
grep bytes out | sort -k5,5n -k1,1r # several CPUs' output
error=$(sed -n 's/.*undone: //p' out)
sed -n 's/ undone.*/ undone/p' out
[ -n "$error" ] && grep -q "$error" err && echo "as dd says"
