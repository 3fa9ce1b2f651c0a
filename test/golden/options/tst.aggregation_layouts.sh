#!/bin/bash
# ASSERTION: every option of aggregations, alone and with others, for single and joined printing, numbers, distributions and
#   stacks of keys; by -x, by pragma and by setopt() while tracing.
# SECTION: Options, 17
# @@timeout: 120
# @@parts
. "$(dirname "$0")/../../runner/sections.sh"
. "$(dirname "$0")/../../runner/show.sh"
fill='BEGIN{@a[3,"z"] = sum(5); @a[1,"y"] = sum(9); @a[2,"x"] = sum(7); @a[4,"w"] = sum(7); @b[3,"z"] = sum(1); @b[1,"y"] = sum(3); @b[2,"x"] = sum(2); exit(0)}'
shown='END{printa("%d %s %@d %@d\n", @a, @b)}'
for options in '' -xaggsortrev -xaggsortkey '-xaggsortkey -xaggsortrev' '-xaggsortkey -xaggsortkeypos=1' '-xaggsortkey -xaggsortkeypos=1 -xaggsortrev' \
	-xaggsortpos=1 '-xaggsortpos=1 -xaggsortrev' -xaggsortpos=7 '-xaggsortkey -xaggsortkeypos=7'; do
	section "$options" || continue
	# shellcheck disable=SC2086
	run -q $options -n "$fill$shown" | tail -n +2
	# shellcheck disable=SC2086
	run -q $options -n "$fill" | sed 1d
done
printf '#pragma D option quiet\n#pragma D option aggsortrev\n#pragma D option aggsortkey\n%s\n' "$fill$shown" >pragma.d
section pragmas && run -s pragma.d
section setopt && run -qn "BEGIN{setopt(\"aggsortkey\"); setopt(\"aggsortkeypos\", \"1\")} $fill END{printa(\"%d %s %@d\n\", @a); setopt(\"aggsortkey\", \"no\"); printa(\"%d %s %@d\n\", @a); exit(0)}"
bars='BEGIN{@["few"] = sum(5); @["many"] = sum(20); @["less"] = sum(-10); exit(0)}'
some='BEGIN{@[1] = sum(5); @[2] = sum(20); exit(0)}'
spread='BEGIN{@q["a"] = quantize(10); @q["a"] = quantize(100); @q["b"] = quantize(100); @q["b"] = quantize(100); @q["b"] = quantize(3); exit(0)}'
linear='BEGIN{@l = lquantize(5, 0, 100, 10); @l = lquantize(55, 0, 100, 10); @l = lquantize(-1, 0, 100, 10); @l = lquantize(1000, 0, 100, 10); exit(0)}'
for options in '-xagghist -xencoding=ascii' '-xagghist -xencoding=utf8' '-xagghist -xaggzoom -xencoding=ascii' '-xaggzoom -xencoding=ascii' '-xaggzoom -xencoding=utf8' \
	'-xaggpack -xencoding=ascii' '-xaggpack -xencoding=utf8' '-xaggpack -xaggzoom -xencoding=ascii' '-xaggpack -xagghist -xaggsortrev -xencoding=ascii'; do
	section "$options" || continue
	for program in "$bars" "$some" "$spread" "$linear"; do
		# shellcheck disable=SC2086
		run -q $options -n "$program" | sed '1s/ -n .*//'
	done
done
section stack && run -qxaggpack -xencoding=ascii -n 'BEGIN{@[stack(1)] = quantize(1); exit(0)}' | grep -c Distribution
section single && run -qxagghist -n 'BEGIN{@c = count(); @[1] = avg(2); exit(0)}'
section by CPU && run -qxaggpercpu -xcpu=0 -n 'BEGIN{@ = count(); @k[1] = avg(4); exit(0)}' | grep -v 'CPU [1-9]'
section rate && run -qxaggrate=1ms -n 'BEGIN{@ = count()} tick-10ms{@ = count(); n++} tick-10ms/n == 5/{exit(0)} END{printa("%@d\n", @)}'
exit 0
