#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a program with signed return addresses and checked indirect branches is traced as any other: entries that are
# landing pads, returns behind an authentication or with it, and whole user stacks, by the probes and with return probes.
dtrace=$1
cd "$tmpdir" || exit 1
cat >signed.c <<'C'
#define APART __attribute__((noinline, noclone))
static volatile int sink;
static long call(long number, long a, long b, long c) {
  register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
  __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
  return x0;
}
APART int leaf(int n) { return sink += n; }
APART int middle(int (*called)(int), int n) { return called(n) + 1; }
APART __attribute__((target("arch=armv8.3-a"))) int authenticated(int n) { return middle(leaf, n) + 1; }
APART int outer(int n) { return authenticated(n) + 1; }
APART void wild(void) { ((void (*)(void))((char *)leaf + 4))(); } /* where no branch may go */
int main(long *stack) {
  if (stack[0] > 1) wild(); /* it has arguments */
  for (int i = 0; i < 10; i++) outer(i);
  call(64, 1, (long)(sink == 45 ? "right\n" : "wrong\n"), 6);
  return 0;
}
void begin(long *stack) { call(94, main(stack), 0, 0); }
__asm__(".globl _start; .type _start, %function\n"
        "_start: .cfi_startproc; .cfi_undefined x30\n"
        "bti j; mov x29, #0; mov x30, #0; mov x0, sp; bl begin; nop; .cfi_endproc; .size _start, .-_start\n");
C
gcc -O1 -mbranch-protection=standard -nostdlib -static -Wl,-z,force-bti -Wa,-march=armv8.5-a -o signed signed.c 2>&1 | grep -v -i bti
readelf -n signed | grep -o 'AArch64 feature:.*'
objdump -d --no-show-raw-insn signed | awk '/<(leaf|middle|authenticated)>:$/ { name = $2 }
  /^$/ { name = "" } name != "" && $2 ~ /^(bti|paciasp|autiasp|reta?a?)$/ { print name, $2 }'
bash -c './signed wild; exit $?' 2>/dev/null
echo "a wild branch: status $?"
stacks() { sed -nE 's/^ *signed`([a-z_]+)(\+0x[0-9a-f]+)?$/\1/p; s/^ *\[(.*)\]$/[\1]/p' | paste -sd' '; }
for value in 1 arg0; do
  echo "== entries and returns, $value"
  $dtrace $dt_flags -q -c ./signed -n 'pid$target:a.out:leaf:entry, pid$target:a.out:middle:entry,
    pid$target:a.out:authenticated:entry { @entry[probefunc] = count(); }
    pid$target:a.out:leaf:return, pid$target:a.out:middle:return, pid$target:a.out:authenticated:return {
    @return[probefunc] = count(); any = '$value'; }
    END { printa("entry %s %@d\n", @entry); printa("return %s %@d\n", @return); }' 2>&1 | sed '/^$/d' | sort
done
echo "== stacks"
$dtrace $dt_flags -q -c ./signed -n 'pid$target:a.out:leaf:entry { ustack(); exit(0); }' 2>&1 | stacks
$dtrace $dt_flags -q -c ./signed -n 'pid$target:a.out:leaf:entry { ustack(); exit(0); } pid$target:a.out::return { n++; }' 2>&1 | stacks
$dtrace $dt_flags -q -c ./signed -n 'pid$target:a.out:leaf:return { ustack(); exit(0); }' 2>&1 | stacks
$dtrace $dt_flags -q -c ./signed -n 'syscall::write:entry /pid == $target/ { ustack(); exit(0); }' 2>&1 | stacks
