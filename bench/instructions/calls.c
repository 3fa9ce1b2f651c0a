// SPDX-License-Identifier: Apache-2.0
// calls KIND BATCHES CALLS: what a call costs the calling thread, in nanoseconds: the least of the batches. Where the
// clock counts instructions (script `measure`), that is how many it executes. A second line names the links by which
// its parent, the tracer, has attached programs.
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <sys/sdt.h>

// Functions of one instruction and RET. What the kernel does for a probe depends on the instruction.
#ifdef __aarch64__
#define FUNCTION(name, instruction)                                                                  \
  void name(void);                                                                                   \
  __asm__(".text; .globl " #name "; .type " #name ", %function; .balign 16; " #name ": " instruction \
          "; ret; .size " #name ", .-" #name)
FUNCTION(first_nop, "nop");
FUNCTION(first_stepped, "add x0, x0, #0");
FUNCTION(first_simulated, "adr x0, .");
FUNCTION(first_store, "str x30, [sp, #-8]");
#else
#define FUNCTION(name, instruction)                                                                  \
  void name(void);                                                                                   \
  __asm__(".text; .globl " #name "; .type " #name ", %function; .balign 16; " #name ": " instruction \
          "; ret; .size " #name ", .-" #name)
FUNCTION(first_nop, "nop");
FUNCTION(first_stepped, "add $0, %rax");
FUNCTION(first_simulated, "jmp 1f; 1:");
FUNCTION(first_store, "push %rbp; pop %rbp");
#endif

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

static void a_call(void) { syscall(SYS_getpriority, 9, 0); }  // refused at once
static void other_call(void) { syscall(SYS_lseek, -1, 0, 0); }
static void a_site(void) { DTRACE_PROBE1(costs, site, 1); }

int main(int count, char **arguments) {
  static const struct {
    const char *kind;
    void (*call)(void);
  } kinds[] = {{"call", a_call},       {"other", other_call},          {"nop", first_nop}, {"stepped", first_stepped},
               {"store", first_store}, {"simulated", first_simulated}, {"site", a_site}};
  cpu_set_t second;
  CPU_ZERO(&second);
  CPU_SET(1, &second);
  sched_setaffinity(0, sizeof second, &second);
  if (count != 4) return 2;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strcmp(kinds[i].kind, arguments[1]) != 0) continue;
    const long calls = atol(arguments[3]);
    double least = 1e18;
    for (int batch = atoi(arguments[2]); batch > 0; batch--) {
      const double start = now_ns();
      for (long n = 0; n < calls; n++) kinds[i].call();
      const double each = (now_ns() - start) / calls;
      if (each < least) least = each;
    }
    printf("%.0f\n", least);
    fflush(stdout);
    char command[128];
    snprintf(command, sizeof command, "grep -hs ^link_type /proc/%d/fdinfo/* | cut -f2 | sort -u | paste -sd' '",
             getppid());
    return system(command);
  }
  return 2;
}
