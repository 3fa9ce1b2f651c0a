#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: a function that calls nothing gets the kernel's return probe in a program of C++ as in one of C, unless a signal
# may unwind through it or run others on another stack; then a program computes what it computes untraced: one whose
# handler throws, one whose handler has a stack of its own, and coroutines.
# @@parts
. "$(dirname "$0")/../../runner/sections.sh"
dtrace=$1
cd "$tmpdir" || exit 1

# "ret": the return instructions; "return": the kernel's probe.
choice() { "$dtrace" $dt_flags --stop-after=plan --dump -c "$1" -n "pid\$target:a.out:$2:return { @ = count(); }" 2>&1 | sed -n 's/^program .* on \(.*\), 1 probes.*/\1/p'; }
# The output untraced, and traced by both ways of asking.
same() {
  untraced=$($1)
  echo "$1: $untraced; $2 by $(choice "$1" "$2")"
  for value in 1 arg0; do
    rm -f returns
    "$dtrace" $dt_flags -qc "$1" -o returns -n 'pid$target:a.out::entry { all++; }
      pid$target:a.out:'"$2"':return, pid$target:a.out:'"$3"':return { @[probefunc] = count(); any = '$value'; }
      END { printa("%s %@d\n", @); }' >output 2>&1
    [ "$(tr -d "\n" <output)" = "$untraced" ] || { echo "not $untraced but"; cat output; }
    sort returns | sed '/^$/d' | tr '\n' ' '
    echo
  done
}

if section ordinary; then
  cat >ordinary.cpp <<'C'
#include <cstdio>
extern "C" {
__attribute__((noipa)) int leaf(int n) { return n * 3 + 1; }
__attribute__((noipa)) int thrower(int n) { if (leaf(n) % 2) throw n; return n; }
}
int main() {
  long sum = 0;
  for (int i = 0; i < 30; i++) {
    try { sum += thrower(i); } catch (int n) { sum += 1000; }
  }
  std::printf("%ld\n", sum);
}
C
  c++ -O1 -o ordinary ordinary.cpp || exit 1
  same ./ordinary leaf thrower
fi

if section throws; then
  cat >throws.cpp <<'C'
#include <csignal>
#include <cstdio>
#include <pthread.h>
static volatile std::sig_atomic_t is_in_leaf;
static volatile long one = 1, zero = 0;
static int cleaned;
struct Cleaner { ~Cleaner() { cleaned++; } };
extern "C" {
__attribute__((noipa)) long leaf(volatile long *n) {
  is_in_leaf = 1;
  while (*n) { }
  return *n;
}
__attribute__((noipa)) long caller(volatile long *n) {
  Cleaner cleaner;
  return leaf(n) + 1;
}
static void handler(int) {
  if (!is_in_leaf) return;  // not there yet
  is_in_leaf = 0;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  throw 1;
}
}
static pthread_t victim;
static volatile bool is_done;
static void *sender(void *) {
  while (!is_done)
    if (is_in_leaf) pthread_kill(victim, SIGUSR1);
  return nullptr;
}
int main() {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction(SIGUSR1, &action, nullptr);
  victim = pthread_self();
  pthread_t thread;
  int caught = 0;
  for (int i = 0; i < 20; i++) {
    is_done = false;
    pthread_create(&thread, nullptr, sender, nullptr);
    try { caller(&one); } catch (int) { caught++; is_done = true; }
    pthread_join(thread, nullptr);
  }
  long sum = 0;
  for (int i = 0; i < 20; i++) { sum += caller(&zero); is_in_leaf = 0; }
  std::printf("caught %d, cleaned %d, sum %ld\n", caught, cleaned, sum);
}
C
  c++ -O1 -fnon-call-exceptions -o throws throws.cpp || exit 1
  same ./throws leaf caller
fi

if section signal_stack; then
  cat >signal_stack.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
enum { kStack = 1 << 20 };
static volatile int entered, handled;
static volatile long one = 1;
static char *stacks;
__attribute__((noipa)) long leaf(volatile long *n) {
  const int before = handled;
  entered++;
  while (*n && handled == before) { }
  return *n;
}
__attribute__((noipa)) long other(volatile long *n) { return *n; }
static void handler(int signal) {
  other(&one);
  handled++;
}
static void *begin(void *p) {
  stack_t own = {.ss_sp = stacks + kStack, .ss_size = kStack};  // above the thread's
  sigaltstack(&own, 0);
  for (int i = 0; i < 20; i++) leaf(&one);
  return 0;
}
int main(void) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, 0);
  stacks = mmap(0, 2 * kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stacks, kStack);
  pthread_t thread;
  pthread_create(&thread, &attributes, begin, 0);
  for (int i = 0; i < 20; i++) {
    while (entered == i) { }
    pthread_kill(thread, SIGUSR1);
    while (handled == i) { }
  }
  pthread_join(thread, 0);
  printf("handled %d\n", handled);
}
C
  cc -O1 -o signal_stack signal_stack.c || exit 1
  same ./signal_stack leaf other
fi

if section coroutines; then
  cat >coroutines.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
static ucontext_t outside, inside;
__attribute__((noipa)) long other(long n) { return n + 1; }
__attribute__((noipa)) long yields(long n) {
  swapcontext(&inside, &outside);
  if (n & 1) return n;
  return other(n);  // by a jump
}
static void begin(void) {
  for (long i = 0;; i++) yields(i);
}
int main(void) {
  getcontext(&inside);
  inside.uc_stack.ss_sp = malloc(1 << 16);
  inside.uc_stack.ss_size = 1 << 16;
  makecontext(&inside, begin, 0);
  long sum = 0;
  for (int i = 0; i <= 20; i++) {
    swapcontext(&outside, &inside);
    sum += other(i);
  }
  printf("sum %ld\n", sum);
}
C
  cc -O2 -o coroutines coroutines.c || exit 1
  same ./coroutines yields other
fi
exit 0
