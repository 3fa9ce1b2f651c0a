// SPDX-License-Identifier: Apache-2.0
// Functions without frame pointers, each called in its own way; `mark` is where stacks are taken.
#include <alloca.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define APART __attribute__((noinline))
volatile int sink;

APART void mark(const char *what) { sink += what[0]; }

APART void aligned(const char *what) {
  _Alignas(64) volatile char block[64];
  block[0] = what[0];
  mark(what);
  sink += block[0];
}

APART void sized(const char *what, int bytes) {
  volatile char *block = alloca(bytes);
  block[bytes - 1] = what[0];
  mark(what);
  sink += block[bytes - 1];
}

APART void handler(int number) {
  mark(number == SIGUSR1 ? "signal" : "own stack");
  sink += number;
}

APART void interrupted(int number) {
  raise(number);
  sink++;
}

ucontext_t main_context, other_context;
APART void coroutine(void) {
  mark("coroutine");
  swapcontext(&other_context, &main_context);
}

void deeper(int n);
void (*volatile next)(int) = deeper; /* nobody may make a loop of it */
APART void deeper(int n) {
  if (n == 0)
    mark("deep");
  else
    next(n - 1);
  sink++;
}

APART int compare(const void *one, const void *other) {
  mark("called back");
  return *(const int *)one - *(const int *)other;
}

APART void child(void) {
  const pid_t pid = fork();
  if (pid == 0) {
    mark("child");
    usleep(200000); /* its names can be had while it is there */
    _exit(0);
  }
  waitpid(pid, NULL, 0);
}

/* Code that nobody says anything about and that calls `mark`. With what is no frame pointer. */
#ifdef __aarch64__
APART void unknown(void) { /* str x30, [sp, #-16]!; blr x1; ldr x30, [sp], #16; ret */
  static const unsigned code[] = {0xf81f0ffe, 0xd63f0020, 0xf84107fe, 0xd65f03c0};
  char *memory = mmap(NULL, sizeof code, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(memory, code, sizeof code);
  __builtin___clear_cache(memory, memory + sizeof code);
  register const char *what __asm__("x0") = "unknown code";
  register void (*called)(const char *) __asm__("x1") = mark;
  __asm__ volatile("stp x29, x30, [sp, #-16]!; mov x29, #3; blr %2; ldp x29, x30, [sp], #16"
                   : "+r"(what), "+r"(called)
                   : "r"(memory)
                   : "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
                     "memory");
}
#else
APART void unknown(void) { /* sub $8, %rsp; call *%rsi; add $8, %rsp; ret */
  static const unsigned char code[] = {0x48, 0x83, 0xec, 0x08, 0xff, 0xd6, 0x48, 0x83, 0xc4, 0x08, 0xc3};
  char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(memory, code, sizeof code);
  __asm__ volatile("push %%rbp; mov $3, %%ebp; sub $8, %%rsp; call *%%rax; add $8, %%rsp; pop %%rbp"
                   :
                   : "a"(memory), "D"("unknown code"), "S"(mark)
                   : "rcx", "rdx", "r8", "r9", "r10", "r11", "memory");
}
#endif

int main(void) {
  static char stack[1 << 16], signal_stack[1 << 16];
  aligned("aligned");
  sized("alloca", 100 + sink % 2);
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, NULL);
  interrupted(SIGUSR1);
  sigaltstack(&(stack_t){.ss_sp = signal_stack, .ss_size = sizeof signal_stack}, NULL);
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR2, &action, NULL);
  interrupted(SIGUSR2);
  getcontext(&other_context);
  other_context.uc_stack = (stack_t){.ss_sp = stack, .ss_size = sizeof stack};
  makecontext(&other_context, coroutine, 0);
  swapcontext(&main_context, &other_context);
  deeper(5);
  int numbers[] = {2, 1};
  qsort(numbers, 2, sizeof *numbers, compare);
  child();
#ifdef UNKNOWN
  unknown();
#endif
  return 0;
}
