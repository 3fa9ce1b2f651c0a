#!/bin/bash
# ASSERTION: options by -x, -b, pragma, environment and setopt(): the later wins, a pragma beats -x; bad ones are named.
# SECTION: Options, 14 to 17
# @@parts    @@lock: damaged
. "$(dirname "$0")/../../runner/sections.sh"
. "$(dirname "$0")/../../runner/show.sh"
printf '#pragma D option quiet\n#pragma D option strsize=10\nBEGIN{printf("[%%s]\\n", "abcdefghijklmnop"); exit(0);}\n' >size.d
printf '#pragma D option quiet=no\nBEGIN{trace(1);exit(0);}\n' >loud.d
if section "the later wins"; then
	run -xstrsize=6 -s size.d
	run -q -xcpu=0 -s loud.d
	run -xstrsize=6 -xstrsize=8 -qn 'BEGIN{printf("[%s]", "abcdefghijklmnop"); exit(0);}'
fi
if section "bad ones"; then
	run -x nosuch -n BEGIN
	run -x nosuch=1 -n BEGIN
	run -x strsize=zz -n BEGIN
	run -x strsize -n BEGIN
	run -x quiet=maybe -n BEGIN
	run -x zdefs=1 -n BEGIN
	run -x bufpolicy=bad -n BEGIN
	run -b zz -n BEGIN
fi
if section pragmas; then
	for pragma in 'option nosuch' 'option cpppath=x' 'option quiet=maybe' 'option' 'option quiet flowindent' 'nosuch'; do
		printf '#pragma D %s\nBEGIN{exit(0)}\n' "$pragma" >pragma.d
		run -xerrtags -s pragma.d
	done
fi
if section environment; then
	DTRACE_OPT_QUIET= run -n 'BEGIN{printf("quiet");exit(0)}'
	DTRACE_OPT_NOSUCH= run -n BEGIN
	DTRACE_OPT_STRSIZE=zz run -n BEGIN
	DTRACE_OPT_STRSIZE=4 run -qn 'BEGIN{trace("abcdef");exit(0)}'
	DTRACE_OPT_STRSIZE=4 run -xstrsize=6 -qn 'BEGIN{trace("abcdef");exit(0)}'
fi
if section words; then
	for word in yes ENABLE true on set 1 0; do run -xquiet=$word -n 'BEGIN{exit(0)}'; done 2>&1 | grep -v '^\$\|^$'
	run -xcpu=0 -q -xquiet=off -n 'BEGIN{exit(0)}'
fi
if section setopt; then
	run -xcpu=0 -n 'BEGIN{setopt("quiet"); printf("x\n"); exit(0)} END{trace(1)}'
	run -xcpu=0 -qn 'BEGIN{setopt("quiet", "no"); printf("x")} BEGIN{trace(1);exit(0)}'
	run -qn 'BEGIN{setopt("strsize", "10"); trace(1); exit(0)}'
	run -qn 'BEGIN{setopt("nosuch"); trace(1); exit(0)}'
	run -qn 'BEGIN{setopt("quiet", "maybe"); trace(1); exit(0)}'
fi
if section cpu; then
	run -xcpu=99999 -n 'BEGIN{exit(0)}'
	run -xcpu=0 -qn 'BEGIN,END{trace(cpu);} BEGIN{exit(0)}'
fi
if section tags; then
	run -xerrtags -n 'BEGIN{trace($2)}'
	run -xerrtags -n 'BEGIN' 7
	run -xerrtags -n 'nosuch'
	run -xerrtags -n 'BEGIN{trace(}'
	run -xerrtags -n 'BEGIN{trace(nosuch)}'
	run -xerrtags -n 'BEGIN{exit(1, 2)}'
	run -xamin=Firm -n 'BEGIN{exit(0)}'
	run -xerrtags -xamin=Stable/Stable/Common -n 'dtrace:::BEGIN{trace(curthread);exit(0)}'
fi
exit 0
