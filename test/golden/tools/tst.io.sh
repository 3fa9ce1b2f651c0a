#!/bin/bash
# ASSERTION: iosnoop.d, iolatency.d, bitesize.d and iotop.d show as many reads and writes of as many bytes as a program makes.
# @@timeout: 180      @@tags: long release
. ./common.sh
dd=$(program dd)
$dd if=/dev/zero of="$tmpdir/blob" bs=64k count=8 oflag=direct status=none # the space is there now
sync
cat >"$tmpdir/load" <<LOAD
$dd if=/dev/zero of=$tmpdir/blob bs=64k count=8 oflag=direct conv=notrunc status=none
$dd if=$tmpdir/blob of=/dev/null bs=16k count=32 iflag=direct status=none
LOAD
device=$(basename "$(readlink -f "/sys/dev/block/$(stat -c '%Hd:%Ld' "$tmpdir")")")

tool iosnoop.d -n "$name" -c "sh $tmpdir/load"
awk_claim "iosnoop: 8 writes of 64k" '$4 == "W" && $6 == 65536 && $8 == "0" { n++ } END { exit n != 8 }'
awk_claim "iosnoop: 32 reads of 16k, from as many places" \
  '$4 == "R" && $6 == 16384 { n++; seen[$5] } END { for (s in seen) d++; exit n != 32 || d != 32 }'
awk_claim "iosnoop: latencies" 'NR > 1 && !($7 > 0 && $7 < 10000000) { bad = 1 } END { exit bad }'
claim "iosnoop: the device" awk -v device="$device" 'NR > 1 && $3 != device { bad = 1 } END { exit bad }'
other=$(ls /sys/class/block | grep -vxF "$device" | head -1)
tool iosnoop.d -n "$name" -d "${other:-$device}" $([ -n "$other" ] || echo -m 60000000) -c "sh $tmpdir/load"
awk_claim "iosnoop: -d" 'END { exit NR != 1 }'
tool iosnoop.d -n "$name" -m 60000000 -c "sh $tmpdir/load"
awk_claim "iosnoop: -m" 'END { exit NR != 1 }'

tool iolatency.d -s -n "$name" -c "sh $tmpdir/load"
awk_claim "iolatency -s: counts" '{ n[$2] = $3 } END { exit n["W"] != 8 || n["R"] != 32 }'
awk_claim "iolatency -s: percentiles" 'NR > 1 && !($4 > 0 && $4 <= $5 && $5 <= $6 && $7 <= $6) { bad = 1 } END { exit bad }'
tool iolatency.d -n "$name" -c "sh $tmpdir/load"
claim "iolatency: a distribution of 8" test "$(total "$device W")" = 8
claim "iolatency: a distribution of 32" test "$(total "$device R")" = 32

tool bitesize.d -n "$name" -c "sh $tmpdir/load"
claim "bitesize: 8 of 64k" grep -qE '^ +65536 \|@+ 8 *$' "$out"
claim "bitesize: 32 of 16k" grep -qE '^ +16384 \|@+ 32 *$' "$out"

tool iotop.d -n "$name" -c "sh $tmpdir/load"
awk_claim "iotop: the bytes" '$4 == "R" || $4 == "W" { n[$4] = $5 } END { exit n["R"] != 524288 || n["W"] != 524288 }'
