#!/bin/bash
# ASSERTION: io:::start and io:::done come in pairs that say the same request of the same device, and what they add up to is
#   what was written and read: of a file through the cache, with its name, and of the same blocks by a program itself.
# SECTION: Providers, 10
# @@timeout: 60
. ../../runner/ranges.sh
cd "$tmpdir" || exit 1
file=io_pairs.$$
cat >work <<END
dd if=/dev/zero of=$file bs=64k count=8 conv=fsync
dd if=$file of=/dev/null bs=128k iflag=direct
dd if=/dev/zero of=$file bs=32k count=4 oflag=direct conv=notrunc
END
device=$(stat -c '%Hd %Ld' .)
name=$(basename "$(readlink -f "/sys/dev/block/${device/ /:}")")
driver=$(basename "$(readlink -f "/sys/dev/block/${device/ /:}/device/driver")")
fs=$(findmnt -no FSTYPE -T .)
# Before block_io_start the thread that sends a request to the driver is all that can be had.
[ -e /sys/kernel/tracing/events/block/block_io_start ] && asks=1 || asks=0
"$dtrace" -q -n '
BEGIN { first = (uint64_t)0; end = (uint64_t)0; lowest = (loff_t)-1; }
io:::start /args[2]->fi_name == $$1/ {
	this->end = args[0]->b_blkno + args[0]->b_bcount / 512;
	first = first == 0 || args[0]->b_blkno < first ? args[0]->b_blkno : first;
	end = this->end > end ? this->end : end;
	files += args[2]->fi_fs == $$5 && args[0]->b_flags & B_PAGEIO && args[2]->fi_offset % 4096 == 0;
	named_starts++;
	lowest = lowest < 0 || args[2]->fi_offset < lowest ? args[2]->fi_offset : lowest;
}
/* From here on, whose blocks they are. */
io:::start /args[1]->dev_major == $2 && args[1]->dev_minor == $3 && args[0]->b_blkno >= first && args[0]->b_blkno < end/ {
	bytes[arg0, args[0]->b_edev, args[0]->b_blkno] = args[0]->b_bcount;
	direct[arg0] = args[2]->fi_name == "<none>" && args[2]->fi_pathname == "<none>";
	starts++;
	named += args[1]->dev_statname == $$4 && args[1]->dev_pathname == strjoin("/dev/", $$4);
	driven += args[1]->dev_name == $$6;
	theirs += execname == "dd" || $7 == 0 || !direct[arg0];
	busy += (args[0]->b_flags & (B_BUSY | B_DONE)) == B_BUSY && args[0]->b_error == 0 && args[0]->b_resid == 0;
}
io:::done /bytes[arg0, args[0]->b_edev, args[0]->b_blkno] != 0/ {
	dones++;
	same += bytes[arg0, args[0]->b_edev, args[0]->b_blkno] == args[0]->b_bcount && args[0]->b_bufsize == args[0]->b_bcount;
	bytes[arg0, args[0]->b_edev, args[0]->b_blkno] = 0;
	numbers += args[1]->dev_major == getmajor(args[0]->b_edev) && args[1]->dev_minor == getminor(args[0]->b_edev);
	ended += (args[0]->b_flags & (B_BUSY | B_DONE | B_ERROR)) == B_DONE && args[0]->b_error == 0 && args[0]->b_resid == 0;
	@file = sum(!direct[arg0] && args[2]->fi_name == $$1 && args[0]->b_flags & B_WRITE ? args[0]->b_bcount : 0);
	@read = sum(direct[arg0] && args[0]->b_flags & B_READ ? args[0]->b_bcount : 0);
	@wrote = sum(direct[arg0] && args[0]->b_flags & B_WRITE ? args[0]->b_bcount : 0);
	phys += direct[arg0] && args[0]->b_flags & B_PHYS && !(args[0]->b_flags & B_ASYNC);
	directs += direct[arg0];
}
END {
	printf("starts %d; without done %d, name %d, driver %d, of others %d, not busy %d\n", starts, starts - dones, starts - named,
	    starts - driven, starts - theirs, starts - busy);
	printf("of dones: not the same %d, wrong numbers %d, not done %d\n", dones - same, dones - numbers, dones - ended);
	printf("of the file: wrong %d, from %d; of a program'\''s pages: wrong %d\n", named_starts - files, lowest, directs - phys);
	printa("the file was written: %@d\n", @file);
	printa("the program read: %@d\n", @read);
	printa("the program wrote: %@d\n", @wrote);
}' -c "sh work" "$file" ${device} "$name" "$fs" "$driver" "$asks" 2>err | ranges 'starts 1..'
grep -v 'records in\|records out\|copied' err
true
