// SPDX-License-Identifier: Apache-2.0
// What cannot be undone in a process is tried in a child of the test.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

/// What `tried` returns in a child, 0 to 255; -1: the child did not come to its end.
template <typename Tried>
int in_child(Tried &&tried) {
  const pid_t child = fork();
  if (child == 0) std::_Exit(tried());
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}
