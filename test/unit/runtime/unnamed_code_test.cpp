// SPDX-License-Identifier: Apache-2.0
// Which option names the code of a JIT compiler, and what is said of samples in code without names.
#include "runtime/symbols/unnamed_code.h"

#include <catch2/catch.hpp>

using namespace dtrace::runtime;

TEST_CASE("unnamed code: a program is known by the files that it executes", "[symbols]") {
  CHECK(naming_option({"node", "libc.so.6"}) == "node --perf-basic-prof");
  CHECK(naming_option({"java", "libc.so.6", "libjvm.so"}).starts_with("jcmd PID Compiler.perfmap"));
  CHECK(naming_option({"beam.smp"}) == "erl +JPperf true");
  CHECK(naming_option({"luajit-2.1.0-beta3"}).starts_with("LuaJIT"));
  CHECK(naming_option({"libluajit-5.1.so.2"}).starts_with("LuaJIT"));
  CHECK(naming_option({"nodes", "libc.so.6"}).empty());
  CHECK(naming_option({}).empty());
}

TEST_CASE("unnamed code: one message for each option, with what was counted", "[symbols]") {
  UnnamedCode code;
  CHECK(code.messages().empty());
  code.begin(0, true);
  code.add(0, "node --perf-basic-prof", 300);
  code.add(0, "", 500);
  code.add(0, "node --perf-basic-prof", 7);
  CHECK(code.messages() ==
        std::vector<std::string>{"307 samples in code without names: node --perf-basic-prof names it"});
  code.begin(1, false);
  code.add(1, "erl +JPperf true", 1);
  CHECK(code.messages() ==
        std::vector<std::string>{"1 stack in code without names: erl +JPperf true names it",
                                 "307 samples in code without names: node --perf-basic-prof names it"});
  // Shown again: what was known is replaced.
  code.begin(0, true);
  code.begin(1, false);
  code.add(0, "node --perf-basic-prof", 1);
  CHECK(code.messages() == std::vector<std::string>{"1 sample in code without names: node --perf-basic-prof names it"});
}

TEST_CASE("unnamed code: less than one of a hundred is not reported", "[symbols]") {
  UnnamedCode code;
  code.begin(0, true);
  code.add(0, "", 9990);
  code.add(0, "node --perf-basic-prof", 9);
  CHECK(code.messages().empty());
}
