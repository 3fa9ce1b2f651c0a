#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: args[], types and variables of programs with split debug information: .dwo files of gcc and clang, DWARF 4 and
# 5, compressed too, where the compiler put them or beside the program; packages (.dwp). A file that is missing is named.
# @@tags: userland
dtrace=$1
cd "$tmpdir" || exit 1
cat >a.c <<'C'
struct pair { int a; long b; };
struct node { struct node *next; int value; };
struct node head = {0, 42};
extern int other(struct pair *p, int n);
__attribute__((noinline)) int visit(struct node *n, struct pair *p, int k) {
  int r = 0;
  while (n) { r += n->value + other(p, k); n = n->next; k++; }
  return r;
}
int main(int argc, char **argv) { struct pair p = {argc, 7}; return visit(&head, &p, 3) == 12345; }
C
cat >b.c <<'C'
struct pair { int a; long b; };
enum color { RED, GREEN = 5 };
enum color shade = GREEN;
__attribute__((noinline)) int other(struct pair *p, int n) { __asm__ volatile("" ::: "memory"); return p->a + p->b + n; }
C
trace() {
  "$dtrace" $dt_flags -qn 'pid$target:a.out:visit:entry { printf("%d %d %d %d\n", args[0]->value, (int)args[1]->b, args[2],
      ((struct node *)arg0)->value); }
    pid$target:a.out:other:entry { printf("%d %d %d %d\n", args[0]->a, args[1], GREEN, (int)prog`shade); }
    pid$target:a.out:other:return { printf("returns %d\n", args[1]); }' -c ./prog 2>&1 |
    sed "s|$tmpdir|DIR|g; s/pid[0-9]*/pidN/g" | grep -v '^ *\(|\|[0-9] |\)'
}
for how in 'gcc -gdwarf-5' 'gcc -gdwarf-4' 'gcc -gdwarf-5 -gz' 'clang-19 -gdwarf-5' 'clang-19 -gdwarf-4' 'clang-19 -gdwarf-5 -gz'; do
  rm -rf obj prog* *.dwo
  mkdir obj
  for source in a b; do $how -O2 -gsplit-dwarf -c $source.c -o obj/$source.o || exit 1; done
  gcc obj/a.o obj/b.o -o prog
  echo "== $how"
  trace
done
echo "== beside the program"
mv obj/*.dwo .
trace
for how in 'llvm-dwp-19 clang-19 -gdwarf-5' 'llvm-dwp-19 clang-19 -gdwarf-4' 'dwp gcc -gdwarf-4'; do
  rm -rf obj prog* *.dwo
  mkdir obj
  for source in a b; do ${how#* } -O2 -gsplit-dwarf -c $source.c -o obj/$source.o || exit 1; done
  gcc obj/a.o obj/b.o -o prog
  ${how%% *} -e prog -o prog.dwp || exit 1
  rm obj/*.dwo
  echo "== a package by $how"
  trace
done
echo "== missing"
rm prog.dwp
trace
exit 0
