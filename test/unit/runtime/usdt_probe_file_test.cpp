// SPDX-License-Identifier: Apache-2.0
// Where a file asks whether its probes are enabled, as Oracle's <sys/usdt.h> writes it.
#include "runtime/usdt/probe_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bpf/enabled_test.h"
#include "runtime/attach/enabled_tests.h"
#include "test/unit/usdt/elf_builder.h"

namespace dtrace::runtime {
namespace {

using dtrace::test::ElfBuilder;
using dtrace::test::put;
using dtrace::test::put_text;

constexpr uint32_t kSite = 1, kTest = 2;
constexpr uint64_t kFirstName = 0x1200, kSecondName = 0x1208;

/// A note: in the function whose name is at that address.
std::string asks(uint32_t type, uint64_t pc, uint64_t name, std::string_view probe, std::string_view argument) {
  std::string descriptor;
  put<uint64_t>(descriptor, pc);
  put<uint64_t>(descriptor, name);
  put_text(descriptor, "shop");
  put_text(descriptor, probe);
  put<uint8_t>(descriptor, 1);
  put_text(descriptor, argument);
  return test::note("usdt", type, descriptor);
}

std::unique_ptr<ProbeFile> file_of(const std::string &notes, uint16_t machine) {
  ElfBuilder builder(ET_DYN, machine);
  builder.code(kFirstName, std::string_view("first\0", 6));
  builder.code(kSecondName, std::string_view("second\0", 7));
  builder.section(".note.usdt", SHT_NOTE, notes);
  const std::string bytes = builder.build();
  auto file = std::make_shared<UserFile>();
  file->path = "/asks";
  file->fd = Fd(::memfd_create("asks", MFD_CLOEXEC));
  REQUIRE(::write(file->fd.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  Result<std::unique_ptr<ProbeFile>> read = ProbeFile::read(file, getpid());
  REQUIRE(read);
  REQUIRE(*read);
  return std::move(*read);
}

/// The tests of each probe in turn.
std::vector<std::shared_ptr<const std::vector<EnabledTest>>> tests_of(ProbeFile &file) {
  std::vector<std::shared_ptr<const std::vector<EnabledTest>>> all;
  std::vector<std::vector<UserOperand>> variants;
  const auto as_it_is = [](std::vector<UserOperand> native) { return native; };
  for (const FileProbe &probe : file.probes("shop")) {
    const std::vector<UserSite> sites = file.sites(probe, as_it_is, variants);
    REQUIRE(sites.size() == 1);
    all.push_back(sites.front().tests);
  }
  return all;
}

}  // namespace

TEST_CASE("probe file: what is asked about a probe belongs to all functions that have it", "[usdt]") {
  const std::unique_ptr<ProbeFile> file = file_of(
      asks(kTest, 0x1010, kFirstName, "sold", "8@%rax") + asks(kSite, 0x1018, kFirstName, "sold", "8@%rdi") +
          asks(kTest, 0x1020, kSecondName, "sold", "8@-24(%rbp)") + asks(kSite, 0x1028, kSecondName, "sold", "8@%rdi") +
          asks(kSite, 0x1030, kSecondName, "refunded", "8@%rdi"),
      EM_X86_64);
  const auto tests = tests_of(*file);
  REQUIRE(tests.size() == 3);
  REQUIRE(tests[0]);
  CHECK(tests[0] == tests[1]);  // one list, however many functions and questions there are
  CHECK(tests[2] == nullptr);   // nobody asks
  REQUIRE(tests[0]->size() == 2);
  CHECK((*tests[0])[0].offset == ElfBuilder::kCodeOffset + 0x10);
  CHECK((*tests[0])[0].probe == "shop:sold");
  constexpr uint64_t kRax = 80, kRbp = 32;  // in struct pt_regs
  CHECK(*cookie_of((*tests[0])[0]) == kRax);
  CHECK((*tests[0])[1].offset == ElfBuilder::kCodeOffset + 0x20);
  CHECK(*cookie_of((*tests[0])[1]) == (kRbp | DT_TEST_IN_MEMORY | uint64_t{0xffffffe8} << 32));
}

TEST_CASE("probe file: what is asked on arm64", "[usdt]") {
  const std::unique_ptr<ProbeFile> file =
      file_of(asks(kSite, 0x1018, kFirstName, "sold", "8@x0") + asks(kTest, 0x1010, kFirstName, "sold", "8@x3") +
                  asks(kTest, 0x1020, kFirstName, "sold", "8@[sp, 16]"),
              EM_AARCH64);
  const auto tests = tests_of(*file);
  REQUIRE(tests.size() == 1);
  REQUIRE(tests[0]);
  REQUIRE(tests[0]->size() == 2);
  constexpr uint64_t kX3 = 24, kSp = 248;  // in struct user_pt_regs
  CHECK(*cookie_of((*tests[0])[0]) == kX3);
  CHECK(*cookie_of((*tests[0])[1]) == (kSp | DT_TEST_IN_MEMORY | uint64_t{16} << 32));
}

}  // namespace dtrace::runtime
