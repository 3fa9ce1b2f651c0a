// SPDX-License-Identifier: Apache-2.0
// The functions of stripped Go programs, in each format of their table.
#include <elf.h>

#include <catch2/catch.hpp>
#include <random>
#include <span>
#include <string>

#include "runtime/symbols/elf_symbols.h"
#include "test/unit/usdt/elf_builder.h"

namespace dtrace::runtime {
namespace {

using test::ElfBuilder;
using test::put;
using test::put_text;

constexpr uint64_t kText = ElfBuilder::kCode, kTableAddress = ElfBuilder::kData;
constexpr uint64_t kMain = 0x40, kSpin = 0x60, kEnd = 0xa0;  // from the text's start
const std::string kNames = std::string("main.main\0main.(*T).spin\0", 25);
constexpr uint32_t kSpinName = 10;

/// Two functions, as the linker of that release writes them.
std::string table_of(uint32_t magic) {
  const bool is_oldest = magic == 0xfffffffb;
  const bool has_distances = magic == 0xfffffff0 || magic == 0xfffffff1;
  std::string out;
  put(out, magic);
  out += std::string("\0\0\1\10", 4);
  put(out, uint64_t{2});
  const auto entry = [&](std::string &to, uint64_t distance, uint32_t description) {
    if (has_distances) {
      put(to, static_cast<uint32_t>(distance));
      put(to, description);
    } else {
      put(to, kText + distance);
      put(to, uint64_t{description});
    }
  };
  const uint32_t entry_bytes = has_distances ? 8 : 16;
  const uint32_t entries_at = is_oldest ? 16 : 8 * (has_distances ? 9 : 8) + static_cast<uint32_t>(kNames.size());
  const uint32_t first = entry_bytes * 2 + entry_bytes / 2 + (is_oldest ? entries_at : 0);  // the first description
  const uint32_t description_bytes = entry_bytes / 2 + 4;
  const uint32_t names_at = is_oldest ? first + 2 * description_bytes : 0;
  if (!is_oldest) {
    put(out, uint64_t{1});  // files
    if (has_distances) put(out, kText);
    put(out, uint64_t{entries_at - kNames.size()});
    for (int i = 0; i < 3; i++) put(out, uint64_t{0});  // compilation units, files, lines
    put(out, uint64_t{entries_at});
    out += kNames;
  }
  REQUIRE(out.size() == entries_at);
  entry(out, kMain, first);
  entry(out, kSpin, first + description_bytes);
  has_distances ? put(out, static_cast<uint32_t>(kEnd)) : put(out, kText + kEnd);
  const auto description = [&](uint64_t distance, uint32_t name) {
    has_distances ? put(out, static_cast<uint32_t>(distance)) : put(out, kText + distance);
    put(out, names_at + name);
  };
  description(kMain, 0);
  description(kSpin, kSpinName);
  if (is_oldest) out += kNames;
  return out;
}

Result<ElfSymbols> read(const std::string &table) {
  ElfBuilder builder;
  builder.section(".gopclntab", SHT_PROGBITS, table, kTableAddress);
  const std::string file = builder.build();
  return ElfSymbols::read_image(std::as_bytes(std::span(file)), "program", {""});
}

constexpr uint32_t kMagics[] = {0xfffffffb, 0xfffffffa, 0xfffffff0, 0xfffffff1};

TEST_CASE("go: functions of a stripped program") {
  for (const uint32_t magic : kMagics) {
    INFO(magic);
    const Result<ElfSymbols> symbols = read(table_of(magic));
    REQUIRE(symbols);
    REQUIRE(symbols->size() == 2);
    CHECK(symbols->at(0).name == "main.main");
    CHECK(symbols->at(0).address == kText + kMain);
    CHECK(symbols->at(0).size_bytes == kSpin - kMain);
    CHECK(symbols->at(1).name == "main.(*T).spin");
    const auto found = symbols->by_address(kText + kEnd - 1);
    REQUIRE(found);
    CHECK(found->symbol.name == "main.(*T).spin");
    CHECK_FALSE(symbols->by_address(kText + kEnd));
    CHECK_FALSE(symbols->by_address(kText + kMain - 1));
  }
}

TEST_CASE("go: a table of a later format, or a damaged one, names nothing") {
  CHECK(read(table_of(kMagics[3]).replace(0, 1, "\x77"))->size() == 0);
  for (const uint32_t magic : kMagics) {
    const std::string whole = table_of(magic);
    for (size_t bytes = 0; bytes < whole.size(); bytes++) CHECK(read(whole.substr(0, bytes)));
    std::mt19937 random(magic);
    for (int i = 0; i < 2000; i++) {
      std::string damaged = whole;
      for (int n = 0; n < 3; n++) damaged[random() % damaged.size()] = static_cast<char>(random());
      const Result<ElfSymbols> symbols = read(damaged);
      if (symbols && symbols->size() != 0) (void)symbols->by_address(kText + kSpin);
    }
  }
}

}  // namespace
}  // namespace dtrace::runtime
