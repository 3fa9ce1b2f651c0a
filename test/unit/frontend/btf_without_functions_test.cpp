// SPDX-License-Identifier: Apache-2.0
// BTF without functions: what stays, in which order, and that it says the same of each type.
#include "frontend/types/btf_without_functions.h"

#include <catch2/catch.hpp>

#include "test/unit/frontend/btf_builder.h"

using namespace dtrace;
using test::BtfBuilder;
using Kind = BtfIndex::Kind;

namespace {

std::unique_ptr<BtfIndex> index_of(std::span<const std::byte> bytes) {
  Result<std::unique_ptr<BtfIndex>> index = BtfIndex::create(bytes, "vmlinux");
  REQUIRE(index);
  return std::move(*index);
}

std::span<const std::byte> bytes_of(const std::string &text) { return std::as_bytes(std::span(text)); }

}  // namespace

TEST_CASE("btf without functions: types and variables stay, in their order", "[btf]") {
  BtfBuilder b;
  const uint32_t unused = b.record(Kind::kFuncProto, "", 0, 1);
  b.words({b.name("only_of_a_function"), 3});
  b.record(Kind::kFunc, "vfs_read", unused, 1);
  const uint32_t integer = b.integer("int", 4, 1);
  const uint32_t proto = b.record(Kind::kFuncProto, "", integer, 2);
  b.words({b.name("file"), integer, 0, 0});  // int (int file, ...)
  const uint32_t pointer = b.record(Kind::kPtr, "", proto);
  const uint32_t array = b.array(integer, 3);
  const uint32_t ops = b.aggregate(Kind::kStruct, "operations", 24,
                                   {{"read", pointer, 0}, {"flags", integer, 64 + 3, 5}, {"", array, 96}}, true);
  b.record(Kind::kDeclTag, "tag", ops);
  b.words({0});
  const uint32_t colors = b.record(Kind::kEnum, "color", 4, 1);
  b.words({b.name("RED"), 7});
  const uint32_t wide = b.record(Kind::kEnum64, "wide", 8, 1);
  b.words({b.name("WIDE"), 1, 2});
  b.record(Kind::kTypedef, "color_t", colors);
  b.record(Kind::kVar, "jiffies", integer);
  b.words({1});
  b.record(Kind::kDatasec, ".data", 8, 1);
  b.words({integer, 0, 4});
  b.record(Kind::kFwd, "unknown", 0, 0, true);
  b.record(Kind::kFloat, "double", 8);
  b.record(Kind::kStruct, "operations", 0);  // find() gives the first one
  const std::vector<std::byte> whole = b.blob();

  const Result<std::string> made = btf_without_functions(*index_of(whole));
  REQUIRE(made);
  CHECK(made->find("vfs_read") == std::string::npos);
  CHECK(made->find("only_of_a_function") == std::string::npos);
  const auto index = index_of(bytes_of(*made));
  CHECK(index->last_id() == 12);
  CHECK_FALSE(index->find("vfs_read", Kind::kFunc));
  const std::optional<uint32_t> found = index->find("operations", Kind::kStruct);
  REQUIRE(found);
  const std::vector<BtfIndex::RawMember> members = index->members(*found);
  REQUIRE(members.size() == 3);
  CHECK(members[0].name == "read");
  CHECK(members[1].name == "flags");
  CHECK(members[1].off_bits == 64 + 3);
  CHECK(members[1].bits == 5);
  CHECK(index->array(members[2].type) == std::pair(*index->find("int", Kind::kInt), 3U));
  const std::optional<BtfIndex::Record> read = index->record(members[0].type);
  REQUIRE((read && read->kind == Kind::kPtr));
  const std::vector<BtfIndex::RawParam> params = index->params(read->size_or_type);
  REQUIRE(params.size() == 2);
  CHECK(params[0].name == "file");
  CHECK(params[0].type == *index->find("int", Kind::kInt));
  CHECK(index->find_enumerator("RED") == std::pair(*index->find("color", Kind::kEnum), int64_t{7}));
  CHECK(index->enumerators(*index->find("wide", Kind::kEnum64))[0].value == (int64_t{2} << 32 | 1));
  CHECK(index->record(*index->find("color_t", Kind::kTypedef))->size_or_type == *index->find("color", Kind::kEnum));
  CHECK(index->record(*index->find("jiffies", Kind::kVar))->size_or_type == *index->find("int", Kind::kInt));
  CHECK(index->record(*index->find("unknown", Kind::kFwd))->kind_flag);
  CHECK(index->find("double", Kind::kFloat));
  CHECK(wide != 0);
  // Once more changes nothing.
  CHECK(*btf_without_functions(*index) == *made);
}

TEST_CASE("btf without functions: damage is an error", "[btf]") {
  BtfBuilder outside;
  outside.record(Kind::kPtr, "", 7);
  const std::vector<std::byte> no_type = outside.blob();
  CHECK_FALSE(btf_without_functions(*index_of(no_type)));
  BtfBuilder function;
  const uint32_t proto = function.record(Kind::kFuncProto, "", 0);
  function.record(Kind::kPtr, "", function.record(Kind::kFunc, "f", proto, 1));
  const std::vector<std::byte> to_function = function.blob();
  CHECK_FALSE(btf_without_functions(*index_of(to_function)));
  BtfBuilder name;
  name.record(Kind::kStruct, "s", 4, 1);
  name.words({1 << 20, 0, 0});
  const std::vector<std::byte> no_name = name.blob();
  CHECK_FALSE(btf_without_functions(*index_of(no_name)));
}
