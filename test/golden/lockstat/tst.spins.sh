#!/bin/bash
# ASSERTION: spin-spin and rw-spin fire once for each wait that spins, with the time from its beginning to its end: as many as there
#   are, and not longer in all, than pairs of both events of one lock on a CPU.
# SECTION: Providers, 14
# @@timeout: 60
cd "$tmpdir" || exit 1
cat >forks.c <<'END'
/* Processes that come and go: the list of all has a lock for readers and writers, which spin. */
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  for (int i = 0; i < 8; i++)
    if (fork() == 0) {
      for (int round = 0; round < 500; round++) {
        pid_t child = fork();
        if (child == 0) {
          setpgid(0, 0);
          _exit(0);
        }
        for (int k = 0; k < 20; k++) getpriority(PRIO_USER, 0);
        waitpid(child, 0, 0);
      }
      _exit(0);
    }
  while (wait(0) > 0) continue;
  return 0;
}
END
cc -D_GNU_SOURCE -O1 -o forks forks.c || exit 1
"$dtrace" -xdynvarsize=16m -qn '
rawtp:::contention_begin /(args[1] & 33) == 1/ { since[cpu, ipl, (uintptr_t)args[0]] = timestamp; }
lockstat:::spin-spin, lockstat:::rw-spin { spins++; spun += arg1; }
rawtp:::contention_end /since[cpu, ipl, (uintptr_t)args[0]]/ {
	waits++;
	waited += timestamp - since[cpu, ipl, (uintptr_t)args[0]];
	since[cpu, ipl, (uintptr_t)args[0]] = 0;
}
END { printf("%d %d %d %d\n", spins, waits, spun, waited); }' -c ./forks >out
# What waits while the probes are set, or removed, has one of the two.
read -r spins waits spun waited <out
echo "waits $((waits > 0)), as many $((spins <= waits + waits / 50 + 3 && waits <= spins + spins / 50 + 3))"
echo "not longer $((spun <= waited + waited / 20 + 1000000))"
