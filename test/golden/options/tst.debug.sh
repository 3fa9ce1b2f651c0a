#!/bin/bash
# ASSERTION: debug, verbose with disasm, tree, bpflog, core and lockmem have their effects.
# SECTION: Options, 15 and 16
. "$(dirname "$0")/../../runner/show.sh"
steps() { sed -E 's/DEBUG [0-9.]+ ms/DEBUG N ms/;s/[0-9]+ bytes/N bytes/'; }
run -qxdebug -n 'BEGIN{exit(0)}' | steps
DTRACE_DEBUG=1 run -qn 'BEGIN{exit(0)}' | steps
for what in 1 2 3 0; do
	"$dtrace" -Sqxdisasm=$what -n 'BEGIN{exit(0)}' 2>&1 >/dev/null | awk -v what=$what '/^define.*BEGIN/ { ir = 1 } /^BEGIN_0:/ { bpf = 1 } END { print what, ir ? "IR" : "-", bpf ? "BPF" : "-" }'
done
run -qxbpflog -n 'BEGIN{exit(0)}' | grep -c '^! processed [0-9]* insns'
{ (ulimit -c 0; "$dtrace" -qxcore -n 'BEGIN{printf("abort");exit(0)}'); status=$?; } 2>/dev/null
echo "status $status"
run -qxlockmem=unlimited -n 'BEGIN{exit(0)}'
run -qxlockmem=64m -n 'BEGIN{exit(0)}'
run -qxlockmem=much -n 'BEGIN{exit(0)}'
