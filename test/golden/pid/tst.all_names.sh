#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: the module of pid* may be a path, also over links, a glob of paths, a library's name with and without its
# versions, a glob of names, a program in $PATH; each finds the file for processes to come, and once. @@timeout: 120
. ./all_common.sh
build_library "$tmpdir/lib"
ln -s lib "$tmpdir/link"
serve first "$tmpdir/lib/dtuser"
ask first
count() { # MODULE FUNCTION
  trace -q -n 'BEGIN { printf("ready\n"); } pid*:'"$1:${2:-dt_work}"':entry /execname == "dtuser"/ { @[pid] = count(); }
    END { printa("%@d\n", @); }'
  ask first
  "$tmpdir/lib/dtuser" 4
  end_trace
  echo "$3${1/$tmpdir/DIR} $2: $(shown | tr '\n' ' ')"
}
for module in DIR/lib/libdtall.so.1.2 DIR/lib/libdtall.so.1 DIR/link/libdtall.so.1 'DIR/l*/libdt*' libdtall libdtall.so libdtall.so.1 \
  libdtall.so.1.2 'libdta*'; do
  count "${module/DIR/$tmpdir}"
done
count '' dt_work
count dtuser caller
PATH=$tmpdir/lib:$PATH
finish first
echo "== no process has it yet"
for module in dtuser 'dtus*'; do
  trace -q -n 'BEGIN { printf("ready\n"); } pid*:'"$module"':caller:entry { @[pid] = count(); } END { printa("%@d\n", @); }'
  for calls in 2 3; do dtuser $calls; done
  end_trace
  echo "$module: $(shown | tr '\n' ' ')"
done
echo "== listed"
"$dtrace" -l -n "pid*:$tmpdir/lib/libdtall.so.1:dt_w*:entry" | awk '{ print $2, $3, $4, $5 }' | sed "s|$tmpdir|DIR|"
echo "== two files of one name"
build_library "$tmpdir/other"
trace -q -n 'BEGIN { printf("ready\n"); } pid*:'"$tmpdir"'/lib/libdtall.so.1:dt_work:entry { @[probemod] = count(); }
  pid*:'"$tmpdir"'/other/libdtall.so.1:dt_work:entry { @[probemod] = count(); }
  pid*:'"$tmpdir"'/*/libdtall.so.1:dt_work:entry { @both = count(); } END { printa("%s %@d\n", @); printa("both %@d\n", @both); }'
"$tmpdir/lib/dtuser" 2
"$tmpdir/other/dtuser" 3
end_trace
shown | sed "s|$tmpdir||"
