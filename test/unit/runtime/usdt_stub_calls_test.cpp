// SPDX-License-Identifier: Apache-2.0
// Calls of probe stubs, found in code.
#include "runtime/usdt/stub_calls.h"

#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "plan/user_site.h"
#include "test/unit/usdt/elf_builder.h"

namespace dtrace::runtime {
namespace {

using dtrace::test::ElfBuilder;

constexpr uint64_t kCaller = 0x1000, kStub = 0x1100;
constexpr uint16_t kUnknownSection = 200;

/// What follows kCaller is at `second`; distances to kStub count from there.
struct Code {
  uint16_t machine;
  std::string nothing, first_call, second_call;
  std::vector<std::string> branches;  // in place of the second call
  uint64_t second;
};

std::string word(uint32_t value) { return {reinterpret_cast<const char *>(&value), sizeof value}; }

const Code kX86{.machine = EM_X86_64,
                .nothing = std::string("\xc3", 1),                   // ret
                .first_call = std::string("\xe8\xfb\0\0\0", 5),      // call
                .second_call = std::string("\xe9\xf6\0\0\0", 5),     // jmp
                .branches = {std::string("\x0f\x84\xf5\0\0\0", 6)},  // je
                .second = 0x1005};
const Code kArm{.machine = EM_AARCH64,
                .nothing = word(0xd65f03c0),                     // ret
                .first_call = word(0x94000000 | 0x100 / 4),      // bl
                .second_call = word(0x14000000 | 0xfc / 4),      // b
                .branches = {word(0x54000000 | 0xfc / 4 << 5),   // b.eq
                             word(0xb4000000 | 0xfc / 4 << 5),   // cbz x0
                             word(0x36000000 | 0xfc / 4 << 5),   // tbz w0, #0
                             word(0xb7f80001 | 0xfc / 4 << 5)},  // tbnz x1, #63
                .second = 0x1004};

/// The sites that a file has in place of its stub's, whose caller has this code.
std::set<uint64_t> sites(const Code &code, const std::string &caller_code) {
  const std::string &stub_code = code.nothing;
  ElfBuilder builder(ET_DYN, code.machine);
  builder.code(kCaller, caller_code);
  builder.code(kStub, stub_code);
  builder.symbol("caller", kCaller, STT_FUNC, kUnknownSection, caller_code.size());
  builder.symbol("stub", kStub, STT_FUNC, kUnknownSection, stub_code.size());
  const std::string bytes = builder.build();
  auto file = std::make_shared<UserFile>();
  file->path = "/stubs";
  file->fd = Fd(::memfd_create("stubs", MFD_CLOEXEC));
  REQUIRE(::write(file->fd.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  usdt::FileNotes notes;
  notes.sites.emplace_back();
  notes.sites[0].pc = kStub;
  notes.sites[0].is_stub = true;
  const usdt::FileSource source(file->fd.get());
  replace_stubs(notes, usdt::ElfFile::open(source)->machine(), file);
  std::set<uint64_t> found;
  for (const usdt::SiteNote &site : notes.sites) found.insert(site.pc);
  return found;
}

}  // namespace

TEST_CASE("stubs: calls and jumps are sites in place of the stub, in files of any machine", "[usdt]") {
  for (const Code &code : {kX86, kArm}) {
    INFO(code.machine);
    CHECK(sites(code, code.first_call + code.nothing) == std::set<uint64_t>{kCaller});
    CHECK(sites(code, code.first_call + code.second_call) == std::set<uint64_t>{kCaller, code.second});
  }
}

TEST_CASE("stubs: one that a conditional branch leads to stays a site", "[usdt]") {
  for (const Code &code : {kX86, kArm})
    for (const std::string &branch : code.branches)
      CHECK(sites(code, code.first_call + branch + code.nothing) == std::set<uint64_t>{kStub});
}

}  // namespace dtrace::runtime
