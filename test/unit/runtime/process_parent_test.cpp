// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "runtime/foreign/process_parent.h"

using namespace dtrace::runtime;

TEST_CASE("processes: a parent, whatever the child calls itself") {
  CHECK(parent_of(getpid()) == getppid());
  int named[2];
  REQUIRE(pipe(named) == 0);
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_NAME, ") S 1 (");
    (void)!write(named[1], "x", 1);
    for (;;) pause();
  }
  char byte = 0;
  CHECK(read(named[0], &byte, 1) == 1);
  CHECK(parent_of(child) == getpid());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  CHECK(parent_of(child) == 0);
  close(named[0]);
  close(named[1]);
}
