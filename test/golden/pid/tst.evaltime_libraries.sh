#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: what libraries do before the program begins is seen as evaltime promises: with exec from their first
# instruction on (while the linker has them choose an indirect function, too), with preinit from their constructors on, with
# postinit and main not at all. So it is with their static probes, and where there are probes in the linker that is watched.
# @@parts
. "$(dirname "$0")/../../runner/sections.sh"
dtrace=$1
include=$PWD/../../../usdt/include
cat >"$tmpdir/library.c" <<'C'
#include <sys/sdt.h>
#define QUIET __attribute__((noinline, noclone))
void step(long n);
void choice(void) __attribute__((ifunc("choose")));
QUIET void step(long n) { DTRACE_PROBE1(dtgolden, step, n); __asm__ volatile(""); }
QUIET static void chosen(void) { __asm__ volatile(""); }
QUIET static void decide(void) { __asm__ volatile(""); }
static void (*choose(void))(void) { decide(); return chosen; }
__attribute__((constructor)) static void begin(void) { for (long n = 0; n < 1000; n++) step(n); choice(); }
C
sed 's/step/other/g; s/dtgolden/dtothers/; s/choice/option/g' "$tmpdir/library.c" >"$tmpdir/second.c"
cat >"$tmpdir/program.c" <<'C'
void step(long), choice(void), other(long), option(void);
int main(int argc, char **argv) { step(-1); choice(); other(-1); option(); return 0; }
C
cd "$tmpdir" || exit 1
flags="-O1 -Wl,-z,now"
cc $flags -I"$include" -shared -fPIC -o libfirst.so library.c || exit 1
cc $flags -I"$include" -shared -fPIC -o libsecond.so second.c || exit 1
cc $flags -o program program.c ./libfirst.so ./libsecond.so || exit 1
for when in exec preinit postinit main; do
  section $when || continue
  $dtrace $dt_flags -qZ -x evaltime=$when -c ./program -n '
    pid$target:libfirst.so:step:entry, pid$target:libfirst.so:step:return, pid$target:libsecond:other:entry,
    pid$target:libfirst:decide:entry, pid$target:libfirst:choice:entry, dtgolden$target:::step,
    dtothers$target:libsecond.so::other { @[probemod, probefunc, probename] = count(); }
    END { printa("'$when' %s:%s:%s %@d\n", @); }' 2>&1 | sort | grep .
done
section "the linker" || exit 0
# The function that reports the linker's work is probed itself.
$dtrace $dt_flags -qZ -x evaltime=exec -c ./program -n '
  pid$target:ld.so:_dl_debug_state:entry { @ = count(); } pid$target:libsecond:other:entry { @other = count(); }
  END { printa("states %@d", @); printa(", others %@d\n", @other); }' | grep .
