#!/bin/bash
# ASSERTION: biopattern.d tells reads of one block after the other from reads in another order, and counts them and their bytes.
# @@timeout: 300      @@tags: long release
. ./common.sh
blocks=256
dd if=/dev/zero of="$tmpdir/blob" bs=4M count=1 oflag=direct status=none
sync
cat >"$tmpdir/load.py" <<PY
import mmap, os, sys
fd = os.open("$tmpdir/blob", os.O_RDONLY | os.O_DIRECT)
page = mmap.mmap(-1, 16384)
order = range($blocks) if sys.argv[1] == "forward" else reversed(range($blocks))
for block in order: assert os.preadv(fd, [page], block * 16384) == 16384
PY
device=$(basename "$(readlink -f "/sys/dev/block/$(stat -c '%Hd:%Ld' "$tmpdir")")")
# beside_quiet ORDER: until nearly nothing else happens on that disk meanwhile. DEVICE %RND %SEQ COUNT KBYTES
beside_quiet() {
  for _ in $(seq 12); do
    tool_beside "$python $tmpdir/load.py $1" biopattern.d -d "$device" -i 1
    ! awk -v d="$device" -v most=$((blocks + 60)) '$1 == d { n += $4 } END { exit n > most }' "$out" || return
  done
}
# share COLUMN LEAST MOST: of all requests together, in percent; and are there as many requests and bytes as the load has?
share() {
  awk -v d="$device" -v column="$1" -v least="$2" -v most="$3" -v blocks=$blocks '$1 == d { n += $4; k += $5; sum += $column * $4
    bad = bad || $2 + $3 > 100 || $2 + $3 < 99 && $4 > 1 } $1 != d && $1 != "DEVICE" && NF { bad = 1 }
    END { exit bad || n < blocks || k < blocks * 16 || sum / n < least || sum / n > most }' "$out"
}
beside_quiet forward
claim "one block after the other" share 3 60 100
beside_quiet backward
claim "in another order" share 2 75 100
other=$(ls /sys/class/block | grep -vxF "$device" | head -1)
if [ -n "$other" ]; then
  tool_beside "$python $tmpdir/load.py forward" biopattern.d -d "$other" -i 1
  claim "-d" awk -v d="$device" '$1 == d { bad = 1 } END { exit bad }'
else
  echo "ok: -d" # one disk here
fi
