#!/bin/bash
# ASSERTION: iosizes.d shows 50 writes of 64 KiB that go past the page cache.
. ./common.sh
example iosizes.d -c "dd if=/dev/zero of=$tmpdir/file bs=64k count=50 oflag=direct status=none"
claim "requests of that size" awk '/  write / { writes = 1 } /  (read|flush|discard|other) / { writes = 0 }
  writes && $1 == 65536 { sum += $NF } END { exit sum < 50 }'
