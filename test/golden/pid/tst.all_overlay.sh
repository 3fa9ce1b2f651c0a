#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a program of two containers of one image, which is two files of two overlays over one, has its probes once: each
# call counts once.
. ./all_common.sh
build_library "$tmpdir/lib"
mkdir "$tmpdir"/{image,upper1,upper2,work1,work2,one,two}
cp "$tmpdir/lib/dtuser" "$tmpdir/image/dtimage"
for n in one:1 two:2; do
  serve ${n%:*} unshare -m bash -c "mount -t overlay overlay -o lowerdir=$tmpdir/image,upperdir=$tmpdir/upper${n#*:},workdir=$tmpdir/work${n#*:} \
    $tmpdir/${n%:*} && exec $tmpdir/${n%:*}/dtimage"
  ask ${n%:*}
done
trace -q -n 'BEGIN { printf("ready\n"); } pid*:dtimage:caller:entry { @[pid] = count(); } END { printa("%d %@d\n", @); }'
for _ in 1 2 3; do ask one; done
for _ in 1 2; do ask two; done
end_trace
shown | sed "s/^$one /one /; s/^$two /two /" | sort
finish one
finish two
