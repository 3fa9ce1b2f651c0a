// SPDX-License-Identifier: Apache-2.0
// Types of a user program in the type table: identity with D's own, spaces of pointers, completion, scopes, bounds.
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "frontend/types/types.h"
#include "frontend/types/types_compat.h"
#include "frontend/types/user_types.h"

using namespace dtrace;

namespace {

/// A file with as many types as a test adds; numbers are in that order.
class FakeFile : public UserTypes {
 public:
  explicit FakeFile(std::string module) : module_(std::move(module)) {}

  Id add(Record record, std::vector<RawMember> members = {}, std::vector<Enumerator> enumerators = {}) {
    entries_.push_back({record, std::move(members), std::move(enumerators)});
    return static_cast<Id>(entries_.size());
  }
  Id integer(std::string_view name, uint64_t size_bytes, bool is_signed) {
    Record record;
    record.kind = TypeKind::kInt;
    record.name = name;
    record.size_bytes = size_bytes;
    record.is_signed = is_signed;
    return add(record);
  }
  Id made(TypeKind kind, Id target, std::string_view name = {}) {
    Record record;
    record.kind = kind;
    record.target = target;
    record.name = name;
    return add(record);
  }
  Id structure(TypeKind kind, std::string_view name, uint64_t size_bytes, std::vector<RawMember> members = {}) {
    Record record;
    record.kind = kind;
    record.tag = TagKind::kStruct;
    record.name = name;
    record.size_bytes = size_bytes;
    return add(record, std::move(members));
  }
  Record &record_of(Id id) { return entries_.at(id - 1).record; }
  std::vector<RawMember> &members_of(Id id) { return entries_.at(id - 1).members; }

  std::string_view module() const override { return module_; }
  Record record(Id id) override {
    ++asked_records;
    return entries_.at(id - 1).record;
  }
  std::vector<RawMember> members(Id id) override {
    ++asked_members;
    return entries_.at(id - 1).members;
  }
  std::vector<Enumerator> enumerators(Id id) override { return entries_.at(id - 1).enumerators; }
  std::vector<Id> parameters(Id) override { return {}; }
  std::string_view full_name(Id id) override { return entries_.at(id - 1).record.name; }
  std::optional<Id> template_argument(Id, std::string_view) override { return std::nullopt; }
  std::optional<Id> find(TagKind, std::string_view name) override {
    ++asked_names;
    const auto found = by_name.find(std::string(name));
    return found == by_name.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<std::pair<Id, int64_t>> find_enumerator(std::string_view name) override {
    for (size_t i = 0; i < entries_.size(); ++i)
      for (const Enumerator &one : entries_[i].enumerators)
        if (one.name == name) return std::pair(static_cast<Id>(i + 1), one.value);
    return std::nullopt;
  }

  std::map<std::string, Id> by_name;
  unsigned asked_records = 0, asked_members = 0, asked_names = 0;

 private:
  struct Entry {
    Record record;
    std::vector<RawMember> members;
    std::vector<Enumerator> enumerators;
  };
  std::string module_;
  std::vector<Entry> entries_;
};

}  // namespace

TEST_CASE("a program's integers are D's own, its pointers lead into user space", "[types][user_types]") {
  FakeFile file("prog");
  TypeTable t;
  const TypeId number = t.from_user(file, file.integer("long unsigned int", 8, false));
  CHECK(number == t.ulong_type());
  CHECK(t.from_user(file, file.integer("int", 4, true)) == t.int_type());
  // A compiler's char may be unsigned; it is then not D's.
  CHECK(t.from_user(file, file.integer("char", 1, false)) != t.char_type());
  const TypeId pointer = t.from_user(file, file.made(TypeKind::kPointer, file.integer("int", 4, true)));
  CHECK(t.name(pointer) == "userland int *");
  CHECK(t.is_userland(pointer));
  CHECK(t.from_user(file, 0) == t.void_type());
}

TEST_CASE("members are read when asked for, once, and pointers are not followed", "[types][user_types]") {
  FakeFile file("prog");
  TypeTable t;
  const uint32_t number = file.integer("int", 4, true);
  const uint32_t node = file.structure(TypeKind::kStruct, "node", 16);
  const uint32_t next = file.made(TypeKind::kPointer, node);
  file.members_of(node) = {{"next", next, 0, 0}, {"low", number, 64, 3}, {"rest", number, 67, 29}};
  const TypeId type = t.from_user(file, node);
  CHECK(file.asked_members == 0);
  CHECK(t.name(type) == "struct node");
  CHECK(t.size_bytes(type) == 16);
  const auto low = t.find_member(type, "low");
  REQUIRE(low);
  CHECK(low->off_bits == 64);
  CHECK(low->member.bits == 3);
  const auto found = t.find_member(type, "next");
  REQUIRE(found);
  CHECK(t.resolved(t[found->member.type].target).name == "node");
  CHECK(t[found->member.type].target == type);
  CHECK(file.asked_members == 1);
  CHECK(t.is_of_user(found->member.type));
  CHECK_FALSE(t.is_of_user(t.int_type()));
}

TEST_CASE("members of a base class and of unnamed members are found", "[types][user_types]") {
  FakeFile file("prog");
  TypeTable t;
  const uint32_t number = file.integer("int", 4, true);
  const uint32_t base = file.structure(TypeKind::kStruct, "Base", 8, {{"id", number, 32, 0}});
  const uint32_t derived =
      file.structure(TypeKind::kStruct, "Derived", 24, {{"", base, 64, 0}, {"own", number, 128, 0}});
  const auto id = t.find_member(t.from_user(file, derived), "id");
  REQUIRE(id);
  CHECK(id->off_bits == 96);
}

TEST_CASE("a declared structure is completed by its own program only", "[types][user_types]") {
  FakeFile file("prog"), other("libother.so");
  TypeTable t;
  const uint32_t forward = file.structure(TypeKind::kForward, "hidden", 0);
  const uint32_t elsewhere = other.structure(TypeKind::kStruct, "hidden", 4);
  other.by_name["hidden"] = elsewhere;
  const TypeId type = t.from_user(file, forward);
  CHECK_FALSE(t.is_complete(type));
  FakeFile whole("prog2");
  const uint32_t declared = whole.structure(TypeKind::kForward, "hidden", 0);
  whole.by_name["hidden"] = whole.structure(TypeKind::kStruct, "hidden", 32);
  CHECK(t.size_bytes(t.from_user(whole, declared)) == 32);
}

TEST_CASE("types that are made of themselves end", "[types][user_types]") {
  FakeFile file("prog");
  TypeTable t;
  const uint32_t circle = file.made(TypeKind::kTypedef, 0, "circle");
  file.record_of(circle).target = circle;
  t.size_bytes(t.from_user(file, circle));
  const uint32_t pointer = file.made(TypeKind::kPointer, 0);
  file.record_of(pointer).target = pointer;
  CHECK(t.is_pointer(t.from_user(file, pointer)));
  const uint32_t inside = file.structure(TypeKind::kStruct, "inside", 8);
  file.members_of(inside) = {{"", inside, 0, 0}, {"", inside, 0, 0}};
  CHECK_FALSE(t.find_member(t.from_user(file, inside), "nothing"));
  CHECK(t.align_bytes(t.from_user(file, inside)) == 1);
}

TEST_CASE("names mean the program's types in its scope, behind D's own and before the kernel's",
          "[types][user_types]") {
  FakeFile file("prog");
  TypeTable t;
  file.by_name["node"] = file.structure(TypeKind::kStruct, "node", 16);
  file.by_name["mine"] = file.structure(TypeKind::kStruct, "mine", 16);
  const TypeId own = t.declare_tag(TagKind::kStruct, "mine");
  t.complete_struct(own, std::vector<TypeTable::NewMember>{{"a", t.int_type()}});
  CHECK_FALSE(t.find_with_user_scope(TagKind::kStruct, "node"));
  t.set_user_scope([&](std::string_view module) { return module.empty() || module == "prog" ? &file : nullptr; });
  const auto node = t.find_with_user_scope(TagKind::kStruct, "node");
  REQUIRE(node);
  CHECK(t[*node].module == "prog");
  CHECK(t.find_with_user_scope(TagKind::kStruct, "mine") == own);
  CHECK(t.find_with_user_scope(TagKind::kStruct, "prog`node") == node);
  CHECK_FALSE(t.find_with_user_scope(TagKind::kStruct, "other`node"));
  // What the D library and built-in variables name is never the program's.
  const unsigned before = file.asked_names;
  CHECK_FALSE(t.find(TagKind::kStruct, "node"));
  CHECK(file.asked_names == before);
  t.set_user_scope({});
  CHECK_FALSE(t.find_with_user_scope(TagKind::kStruct, "prog`node"));
}

TEST_CASE("enumerators of the program are found by name", "[types][user_types]") {
  FakeFile file("prog");
  TypeTable t;
  UserTypes::Record record;
  record.kind = TypeKind::kEnum;
  record.tag = TagKind::kEnum;
  record.name = "color";
  record.size_bytes = 4;
  file.add(record, {}, {{"RED", 1}, {"BLUE", 200}});
  CHECK_FALSE(t.find_user_enumerator("BLUE"));
  t.set_user_scope([&](std::string_view module) { return module.empty() || module == "prog" ? &file : nullptr; });
  for (const char *name : {"BLUE", "prog`BLUE"}) {
    const auto blue = t.find_user_enumerator(name);
    REQUIRE(blue);
    CHECK(blue->second == 200);
    CHECK(t.name(blue->first) == "enum color");
  }
  CHECK_FALSE(t.find_user_enumerator("GREEN"));
}

TEST_CASE("user types: a member hides those of base classes") {
  FakeFile file("prog");
  TypeTable t;
  const auto number = file.integer("int", 4, true);
  const auto far = file.structure(TypeKind::kStruct, "Far", 4, {{"id", number, 0, 0}});
  const auto near = file.structure(TypeKind::kStruct, "Near", 8, {{"", far, 0, 0}, {"own", number, 32, 0}});
  const auto second = file.structure(TypeKind::kStruct, "Second", 8, {{"own", number, 0, 0}, {"id", number, 32, 0}});
  const auto derived = file.structure(TypeKind::kStruct, "Derived", 20,
                                      {{"", near, 0, 0}, {"", second, 64, 0}, {"own", number, 128, 0}});
  const TypeId type = t.from_user(file, derived);
  CHECK(t.find_member(type, "own")->off_bits == 128);
  CHECK(t.find_member(type, "id")->off_bits == 96);  // of the nearer base class
  CHECK_FALSE(t.find_member(type, "none"));
  CHECK(t.class_name(type) == "Derived");
  CHECK(t.class_name(t.int_type()).empty());
}
