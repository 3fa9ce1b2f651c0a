#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: probes of objects made for Solaris, which call a function for each probe, fire in the functions that call, as
# others do: probefunc is the caller, also of a call that ends a function; arguments on the stack are found, in
# programs of 64 and of 32 bits. A stub that is called otherwise, too, stays the site.
# @@parts
. "$(dirname "$0")/../../runner/sections.sh"
dtrace=$1
cd "$tmpdir" || exit 1
cat >shop.d <<'D'
provider dtstubs { probe sale(int, char *); probe many(int, long, char, short, unsigned, void *, int, long);
  probe last(int); probe pointed(int); probe maybe(int); };
D
cat >shop.c <<'C'
extern void __dtrace_dtstubs___sale(int, char *);
extern void __dtrace_dtstubs___many(int, long, char, short, unsigned, void *, int, long);
extern void __dtrace_dtstubs___last(int);
extern void __dtrace_dtstubs___pointed(int);
extern void __dtrace_dtstubs___maybe(int);
extern int __dtraceenabled_dtstubs___sale(void);
#define FUNCTION __attribute__((noipa))
FUNCTION int one(int n) { __dtrace_dtstubs___sale(n, "one"); return n; }
FUNCTION int two(int n) {
  __dtrace_dtstubs___sale(n, "two");
  __dtrace_dtstubs___sale(-n, "two again");
  __dtrace_dtstubs___many(-1, 2, -3, 4, 5, (void *)6, -7, 8);
  return n;
}
FUNCTION void tail(int n) { __dtrace_dtstubs___last(n + 1); }
FUNCTION void middle(int n) { __dtrace_dtstubs___last(n); __asm__ volatile(""); }
static void (*volatile pointer)(int) = __dtrace_dtstubs___pointed;
FUNCTION void by_pointer(int n) { pointer(n); }
FUNCTION void perhaps(int n) { if (n != 0) __dtrace_dtstubs___maybe(n); }
int main(void) {
  int enabled = 0;
  for (int i = 1; i <= 10; i++) enabled += one(i) + two(i) != 2 * i || __dtraceenabled_dtstubs___sale() == 0;
  tail(6);
  middle(8);
  by_pointer(9);
  perhaps(0);
  perhaps(10);
  return enabled;
}
C
build() { # NAME OPTION...
  local name=$1; shift
  cc -O2 -w "$@" -c shop.c -o "$name.o" && "$dtrace" -G ${narrow:+-32} -s shop.d -o "$name.probes.o" "$name.o" &&
    cc "$@" "$name.o" "$name.probes.o" -o "$name" || exit 1
}
declare -A options=([pie]='' [fixed]='-no-pie -fno-pic' [static]=-static [narrow]=-m32)
for program in pie fixed static narrow; do
  section "$program" || continue
  [ $program != narrow ] || narrow=1
  # shellcheck disable=SC2086
  build $program ${options[$program]}
  $dtrace $dt_flags -q -c "./$program" -n 'dtstubs$target:::sale { @[probefunc, copyinstr(arg1)] = sum(arg0); }
    dtstubs$target:::many { @many[probefunc, arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7] = count(); }
    dtstubs$target:::last, dtstubs$target:::pointed, dtstubs$target:::maybe { @other[probefunc, probename, arg0] = count(); }
    END { printa("%s %s %@d\n", @); printa("%s %d %d %d %d %d %d %d %d %@d\n", @many); printa("%s %s %d %@d\n", @other); }' 2>&1 |
    grep . | sort
done
