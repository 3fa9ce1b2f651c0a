#!/bin/bash
# ASSERTION: aggsortrev, aggsortkey, aggsortkeypos and aggsortpos order; aggpercpu, agghist and aggzoom draw.
# SECTION: Options, 17
# @@tags: long
. "$(dirname "$0")/../../runner/show.sh"
three='BEGIN{@[2,"c"]=sum(5);@[1,"b"]=sum(3);@[3,"a"]=sum(9);exit(0)}'
run -qn "$three"
run -q -xaggsortrev -n "$three"
run -q -xaggsortkey -n "$three"
run -q -xaggsortkey -xaggsortkeypos=1 -n "$three"
run -q -xaggsortkey -xaggsortrev -n "$three"
run -qn 'BEGIN{setopt("aggsortrev")} BEGIN{@[1]=sum(5);@[2]=sum(3);exit(0)}'
two='BEGIN{@a[1]=sum(5);@b[1]=sum(1);@a[2]=sum(3);@b[2]=sum(2);exit(0)} END{printa("%d %@d %@d\n", @a, @b)}'
run -qn "$two"
run -q -xaggsortpos=1 -n "$two"
run -q -xagghist -n 'BEGIN{@[2,"c"]=sum(5);@[1,"b"]=sum(3);exit(0)}'
run -q -xaggzoom -n 'BEGIN{@[2]=quantize(5);@[2]=quantize(3);@[2]=quantize(3);exit(0)}'
run -q -xencoding=ascii -xaggpack -n 'BEGIN{@[2]=quantize(5);@[2]=quantize(3);exit(0)}'
