#!/bin/bash
# ASSERTION: cachestat.d shows the pages that reads find in the page cache, those that come from disk, and those that are written.
# @@timeout: 240      @@tags: release    @@lock: pagecache
. ./common.sh
folder=$(mktemp -d /var/tmp/dt-cache.XXXXXX 2>/dev/null) || folder=$tmpdir # on a disk
trap 'rm -rf "$folder"' EXIT
dd if=/dev/zero of="$folder/blob" bs=1M count=8 status=none # 2048 pages
sync -f "$folder/blob"
cat >"$tmpdir/load.py" <<PY
import mmap, os, sys
fd = os.open("$folder/blob", os.O_RDWR)
new = os.open("$folder/new", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
memory = mmap.mmap(fd, 0, prot=mmap.PROT_READ)
what = sys.argv[1]
if what in ("cold", "cold-map"): os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
buffer = bytearray(1 << 24)
open("/proc/self/comm", "w").write("$name")
if what in ("cold", "warm"):
    while os.readv(fd, [memoryview(buffer)[:100000]]): pass
if what == "whole": os.readv(fd, [buffer])
if what == "small":
    for _ in range(300): os.pread(fd, 10, 4090)
if what == "write":
    for _ in range(512): os.write(new, b"x" * 4096)
if what == "cold-map": sum(memory[i] for i in range(0, len(memory), 4096))
open("/proc/self/comm", "w").write("done")
PY
# HITS MISSES DIRTIED HIT%; a few pages may be of the load itself, and the kernel may free a few when memory is short
for what in cold warm whole small write cold-map nothing; do
  tool cachestat.d -n "$name" -c "/usr/bin/python3 $tmpdir/load.py $what"
  case $what in
    cold) awk_claim "cold: all from disk" 'NR == 2 && $2 >= 2048 && $2 < 2250 && $1 < 320 && $4 < 10 { n++ } END { exit n != 1 }' ;;
    warm) awk_claim "warm: all there, pages on the border of two reads twice" 'NR == 2 && $2 <= 20 && $1 + $2 >= 2048 + 60 && $1 <= 2048 + 84 + 50 && $4 >= 99 { n++ } END { exit n != 1 }' ;;
    whole) awk_claim "one read of all" 'NR == 2 && $2 <= 20 && $1 + $2 >= 2048 && $1 < 2048 + 50 && $4 >= 99 { n++ } END { exit n != 1 }' ;;
    small) awk_claim "reads of two pages" 'NR == 2 && $2 <= 20 && $1 >= 600 && $1 < 650 { n++ } END { exit n != 1 }' ;;
    write) awk_claim "new pages are dirtied, and no misses" 'NR == 2 && $2 <= 20 && $3 >= 512 && $3 < 560 { n++ } END { exit n != 1 }' ;;
    cold-map) awk_claim "page faults: all from disk" 'NR == 2 && $2 >= 2048 && $2 < 2250 && $4 < 10 { n++ } END { exit n != 1 }' ;;
    nothing) awk_claim "nothing" 'NR == 2 && $1 + $2 + $3 < 50 { n++ } END { exit n != 1 }' ;;
  esac
done
