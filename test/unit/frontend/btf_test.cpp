// SPDX-License-Identifier: Apache-2.0
// The BTF index: on BTF made here, on broken BTF, and on the running kernel's.
#include "frontend/types/btf.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "test/unit/frontend/btf_builder.h"

using namespace dtrace;
using dtrace::test::BtfBuilder;
using Kind = BtfIndex::Kind;

namespace {

std::unique_ptr<BtfIndex> index_of(const std::vector<std::byte> &bytes, const BtfIndex *base = nullptr) {
  Result<std::unique_ptr<BtfIndex>> index = BtfIndex::create(bytes, base == nullptr ? "vmlinux" : "mod", base);
  INFO((index ? "" : index.error().text()));
  REQUIRE(index);
  return std::move(*index);
}

std::string refusal(const std::vector<std::byte> &bytes) {
  Result<std::unique_ptr<BtfIndex>> index = BtfIndex::create(bytes, "vmlinux");
  REQUIRE_FALSE(index);
  return index.error().text();
}

}  // namespace

TEST_CASE("records, members and names", "[btf]") {
  BtfBuilder b;
  const uint32_t i = b.integer("int", 4, 1);
  const uint32_t pair = b.aggregate(Kind::kStruct, "pair", 12, {{"a", i, 0}, {"b", i, 32, 3}, {"", i, 64}}, true);
  const uint32_t t = b.record(Kind::kTypedef, "pair", pair);
  const uint32_t arr = b.array(i, 7);
  const uint32_t proto = b.record(Kind::kFuncProto, "", i, 2);
  b.words({b.name("first"), pair, 0, 0});
  const uint32_t f = b.record(Kind::kFunc, "do_it", proto, 1);
  const uint32_t v = b.record(Kind::kVar, "jiffies", i);
  b.words({1});
  const auto blob = b.blob();
  const auto btf = index_of(blob);

  CHECK(btf->module() == "vmlinux");
  CHECK(btf->base() == nullptr);
  CHECK(btf->first_id() == 1);
  CHECK(btf->last_id() == v);
  CHECK_FALSE(btf->record(0));
  CHECK_FALSE(btf->record(v + 1));
  CHECK_FALSE(btf->record(0xffffffff));

  const auto record = btf->record(pair);
  REQUIRE(record);
  CHECK(record->kind == Kind::kStruct);
  CHECK(record->name == "pair");
  CHECK(record->kind_flag);
  CHECK(record->size_or_type == 12);
  CHECK(record->vlen == 3);

  const auto members = btf->members(pair);
  REQUIRE(members.size() == 3);
  CHECK(members[0].name == "a");
  CHECK(members[0].off_bits == 0);
  CHECK(members[0].bits == 0);
  CHECK(members[1].off_bits == 32);
  CHECK(members[1].bits == 3);
  CHECK(members[2].name.empty());
  CHECK(btf->members(i).empty());

  CHECK(btf->array(arr) == std::pair(i, 7U));
  CHECK_FALSE(btf->array(i));
  const auto params = btf->params(proto);
  REQUIRE(params.size() == 2);
  CHECK(params[0].name == "first");
  CHECK(params[0].type == pair);
  CHECK(params[1].name.empty());
  CHECK(params[1].type == 0);

  CHECK(btf->find("pair", Kind::kStruct) == pair);
  CHECK(btf->find("pair", Kind::kTypedef) == t);
  CHECK_FALSE(btf->find("pair", Kind::kUnion));
  CHECK_FALSE(btf->find("pai", Kind::kStruct));
  CHECK(btf->find("int", Kind::kInt) == i);
  CHECK(btf->find("do_it", Kind::kFunc) == f);
  CHECK(btf->find("jiffies", Kind::kVar) == v);
  CHECK_FALSE(btf->find("", Kind::kStruct));
  CHECK_FALSE(btf->find("int", Kind::kPtr));

  const auto raw = btf->integer(i);
  REQUIRE(raw);
  CHECK(raw->is_signed);
  CHECK(raw->bits == 32);
  CHECK_FALSE(btf->integer(pair));
}

TEST_CASE("of types of one name the first is found", "[btf]") {
  BtfBuilder b;
  const uint32_t first = b.aggregate(Kind::kStruct, "twice", 4, {});
  b.aggregate(Kind::kStruct, "twice", 8, {});
  const auto blob = b.blob();
  CHECK(index_of(blob)->find("twice", Kind::kStruct) == first);
}

TEST_CASE("a name shared by thousands of types costs no square", "[btf]") {
  BtfBuilder b;
  const uint32_t name = b.name("same");
  for (int n = 0; n < 200000; ++n) b.words({name, static_cast<uint32_t>(Kind::kTypedef) << 24, 0});
  const auto blob = b.blob();
  CHECK(index_of(blob)->find("same", Kind::kTypedef) == 1U);
}

TEST_CASE("enumerators of 32 and 64 bits", "[btf]") {
  BtfBuilder b;
  const uint32_t u = b.record(Kind::kEnum, "u", 4, 2);
  b.words({b.name("U_ONE"), 1, b.name("U_BIG"), 0xffffffff});
  const uint32_t s = b.record(Kind::kEnum, "", 4, 1, true);
  b.words({b.name("S_MINUS"), 0xffffffff});
  const uint32_t q = b.record(Kind::kEnum64, "q", 8, 2, true);
  b.words({b.name("Q_HIGH"), 1, 0x80000000, b.name("U_ONE"), 9, 0});
  const auto blob = b.blob();
  const auto btf = index_of(blob);
  CHECK(btf->find_enumerator("U_BIG") == std::pair(u, int64_t{0xffffffff}));
  CHECK(btf->find_enumerator("S_MINUS") == std::pair(s, int64_t{-1}));
  CHECK(btf->find_enumerator("Q_HIGH") == std::pair(q, static_cast<int64_t>(0x8000000000000001)));
  CHECK(btf->find_enumerator("U_ONE") == std::pair(u, int64_t{1}));
  CHECK_FALSE(btf->find_enumerator("NONE"));
  REQUIRE(btf->enumerators(q).size() == 2);
  CHECK(btf->enumerators(q)[1].value == 9);
  CHECK(btf->enumerators(999).empty());
}

TEST_CASE("the oldest form of a bit-field is understood", "[btf]") {
  BtfBuilder b;
  const uint32_t narrow = b.integer("unsigned int", 4, 0, 3, 2);
  const uint32_t full = b.integer("unsigned int", 4, 0);
  const uint32_t s = b.aggregate(Kind::kStruct, "s", 8, {{"f", narrow, 8}, {"g", full, 32}});
  const auto blob = b.blob();
  const auto members = index_of(blob)->members(s);
  CHECK(members[0].off_bits == 10);
  CHECK(members[0].bits == 3);
  CHECK(members[1].bits == 0);
}

TEST_CASE("typedefs by prefix, in order", "[btf]") {
  BtfBuilder b;
  const uint32_t one = b.record(Kind::kTypedef, "btf_trace_one", 0);
  b.record(Kind::kTypedef, "btf_tracy", 0);
  b.aggregate(Kind::kStruct, "btf_trace_struct", 0, {});
  const uint32_t two = b.record(Kind::kTypedef, "btf_trace_two", 0);
  const auto blob = b.blob();
  const auto found = index_of(blob)->typedefs_with_prefix("btf_trace_");
  REQUIRE(found.size() == 2);
  CHECK(found[0] == std::pair(one, std::string_view("btf_trace_one")));
  CHECK(found[1] == std::pair(two, std::string_view("btf_trace_two")));
}

TEST_CASE("split BTF goes on where its base ends", "[btf]") {
  BtfBuilder b;
  const uint32_t i = b.integer("int", 4, 1);
  const uint32_t base_name = b.name("shared_name");
  const auto base_blob = b.blob();
  const auto base = index_of(base_blob);

  BtfBuilder m(base->last_id(), b.strings_bytes());
  const uint32_t own = m.aggregate(Kind::kStruct, "own", 4, {{"x", i, 0}});
  m.words({base_name, static_cast<uint32_t>(Kind::kTypedef) << 24, own});  // a name of the base's
  const auto split_blob = m.blob();
  const auto split = index_of(split_blob, base.get());

  CHECK(split->module() == "mod");
  CHECK(split->base() == base.get());
  CHECK(split->first_id() == base->last_id() + 1);
  CHECK(split->find("own", Kind::kStruct) == own);
  CHECK(split->find("shared_name", Kind::kTypedef) == own + 1);
  CHECK_FALSE(split->find("int", Kind::kInt));  // own types only
  CHECK(split->record(i)->name == "int");       // but the base's by id
  CHECK(split->integer(i)->bits == 32);
  CHECK(split->members(own)[0].name == "x");
  CHECK_FALSE(base->record(own));

  const auto none_blob = BtfBuilder(base->last_id(), b.strings_bytes()).blob();
  const auto none = index_of(none_blob, base.get());  // no types, no names
  CHECK(none->last_id() + 1 == none->first_id());
  CHECK_FALSE(none->find("own", Kind::kStruct));
}

TEST_CASE("what is not BTF is refused with the reason", "[btf]") {
  BtfBuilder b;
  b.integer("int", 4, 1);
  const auto good = b.blob();
  auto patched = [&good](size_t at, uint8_t value) {
    auto bytes = good;
    bytes[at] = std::byte{value};
    return bytes;
  };
  CHECK(refusal({}) == "vmlinux: not BTF: shorter than its header");
  CHECK(refusal(std::vector<std::byte>(24)) == "vmlinux: not BTF: no magic number");
  auto swapped = patched(0, 0xeb);
  swapped[1] = std::byte{0x9f};
  CHECK(refusal(swapped) == "vmlinux: big-endian BTF: only little-endian kernels are supported");
  CHECK(refusal(patched(2, 2)) == "vmlinux: BTF of unknown version 2");
  CHECK(refusal(patched(4, 8)) == "vmlinux: malformed BTF: bad header length");
  CHECK(refusal(patched(7, 0x7f)) == "vmlinux: malformed BTF: bad header length");
  CHECK(refusal(patched(15, 0xff)) == "vmlinux: malformed BTF: types lie outside of it");
  CHECK(refusal(patched(11, 0xff)) == "vmlinux: malformed BTF: types lie outside of it");
  CHECK(refusal(patched(23, 0xff)) == "vmlinux: malformed BTF: names lie outside of it");
  CHECK(refusal(patched(20, 0)) == "vmlinux: malformed BTF: names do not end with NUL");
  CHECK(refusal(patched(good.size() - 1, 'x')) == "vmlinux: malformed BTF: names do not end with NUL");
  CHECK(refusal(patched(24, 200)) == "vmlinux: malformed BTF: type 1 has a bad name");
  CHECK(refusal(patched(31, 99)) == "vmlinux: BTF type 1 is of unknown kind 99");
  CHECK(refusal(patched(31, 0)) == "vmlinux: BTF type 1 is of unknown kind 0");
  CHECK(refusal(patched(12, 15)) == "vmlinux: malformed BTF: type 1 is cut off");
  CHECK(refusal(patched(12, 4)) == "vmlinux: malformed BTF: type 1 is cut off");
  auto wide = patched(31, static_cast<uint8_t>(Kind::kStruct));
  wide[28] = std::byte{0xff};
  CHECK(refusal(wide) == "vmlinux: malformed BTF: type 1 is cut off");
}

TEST_CASE("a newer kind that the layout section describes is passed over", "[btf]") {
  for (const size_t stride : {size_t{2}, size_t{4}}) {
    BtfBuilder b;
    b.integer("int", 4, 1);
    b.record(static_cast<Kind>(21), "novel", 0, 3);
    b.words({1, 2, 3, 4});  // 4 bytes fixed, 4 for each of three
    const uint32_t after = b.record(Kind::kTypedef, "after", 1);
    std::string layout(22 * stride, '\0');
    const std::pair<uint8_t, uint8_t> shapes[] = {{0, 0}, {4, 0}, {0, 0}, {12, 0}, {0, 12}, {0, 12}, {0, 8},
                                                  {0, 0}, {0, 0}, {0, 0}, {0, 0},  {0, 0},  {0, 0},  {0, 8}};
    for (size_t kind = 0; kind < std::size(shapes); ++kind) {
      layout[kind * stride] = static_cast<char>(shapes[kind].first);
      layout[kind * stride + 1] = static_cast<char>(shapes[kind].second);
    }
    layout[21 * stride] = 4;
    layout[21 * stride + 1] = 4;
    const auto blob = b.blob(layout);
    const auto btf = index_of(blob);
    CHECK(btf->find("after", Kind::kTypedef) == after);
    CHECK(btf->record(2)->kind == Kind::kUnknown);
  }
}

TEST_CASE("the running kernel's BTF", "[btf][live]") {
  std::ifstream file("/sys/kernel/btf/vmlinux", std::ios::binary);
  if (!file) {
    WARN("skipped: this kernel has no BTF");
    return;
  }
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto *bytes = reinterpret_cast<const std::byte *>(text.data());
  const std::vector<std::byte> blob(bytes, bytes + text.size());
  const auto btf = index_of(blob);
  CHECK(btf->last_id() > 10000);
  const auto task = btf->find("task_struct", Kind::kStruct);
  REQUIRE(task);
  bool has_pid = false;
  bool has_comm = false;
  for (const auto &member : btf->members(*task)) {
    has_pid |= member.name == "pid";
    has_comm |= member.name == "comm";
  }
  CHECK(has_pid);
  CHECK(has_comm);
  CHECK(btf->find("do_exit", Kind::kFunc));
  CHECK(btf->typedefs_with_prefix("btf_trace_").size() > 100);
  const auto hash = btf->find_enumerator("BPF_MAP_TYPE_HASH");
  REQUIRE(hash);
  CHECK(hash->second == 1);
}
