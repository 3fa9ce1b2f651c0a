// SPDX-License-Identifier: Apache-2.0
// Instructions of real functions, against llvm-objdump's text of the same file: where each begins, what it does to
// control, and where branches lead to.
#include <fcntl.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <catch2/catch.hpp>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/user/function_code.h"
#include "runtime/user/user_object.h"

namespace dtrace::runtime {
namespace {

using Kind = Instruction::Kind;

constexpr const char *kObjdump = "/usr/bin/llvm-objdump-19";

struct Shown {
  Kind kind;
  uint64_t target;  ///< of jumps and branches
};

std::optional<uint64_t> hexadecimal(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

Kind kind_of(std::string_view mnemonic) {
  const auto is = [&](std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names)
      if (mnemonic == name) return true;
    return false;
  };
  if (is({"bl", "blr", "blraa", "blraaz", "blrab", "blrabz"})) return Kind::kCall;
  if (is({"ret", "retaa", "retab"})) return Kind::kReturn;
  if (is({"b"})) return Kind::kJump;
  if (mnemonic.starts_with("b.") || mnemonic.starts_with("bc.") || is({"cbz", "cbnz", "tbz", "tbnz"}))
    return Kind::kBranch;
  if (is({"br", "braa", "braaz", "brab", "brabz"})) return Kind::kIndirectJump;
  if (is({"brk", "hlt", "udf"})) return Kind::kTrap;
  return is({"nop"}) ? Kind::kNop : Kind::kOther;
}

/// By address. A line is "  ADDRESS:      <tab>MNEMONIC<tab>OPERANDS", of which the target of a branch is the last.
std::map<uint64_t, Shown> shown_instructions(const std::string &path) {
  std::map<uint64_t, Shown> instructions;
  const std::string command = fmt::format("{} -d --no-show-raw-insn {}", kObjdump, path);
  const std::unique_ptr<FILE, int (*)(FILE *)> output(popen(command.c_str(), "r"), pclose);
  char line[512];
  while (output && std::fgets(line, sizeof line, output.get()) != nullptr) {
    std::string_view text(line);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const std::optional<uint64_t> address = hexadecimal(text);
    const size_t colon = text.find(": "), tab = text.find('\t');
    if (!address || colon == std::string_view::npos || tab == std::string_view::npos || tab < colon) continue;
    text = text.substr(tab + 1, text.find('\n') - tab - 1);
    Shown shown{kind_of(text.substr(0, text.find('\t'))), 0};
    if (shown.kind == Kind::kJump || shown.kind == Kind::kBranch) {
      const std::string_view operands = text.substr(0, text.find(" <"));
      shown.target = hexadecimal(operands.substr(operands.rfind("0x") + 2)).value_or(0);
    }
    instructions.emplace(*address, shown);
  }
  return instructions;
}

}  // namespace

TEST_CASE("arm64: instructions of every function of libc are those that objdump shows", "[arm64]") {
  const std::string installed = "/lib/aarch64-linux-gnu/libc.so.6", fetched = "../sysroot-aarch64" + installed;
  // Under qemu-user both are there for us, but not for objdump, which is the PC's.
  const std::string &path = std::filesystem::exists(fetched) ? fetched : installed;
  if (!std::filesystem::exists(path) || !std::filesystem::exists(kObjdump)) {
    WARN("skipped: no libc of arm64 or no " << kObjdump);
    return;
  }
  const std::map<uint64_t, Shown> shown = shown_instructions(path);
  REQUIRE(shown.size() > 100'000);
  auto file = std::make_shared<UserFile>();
  file->fd = Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  UserObject object(file, path);
  size_t nr_functions = 0, nr_instructions = 0;
  std::vector<std::string> different;
  for (const UserFunction &function : object.functions()) {
    const FunctionCode code(object, function);
    ++nr_functions;
    if (!code.complete()) different.push_back(fmt::format("{} is not complete", function.names.front()));
    auto at = shown.lower_bound(function.address);
    for (const Instruction &instruction : code.instructions()) {
      ++nr_instructions;
      const uint64_t address = function.address + instruction.offset;
      const bool is_there = at != shown.end() && at->first == address;
      if (!is_there || at->second.kind != instruction.kind || at->second.target != instruction.target)
        different.push_back(fmt::format("{}+{:#x}", function.names.front(), instruction.offset));
      if (is_there) ++at;
    }
    if (at != shown.end() && at->first < function.address + function.size_bytes)
      different.push_back(fmt::format("{} goes on", function.names.front()));
  }
  CHECK(nr_functions > 2000);
  CHECK(nr_instructions > 100'000);
  INFO(fmt::format("{}", fmt::join(different, " ")));
  CHECK(different.empty());
}

}  // namespace dtrace::runtime
