#!/bin/bash
# ASSERTION: Where the kernel's functions can be probed, a thread that waits for its own request fires wait-start and wait-done, with
#   the same address and the same offset on the disk.
# SECTION: Providers, 10
# @@timeout: 120      @@lock: brd
busybox insmod /run/vm-modules/brd.ko rd_nr=1 rd_size=4096 || exit 1
trap 'busybox rmmod brd' EXIT
"$dtrace" -q -n '
io:::wait-start /execname == "dd" && args[1]->dev_major == 1/ {
	printf("%d bytes at %d of %s%s\n", args[0]->b_bcount, args[0]->b_blkno, args[1]->dev_pathname, args[0]->b_flags & B_WRITE ? " written" : "");
	self->bio = arg0;
}
io:::wait-done /execname == "dd" && args[1]->dev_major == 1/ {
	printf("done %d at %d, error %d, %s\n", args[0]->b_bcount, args[0]->b_blkno, args[0]->b_error, arg0 == self->bio ? "same" : "another");
}' -c "dd if=/dev/zero of=/dev/ram0 bs=8k count=3 oflag=direct status=none" | grep .
