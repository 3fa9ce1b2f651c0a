#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: module`variable is a variable of the traced program: its value, its address with &, members and elements, static
# ones too, wherever the program lies in memory; variables of its libraries by the library's name; module`NAME an enumerator.
# @@timeout: 60  @@tags: userland
dtrace=$1
cat >"$tmpdir/lib.c" <<'C'
struct state { int level; const char *mode; };
static struct state state = {3, "slow"};
void *where_state(void) { return &state; }
C
cat >"$tmpdir/prog.c" <<'C'
struct node { struct node *next; int value; };
enum phase { STARTING = 4, RUNNING };
static struct node tail = {0, 9};
struct node *head = &tail;
int counter = 7;
static volatile long numbers[3] = {-1, -2, -3};
enum phase phase = RUNNING;
_Thread_local int local = 1;
void *where_state(void);
__attribute__((noinline)) void tick(int *counter_address, void *state) { asm volatile("" : : "r"(counter_address), "r"(state) : "memory"); }
int main(void) {
  for (int i = 0; i < 2; i++) {
    counter += numbers[0] + local;
    tick(&counter, where_state());
    counter = 100;
  }
}
C
cat >"$tmpdir/vars.d" <<'D'
pid$target:prog:tick:entry {
  printf("%d %d %d %d %d\n", prog`counter, prog`head->value, prog`numbers[1], prog`phase == prog`RUNNING, prog`phase == RUNNING);
  printf("%d %d\n", &prog`counter == args[0], &libmine`state == args[1]);
  printf("%d %s\n", libmine`state.level, stringof(libmine`state.mode));
  print(prog`tail);
  printf("\n");
}
D
for compiler in gcc "gcc -no-pie" "clang-19 -fPIE -pie"; do
  $compiler -g -shared -fPIC -o "$tmpdir/libmine.so" "$tmpdir/lib.c" 2>/dev/null &&
    $compiler -g -O1 -o "$tmpdir/prog" "$tmpdir/prog.c" "$tmpdir/libmine.so" -Wl,-rpath,"$tmpdir" || exit 1
  echo "== $compiler"
  out=$($dtrace $dt_flags -q -s "$tmpdir/vars.d" -c "$tmpdir/prog" 2>&1 | grep .)
  if [ -z "${first-}" ]; then
    first=$out
    echo "$out"
  else
    diff <(echo "$first") <(echo "$out")
  fi
done
echo "== errors"
for variable in 'prog`nothing' 'nowhere`counter'; do
  $dtrace $dt_flags -xerrtags -q -c "$tmpdir/prog" -n "pid\$target:prog:tick:entry { trace($variable); }" 2>&1 |
    sed -n '1s/^.*\(\[D_\)/\1/p'
done
