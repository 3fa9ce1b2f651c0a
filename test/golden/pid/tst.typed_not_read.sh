#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: debug information is read for programs that use types of a traced program, and for no others: raw arguments, built-in
# variables whose types the D library defines, and casts to D's own types read none. Seen by tracing the library that reads it.
# @@timeout: 120  @@tags: userland
dtrace=$1
cat >"$tmpdir/prog.c" <<'C'
struct point { int x, y; };
__attribute__((noinline)) int norm(struct point *p) { asm volatile("" ::: "memory"); return p->x * p->y; }
int main(void) { struct point p = {3, 5}; return norm(&p) == 0; }
C
gcc -g -O1 -o "$tmpdir/prog" "$tmpdir/prog.c" || exit 1
opened() { # STATEMENTS
  cat >"$tmpdir/inner.d" <<D
#pragma D option quiet
pid\$target:prog:norm:entry { $1 }
D
  echo "$1"
  rm -f "$tmpdir/inner.out"
  $dtrace $dt_flags -q -c "$dtrace -s $tmpdir/inner.d -o $tmpdir/inner.out -c $tmpdir/prog" -n '
    BEGIN { n = 0; }
    pid$target:libdw*:dwarf_begin_elf:entry { n++; }
    END { printf("  opened %d\n", n); }' 2>&1 | grep opened
  sed 's/^/  /; /^ *$/d' "$tmpdir/inner.out"
}
opened 'printf("%d\n", arg0 != 0);'
opened 'x = arg0; self->y = curpsinfo->pr_nlwp; printf("%d %s\n", self->y, execname);'
opened 'printf("%d\n", *(int *)copyin(arg0, sizeof (int)));'
opened 'printf("%d\n", (uint32_t)arg0 == 0);'
opened 'printf("%d\n", args[0]->y);'
opened 'printf("%d\n", ((struct point *)arg0)->x);'
