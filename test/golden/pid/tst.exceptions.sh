#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a program whose exceptions pass through functions that are all traced, entry and return, its own and those of the
# libraries that throw and catch, computes what it computes untraced; returns are counted as they are: a function left by an
# exception does not return, one that ends in a call of another does, and so does one whose seldom part lies elsewhere.
# @@parts
# @@tags: release
. "$(dirname "$0")/../../runner/sections.sh"
dtrace=$1
cat >"$tmpdir/throws.cpp" <<'C'
#include <cstdio>
#include <stdexcept>
#define OUTLINE __attribute__((noinline))
extern "C" {
OUTLINE int risky(int n) {
  if (n % 3 == 0) throw std::runtime_error("no");
  return n;
}
OUTLINE int through(int n) { return risky(n) + 1; }
OUTLINE int tail(int n) { asm volatile(""); return through(n + 1); }
OUTLINE int cleans(int n) {
  struct Cleaner {
    int *n;
    OUTLINE ~Cleaner() { ++*n; }
  };
  int m = n;
  { Cleaner cleaner{&m}; m += through(n); }
  return m;
}
OUTLINE int chooses(int n) {
  switch (n % 8) {
    case 0: return through(1);
    case 1: return n * 7;
    case 2: return through(n) * 3;
    case 3: std::puts(""); return n - 2;
    case 4: return n / 3;
    case 5: return through(4) * n;
    case 6: return through(5) + n;
    default: return -n;
  }
}
}
int main() {
  long sum = 0, caught = 0;
  for (int i = 0; i < 60; i++) {
    for (auto function : {through, tail, cleans, chooses}) {
      try {
        sum += function(i);
      } catch (const std::exception &) {
        caught++;
      }
    }
  }
  std::printf("%ld %ld\n", sum, caught);
  return 0;
}
C
cd "$tmpdir" || exit 1
for options in "-O2 -o dynamic" "-O2 -static -o static" "-O0 -o plain"; do
  section "${options##* }" || continue
  c++ $options throws.cpp 2>/dev/null || exit 1
  image=${options##* }
  untraced=$("./$image" | tr -d '\n')
  rm -f returns
  "$dtrace" $dt_flags -qZ -c "./$image" -o returns -n 'pid$target:a.out::entry, pid$target:libstdc*::entry, pid$target:libgcc_s*::entry,
    pid$target:a.out::return, pid$target:libstdc*::return, pid$target:libgcc_s*::return { all++; }
    pid$target:a.out:through:return, pid$target:a.out:risky:return, pid$target:a.out:tail:return, pid$target:a.out:cleans:return,
    pid$target:a.out:chooses:return { @[probefunc] = count(); }
    END { printa("%s %@d\n", @); }' >output 2>&1
  [ "$(tr -d '\n' <output)" = "$untraced" ] && echo "$image: the same" || { echo "$image: not $untraced but"; cat output; }
  sort returns | sed '/^$/d' | tr '\n' ' '
  echo
  [ $image != dynamic ] ||
    "$dtrace" $dt_flags -xerrtags -c ./dynamic -n 'pid$target:libstdc*:__cxa_rethrow:return' 2>&1 | grep -o 'D_PROC_CREATEFAIL.*'
done
exit 0
