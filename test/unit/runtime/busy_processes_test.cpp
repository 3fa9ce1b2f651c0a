// SPDX-License-Identifier: Apache-2.0
// Which processes use the CPUs, from two readings of their times.
#include "runtime/late/busy_processes.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>

#include "runtime/usdt/process_files.h"

using namespace dtrace::runtime;

TEST_CASE("busy processes: CPU time from the text of stat", "[late]") {
  const auto of = [](std::string_view text) {
    const std::optional<ProcessTicks> ticks = process_ticks(text);
    return ticks ? std::pair(ticks->used, ticks->start) : std::pair(uint64_t{0}, uint64_t{0});
  };
  CHECK(of("7 (cat) R 1 7 7 0 -1 4194304 100 0 0 0 12 30 0 0 20 0 1 0 100 1 1") ==
        std::pair<uint64_t, uint64_t>{42, 100});
  CHECK(of("7 (a) b) c) R 1 7 7 0 -1 4194304 100 0 0 0 1 2 0 0 20 0 1 0 9 1 1") == std::pair<uint64_t, uint64_t>{3, 9});
  CHECK_FALSE(process_ticks("7 (cat) R 1 7"));
  CHECK_FALSE(process_ticks("7 (cat) R 1 7 7 0 -1 4194304 100 0 0 0 x 30 0 0 20 0 1 0 100 1 1"));
  CHECK_FALSE(process_ticks("7 cat R"));
  CHECK_FALSE(process_ticks(""));
}

TEST_CASE("busy processes: one that runs is found, one that waits is not", "[late]") {
  const pid_t busy = fork();
  if (busy == 0)
    for (std::atomic<unsigned> n = 0;;) ++n;
  const pid_t idle = fork();
  if (idle == 0)
    for (;;) pause();
  REQUIRE(busy > 0);
  REQUIRE(idle > 0);
  std::vector<pid_t> found;
  // On a machine with many others that run it may get no tick between two readings.
  for (unsigned attempt = 0; attempt < 200 && std::ranges::find(found, busy) == found.end(); ++attempt)
    found = BusyProcesses(all_processes()).busiest_first();
  CHECK(std::ranges::find(found, busy) != found.end());
  CHECK(std::ranges::find(found, idle) == found.end());
  for (const pid_t pid : {busy, idle}) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
}
