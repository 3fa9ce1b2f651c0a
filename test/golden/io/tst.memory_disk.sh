#!/bin/bash
# ASSERTION: A disk that takes no requests has start and done of its bios, by their addresses.
# SECTION: Providers, 10
# @@timeout: 60      @@lock: brd
busybox insmod /run/vm-modules/brd.ko rd_nr=1 rd_size=4096 || exit 1
trap 'busybox rmmod brd' EXIT
"$dtrace" -q -n '
io:::start /args[1]->dev_major == 1 && execname == "dd"/ {
	printf("%d bytes at %d of %s (%s)%s%s\n", args[0]->b_bcount, args[0]->b_blkno, args[1]->dev_pathname,
	    args[1]->dev_name, args[0]->b_flags & B_WRITE ? " written" : "", args[0]->b_flags & B_PHYS ? " by a program" : "");
	started[arg0]++;
}
io:::done /started[arg0]/ { started[arg0]--; dones++; errors += args[0]->b_error != 0; }
END { printf("%d done, %d errors\n", dones, errors); }' -c "dd if=/dev/zero of=/dev/ram0 bs=8k count=3 oflag=direct status=none"
