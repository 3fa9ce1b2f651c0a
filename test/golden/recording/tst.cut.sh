#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: the recording of a dtrace that was killed is read up to where it was cut, and says so; a damaged one is an
#   error; what is no recording is none. Only the owner may read it.
# SECTION: Recordings    @@timeout: 120    @@tags: userland
. ../../runner/ranges.sh
cd "$tmpdir" || exit 1
"$dtrace" -q --record killed.rec -n 'tick-10ms { trace(execname); }' >/dev/null 2>&1 &
recorder=$!
for _ in $(seq 200); do
  rows=$("$dtrace" --replay killed.rec --summary 2>/dev/null | awk '$1 == "rows:" { print $2 }')
  [ "${rows:-0}" -ge 50 ] && break
  sleep 0.1
done
{ kill -KILL $recorder; wait $recorder; } 2>/dev/null
echo "mode $(stat -c %a killed.rec)"
"$dtrace" --replay killed.rec --summary | sed -n 's/ at offset [0-9]*//; /without its end/p'
"$dtrace" -q --replay killed.rec -n 'tick-10ms { @ = count(); } END { printa("rows %@d\n", @); }' 2>err | ranges 'rows 50..'
sed 's/offset [0-9]*/offset N/' err

size=$(stat -c %s killed.rec)
cp killed.rec damaged.rec
printf 'XXXX' | dd of=damaged.rec bs=1 seek=$((size - 60)) conv=notrunc status=none
"$dtrace" -q --replay damaged.rec -n 'tick-10ms { @ = count(); }' >/dev/null 2>err
echo "status $? $(wc -l <err)"
head -c 100 killed.rec >short.rec
for file in short.rec /etc/passwd /dev/null /dev/zero . nothing.rec; do
  "$dtrace" -q --replay $file -n 'BEGIN { exit(0); }' 2>&1
  echo "status $?"
done
