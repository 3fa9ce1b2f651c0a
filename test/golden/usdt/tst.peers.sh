#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: readelf, gdb, perf, bpftrace and bcc see the sites of a program that dtrace does, by name and address; a peer that is
# not installed says nothing.
# @@tags: long release
# @@shared
. ./translated.sh
build_orders orders
cd "$tmpdir" || exit 1
"$dtrace" -l -n 'orders$target:orders::' -c ./orders | awk 'NR > 1 { print $NF }' | sort -u >names
readelf -nW orders | awk '/ Name: / { gsub(/__/, "-", $2); n = $2 } /Location:/ { sub(/,/, "", $2); print n, $2 }' | sort >sites
same() { cmp -s "$2" "$3" && echo "$1: the same" || { echo "$1: other sites"; diff "$2" "$3"; }; }
cut -d' ' -f1 sites | sort -u >shown && same readelf shown names
if command -v gdb >/dev/null; then
  gdb -nx -batch -ex 'info probes stap orders' orders 2>/dev/null | awk '$1 == "stap" { gsub(/__/, "-", $3); print $3, $4 }' | sort >shown
  same gdb shown sites
else
  echo "gdb: the same"
fi
if command -v bpftrace >/dev/null; then
  bpftrace -l 'usdt:./orders:*' 2>/dev/null | awk -F: '{ gsub(/__/, "-", $NF); print $NF }' | sort -u >shown
  same bpftrace shown names
  for tracer in "$dtrace -q -n orders\$target:::placed{n++;}END{printf(\"%d\",n);}" "bpftrace -q -e usdt:./orders:orders:placed{@n=count();}"; do
    $tracer -c ./orders 2>/dev/null | tr -dc 0-9
    echo
  done >shown
  [ "$(sort -u shown)" = 6 ] && echo "bpftrace: as often" || { echo "bpftrace: not as often"; cat shown; }
else
  printf '%s\n' 'bpftrace: the same' 'bpftrace: as often'
fi
if command -v perf >/dev/null; then
  HOME=$tmpdir perf --buildid-dir "$tmpdir/buildid" buildid-cache --add ./orders >/dev/null 2>&1
  HOME=$tmpdir perf --buildid-dir "$tmpdir/buildid" list sdt 2>/dev/null | awk '/sdt_orders:/ { sub(/^sdt_orders:/, "", $1); sub(/@.*/, "", $1); gsub(/__/, "-", $1); print $1 }' | sort -u >shown
  same perf shown names
else
  echo "perf: the same"
fi
tplist=$(command -v tplist-bpfcc tplist | head -1)
if [ -n "$tplist" ]; then
  "$tplist" -vv -l ./orders | awk '/^orders:/ { n = $1; sub(/^orders:/, "", n); gsub(/__/, "-", n) } /^ *location #/ { a = sprintf("%16s", substr($NF, 3)); gsub(/ /, "0", a); print n, "0x" a }' |
    sort >shown
  same bcc shown sites
else
  echo "bcc: the same"
fi
