#!/bin/bash
# ASSERTION: Each interrupt of a device starts and completes in a pair on its CPU, with the same handler; sysinfo counts them.
# SECTION: Providers, 7
# @@timeout: 60
. ../../runner/ranges.sh
set -o pipefail
cd "$tmpdir" || exit 1
"$dtrace" -q -n '
sdt:::interrupt-start { self->handler = arg2; self->device = arg0; self->number = arg1; started[cpu] = 1; }
sdt:::interrupt-complete /started[cpu]/ {
	same = arg0 == self->device && arg1 == self->number && arg2 == self->handler && arg2 == (uint64_t)args[0]->handler;
	good += same;
	bad += !same;
	ended += args[4] == 0 || args[4] == 1 || args[4] == 2;
	wrong += args[0]->irq != arg1;
	started[cpu] = 0;
}
sysinfo:::intr { counted += arg0; }
END { printf("good %d, bad %d, without result %d, wrong numbers %d, counted %d\n", good, bad, good - ended, wrong, counted); }' \
	-c "sh -c 'for i in 1 2 3 4 5 6 7 8; do dd if=/dev/zero of=f bs=4k count=1 oflag=direct 2>/dev/null; done'" |
	ranges 'good 6..' 'counted 6..'
