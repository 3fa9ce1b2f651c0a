#!/bin/bash
# ASSERTION: uregs[R_TRAPNO] is the number of the thread's last trap that became a signal.
# SECTION: Variables/uregs
cd "$tmpdir" || exit 1
cat >traps.c <<'END'
#include <signal.h>
#include <unistd.h>
static void skip(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)info;
  ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2; /* ud2 */
}
static void stop(int signal) { (void)signal; }
int main(void) {
  struct sigaction action = {.sa_sigaction = skip, .sa_flags = SA_SIGINFO};
  sigaction(SIGILL, &action, 0);
  signal(SIGTRAP, stop);
  __asm__ volatile("ud2");
  lseek(12345, 1, SEEK_SET);
  __asm__ volatile("int3");
  lseek(12345, 2, SEEK_SET);
  return 0;
}
END
# Static: where another test has a probe in a library of the process, the kernel sends SIGTRAP and notes no trap.
cc -D_GNU_SOURCE -static -o traps traps.c || exit 1
"$dtrace" -qn 'syscall::lseek:entry /pid == $target && arg0 == 12345/ { i = R_TRAPNO; printf("%d: %d %d\n", arg1, uregs[R_TRAPNO], uregs[i]); }' \
  -c ./traps
