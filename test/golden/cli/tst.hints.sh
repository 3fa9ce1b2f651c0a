#!/bin/bash
# ASSERTION: a mistake is underlined and followed by what may have been meant, or by what an option takes: without a
#   terminal too. Each independent mistake is shown.
# SECTION: Command line, 9 and 14
# @@tags: userland
. "$(dirname "$0")/../../runner/show.sh"
run -x quite -n BEGIN
run -x nothingofthekind -n BEGIN
run -b 4q -n BEGIN
run -b 0 -n BEGIN
run -x evaltime=never -n BEGIN
run -x evaltime -n BEGIN
run -x zdefs=1 -n BEGIN
run -x aggrate=often -n BEGIN
run -x setenv=NAME -n BEGIN
echo '-- probes'
run -n syscall::raed:entry
run -n lockstat:::spin-acquire
run -n nfsv3:::op-read-start
run -n syscall:read:entry
run -n sycall::read:entry
run -n 'syscall::read:enter { trace(1); }'
run -n begin
run -n getpid
run -n tcp:::connect
run -n 'uprobe:/bin/bash:readline { trace(1); }'
run -n tracepoint:syscalls:sys_enter_openat
echo '-- expressions'
run -n 'BEGIN{trace(pdi)}'
run -n 'syscall::openat:entry { printf("%s", args[1]); }'
run -n 'BEGIN /execname == cat/ { exit(0); }'
run -n "BEGIN /execname == 'cat'/ { exit(0); }"
run -n 'BEGIN { self.t = 1; }'
run -n 'BEGIN { @[execname]++; }'
run -n 'BEGIN { @[ustack] = count(); }'
run -n 'BEGIN { for (i = 0; i < 3; i++) trace(i); }'
run -n 'BEGIN { trace(strcmp(execname, "a")); }'
run -n 'BEGIN { self->start = 1; trace(self->strat); trace(curthread->commm); trace(curpsinfo->pr_fnam); }'
echo '-- several mistakes'
printf '#pragma D option quite\nBEGIN{exit(0)}\n' >pragma.d
run -s pragma.d
printf 'BEGIN\n{\n\tx = one;\n\ttrace(x);\n\ttrace(two);\n}\nsycall:::entry { @ = count(); trace(three); }\n' >several.d
run -s several.d
run -xerrtags -s several.d
{ printf 'BEGIN {'; for i in $(seq 12); do printf ' trace(n%d);' "$i"; done; echo ' }'; } >many.d
run -s many.d | grep -v '|'
echo '-- listing'
run -ln 'getpi*' | grep -v 'pid entry\|pid return' | sed 's/note: [0-9]* probes/note: N probes/'
