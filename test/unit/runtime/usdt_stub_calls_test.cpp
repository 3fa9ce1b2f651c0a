// SPDX-License-Identifier: Apache-2.0
// Calls of probe stubs, found in the code of this machine.
#include "runtime/usdt/stub_calls.h"

#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "plan/user_site.h"
#include "test/unit/usdt/elf_builder.h"

namespace dtrace::runtime {
namespace {

using dtrace::test::ElfBuilder;

constexpr uint64_t kCaller = 0x1000, kStub = 0x1100;
constexpr uint16_t kUnknownSection = 200;

/// The sites that a file has in place of its stub's, whose caller has this code.
std::set<uint64_t> sites(const std::string &caller_code, const std::string &stub_code) {
  constexpr uint16_t kHostMachine =
#ifdef __x86_64__
      EM_X86_64;
#else
      EM_AARCH64;
#endif
  ElfBuilder builder(ET_DYN, kHostMachine);
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

#ifdef __x86_64__
const std::string kReturn("\xc3", 1);
/// What follows is at 0x1000 and 0x1005 (or 0x1006): distances to 0x1100 count from the instruction's end.
const std::string kFirstCall("\xe8\xfb\0\0\0", 5);                       // call
const std::string kSecondCall("\xe9\xf6\0\0\0", 5);                      // jmp
const std::string kBranches[] = {std::string("\x0f\x84\xf5\0\0\0", 6)};  // je
constexpr uint64_t kSecond = 0x1005;
#else
std::string word(uint32_t value) { return {reinterpret_cast<const char *>(&value), sizeof value}; }
const std::string kReturn = word(0xd65f03c0);
const std::string kFirstCall = word(0x94000000 | 0x100 / 4);  // bl
const std::string kSecondCall = word(0x14000000 | 0xfc / 4);  // b
const std::string kBranches[] = {
    word(0x54000000 | 0xfc / 4 << 5),  // b.eq
    word(0xb4000000 | 0xfc / 4 << 5),  // cbz x0
    word(0x36000000 | 0xfc / 4 << 5),  // tbz w0, #0
    word(0xb7f80001 | 0xfc / 4 << 5),  // tbnz x1, #63
};
constexpr uint64_t kSecond = 0x1004;
#endif

}  // namespace

TEST_CASE("stubs: calls and jumps are sites in place of the stub", "[usdt]") {
  CHECK(sites(kFirstCall + kReturn, kReturn) == std::set<uint64_t>{kCaller});
  CHECK(sites(kFirstCall + kSecondCall, kReturn) == std::set<uint64_t>{kCaller, kSecond});
}

TEST_CASE("stubs: one that a conditional branch leads to stays a site", "[usdt]") {
  for (const std::string &branch : kBranches)
    CHECK(sites(kFirstCall + branch + kReturn, kReturn) == std::set<uint64_t>{kStub});
}

}  // namespace dtrace::runtime
