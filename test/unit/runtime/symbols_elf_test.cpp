// SPDX-License-Identifier: Apache-2.0
#include <elf.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/foreign_limits.h"
#include "runtime/symbols/elf_symbols.h"
#include "test/unit/runtime/fixture_process.h"
#include "test/unit/runtime/kernel_lacks.h"
#include "test/unit/usdt/elf_builder.h"

extern "C" {
thread_local int unit_thread_first = 1;
thread_local long unit_thread_second[3] = {2, 3, 4};
}

namespace dtrace::runtime {
namespace {

ElfSymbols read(const std::string &name, const ElfOptions &options = {""}) {
  Result<ElfSymbols> symbols = ElfSymbols::read_path(fixture_path(name), options);
  REQUIRE(symbols);
  return std::move(*symbols);
}

std::vector<std::byte> bytes_of(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

void check_function(const ElfSymbols &symbols, const std::string &name) {
  INFO(name);
  const auto found = symbols.by_name(name);
  REQUIRE(found.size() == 1);
  CHECK(found[0].size_bytes > 0);
  const auto location = symbols.by_address(found[0].address + found[0].size_bytes - 1);
  REQUIRE(location);
  CHECK(location->offset == found[0].size_bytes - 1);
  CHECK(location->symbol.address == found[0].address);
}

TEST_CASE("elf: functions of .symtab, by name and by address") {
  for (const char *file :
       {"addresses_pie", "addresses_nopie", "addresses_static", "addresses_static_pie", "addresses_separate_code"}) {
    INFO(file);
    const ElfSymbols symbols = read(file);
    check_function(symbols, "fixture_function");
    check_function(symbols, "fixture_static");
    check_function(symbols, "main");
    check_function(symbols, "fixture_data");
    check_function(symbols, "fixture_bss");
    CHECK(symbols.by_name("nosuch").empty());

    const uint64_t function = symbols.by_name("fixture_function").at(0).address;
    CHECK(symbols.by_name("fixture_alias").at(0).address == function);
    CHECK(symbols.by_address(function)->symbol.name == "fixture_alias");  // the shorter
    CHECK(symbols.by_name("fixture_static").at(0).binding == ElfBinding::kLocal);
    CHECK(symbols.by_address(symbols.entry())->symbol.name == "_start");
  }
}

TEST_CASE("elf: file offsets and addresses are each other's inverse") {
  for (const char *file : {"addresses_pie", "addresses_nopie", "addresses_separate_code"}) {
    INFO(file);
    const ElfSymbols symbols = read(file);
    for (const char *name : {"fixture_function", "fixture_data"}) {
      const ElfSymbol symbol = symbols.by_name(name).at(0);
      const auto offset = symbols.offset_of_address(symbol.address);
      REQUIRE(offset);
      CHECK(symbols.address_of_offset(*offset, symbol.type == ElfSymbolType::kFunction) == symbol.address);
    }
    CHECK_FALSE(symbols.offset_of_address(symbols.by_name("fixture_bss").at(0).address + 8));
    CHECK_FALSE(symbols.address_of_offset(1ull << 40, true));
    CHECK_FALSE(symbols.address_of_offset(~0ull, false));
  }
}

/// A file whose first bytes are mapped twice: code and data share a page of it, in whichever order they are listed.
std::vector<std::byte> shared_page(bool code_first) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_DYN;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_phoff = header.e_ehsize = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 2;
  Elf64_Phdr segments[2] = {{PT_LOAD, PF_R | PF_X, 0, 0x10000, 0x10000, 0x1800, 0x1800, 0x1000},
                            {PT_LOAD, PF_R | PF_W, 0x1400, 0x23400, 0x23400, 0xc00, 0x2000, 0x1000}};
  if (!code_first) std::swap(segments[0], segments[1]);
  std::vector<std::byte> image(0x2000);
  std::memcpy(image.data(), &header, sizeof header);
  std::memcpy(image.data() + sizeof header, segments, sizeof segments);
  return image;
}

TEST_CASE("elf: of two segments that have a byte of the file, the one of the wanted kind") {
  for (const bool code_first : {true, false}) {
    INFO(code_first);
    const std::vector<std::byte> image = shared_page(code_first);
    const Result<ElfSymbols> symbols = ElfSymbols::read_image(image, "shared");
    REQUIRE(symbols);
    CHECK(symbols->address_of_offset(0x1500, true) == 0x11500);
    CHECK(symbols->address_of_offset(0x1500, false) == 0x23500);
    CHECK(symbols->address_of_offset(0x100, false) == 0x10100);  // in one alone
    CHECK(symbols->address_of_offset(0x1900, true) == 0x23900);
    CHECK(symbols->address_of_offset(0x2100, false) == 0x24100);  // .bss
    CHECK(symbols->load_bias(0x7f0000001000, 0x1000, true) == 0x7f0000001000 - 0x11000);
    CHECK(symbols->load_bias(0x7f0000013000, 0x1000, false) == 0x7f0000013000 - 0x23000);
    CHECK_FALSE(symbols->load_bias(0x7f0000002000, 0x2000, true));  // where no segment has a byte of the file
  }
}

TEST_CASE("elf: without .symtab the dynamic symbols serve") {
  const ElfSymbols symbols = read("addresses_dynsym");
  check_function(symbols, "fixture_function");
  CHECK(symbols.by_name("fixture_static").empty());
}

TEST_CASE("elf: a separate debug file is found by build id") {
  SKIP_WITHOUT(kOpenInRoot);
  CHECK(read("addresses_debug_file").by_name("fixture_function").empty());
  const ElfSymbols symbols = read("addresses_debug_file", {fixture_path("debug")});
  check_function(symbols, "fixture_function");
  check_function(symbols, "fixture_static");
  CHECK(symbols.build_id().size() == 20);
  CHECK(symbols.build_id()[0] == 0x01);
  CHECK(symbols.build_id()[19] == 0x67);
  // The same addresses as the file with everything in it.
  const ElfSymbols full = read("addresses_full");
  CHECK(symbols.by_name("fixture_static").at(0).address == full.by_name("fixture_static").at(0).address);
  CHECK(symbols.build_id() == full.build_id());
}

TEST_CASE("elf: MiniDebugInfo") {
  if (::access(fixture_path("addresses_mini").c_str(), R_OK) != 0) {
    WARN("skipped: built without xz");
    return;
  }
  const ElfSymbols symbols = read("addresses_mini");
  check_function(symbols, "fixture_static");
}

TEST_CASE("elf: the C library of this process") {
  std::ifstream maps("/proc/self/maps");
  std::string path;
  for (std::string line; std::getline(maps, line);) {
    if (line.find("/libc.so") != std::string::npos) path = line.substr(line.find('/'));
  }
  REQUIRE_FALSE(path.empty());
  Result<ElfSymbols> symbols = ElfSymbols::read_path(path, {""});
  REQUIRE(symbols);
  CHECK_FALSE(symbols->build_id().empty());
  CHECK(symbols->size() > 1000);
  const auto malloc = symbols->by_name("malloc");
  REQUIRE(malloc.size() == 1);
  CHECK(symbols->by_address(malloc[0].address)->symbol.name == "malloc");
  // "read", not "__read" or "__libc_read", which are the same function.
  CHECK(symbols->by_address(symbols->by_name("__read").at(0).address + 1)->symbol.name == "read");
  CHECK_FALSE(symbols->by_name("__libc_start_main").empty());
}

TEST_CASE("elf: thread-local variables have offsets, and are not among the symbols") {
  const Result<ElfSymbols> symbols = ElfSymbols::read_path("/proc/self/exe");
  REQUIRE(symbols);
  const std::vector<uint64_t> first = symbols->thread_offsets("unit_thread_first");
  const std::vector<uint64_t> second = symbols->thread_offsets("unit_thread_second");
  REQUIRE(first.size() == 1);
  REQUIRE(second.size() == 1);
  CHECK(second[0] - first[0] ==
        reinterpret_cast<uintptr_t>(&unit_thread_second) - reinterpret_cast<uintptr_t>(&unit_thread_first));
  CHECK(symbols->by_name("unit_thread_first").empty());
  CHECK(symbols->thread_offsets("main").empty());
  CHECK(symbols->thread_offsets("nosuch").empty());
}

TEST_CASE("elf: what is no ELF program says so") {
  CHECK(ElfSymbols::read_path("/nonexistent/x").error().text() == "/nonexistent/x: No such file or directory");
  CHECK(ElfSymbols::read_path("/etc/passwd").error().text() == "/etc/passwd: not an ELF file");
  CHECK_FALSE(ElfSymbols::read_path("/tmp"));
  CHECK_FALSE(ElfSymbols::read_image({}, "empty"));
}

// The builder's own sections are not loaded, so that they have no symbols.
constexpr uint16_t kUnknownSection = 1000;

Result<ElfSymbols> read_built(const std::string &image) {
  return ElfSymbols::read_image(std::as_bytes(std::span(image)), "built", {""});
}

TEST_CASE("elf: names are printable, and found as they are printed") {
  test::ElfBuilder builder;
  builder.symbol("plain", 0x1000, STT_FUNC, kUnknownSection);
  builder.symbol("a\033]0;title\007b", 0x1010, STT_FUNC, kUnknownSection);
  builder.symbol(
      "gr\xc3\xb6\xc3\x9f"
      "e@VERSION",
      0x1020, STT_FUNC, kUnknownSection);
  const Result<ElfSymbols> symbols = read_built(builder.build());
  REQUIRE(symbols);
  CHECK(symbols->by_address(0x1000)->symbol.name == "plain");
  CHECK(symbols->by_address(0x1010)->symbol.name == "a\\033]0;title\\007b");
  CHECK(symbols->by_name("a\\033]0;title\\007b").size() == 1);
  CHECK(symbols->by_address(0x1020)->symbol.name ==
        "gr\xc3\xb6\xc3\x9f"
        "e");
}

/// A file whose header is at its start, open; removed from the file system.
Fd sparse_file(const std::string &start, off_t size_bytes) {
  char path[] = "/tmp/dtrace-elf-XXXXXX";
  Fd fd(::mkstemp(path));
  ::unlink(path);
  REQUIRE(::write(fd.get(), start.data(), start.size()) == static_cast<ssize_t>(start.size()));
  REQUIRE(::ftruncate(fd.get(), size_bytes) == 0);
  return fd;
}

TEST_CASE("elf: tables in the holes of a sparse file are not read") {
  constexpr uint64_t kTableBytes = 192u << 20;
  test::ElfBuilder builder;
  builder.symbol("function", 0x1000, STT_FUNC, kUnknownSection);
  std::string image = builder.build();
  auto *header = reinterpret_cast<Elf64_Ehdr *>(image.data());
  auto *sections = reinterpret_cast<Elf64_Shdr *>(image.data() + header->e_shoff);
  const auto symbols = std::find_if(sections, sections + header->e_shnum,
                                    [](const Elf64_Shdr &section) { return section.sh_type == SHT_DYNSYM; });
  SECTION("symbols") {
    symbols->sh_offset = 1u << 20;
    symbols->sh_size = kTableBytes;
  }
  SECTION("more symbols than anybody has") {
    symbols->sh_offset = 0;
    symbols->sh_size = uint64_t{1} << 40;
  }
  SECTION("names") {
    sections[symbols->sh_link].sh_offset = 1u << 20;
    sections[symbols->sh_link].sh_size = kTableBytes;
  }
  SECTION("millions of sections") {
    sections[0].sh_size = 8u << 20;
    header->e_shnum = 0;
  }
  const Fd fd = sparse_file(image, off_t{4} << 40);
  rusage before{};
  ::getrusage(RUSAGE_SELF, &before);
  const Result<ElfSymbols> read = ElfSymbols::read(fd.get(), "sparse", {""});
  rusage after{};
  ::getrusage(RUSAGE_SELF, &after);
  if (read) CHECK(read->size() == 0);
  CHECK(after.ru_maxrss - before.ru_maxrss < 16 << 10);  // KiB
}

TEST_CASE("elf: a file that is truncated while it is read is an error") {
  const std::string good = [] {
    std::ifstream in(fixture_path("addresses_pie"), std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(in)), {});
  }();
  const Fd fd = sparse_file(good, static_cast<off_t>(good.size()));
  std::atomic<bool> stop = false;
  std::thread truncating([&] {
    while (!stop) {
      if (::ftruncate(fd.get(), 0) != 0 || ::pwrite(fd.get(), good.data(), good.size(), 0) < 0) return;
    }
  });
  for (int i = 0; i < 2000; i++) (void)ElfSymbols::read(fd.get(), "truncated", {""});
  stop = true;
  truncating.join();
}

TEST_CASE("elf: symbols within each other cost little to search") {
  test::ElfBuilder builder;
  constexpr unsigned kSymbols = 20000;
  for (unsigned i = 0; i < kSymbols; i++)
    builder.symbol("f" + std::to_string(i), 0x1000 + i, STT_FUNC, kUnknownSection);
  std::string image = builder.build();
  auto *header = reinterpret_cast<Elf64_Ehdr *>(image.data());
  auto *sections = reinterpret_cast<Elf64_Shdr *>(image.data() + header->e_shoff);
  const auto table = std::find_if(sections, sections + header->e_shnum,
                                  [](const Elf64_Shdr &section) { return section.sh_type == SHT_DYNSYM; });
  auto *symbols = reinterpret_cast<Elf64_Sym *>(image.data() + table->sh_offset);
  for (unsigned i = 1; i <= kSymbols; i++) symbols[i].st_size = i == 1 ? 1u << 20 : 2 * (kSymbols - i) + 1;
  const Result<ElfSymbols> read = read_built(image);
  REQUIRE(read);
  // The symbols 1 to n are around this address, the first around all. The search begins at the last symbol of the
  // table, and gives up after so many steps.
  const auto around = [&](unsigned n) { return read->by_address(0x1000 + 2 * kSymbols - n - 1); };
  const unsigned last_found = kSymbols - (limits::kMaxSymbolNesting - 1);
  REQUIRE(around(kSymbols));
  CHECK(around(kSymbols)->symbol.name == "f" + std::to_string(kSymbols - 1));
  REQUIRE(around(last_found));
  CHECK(around(last_found)->symbol.name == "f" + std::to_string(last_found - 1));
  CHECK_FALSE(around(last_found - 1));
  CHECK_FALSE(around(1));
}

/// Asks everything of a table that may be nonsense.
void exercise(const ElfSymbols &symbols, std::mt19937_64 &random) {
  for (int i = 0; i < 8; i++) {
    const uint64_t address = random();
    (void)symbols.by_address(address);
    (void)symbols.by_address(address & 0xffff);
    (void)symbols.address_of_offset(address & 0xffff, (address & 1) != 0);
    (void)symbols.offset_of_address(address & 0xffff);
    (void)symbols.load_bias(address, random() & 0xffff, true);
  }
  for (size_t i = 0; i < symbols.size(); i++) {
    const auto found = symbols.by_address(symbols.at(i).address);
    if (found && found->offset > (1ull << 62)) FAIL("offset out of any range");
  }
}

TEST_CASE("elf: damaged files do no harm") {
  std::mt19937_64 random(20240229);
  size_t accepted = 0;
  for (const char *file : {"addresses_pie", "addresses_mini", "libstages.so"}) {
    if (::access(fixture_path(file).c_str(), R_OK) != 0) continue;
    const std::vector<std::byte> good = bytes_of(fixture_path(file));
    REQUIRE(good.size() > 1000);
    for (int round = 0; round < 1500; round++) {
      std::vector<std::byte> bad = good;
      const int changes = 1 + static_cast<int>(random() % 16);
      for (int i = 0; i < changes; i++) {
        // Headers of all kinds are at the two ends of the file; values at the edges do the most damage.
        const uint64_t zone = random() % 3;
        size_t at = zone == 0 ? random() % 1024 : zone == 1 ? bad.size() - 1 - random() % 2048 : random() % bad.size();
        static constexpr uint8_t kEdges[] = {0x00, 0xff, 0x7f, 0x80, 0x01};
        for (uint64_t n = 1 + random() % 8; n > 0 && at < bad.size(); n--, at++) {
          bad[at] =
              std::byte{random() % 2 == 0 ? kEdges[random() % std::size(kEdges)] : static_cast<uint8_t>(random())};
        }
      }
      if (random() % 4 == 0) bad.resize(random() % bad.size());
      const Result<ElfSymbols> symbols = ElfSymbols::read_image(bad, "damaged", {""});
      if (!symbols) continue;
      accepted++;
      exercise(*symbols, random);
    }
  }
  CHECK(accepted > 100);
}

}  // namespace
}  // namespace dtrace::runtime
