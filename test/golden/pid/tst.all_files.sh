#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: pid* finds a file that was deleted and is still executed, another one of that path in a mount namespace of its
# own, and one that comes to be executed while tracing runs.
. ./all_common.sh
build_library "$tmpdir/lib"
mkdir "$tmpdir/other"
cp "$tmpdir/lib/libdtall.so.1.2" "$tmpdir/other/"
count='BEGIN { printf("ready\n"); }
  pid*:'"$tmpdir"'/lib/libdtall.so.1.2:dt_work:entry { @[pid] = count(); } END { printa("%d %@d\n", @); }'
told() {
  end_trace
  shown | sed "s/^$old /old /; s/^$inside /inside /; s/^$new /new /" | sort
}
old=0 inside=0 new=0

echo "== deleted, and replaced"
serve old "$tmpdir/lib/dtuser"
ask old
cp "$tmpdir/lib/libdtall.so.1.2" "$tmpdir/copy"
mv "$tmpdir/copy" "$tmpdir/lib/libdtall.so.1.2"
serve new "$tmpdir/lib/dtuser"
ask new
trace -q -n "$count"
for _ in 1 2 3; do ask old; done
for _ in 1 2; do ask new; done
told

echo "== deleted, and gone"
rm "$tmpdir/lib/libdtall.so.1.2"
trace -q -n "$count"
for _ in 1 2; do ask old; done
ask new
told
finish old; finish new

echo "== in another mount namespace"
cp "$tmpdir/other/libdtall.so.1.2" "$tmpdir/lib/"
ln -s libdtall.so.1.2 "$tmpdir/other/libdtall.so.1"
cp "$tmpdir/lib/dtuser" "$tmpdir/dtuser"
serve inside unshare -m bash -c "mount --bind $tmpdir/other $tmpdir/lib && exec $tmpdir/dtuser"
ask inside
trace -q -n "$count"
for _ in 1 2 3; do ask inside; done
"$tmpdir/dtuser" 4 &
new=$!
wait $new
told
finish inside

echo "== not there at the start"
mv "$tmpdir/lib" "$tmpdir/away"
trace -qZ -n "BEGIN { printf(\"ready\n\"); } pid*:libdtall:dt_work:entry { @[pid] = count(); tracing = 1; }
  pid*:libdtall:dt_work:entry /!said/ { said = 1; printf(\"fires\n\"); } END { printf(\"ended\n\"); }"
mv "$tmpdir/away" "$tmpdir/lib"
serve new "$tmpdir/lib/dtuser"
# The library is found after its first calls.
until grep -q fires "$out"; do ask new; done
finish new
"$tmpdir/lib/dtuser" 9 &
new=$!
wait $new
end_trace
shown | grep -cE "^ *$new *9\$|fires"
