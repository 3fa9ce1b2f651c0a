// SPDX-License-Identifier: Apache-2.0
#include "replay/summary.h"

#include <catch2/catch.hpp>

#include "recorded.h"

using namespace dtrace;
using namespace dtrace::replay::test;

TEST_CASE("replay: the summary of a recording") {
  Recorded recorded;
  recorded.probe(10, "read", {"arg0"});
  recorded.probe(11, "write", {});
  recorded.probe(12, "open", {});
  for (uint64_t i = 0; i < 3; ++i) recorded.row(11, 1'500'000'000 + i, {}, 7, static_cast<uint32_t>(i));
  recorded.row(10, 4'000'000'001, {number(1)}, 7, 5);
  recorded.lose({"RingFull", "CPU 1", 5});
  CHECK(replay::summary_of(*recorded.reader()) ==
        "machine: unknown, Linux unknown, unknown\n"
        "from: 1.500000000 s after boot\n"
        "to: 4.000000001 s after boot, 2.500000001 s\n"
        "rows: 4\n"
        "CPUs: 0-2, 5\n"
        "\n"
        "        ROWS PROBE\n"
        "           3 made:up:write:hit\n"
        "           1 made:up:read:hit\n"
        "           0 made:up:open:hit\n"
        "\n"
        "lost:\n"
        "           5 RingFull at CPU 1\n");
  recorded.fact("host", "big\nmachine");
  recorded.fact("kernel.release", "6.18");
  recorded.fact("machine", "aarch64");
  recorded.fact("clock.monotonic_ns", "1500000000");
  recorded.fact("clock.realtime_ns", "1700000000000000005");
  const std::string text = replay::summary_of(*recorded.reader());
  CHECK_THAT(text, Catch::Matchers::StartsWith("machine: big\\012machine, Linux 6.18, aarch64\n"
                                               "from: 2023-11-14 22:13:20.000000005 UTC\n"));
}

TEST_CASE("replay: the summary of a recording without rows, or that is cut") {
  Recorded recorded;
  CHECK(replay::summary_of(*recorded.reader()) ==
        "machine: unknown, Linux unknown, unknown\nrows: 0\n\n        ROWS PROBE\n");
  recorded.probe(10, "read", {"arg0"});
  for (uint64_t i = 0; i < 100; ++i) recorded.row(10, 100 + i, {number(i)});
  const std::string bytes = recorded.bytes();
  CHECK_THAT(replay::summary_of(*Recorded::opened(bytes.substr(0, bytes.size() - 20))),
             Catch::Matchers::Contains("\ncut: "));
}
