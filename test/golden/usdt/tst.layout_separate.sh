#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a translated argument's structure is compared with what the debug information of a stripped program says,
# wherever that has been put: in a file that .gnu_debuglink names, beside the program or in .debug, with a build ID and
# without; in the file that the build ID names; in what dwz took out of several. A file of another build says nothing.
# @@shared
. ./translated.sh
cd "$tmpdir" || exit 1
sed -i 's/const char \*article;/int weight, color; const char *article;/' src/orders.c
told() { "$dtrace" -L lib -q -n 'orders$target:::placed { this->c = args[0]->o_serial; exit(0); }' -c "./$1" 2>&1 |
  grep -o 'order_t of .* differs\|member article.*' | sed "s,$tmpdir/,," | paste -sd' ' | grep . || echo "nothing"; }

# separate PROGRAM DEBUG_FILE: splits it, and links the one to the other.
separate() {
  mkdir -p "$(dirname "$2")"
  objcopy --only-keep-debug "$1" "$2" && strip "$1" && objcopy --add-gnu-debuglink="$2" "$1"
}
echo "-- by link, in .debug"
build_orders folder -g -Wl,--build-id
separate folder .debug/folder.debug
told folder
echo "-- by link, beside, without a build ID"
build_orders beside -g -Wl,--build-id=none
separate beside beside.debug
told beside
echo "-- which says nothing if it has changed"
echo >>beside.debug
told beside
echo "-- of another build"
build_orders other -g -O1 -Wl,--build-id
objcopy --only-keep-debug other .debug/folder.debug
told folder
echo "-- by build ID"
build_orders named -g -Wl,--build-id
id=$(readelf -nW named | sed -n 's,.*Build ID: ,,p')
separate named away/debug
mkdir -p "root/.build-id/${id::2}"
mv away/debug "root/.build-id/${id::2}/${id:2}.debug"
told named
export -f told
export dtrace tmpdir
unshare --mount bash -c 'mount --bind root /usr/lib/debug && told named'
echo "-- what dwz took out"
# It shares what is large and in two files.
sed -i 's/^int main/struct large { long '"$(seq -s, -f 'member_of_some_length_%g' 200)"'; order_t order; } large;\nint main/' src/orders.c
build_orders one -g -Wl,--build-id
build_orders two -g -O1 -Wl,--build-id
mkdir -p .dwz
dwz -m .dwz/shared -M ../.dwz/shared one two && readelf -SW one | grep -o -m1 gnu_debugaltlink
mkdir -p bin
mv one bin/one
told bin/one
