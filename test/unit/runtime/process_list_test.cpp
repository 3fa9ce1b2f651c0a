// SPDX-License-Identifier: Apache-2.0
#include "runtime/process/process_list.h"

#include <catch2/catch.hpp>

using namespace dtrace::runtime;

TEST_CASE("processes of -p: numbers and groups") {
  CHECK(*parse_processes("12") == std::vector<ProcessWord>{{12, false}});
  CHECK(*parse_processes("12,-34,5") == std::vector<ProcessWord>{{12, false}, {34, true}, {5, false}});
}

TEST_CASE("processes of -p: what is none") {
  for (const char *text : {"", ",", "12,", "x", "12x", "0", "-0", "--1", "-", "99999999999", " 12", "12, 34"}) {
    const auto parsed = parse_processes(text);
    REQUIRE_FALSE(parsed);
    const std::string note = text == std::string_view("x") ? "\n  note: processes of that name: -p $(pgrep -d, x)" : "";
    CHECK(parsed.error().text() == std::string("invalid pid: ") + text + note);
  }
}

TEST_CASE("processes of -p: a group that nobody is in") {
  const auto pids = processes_of_group(0x7ffffff0);
  REQUIRE_FALSE(pids);
  CHECK(pids.error().text() == "failed to grab process group 2147483632: No such process");
}
