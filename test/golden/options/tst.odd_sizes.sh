#!/bin/bash
# ASSERTION: sizes and counts of nothing, of little and of far too much end in values, in a message, or in counted drops;
#   never in a crash or a command that does not end.
# SECTION: Options, 16 and 18
# @@timeout: 120
# @@parts
. "$(dirname "$0")/../../runner/sections.sh"
. "$(dirname "$0")/../../runner/show.sh"
tried() { # as run, with the sizes that depend on the machine hidden; ends itself
	section "${*:3:1}" || return
	run "$@" | sed -E 's/lowered to [0-9]+[kmgt]?( bytes)?/lowered to N/;s/CPU [0-9]+/CPU n/'
}
spec='BEGIN{self->s = speculation(); printf("%d ", self->s)} BEGIN{speculate(self->s); printf("speculative")} BEGIN{commit(self->s)} BEGIN{exit(0)}'
for size in 0 1 8 1k 1t; do
	tried -xcpu=0 -q -xspecsize=$size -n "$spec"
	tried -xcpu=0 -q -xaggsize=$size -n 'BEGIN{@[1] = count(); @[2] = count(); exit(0)}'
	tried -xcpu=0 -q -xdynvarsize=$size -n 'BEGIN{a[1] = 2; self->x[2] = 3; printf("%d %d", a[1], self->x[2]); exit(0)}'
	tried -xcpu=0 -q -xbufsize=$size -n 'BEGIN{printf("%s", strjoin("a", "b")); exit(0)}'
	tried -xcpu=0 -q -xbufpolicy=ring -xbufsize=$size -n 'BEGIN{printf("%s", strjoin("a", "b"));} BEGIN{exit(0)}'
	tried -xcpu=0 -q -xbufpolicy=fill -xbufsize=$size -n 'BEGIN{printf("%s", strjoin("a", "b"));} BEGIN{exit(0)}'
	tried -xcpu=0 -q -xscratchsize=$size -n 'BEGIN{this->p = (char *)alloca(100); this->p[0] = 65; printf("%c", this->p[0]); exit(0)}'
	tried -xcpu=0 -q -xprintsize=$size -n 'BEGIN{print(curthread->pid > 0); exit(0)}'
done
for count in 0 1 1000 100000 5000000000; do
	tried -xcpu=0 -q -xnspec=$count -n "$spec"
	section "stackframes $count" && "$dtrace" -xcpu=0 -q -xstackframes=$count -xustackframes=$count -n 'BEGIN{stack(); ustack(); exit(0)}' 2>&1 | awk 'END { print (NR > 1) ? "lines" : NR }'
	section "maxframes $count" && "$dtrace" -xcpu=0 -q -xmaxframes=$count -n 'BEGIN{stack(); exit(0)}' 2>&1 | awk 'END { print (NR > 1) ? "lines" : NR }'
	section "stackindent $count" && "$dtrace" -xcpu=0 -q -xstackindent=$count -n 'BEGIN{stack(1); exit(0)}' 2>&1 | wc -c | awk '{ print ($1 > 20) ? "shown" : $1 }'
	section "aggsortpos $count" || continue
	"$dtrace" -q -xaggsortkeypos=$count -xaggsortpos=$count -xaggsortkey -n 'BEGIN{@[1, 2] = count(); exit(0)}' 2>&1 | tr -d '\n'
	echo
done
for cpu in 4096 5000000000 99999999999999999999 -1 x; do section "cpu $cpu" && run -xcpu=$cpu -n 'BEGIN{exit(0)}'; done
exit 0
