#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: inlined functions have frames of their own, and all have lines, where the program has debug information; in any
# of its forms, of C++ and C, by gcc and clang. Without, the stack is as before.
# @@tags: userland
cat >"$tmpdir/inlined.cc" <<'END'
#include <sys/syscall.h>
#include <unistd.h>
#define INLINE inline __attribute__((always_inline))
namespace ns {
template <typename T> INLINE T innermost(T v) {
  syscall(SYS_getppid);
  return v + 1;
}
INLINE int middle(int v) {
  if (v > 0) {
    int w = innermost(v);
    return w * 2;
  }
  return 0;
}
}
__attribute__((noinline)) int outer(int v) {
  return ns::middle(v) + 1;
}
int main(int count, char **) { return outer(count) == 0; }
END
cd "$tmpdir" || exit 1
stack() { # OPTIONS: the program's own frames
  $dtrace $dt_flags -q "$@" -n 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c ./program | grep '^ *program' |
    sed -E 's/^ +//; s/\+0x[0-9a-f]+//; /`(syscall|__libc_start_.*|_start)( |$)/d'
}
type -P clang++-19 >/dev/null || clang++-19() { clang++ "$@"; }
g++ -O2 -g -o program inlined.cc && stack -x lines >expected && cat expected
echo "== other forms of debug information that differ"
while read -r build; do
  eval "$build" && stack -x lines >found && diff expected found >differs || { echo "$build"; cat differs; }
done <<'END'
g++ -O2 -gdwarf-4 -o program inlined.cc
g++ -O2 -g -gz -o program inlined.cc
g++ -O2 -g -no-pie -static -o program inlined.cc
clang++-19 -O2 -g -o program inlined.cc
clang++-19 -O2 -gdwarf-4 -o program inlined.cc
clang++-19 -O2 -g -gz -o program inlined.cc
END
echo "== without inlined functions"
g++ -O2 -g -o program inlined.cc && stack -x inlines=no
echo "== without debug information"
g++ -O2 -o program inlined.cc && stack -x lines
echo "== as JSON"
g++ -O2 -g -o program inlined.cc
$dtrace $dt_flags -q -x format=json -x lines -n 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c ./program |
  grep -o '"symbol":"program`[^"]*ns[^}]*'
