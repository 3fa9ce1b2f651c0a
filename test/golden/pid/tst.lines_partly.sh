#!/bin/bash
# ASSERTION: a probe at a source line says so if an instruction that begins the line can have no probe.
# SECTION: Providers, pid
# @@tags: userland
dtrace=$1
cd "$tmpdir" || exit 1
cat >partly.c <<'C'
int main(void) {
  for (volatile int i = 0; i < 3; ({ asm volatile("lock addl $1, %0" : "+m"(i)); }))
    asm volatile("nop");
}
C
gcc -O0 -g -o partly partly.c
"$dtrace" $dt_flags -n 'pid$target:partly:partly.c@2:line { @ = count(); } END { printa("%@d\n", @); }' -c ./partly 2>&1 |
  sed -n 's/pid[0-9]*:/pidN:/; /is set, but/p; s/.*:END *//p'
exit 0
