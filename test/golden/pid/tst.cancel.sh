#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ASSERTION: threads that are cancelled at any instruction clean up as they do untraced while the returns of the function they
# are in are probed, and that of its callers: with C's own handlers and with those of the unwinder, in a process that has
# loaded no unwinder yet.
# @@parts
. "$(dirname "$0")/../../runner/sections.sh"
dtrace=$1
cat >"$tmpdir/cancel.c" <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#define FUNCTION __attribute__((noipa))
static atomic_int is_in_leaf;
static int cleaned;
FUNCTION long leaf(volatile long *n) {
  is_in_leaf = 1;
  while (*n) { }
  return *n;
}
static void clean(void *p) { cleaned++; }
FUNCTION long caller(volatile long *n) {
  long answer;
  pthread_cleanup_push(clean, 0);
  answer = leaf(n);
  pthread_cleanup_pop(0);
  return answer;
}
static void *begin(void *p) {
  int old;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
  volatile long one = p == 0;
  return (void *)(caller(&one) + 1);
}
int main(void) {
  int cancelled = 0, ended = 0;
  for (int i = 0; i < 20; i++) {
    pthread_t thread;
    void *answer;
    is_in_leaf = 0;
    pthread_create(&thread, 0, begin, 0);
    while (!is_in_leaf) { }
    pthread_cancel(thread);
    pthread_join(thread, &answer);
    cancelled += answer == PTHREAD_CANCELED;
    pthread_create(&thread, 0, begin, "");
    pthread_join(thread, &answer);
    ended += answer == (void *)1;
  }
  printf("cancelled %d, cleaned %d, ended %d; ", cancelled, cleaned, ended);
}
C
for program in cancel unwound; do
  section $program || continue
  cc -O1 $([ $program = cancel ] || echo -fexceptions) -o "$tmpdir/$program" "$tmpdir/cancel.c" || exit 1
  echo "$program: $("$tmpdir/$program")"
  for value in 1 arg0; do  # a clause that asks for arg0 wants the return instruction
    echo "$program: $($dtrace $dt_flags -qc "$tmpdir/$program" -n 'pid$target:a.out:leaf:return, pid$target:a.out:caller:return {
      @[probefunc] = count(); any = '$value'; } END { printa("%s %@d ", @); }' 2>&1)"
  done
done
