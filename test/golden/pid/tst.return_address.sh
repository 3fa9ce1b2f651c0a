#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: entry and return probes leave what a program computes alone, also where functions keep, read or lack their return
#   address. The return of such a function is probed where it is left, if it is known where that is.
# SECTION: pid provider
# @@tags: userland
# @@timeout: 100
. "$(dirname "$0")/../../runner/show.sh"
cat >program.c <<'P'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static jmp_buf place;
static __attribute__((noinline)) void leap(int n) { if (n < 5) longjmp(place, n + 1); }
static __attribute__((noinline)) int leaps(void) {
	const int n = setjmp(place);
	leap(n);
	return n;
}
__attribute__((noinline)) void *caller(void) { return __builtin_return_address(0); }
__attribute__((noinline)) void *next_puts(void) { return dlsym(RTLD_NEXT, "puts"); }
static __attribute__((noinline)) int child(void) {
	int status = 0;
	const pid_t pid = vfork();
	if (pid == 0) _exit(7);
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

/* Returns twice, as setjmp() does, under another name; the second time by back(). */
int mark(long *to);
void back(long *from, int n);
#ifdef __x86_64__
__asm__(".text\n.globl mark, back\n"
	"mark: .cfi_startproc\n mov (%rsp), %rax\n mov %rax, (%rdi)\n lea 8(%rsp), %rax\n mov %rax, 8(%rdi)\n"
	" mov %rbx, 16(%rdi)\n mov %rbp, 24(%rdi)\n mov %r12, 32(%rdi)\n mov %r13, 40(%rdi)\n mov %r14, 48(%rdi)\n"
	" mov %r15, 56(%rdi)\n xor %eax, %eax\n ret\n .cfi_endproc\n"
	"back: .cfi_startproc\n mov %esi, %eax\n mov 8(%rdi), %rsp\n mov 16(%rdi), %rbx\n mov 24(%rdi), %rbp\n"
	" mov 32(%rdi), %r12\n mov 40(%rdi), %r13\n mov 48(%rdi), %r14\n mov 56(%rdi), %r15\n jmp *(%rdi)\n .cfi_endproc\n");
#else
__asm__(".text\n.globl mark, back\n"
	"mark: .cfi_startproc\n str x30, [x0]\n mov x1, sp\n stp x1, x29, [x0, #8]\n stp x19, x20, [x0, #24]\n"
	" stp x21, x22, [x0, #40]\n stp x23, x24, [x0, #56]\n stp x25, x26, [x0, #72]\n stp x27, x28, [x0, #88]\n"
	" mov w0, #0\n ret\n .cfi_endproc\n"
	"back: .cfi_startproc\n ldr x3, [x0]\n ldp x2, x29, [x0, #8]\n mov sp, x2\n ldp x19, x20, [x0, #24]\n"
	" ldp x21, x22, [x0, #40]\n ldp x23, x24, [x0, #56]\n ldp x25, x26, [x0, #72]\n ldp x27, x28, [x0, #88]\n"
	" mov w0, w1\n br x3\n .cfi_endproc\n");
#endif
__asm__(".type mark, %function\n.size mark, back-mark\n.type back, %function\n.size back, .-back\n");
static long marked[16];
static __attribute__((noinline)) int marks(void) {
	const int n = mark(marked);
	if (n < 4) back(marked, n + 1);
	return n;
}
static __attribute__((noinline)) int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(int argc, char **argv) {
	int numbers[] = {3, 1, 2};
	const char *from = caller(), *begin = (const char *)main;
	qsort(numbers, 3, sizeof *numbers, compare);
	printf("%d %s\n", argc, argv[1]);
	printf("leaps %d child %d marks %d\n", leaps(), child(), marks());
	printf("caller %s next %s\n", from > begin && from - begin < 4096 ? "main" : "?", next_puts() ? "found" : "missing");
	printf("sorted %d %d %d\n", numbers[0], numbers[1], numbers[2]);
	return argc;
}
P
flags=(-O2 -fno-inline -fcf-protection=none)
[ "$(uname -m)" = x86_64 ] || flags=(-O2 -fno-inline)
for how in -no-pie -Wl,-z,lazy; do
  "${CC:-cc}" "${flags[@]}" $how -o program program.c 2>/dev/null || { echo "no program $how"; continue; }
  ./program word >alone
  status=$?
  rm -f counts
  "$dtrace" -Zqn "$(printf 'pid$target:libc:*%s*:entry, pid$target:libc:*%s*:return,' setjmp longjmp context dlsym vfork sort)
    pid\$target:a.out::entry, pid\$target:a.out::return { @[probename] = count(); }" -x aggsortkey -o counts -c './program word' \
    >together 2>messages
  diff alone together && [ -s counts ] && awk 'NF == 2 { printf "%s %s, ", $1, ($2 > 10 ? "many" : $2) } END { print "'"$how"'" }' counts
done
cat alone
echo "status $status"
echo "== where they are left"
"${CC:-cc}" "${flags[@]}" -o program program.c
"$dtrace" -qn 'pid$target:a.out:leaps:return, pid$target:a.out:mark:return, pid$target:a.out:caller:return,
  pid$target:a.out:next_puts:return, pid$target:a.out:compare:return, pid$target:libc:_setjmp:return { @[probefunc] = count(); }
  END { printa("%s %@d\n", @); }' -c './program word' 2>&1 | grep '^[a-z_]* [0-9]*$' | sort
echo "== has no return address"
"$dtrace" -qn 'pid$target:a.out:_start:return { }' -c './program word' 2>&1 | grep -o 'failed to create.*'
