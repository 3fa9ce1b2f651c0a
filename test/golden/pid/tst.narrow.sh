#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a 32-bit program with its libraries: functions of its own and of libc by name and arguments on the stack, a
# function of a library that it loads while it is traced, both ends of it.
dtrace=$1
cat >"$tmpdir/narrow.c" <<'C'
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
__attribute__((noinline)) int weigh(int a, int b, int c) { __asm__ volatile(""); return a * 100 + b * 10 + c; }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++) sum += weigh(i, 2, -3) + (int)strtoul("12", NULL, 10);
  void *library = dlopen("./libworth.so", RTLD_NOW);
  int (*worth)(int, int) = library ? (int (*)(int, int))dlsym(library, "worth") : 0;
  if (!worth) return 1;
  for (int i = 0; i < 3000 && worth(i, 7) >= 0; i++) {
    struct timespec { long a, b; } moment = {0, 1000000};
    __asm__ volatile("int $0x80" : : "a"(162), "b"(&moment), "c"(0) : "memory"); /* nanosleep */
  }
  return sum != 4770 - 30 + 120 - 250;
}
C
cat >"$tmpdir/worth.c" <<'C'
int worth(int a, int b) { __asm__ volatile(""); return a * b; }
C
cd "$tmpdir" || exit 1
cc -m32 -O1 -o narrow narrow.c -ldl && cc -m32 -O1 -shared -fPIC -o libworth.so worth.c || exit 1
$dtrace $dt_flags -qZ -c ./narrow -n '
pid$target:a.out:weigh:entry { @arguments = sum((int)arg0 * 1000 + (int)arg1 * 10 + (int)arg2); }
pid$target:a.out:weigh:return { @values = sum((int)arg1); }
pid$target:libc:strtoul:entry { @texts[copyinstr(arg0)] = count(); }
pid$target:libworth.so:worth:entry { self->product = arg0 * arg1; self->in = 1; }
pid$target:libworth.so:worth:return /self->in/ {
  printf("%s %s\n", probemod, self->product == arg1 ? "returns the product" : "returns something else");
  printa("arguments %@d\n", @arguments);
  printa("values %@d\n", @values);
  printa("%s %@d\n", @texts);
  exit(0);
}'
