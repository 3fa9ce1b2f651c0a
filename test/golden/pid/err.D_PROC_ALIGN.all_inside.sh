#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: an offset within an instruction is refused, also in a file that no process has mapped.
cat >"$tmpdir/f.c" <<'END'
__asm__(".globl f\n.type f, %function\nf:\n"
#ifdef __x86_64__
        "movabs $0x1122334455667788, %rax\nret\n"
#else
        "mov x0, #1\nret\n"
#endif
        ".size f, .-f\n");
int main(void) { return 0; }
END
cc -o "$tmpdir/f" "$tmpdir/f.c" || exit 2
"$dtrace" $dt_flags -n "pid*:$tmpdir/f:f:2 { exit(0); }"
