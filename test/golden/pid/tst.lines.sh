#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: pid...:FILE@LINE:line fires when execution comes to a source line, at any optimisation: once for each run of
# instructions of the line, in every inlined copy and in every source file of the name. It names lines of headers and of
# libraries, is listed, may be a pattern, and works in all processes, in children and in libraries that are loaded later.
# SECTION: Providers, pid
# @@timeout: 300      @@tags: long release userland
dtrace=$1
exec 2>&1
cd "$tmpdir" || exit 1
mkdir -p other
cat >inlined.h <<'C'
extern volatile int sink;
static inline __attribute__((always_inline)) void store(int v) {
  sink = v; /* STORE */
}
C
cat >lines.c <<'C'
// Its lines are not those of the marks in other/lines.c.



#include "inlined.h"
#include <dlfcn.h>
volatile int sink;
void away(int n);
__attribute__((noinline)) int work(int n) { /* WORK */
  for (int i = 0; i < n; i++) {
    sink = i; /* BODY */
  }
  if (n > 3)
    asm volatile("nop" : : : "memory"); /* BRANCH */
  else
    asm volatile("nop" : : "r"(&n) : "memory"); /* OTHER */
  store(n);
  return n + 1; /* RETURN */
}
__attribute__((noinline)) void never(void) {
  sink = 99; /* NEVER */
}
int main(int argc, char **argv) {
  work(2);
  work(5);
  work(0);
  away(1);
  if (argc > 10)
    never();
  void *handle = argc > 1 ? dlopen(argv[1], RTLD_NOW) : 0;
  if (handle)
    ((int (*)(int))dlsym(handle, "late"))(20);
  return 0;
}
C
cat >other/lines.c <<'C'
#include "../inlined.h"
void away(int n) {
  store(n);
  store(n + 1);
}
C
cat >late.c <<'C'
int late(int n) {
  volatile int twice = n * 2; /* LATE */
  return twice;
}
C
line() { # MARK FILE
  grep -n "/\* $1 \*/" "$2" | cut -d: -f1
}
WORK=$(line WORK lines.c) BODY=$(line BODY lines.c) BRANCH=$(line BRANCH lines.c) OTHER=$(line OTHER lines.c)
RETURN=$(line RETURN lines.c) NEVER=$(line NEVER lines.c) STORE=$(line STORE inlined.h) LATE=$(line LATE late.c)
cat >lines.d <<D
pid\$target:lines:lines.c@$WORK:line { @["1 work"] = count(); }
pid\$target:lines:lines.c@$BODY:line { @["2 body"] = count(); }
pid\$target:lines:lines.c@$BRANCH:line { @["3 branch"] = count(); }
pid\$target:lines:lines.c@$OTHER:line { @["4 other"] = count(); }
pid\$target:lines:inlined.h@$STORE:line { @["5 store"] = count(); }
pid\$target:lines:lines.c@$RETURN:line { @["6 return"] = count(); }
pid\$target:lines:lines.c@$NEVER:line { @["7 never"] = count(); }
pid\$target:late.so:late.c@$LATE:line { @["8 late"] = count(); }
END { printa("%s %@d\n", @); }
D
first=
# Which instructions of optimised code begin a line is the compiler's choice: on other processors there are two for the return,
# or one more for the store.
elsewhere() { # OPTIONS: leaves out what differs there
  if [ "$(uname -m)" = x86_64 ] || [[ $1 = -O0* || $1 = *-gz ]]; then cat; else grep -vE '^(5 store|6 return) '; fi
}
while read -r compiler options; do
  $compiler $options -g -o lines lines.c other/lines.c && $compiler $options -g -shared -fPIC -o late.so late.c || exit 1
  out=$("$dtrace" $dt_flags -qZs lines.d -c './lines ./late.so' 2>&1 | grep . | sort)
  if [ -z "$first" ]; then
    first=$out
    echo "$out"
  elif [ "$(elsewhere "$options" <<<"$out")" = "$(elsewhere "$options" <<<"$first")" ]; then
    echo "$compiler $options: the same"
  else
    echo "$compiler $options:"
    diff <(echo "$first") <(echo "$out")
  fi
done <<'LIST'
gcc -O0
gcc -O2
gcc -O2 -gdwarf-4
gcc -O1 -gz
clang-19 -O0
clang-19 -O2
clang-19 -O1 -gdwarf-4
LIST
gcc -O0 -g -o lines lines.c other/lines.c
echo "== names"
"$dtrace" $dt_flags -qn 'pid$target:a.out:lines.c@'$BODY':line { printf("%s %s %s\n", probemod, probefunc, probename); exit(0); }' \
  -c ./lines | grep .
echo "== lists"
"$dtrace" $dt_flags -ln 'pid$target:lines:lines.c@1?:line' -c ./lines | awk 'NR > 1 { print $3, $4, $5 }'
"$dtrace" $dt_flags -ln 'pid$target:lines::line' -c ./lines | grep -c inlined.h@
echo "== all processes"
cat >all.d <<D
pid*:$tmpdir/lines:lines.c@$BODY:line { @ = count(); }
BEGIN { system("for i in 1 2 3; do ./lines; done; kill -INT %d", \$pid); }
END { printa("%@d\n", @); }
D
"$dtrace" $dt_flags -qws all.d | sed '/^$/d'
echo "== children"
"$dtrace" $dt_flags -qx follow=fork -n 'pid$target:lines:lines.c@'$BODY':line { @ = count(); } END { printa("%@d\n", @); }' -Z \
  -c '/bin/sh -c "./lines; ./lines"' | grep .
echo "== split debug information"
gcc -O0 -g -gsplit-dwarf -o lines lines.c other/lines.c
"$dtrace" $dt_flags -qn 'pid$target:lines:inlined.h@'$STORE':line { @ = count(); } END { printa("%@d\n", @); }' -c ./lines | grep .
echo "== errors"
refused() { # MODULE FUNCTION [NAME]
  "$dtrace" $dt_flags -xerrtags -qn "pid\$target:$1:$2:${3:-line} { exit(0); }" -c ./lines 2>&1 | sed -n '1s/^.*\(\[D_\)/\1/; 1s/pid[0-9]*/pidN/g; 1s|/[^ ]*/||g; 1p'
}
refused lines lines.c@$((BODY + 1))
refused lines lines.c@4000
refused lines inlined.h@1
refused lines nothing.c@3
refused lines work
refused lines 'nothing.c@*'
refused lines lines.c@3 entry
gcc -O0 -o lines lines.c other/lines.c
refused lines lines.c@3
# A table of a version that nobody has.
gcc -O0 -g -o lines lines.c other/lines.c
at=$(readelf -SW lines | awk '{ sub(/^ *\[ *[0-9]+\]/, "") } $1 == ".debug_line" { print $4 }')
printf '\x63' | dd of=lines bs=1 seek=$((0x$at + 4)) conv=notrunc status=none
refused lines "lines.c@$BODY"
exit 0
