#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a probe of all processes is set once in a program of two containers of one image, which is two files of two overlays
# over one: each firing counts once, of processes that were there and of one that came later.
. ./common.sh
include=$PWD/../../../usdt/include
mkdir "$tmpdir"/{image,upper1,upper2,upper3,work1,work2,work3,one,two,three}
cat >"$tmpdir/fires.c" <<'C'
#include <stdio.h>
#include <sys/sdt.h>
int main(void) {
  for (int c; (c = getchar()) != EOF;)
    if (c == '\n') {
      DTRACE_PROBE1(dtover, line, c);
      puts("fired");
      fflush(stdout);
    }
}
C
gcc -I"$include" -o "$tmpdir/image/dtover" "$tmpdir/fires.c" || exit 1
mounted() { # N FOLDER: the program within an overlay of its own
  exec unshare -m bash -c "mount -t overlay overlay -o lowerdir=$tmpdir/image,upperdir=$tmpdir/upper$1,workdir=$tmpdir/work$1 \
    $tmpdir/$2 && exec $tmpdir/$2/dtover"
}
coproc one { mounted 1 one; }
exec 3<&"${one[0]}" 4>&"${one[1]}"
exec {one[1]}>&-
mkfifo "$tmpdir/to" "$tmpdir/from"
(exec 3<&- 4>&-; mounted 2 two <"$tmpdir/to" >"$tmpdir/from") &
exec 5>"$tmpdir/to" 6<"$tmpdir/from"
fire_one() { echo >&4; read -r -t 30 <&3; }
fire_two() { echo >&5; read -r -t 30 <&6; }
fire_one
fire_two
trace -q -n 'BEGIN { printf("ready\n"); } dtover*:::line { @ = count(); } END { printa("%@d\n", @); }'
for _ in 1 2 3; do fire_one; done
for _ in 1 2; do fire_two; done
echo | (exec 3<&- 4>&- 5>&- 6<&-; mounted 3 three)
end_trace
grep -v ready "$out"
exec 3<&- 4>&- 5>&- 6<&-
wait
