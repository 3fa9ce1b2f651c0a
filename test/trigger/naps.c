/* SPDX-License-Identifier: Apache-2.0 */
/* naps N: makes itself nicer by 5, sleeps for a millisecond N times, and yields N times. */
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

int main(int argc, char **argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 10;
  setpriority(PRIO_PROCESS, 0, 5);
  for (int i = 0; i < count; i++) {
    struct timespec nap = {0, 1000000};
    nanosleep(&nap, 0);
  }
  for (int i = 0; i < count; i++) sched_yield();
  return 0;
}
