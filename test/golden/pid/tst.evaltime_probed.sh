#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a command is held where evaltime says although another tracer has probes there, whether or not the processors
# of this machine stop at their breakpoints.
# @@lock: breakpoints
. ./all_common.sh
cat >"$tmpdir/library.c" <<'C'
__attribute__((noinline, noclone)) void step(long n) { __asm__ volatile(""); }
__attribute__((constructor)) static void begin(void) { for (long n = 0; n < 10; n++) step(n); }
C
cat >"$tmpdir/program.c" <<'C'
void step(long);
int main(void) { step(-1); return 0; }
C
cd "$tmpdir" || exit 1
cc -O1 -shared -fPIC -o libfirst.so library.c || exit 1
cc -O1 -o program program.c ./libfirst.so || exit 1
linker=$(readelf -l program | sed -n 's/.*interpreter: \(.*\)]/\1/p')
hold() {
  for when; do
    "$dtrace" $dt_flags -qZ -x evaltime=$when -c ./program -n 'pid$target:libfirst.so:step:entry { @ = count(); }
      END { printa("'$when' %@d\n", @); }' 2>&1 | grep .
  done
}
other() {
  echo "== probes at ${*##*:}"
  trace -q -n "BEGIN { printf(\"ready\n\"); } $(printf "pid*:%s:entry\n" "$@" | paste -sd,) { @[probefunc] = count(); }"
}
other "$linker:_dl_debug_state"
hold exec preinit postinit main
end_trace
other "$tmpdir/program:_start" "$tmpdir/program:main"
hold exec preinit postinit main
end_trace
shown
other "$linker:_dl_debug_state" "$tmpdir/program:_start"
hold preinit
end_trace
