// SPDX-License-Identifier: Apache-2.0
// The code of typical clauses, whole: golden/NAME.d is compiled over the made-up kernel of the checker's tests, and its
// programs are compared with golden/NAME.ir. What a change does to them is to be looked at:
//
//     DTRACE_REGENERATE=1 build/release/bin/unit_codegen "[ir]"; git diff test/unit/codegen/golden
#include <llvm/Config/llvm-config.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "test/unit/codegen/compile_fixture.h"

using namespace dtrace::test;

namespace {

constexpr int kRecordedByLlvm = 19;  // others optimise otherwise

std::string read(const std::filesystem::path &path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The functions that a kernel calls, without metadata, attributes and comments: what is left is what is executed. LLVM
/// numbers its own barriers, of all compilations of a process.
std::string programs_of(const std::string &listing) {
  std::istringstream lines(listing);
  std::string out;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("define ")) inside = line.find(" section \"") != std::string::npos;
    if (!inside) continue;
    line = std::regex_replace(line, std::regex(",? ![A-Za-z]* ?![0-9]+"), "");
    line = std::regex_replace(line, std::regex(",? !DIAssignID ![0-9]+| #[0-9]+| *; preds = .*"), "");
    line = std::regex_replace(line, std::regex("(bpf\\.passthrough[^(]*\\(i32) [0-9]+"), "$1 0");
    if (line.find("llvm.dbg") != std::string::npos || line.find("#dbg_") != std::string::npos) continue;
    out += line + '\n';
    if (line == "}") inside = false;
  }
  return out;
}

}  // namespace

TEST_CASE("codegen: the code of typical clauses", "[codegen][ir]") {
  if (LLVM_VERSION_MAJOR != kRecordedByLlvm) {
    WARN("skipped: recorded by LLVM " << kRecordedByLlvm << ", this is " << LLVM_VERSION_MAJOR);
    return;
  }
  if (dtrace::arch::host_machine().name != "x86_64") {
    WARN("skipped: recorded on x86-64");
    return;
  }
  std::vector<std::filesystem::path> scripts;
  for (const auto &entry : std::filesystem::directory_iterator(DTRACE_GOLDEN_IR))
    if (entry.path().extension() == ".d") scripts.push_back(entry.path());
  std::sort(scripts.begin(), scripts.end());
  REQUIRE(scripts.size() >= 12);
  for (const std::filesystem::path &script : scripts) {
    CAPTURE(script.filename().string());
    const Compiled compiled(read(script));
    CHECK(compiled.error == "");
    const std::string code = programs_of(compiled.object.listing);
    std::filesystem::path recorded = script;
    recorded.replace_extension(".ir");
    if (std::getenv("DTRACE_REGENERATE") != nullptr)
      std::ofstream(recorded) << code;
    else
      CHECK(code == read(recorded));
  }
}
