#!/bin/bash
# ASSERTION: probes that a glob means and that cannot be set are counted by their reasons, beside those that were matched; a
#   function that does not return has no return to miss.
# SECTION: pid provider
# @@tags: userland
. "$(dirname "$0")/../../runner/show.sh"
cat >program.cpp <<'P'
#include <cstdio>
#include <cstdlib>
extern "C" {
// The kernel would turn the 5-byte NOP into a call. It leaves where only the caller's table knows.
void odd_nop();
void odd_exit(void **table);
void odd_exit_too(void **table);
[[noreturn]] __attribute__((noinline)) void odd_end() { std::exit(0); }
__attribute__((noinline)) int odd_thrower(int n) { if (n == 1) throw n; return n; }
}
asm(R"(
	.text
	.globl odd_nop, odd_exit, odd_exit_too
	.type odd_nop, @function
odd_nop: push %rbp
	.byte 0x0f, 0x1f, 0x44, 0x00, 0x00
	pop %rbp
	ret
	.size odd_nop, .-odd_nop
	.type odd_exit, @function
odd_exit: mov (%rdi), %rax
	jmp *0x8(%rdi)
	.size odd_exit, .-odd_exit
	.type odd_exit_too, @function
odd_exit_too: mov (%rdi), %rax
	jmp *0x8(%rdi)
	.size odd_exit_too, .-odd_exit_too
)");
static void last() {}
int main() {
	void *table[] = {nullptr, reinterpret_cast<void *>(last)};
	odd_nop();
	odd_exit(table);
	odd_exit_too(table);
	try { odd_thrower(1); } catch (int) { std::puts("caught"); }
	odd_end();
}
P
"${CXX:-c++}" -O1 -o program program.cpp || exit 1
normal() { sed 's/pid[0-9][0-9]*/pid$target/g; s/pid [0-9][0-9]*/pid N/; /^ *$/d; /^CPU/d; s/^.*:END //'; }
"$dtrace" -x switchrate=1s -n 'pid$target:a.out:odd_*:return { @[probefunc] = count(); } END { printa("%s %@d", @); }' -c ./program 2>&1 | normal
"$dtrace" -n 'pid$target:a.out:odd_nop*: { }' -c ./program 2>&1 | normal | grep -v '^ *[0-9]'
# By its own name it is an error; and a listing shows what there is.
"$dtrace" -qn 'pid$target:a.out:odd_exit:return { }' -c ./program 2>&1 | normal
"$dtrace" -ln 'pid$target:a.out:odd_*:return' -c ./program 2>&1 | awk '/pid/ { print $4, $5 }'
