// SPDX-License-Identifier: Apache-2.0
// What a row costs. Not run by default: unit_replay "[cost]" prints the numbers.
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdio>

#include "recorded.h"

using namespace dtrace;
using namespace dtrace::replay::test;

TEST_CASE("replay: the cost of a row", "[.][cost]") {
  constexpr uint64_t kRows = 2'000'000;
  Recorded recorded;
  recorded.probe(10, "read", {"execname", "arg0", "copyinstr(arg1)"});
  recorded.fact("cpus", "4");
  for (uint64_t i = 0; i < kRows; ++i)
    recorded.row(10, 1000 + i * 700, {text("program" + std::to_string(i % 17)), number(i % 4096), text("/etc/passwd")},
                 uint64_t{i % 17 + 100} << 32 | (i % 17 + 100), static_cast<uint32_t>(i / 64 % 4));
  const std::string bytes = recorded.bytes();
  for (const char *program : {"made:::miss { n++; }", "made:::hit { @[execname] = count(); }",
                              "made:::hit /arg0 == 5/ { @[execname] = count(); }",
                              "made:::hit { self->n++; x[execname] += arg0; @ = quantize(arg0); }",
                              "made:::hit { printf(\"%s %d %s\\n\", execname, arg0, copyinstr(arg1)); }"}) {
    const std::unique_ptr<recording::Reader> reader = Recorded::opened(bytes);
    const auto begin = std::chrono::steady_clock::now();
    const Outcome outcome = replayed(*reader, program, {.settings = {{"quiet", ""}, {"zdefs", ""}}});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    CHECK(outcome.error == "");
    std::printf("%7.0f ns a row, %4.2f million rows/s: %s\n", took.count() * 1e9 / kRows, kRows / took.count() / 1e6,
                program);
  }
}
