// SPDX-License-Identifier: Apache-2.0
// The index of a debug file's names that is kept between runs: it answers as the walk through the file does, and one
// that says anything leads nowhere else.
#include "runtime/debug_info/name_index.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/types/types.h"
#include "test/unit/runtime/debug_info_fixture.h"

namespace dtrace::runtime {
namespace {

class MemoryStore final : public ObjectStore {
 public:
  std::string_view identity() const override { return "test"; }
  std::optional<std::string> find(const ObjectKey &key) override {
    const auto known = entries.find(key);
    if (known == entries.end()) return std::nullopt;
    ++found;
    return known->second;
  }
  void keep(const ObjectKey &key, std::string_view entry) override { entries[key] = entry; }

  std::map<ObjectKey, std::string> entries;
  size_t found = 0;
};

DebugSources sources_of(MemoryStore &store) {
  DebugSources sources;
  sources.images = [&store] { return &store; };
  sources.min_indexed_bytes = 0;
  return sources;
}

/// What the names mean, as text.
std::string answers(const std::string &program, const DebugSources &sources) {
  DebugInfoFixture fixture(program, sources);
  DwarfTypes &types = fixture.info->types();
  TypeTable table;
  std::string text;
  for (const TagKind kind : {TagKind::kOrdinary, TagKind::kStruct, TagKind::kUnion, TagKind::kEnum})
    for (const char *name : {"node", "node_t", "color", "int", "char", "pair", "nothing"}) {
      const auto found = types.find(kind, name);
      text += found ? table.name(table.from_user(types, *found)) + "; " : "-; ";
    }
  for (const char *name : {"RED", "GREEN", "BLUE", "PURPLE"})
    if (const auto found = types.find_enumerator(name))
      text += std::string(name) + " " + std::to_string(found->second) + "; ";
  for (const char *name : {"head", "opaque", "nobody"})
    if (auto variable = types.find_variable(name))
      text += std::string(name) + " " + table.name(table.from_user(types, types.type_of(&*variable))) + "; ";
  return text;
}

}  // namespace

TEST_CASE("an index has the offsets of each key, in their order", "[names]") {
  const std::optional<NameIndex> index =
      NameIndex::open(NameIndex::bytes_of({{7, 1}, {3, 2}, {7, 0}, {UINT64_MAX, 4}}));
  REQUIRE(index);
  CHECK(index->size() == 4);
  CHECK(index->find(7, 10) == std::vector<uint64_t>{1, 0});
  CHECK(index->find(7, 1) == std::vector<uint64_t>{1});
  CHECK(index->find(3, 10) == std::vector<uint64_t>{2});
  CHECK(index->find(UINT64_MAX, 10) == std::vector<uint64_t>{4});
  CHECK(index->find(4, 10).empty());
  CHECK(NameIndex::open(NameIndex::bytes_of({}))->find(0, 1).empty());
}

TEST_CASE("bytes that are no index are refused", "[names]") {
  const std::string bytes = NameIndex::bytes_of({{1, 2}, {3, 4}});
  CHECK(NameIndex::open(bytes));
  CHECK_FALSE(NameIndex::open(""));
  CHECK_FALSE(NameIndex::open(bytes.substr(0, bytes.size() - 1)));
  CHECK_FALSE(NameIndex::open(bytes.substr(1)));
  std::string other = bytes;
  other[7] = '0';
  CHECK_FALSE(NameIndex::open(other));
}

TEST_CASE("names that were kept mean what the debug information says", "[names]") {
  const std::string program = GENERATE("typed_O0", "typed_O2");
  MemoryStore store;
  const std::string walked = answers(program, {});
  CHECK(walked.find("struct node") != std::string::npos);
  CHECK(answers(program, sources_of(store)) == walked);
  REQUIRE(store.entries.size() == 1);
  CHECK(store.found == 0);
  CHECK(answers(program, sources_of(store)) == walked);
  CHECK(store.found == 1);
}

TEST_CASE("an index whose offsets are wrong gives no name that the entry does not have", "[names]") {
  MemoryStore store;
  const std::string walked = answers("typed_O2", sources_of(store));
  REQUIRE(store.entries.size() == 1);
  std::string &bytes = store.entries.begin()->second;
  const std::string kept = bytes;
  constexpr size_t kHead = 8, kEntry = 16;
  for (uint64_t offset = 0; offset < 4096; offset += 7) {
    for (size_t at = kHead; at + kEntry <= bytes.size(); at += kEntry)
      std::memcpy(bytes.data() + at + 8, &offset, sizeof offset);
    CHECK(answers("typed_O2", sources_of(store)).size() <= walked.size());
  }
  bytes = "DTNAMES9" + kept.substr(8);
  CHECK(answers("typed_O2", sources_of(store)) == walked);
}

}  // namespace dtrace::runtime
