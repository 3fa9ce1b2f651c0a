#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: module`variable of a thread-local variable is that of the thread that fires: of the program, of a library that is
# linked, and of one that was loaded later, whose threads get their variables when they use them. One that the thread has not
# used yet is a fault. Those of programs are read in all processes.
# SECTION: Providers, pid
# @@timeout: 300
dtrace=$1
exec 2>&1
cd "$tmpdir" || exit 1
cat >linked.c <<'C'
#include <stdint.h>
struct state { long level; const char *mode; };
static _Thread_local char padding[3] = "x";
_Thread_local struct state state = {3, "slow"};
void *linked_state(void) { padding[0]++; return &state; }
C
cat >loaded.c <<'C'
static _Thread_local char large[1 << 16];
_Thread_local int depth = 5;
int *loaded_depth(void) { large[7]++; return &depth; }
C
cat >prog.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
struct state { long level; const char *mode; };
_Thread_local char first = 'a';
_Thread_local int number = 10;
_Thread_local __attribute__((aligned(64))) long wide[3];
_Thread_local struct state *own;
struct state *linked_state(void);
static int *(*loaded_depth)(void);
static volatile sig_atomic_t goes_on;
__attribute__((noinline)) void tick(int *a, long *b, void *c, int *d) { asm volatile("" : : "r"(a), "r"(b), "r"(c), "r"(d) : "memory"); }
__attribute__((noinline)) void fresh(void) { asm volatile("" ::: "memory"); }
static void on_signal(int number) { goes_on = number; }
static void *run(void *of) {
  const long n = (long)of;
  fresh();
  number += n;
  wide[2] = n * 100;
  own = linked_state();
  own->level = n + 1;
  *loaded_depth() += n;
  tick(&number, wide, own, loaded_depth());
  return 0;
}
int main(int argc, char **argv) {
  signal(SIGUSR1, on_signal);
  void *handle = dlopen(argv[1], RTLD_NOW);
  if (!handle) return 1;
  loaded_depth = (int *(*)(void))dlsym(handle, "loaded_depth");
  for (int i = 0; i < 3000 && !goes_on; i++) usleep(10000);
  for (long n = 1; n <= 3; n++) {
    pthread_t thread;
    pthread_create(&thread, 0, run, (void *)n);
    pthread_join(thread, 0);
  }
  run((void *)0);
  return 0;
}
C
cat >vars.d <<'D'
pid$target:prog:tick:entry {
  printf("%c %d %d %s %d %d\n", prog`first, prog`number, prog`wide[2], stringof(liblinked`state.mode), prog`own->level, libloaded`depth);
  printf("%d %d %d %d\n", &prog`number == args[0], &prog`wide[0] == args[1], &liblinked`state == args[2], &libloaded`depth == args[3]);
}
BEGIN { system("kill -USR1 %d", $target); }
pid$target:prog:main:return { exit(0); }
D
first=
for compiler in gcc "gcc -no-pie -O2" "clang-19 -fPIE -pie -O1" "gcc -gsplit-dwarf" "gcc -gsplit-dwarf -gdwarf-4" "clang-19 -gsplit-dwarf"; do
  $compiler -g -shared -fPIC -o liblinked.so linked.c 2>/dev/null && $compiler -g -shared -fPIC -o libloaded.so loaded.c 2>/dev/null &&
    $compiler -g -o prog prog.c ./liblinked.so -ldl -lpthread -Wl,-rpath,"$tmpdir" || exit 1
  ./prog ./libloaded.so &
  target=$!
  until grep -q libloaded "/proc/$target/maps"; do sleep 0.05; done
  out=$("$dtrace" $dt_flags -qws vars.d -p $target 2>&1 | grep .)
  wait $target
  if [ -z "$first" ]; then
    first=$out
    echo "$out"
  elif [ "$out" = "$first" ]; then
    echo "$compiler: the same"
  else
    echo "$compiler:"
    diff <(echo "$first") <(echo "$out")
  fi
done
echo "== not used yet"
./prog ./libloaded.so &
target=$!
until grep -q libloaded "/proc/$target/maps"; do sleep 0.05; done
"$dtrace" $dt_flags -qwn 'pid$target:prog:fresh:entry { printf("%d\n", libloaded`depth); } BEGIN { system("kill -USR1 %d", $target); }
  ERROR { @["faults"] = count(); } END { printa("%s %@d\n", @); }' -p $target 2>/dev/null | grep .
echo "== static program"
cat >static.c <<'C'
#include <unistd.h>
_Thread_local int number = 31;
__attribute__((noinline)) void tick(void) { asm volatile("" ::: "memory"); }
int main(void) {
  number++;
  usleep(1000);  // on arm64 the kernel knows a thread's pointer when the thread has left the processor
  tick();
}
C
gcc -g -O1 -static -o static static.c
"$dtrace" $dt_flags -qn 'pid$target:static:tick:entry { trace(static`number); }' -c ./static | grep .
echo "== all processes"
gcc -g -O1 -o dynamic static.c
cat >all.d <<D
pid*:$tmpdir/static:tick:entry { @[execname, static\`number] = count(); }
pid*:$tmpdir/dynamic:tick:entry { @[execname, dynamic\`number] = count(); }
BEGIN { system("./static; ./dynamic; ./dynamic; kill -INT %d", \$pid); }
END { printa("%s %d %@d\n", @); }
D
"$dtrace" $dt_flags -qws all.d | grep . | sort
"$dtrace" $dt_flags -qn "pid*:$tmpdir/libloaded.so:loaded_depth:entry { trace(libloaded\`depth); }" 2>&1 | sed -n 's/.*failed to resolve/failed to resolve/; 1p'
exit 0
