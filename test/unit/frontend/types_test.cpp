// SPDX-License-Identifier: Apache-2.0
// The type table: identity, spelling, scopes, kernel types. Layout against the compiler is in types_layout_test.cpp.
#include "frontend/types/types.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "frontend/types/btf.h"
#include "test/unit/frontend/btf_builder.h"

using namespace dtrace;
using dtrace::test::BtfBuilder;
using Kind = BtfIndex::Kind;

namespace {

std::unique_ptr<BtfIndex> index_of(const std::vector<std::byte> &bytes, std::string module = "vmlinux",
                                   const BtfIndex *base = nullptr) {
  Result<std::unique_ptr<BtfIndex>> index = BtfIndex::create(bytes, std::move(module), base);
  INFO((index ? "" : index.error().text()));
  REQUIRE(index);
  return std::move(*index);
}

TypeId found(const TypeTable &types, std::string_view name, TagKind kind = TagKind::kOrdinary) {
  const std::optional<TypeId> id = types.find(kind, name);
  INFO(name);
  REQUIRE(id);
  return *id;
}

}  // namespace

TEST_CASE("base types have C's names and LP64 sizes", "[types]") {
  TypeTable t;
  struct Row {
    const char *name;
    uint64_t size;
    bool is_signed;
  };
  for (const Row &row : {Row{"char", 1, true}, Row{"signed char", 1, true}, Row{"unsigned char", 1, false},
                         Row{"short", 2, true}, Row{"unsigned short", 2, false}, Row{"int", 4, true},
                         Row{"unsigned int", 4, false}, Row{"long", 8, true}, Row{"unsigned long", 8, false},
                         Row{"long long", 8, true}, Row{"unsigned long long", 8, false}, Row{"_Bool", 1, false}}) {
    const TypeId id = found(t, row.name);
    INFO(row.name);
    CHECK(t.name(id) == row.name);
    CHECK(t.size_bytes(id) == row.size);
    CHECK(t.align_bytes(id) == row.size);
    CHECK(t.is_signed(id) == row.is_signed);
    CHECK(t.is_integer(id));
  }
  CHECK(t.size_bytes(found(t, "long double")) == 16);
  CHECK(t.size_bytes(found(t, "double")) == 8);
  CHECK_FALSE(t.is_integer(found(t, "float")));
  CHECK_FALSE(t.is_scalar(found(t, "float")));
  CHECK(t.integer(1, true) == t.char_type());
  CHECK(t.integer(8, false) == t.ulong_type());
  CHECK(found(t, "unsigned") == found(t, "unsigned int"));
  CHECK(found(t, "long unsigned int") == t.ulong_type());
  CHECK(t.long_long(true) != t.long_type());
  CHECK(t.is_void(found(t, "void")));
  CHECK_FALSE(t.is_complete(t.void_type()));
  CHECK_FALSE(t.find(TagKind::kOrdinary, "long long long"));
  CHECK_FALSE(t.find(TagKind::kOrdinary, "unsigned signed"));
  CHECK_FALSE(t.find(TagKind::kOrdinary, ""));
}

TEST_CASE("strings follow strsize, shorter ones keep their own size", "[types]") {
  TypeTable t(64);
  CHECK(t.size_bytes(t.string_type()) == 64);
  CHECK(t.string_of(64) == t.string_type());
  const TypeId four = t.string_of(4);
  CHECK(four == t.string_of(4));
  CHECK(t.size_bytes(four) == 4);
  CHECK(t.is_string(four));
  CHECK(t.name(four) == "string");
  const TypeId three = t.array_of(t.string_type(), 3);
  t.set_strsize(100);
  CHECK(t.strsize() == 100);
  CHECK(t.size_bytes(three) == 300);
  CHECK(t.align_bytes(t.string_type()) == 1);
}

TEST_CASE("types are interned", "[types]") {
  TypeTable t;
  const TypeId p = t.pointer_to(t.int_type());
  CHECK(p == t.pointer_to(t.int_type()));
  CHECK(p != t.pointer_to(t.int_type(), Space::kUser));
  CHECK(t.array_of(p, 3) == t.array_of(p, 3));
  CHECK(t.array_of(p, 3) != t.array_of(p, 4));
  CHECK(t.qualified(t.int_type(), kConst) == t.qualified(t.int_type(), kConst));
  CHECK(t.qualified(t.qualified(t.int_type(), kConst), kVolatile) == t.qualified(t.int_type(), kConst | kVolatile));
  CHECK(t.qualified(t.int_type(), 0) == t.int_type());
  const TypeId params[] = {t.int_type(), p};
  CHECK(t.function(p, params, false) == t.function(p, params, false));
  CHECK(t.function(p, params, false) != t.function(p, params, true));
  REQUIRE(t.parameters(t.function(p, params, false)).size() == 2);
  CHECK(t.pointer_to(kPoison) == kPoison);
  CHECK(t.array_of(kPoison, 2) == kPoison);
  CHECK(t.qualified(kPoison, kConst) == kPoison);
}

TEST_CASE("names are C declarators", "[types]") {
  TypeTable t;
  const TypeId c = t.char_type();
  const TypeId fn = t.function(t.int_type(), {}, false);
  CHECK(t.name(t.pointer_to(c)) == "char *");
  CHECK(t.name(t.array_of(c, 16)) == "char [16]");
  CHECK(t.name(t.array_of(t.array_of(t.int_type(), 5), 3)) == "int [3][5]");
  CHECK(t.name(t.array_of(t.pointer_to(c), 4)) == "char *[4]");
  CHECK(t.name(t.pointer_to(t.array_of(c, 4))) == "char (*)[4]");
  CHECK(t.name(fn) == "int ()");
  CHECK(t.name(t.pointer_to(fn)) == "int (*)()");
  CHECK(t.name(t.pointer_to(t.pointer_to(fn))) == "int (**)()");
  CHECK(t.name(t.array_of(t.pointer_to(fn), 2)) == "int (*[2])()");
  CHECK(t.name(t.pointer_to(t.function(t.pointer_to(fn), {}, false))) == "int (*(*)())()");
  CHECK(t.name(t.pointer_to(t.qualified(c, kConst))) == "const char *");
  CHECK(t.name(t.qualified(t.pointer_to(c), kConst)) == "char *const");
  CHECK(t.name(t.pointer_to(t.qualified(t.pointer_to(t.qualified(c, kConst)), kConst))) == "const char *const *");
  CHECK(t.name(t.qualified(t.int_type(), kConst | kVolatile)) == "const volatile int");
  CHECK(t.name(t.qualified(t.array_of(c, 2), kConst)) == "const char [2]");
  CHECK(t.name(t.pointer_to(t.declare_tag(TagKind::kStruct, "task_struct"))) == "struct task_struct *");
  CHECK(t.name(t.declare_tag(TagKind::kUnion, "")) == "union");
  CHECK(t.name(t.pointer_to(t.declare_tag(TagKind::kStruct, ""))) == "struct *");
  CHECK(t.name(t.declare_tag(TagKind::kEnum, "state")) == "enum state");
  CHECK(t.name(found(t, "pid_t")) == "pid_t");
  CHECK(t.name(t.pointer_to(c, Space::kUser)) == "userland char *");
  CHECK(t.name(t.pointer_to(t.qualified(c, kUserland))) == "userland char *");
  CHECK(t.name(t.stack_type()) == "dt_stack_t");
  CHECK(t.name(t.symbol_type(false)) == "_symaddr");
  CHECK(t.name(t.symbol_type(true)) == "_usymaddr");
  CHECK(t.size_bytes(t.symbol_type(false)) == 8);
  CHECK(t.size_bytes(t.symbol_type(true)) == 16);
}

TEST_CASE("predefined typedefs need no library", "[types]") {
  TypeTable t;
  struct Row {
    const char *name;
    uint64_t size;
    bool is_signed;
  };
  for (const Row &row : {Row{"int8_t", 1, true},     Row{"uint8_t", 1, false},      Row{"int16_t", 2, true},
                         Row{"uint16_t", 2, false},  Row{"int32_t", 4, true},       Row{"uint32_t", 4, false},
                         Row{"int64_t", 8, true},    Row{"uint64_t", 8, false},     Row{"intptr_t", 8, true},
                         Row{"uintptr_t", 8, false}, Row{"ssize_t", 8, true},       Row{"size_t", 8, false},
                         Row{"uchar_t", 1, false},   Row{"ushort_t", 2, false},     Row{"uint_t", 4, false},
                         Row{"ulong_t", 8, false},   Row{"u_longlong_t", 8, false}, Row{"longlong_t", 8, true},
                         Row{"ptrdiff_t", 8, true},  Row{"id_t", 4, true},          Row{"pid_t", 4, true},
                         Row{"uid_t", 4, false},     Row{"gid_t", 4, false},        Row{"dev_t", 4, false},
                         Row{"ipaddr_t", 4, false},  Row{"in_addr_t", 4, false},    Row{"processorid_t", 4, true},
                         Row{"hrtime_t", 8, true},   Row{"zoneid_t", 4, true},      Row{"netstackid_t", 4, true},
                         Row{"offset_t", 8, true},   Row{"pri_t", 2, true}}) {
    INFO(row.name);
    CHECK(t.is_type_name(row.name));
    const TypeId id = found(t, row.name);
    CHECK(t.name(id) == row.name);
    CHECK(t[id].kind == TypeKind::kTypedef);
    CHECK(t.size_bytes(id) == row.size);
    CHECK(t.is_signed(id) == row.is_signed);
    CHECK(found(t, row.name) == id);  // once
  }
  CHECK(t.resolve(found(t, "uint64_t")) == t.ulong_type());
  CHECK(t.resolve(found(t, "int64_t")) == t.long_type());
  CHECK(t.resolve(found(t, "u_longlong_t")) == t.long_long(false));
  CHECK(t.is_char_pointer(found(t, "caddr_t")));

  const TypeId ts = found(t, "timestruc_t");
  CHECK(t.size_bytes(ts) == 16);
  REQUIRE(t.find_member(ts, "tv_nsec"));
  CHECK(t.find_member(ts, "tv_nsec")->off_bits == 64);
  CHECK(t.size_bytes(found(t, "in6_addr_t")) == 16);
  CHECK(t.find_member(found(t, "in6_addr_t"), "in6_u"));

  CHECK_FALSE(t.is_type_name("B_TRUE"));
  const auto b_true = t.find_enumerator("B_TRUE");
  REQUIRE(b_true);
  CHECK(b_true->second == 1);
  CHECK(b_true->first == t.resolve(found(t, "boolean_t")));
  CHECK_FALSE(t.find_enumerator("B_MAYBE"));

  CHECK_FALSE(t.is_type_name("nosuch_t"));
  CHECK_FALSE(t.is_type_name(""));
  CHECK(t.is_type_name("D`pid_t"));
  CHECK_FALSE(t.is_type_name("C`pid_t"));
}

TEST_CASE("a program may define the typedefs that are not DTrace's own", "[types]") {
  TypeTable t;
  CHECK(t.find(TagKind::kOrdinary, "uint32_t", "D"));
  CHECK(t.find(TagKind::kOrdinary, "string", "D"));
  CHECK_FALSE(t.find(TagKind::kOrdinary, "zoneid_t", "D"));
  const TypeId own = t.define_typedef("zoneid_t", t.long_type());
  CHECK(found(t, "zoneid_t") == own);
  CHECK(t.find(TagKind::kOrdinary, "zoneid_t", "D") == own);
}

TEST_CASE("scopes: D hides C, each can be named", "[types]") {
  TypeTable t;
  t.define_typedef("word", t.int_type(), "C");
  CHECK(t.resolve(found(t, "word")) == t.int_type());
  t.define_typedef("word", t.long_type());
  CHECK(t.resolve(found(t, "word")) == t.long_type());
  CHECK(t.resolve(*t.find(TagKind::kOrdinary, "word", "C")) == t.int_type());
  CHECK(t.resolve(*t.find(TagKind::kOrdinary, "C`word")) == t.int_type());
  CHECK(t[found(t, "word")].module == "D");
  CHECK_FALSE(t.find(TagKind::kOrdinary, "word", "vmlinux"));
  CHECK_FALSE(t.find(TagKind::kStruct, "word"));
}

TEST_CASE("a forward tag is completed in place, and what was made of it sees that", "[types]") {
  TypeTable t;
  const TypeId node = t.declare_tag(TagKind::kStruct, "node");
  CHECK(t.declare_tag(TagKind::kStruct, "node") == node);
  CHECK(t.declare_tag(TagKind::kUnion, "node") != node);
  CHECK(t[node].kind == TypeKind::kForward);
  CHECK_FALSE(t.is_complete(node));
  CHECK_FALSE(t.is_struct_or_union(node));
  const TypeId alias = t.define_typedef("node_t", node);
  const TypeId pair = t.array_of(alias, 2);
  CHECK_FALSE(t.is_complete(pair));

  const TypeTable::NewMember members[] = {{"next", t.pointer_to(node)}, {"value", t.int_type()}};
  t.complete_struct(node, members);
  CHECK(t.is_complete(pair));
  CHECK(t.size_bytes(alias) == 16);
  CHECK(t.size_bytes(pair) == 32);
  CHECK(t.align_bytes(pair) == 8);
  CHECK(t.complete(node) == node);
  const auto next = t.find_member(alias, "next");
  REQUIRE(next);
  CHECK(t[next->member.type].target == node);
  CHECK_FALSE(t.find_member(alias, "prev"));
  CHECK_FALSE(t.find_member(alias, ""));
}

TEST_CASE("a forward tag of one scope is completed from another", "[types]") {
  TypeTable t;
  const TypeId c_forward = t.declare_tag(TagKind::kStruct, "shared", "C");
  const TypeId pointer = t.pointer_to(c_forward);
  CHECK(t.complete(c_forward) == c_forward);
  const TypeId d = t.declare_tag(TagKind::kStruct, "shared", "D");
  CHECK(d != c_forward);
  const TypeTable::NewMember members[] = {{"x", t.int_type()}};
  t.complete_struct(d, members);
  CHECK(t.complete(t[pointer].target) == d);
  CHECK(t.size_bytes(c_forward) == 4);
  CHECK(t.find_member(c_forward, "x"));
}

TEST_CASE("members are found through anonymous structs and unions", "[types]") {
  TypeTable t;
  const TypeId inner = t.declare_tag(TagKind::kUnion, "");
  const TypeTable::NewMember inner_members[] = {{"as_int", t.int_type()}, {"as_char", t.char_type()}};
  t.complete_struct(inner, inner_members);
  const TypeId outer = t.declare_tag(TagKind::kStruct, "outer");
  const TypeTable::NewMember members[] = {{"first", t.char_type()}, {"", inner}};
  t.complete_struct(outer, members);
  const auto as_char = t.find_member(outer, "as_char");
  REQUIRE(as_char);
  CHECK(as_char->off_bits == 32);
  CHECK(as_char->member.type == t.char_type());
  CHECK(t.size_bytes(outer) == 8);
  CHECK(t.members(outer).size() == 2);
}

TEST_CASE("enumerators", "[types]") {
  TypeTable t;
  const TypeId c = t.declare_tag(TagKind::kEnum, "color", "C");
  const Enumerator from_header[] = {{"RED", 7}, {"BLUE", 8}};
  t.complete_enum(c, from_header);
  CHECK(t.find_enumerator("RED") == std::pair(c, int64_t{7}));
  const TypeId d = t.declare_tag(TagKind::kEnum, "");
  const Enumerator own[] = {{"RED", 1}, {"GREEN", -2}};
  t.complete_enum(d, own);
  CHECK(t.find_enumerator("RED") == std::pair(d, int64_t{1}));  // a C header's loses
  CHECK(t.find_enumerator("BLUE") == std::pair(c, int64_t{8}));
  CHECK(t.find_enumerator("GREEN") == std::pair(d, int64_t{-2}));
  CHECK(t.is_integer(d));
  CHECK(t.size_bytes(d) == 4);
  REQUIRE(t.enumerators(d).size() == 2);
  CHECK(t.enumerators(d)[1].name == "GREEN");
}

TEST_CASE("text is char and signed char, bytes are not", "[types]") {
  TypeTable t;
  CHECK(t.is_string_like(t.string_type()));
  CHECK(t.is_string_like(t.array_of(t.char_type(), 4)));
  CHECK(t.is_string_like(t.pointer_to(t.qualified(t.char_type(), kConst))));
  CHECK_FALSE(t.is_string_like(t.array_of(found(t, "uint8_t"), 6)));
  CHECK_FALSE(t.is_string_like(t.pointer_to(t.int_type())));
  CHECK_FALSE(t.is_string_like(t.char_type()));
}

TEST_CASE("user pointers: by space, by qualifier", "[types]") {
  TypeTable t;
  CHECK(t.is_userland(t.pointer_to(t.char_type(), Space::kUser)));
  CHECK(t.is_userland(t.pointer_to(t.qualified(t.char_type(), kUserland | kConst))));
  CHECK(t.is_userland(t.qualified(t.pointer_to(t.char_type()), kUserland)));
  CHECK(t.is_userland(t.define_typedef("up", t.pointer_to(t.char_type(), Space::kUser))));
  CHECK_FALSE(t.is_userland(t.pointer_to(t.char_type())));
  CHECK_FALSE(t.is_userland(t.pointer_to(t.char_type(), Space::kScratch)));
  CHECK_FALSE(t.is_userland(t.qualified(t.int_type(), kUserland)));
}

TEST_CASE("the fallback is asked last and may define; it is not asked within itself", "[types]") {
  TypeTable t;
  int asked = 0;
  t.set_fallback([&](TagKind kind, std::string_view name) {
    ++asked;
    if (kind != TagKind::kOrdinary || name != "psinfo_t") return false;
    CHECK_FALSE(t.is_type_name("psinfo_t"));  // the search for it is going on
    t.define_typedef("psinfo_t", t.int_type());
    return true;
  });
  CHECK(t.is_type_name("pid_t"));
  CHECK(asked == 0);
  CHECK_FALSE(t.is_type_name("psinfo_t"));  // to ask loads nothing
  CHECK(asked == 0);
  CHECK(t.load_type("psinfo_t"));
  CHECK(asked == 1);
  CHECK(t.is_type_name("psinfo_t"));
  CHECK(t.resolve(found(t, "psinfo_t")) == t.int_type());
  CHECK(asked == 1);
  CHECK_FALSE(t.load_type("other_t"));
  CHECK(asked == 2);
}

namespace {

/// A small kernel: u64, char, comm, a task that points to itself, a user pointer, a bit-field, an anonymous union.
struct SmallKernel {
  std::vector<std::byte> blob, module_blob;
  std::unique_ptr<BtfIndex> vmlinux, module;
  uint32_t task = 0, pointer_to_user = 0, handler = 0, module_task_pointer = 0;

  SmallKernel() {
    BtfBuilder b;
    const uint32_t u64 = b.integer("long unsigned int", 8, 0);
    const uint32_t chr = b.integer("char", 1, 0);  // unsigned, as kernels build it
    const uint32_t i32 = b.integer("int", 4, 1);
    const uint32_t comm = b.array(chr, 16);
    const uint32_t anon = b.aggregate(Kind::kUnion, "", 8, {{"whole", u64, 0}, {"half", i32, 0}});
    task = b.next_id() + 1;
    const uint32_t to_task = b.record(Kind::kPtr, "", task);
    b.aggregate(Kind::kStruct, "task_struct", 48,
                {{"parent", to_task, 0}, {"comm", comm, 64}, {"", anon, 192}, {"flag", i32, 260, 3}, {"pid", i32, 288}},
                true);
    const uint32_t user = b.record(Kind::kTypeTag, "user", chr);
    const uint32_t const_user = b.record(Kind::kConst, "", user);
    pointer_to_user = b.record(Kind::kPtr, "", const_user);
    const uint32_t proto = b.record(Kind::kFuncProto, "", i32, 3);
    b.words({b.name("p"), to_task, b.name("n"), u64, 0, 0});
    handler = b.record(Kind::kFunc, "handler", proto, 1);
    b.record(Kind::kTypedef, "dev_t", u64);
    b.record(Kind::kTypedef, "kernel_only_t", i32);
    b.record(Kind::kFwd, "in_module", 0);
    const uint32_t e = b.record(Kind::kEnum, "state", 4, 1);
    b.words({b.name("RUNNING"), 5});
    (void)e;
    blob = b.blob();
    vmlinux = index_of(blob);
    BtfBuilder m(vmlinux->last_id(), b.strings_bytes());
    module_task_pointer = m.record(Kind::kPtr, "", task);
    m.aggregate(Kind::kStruct, "in_module", 8, {{"owner", module_task_pointer, 0}});
    m.record(Kind::kTypedef, "mod_t", i32);
    module_blob = m.blob();
    module = index_of(module_blob, "mod", vmlinux.get());
  }
};

}  // namespace

TEST_CASE("kernel types: base types are D's own, members come when asked", "[types]") {
  const SmallKernel k;
  TypeTable t;
  t.add_btf(k.vmlinux.get());
  const TypeId task = found(t, "task_struct", TagKind::kStruct);
  CHECK(task == t.from_btf(*k.vmlinux, k.task));
  CHECK(t[task].module == "vmlinux");
  CHECK(t.size_bytes(task) == 48);
  CHECK(t.align_bytes(task) == 8);
  CHECK(t.name(task) == "struct task_struct");
  REQUIRE(t.members(task).size() == 5);

  CHECK(t.members(task)[0].type == t.pointer_to(task));
  CHECK(t.name(t.find_member(task, "comm")->member.type) == "char [16]");
  CHECK(t.is_char_array(t.find_member(task, "comm")->member.type));
  CHECK(t.find_member(task, "whole")->member.type == t.ulong_type());
  CHECK(t.find_member(task, "half")->off_bits == 192);
  CHECK(t.find_member(task, "flag")->member.bits == 3);
  CHECK(t.find_member(task, "flag")->off_bits == 260);
  CHECK(t.find_member(task, "pid")->off_bits == 288);

  const TypeId user = t.from_btf(*k.vmlinux, k.pointer_to_user);
  CHECK(t.is_userland(user));
  CHECK(t.name(user) == "userland const char *");

  const TypeId fn = t.from_btf(*k.vmlinux, k.handler);
  CHECK(t[fn].kind == TypeKind::kFunction);
  REQUIRE(t.parameters(fn).size() == 2);
  CHECK(t.parameters(fn)[0] == t.pointer_to(task));
  CHECK(t[fn].variadic);
  CHECK(t.name(t.pointer_to(fn)) == "int (*)()");

  CHECK(t.is_void(t.from_btf(*k.vmlinux, 0)));
  CHECK(t.is_void(t.from_btf(*k.vmlinux, 123456)));
  CHECK(t.find_enumerator("RUNNING") == std::pair(found(t, "state", TagKind::kEnum), int64_t{5}));
  CHECK(t.is_type_name("kernel_only_t"));
  CHECK_FALSE(t.is_type_name("task_struct"));
}

TEST_CASE("D's typedefs come before the kernel's, which a scope still reaches", "[types]") {
  const SmallKernel k;
  TypeTable t;
  t.add_btf(k.vmlinux.get());
  CHECK(t.size_bytes(found(t, "dev_t")) == 4);
  CHECK(t.size_bytes(*t.find(TagKind::kOrdinary, "dev_t", "vmlinux")) == 8);
  CHECK(t.size_bytes(*t.find(TagKind::kOrdinary, "vmlinux`dev_t")) == 8);
  CHECK(t.is_type_name("vmlinux`kernel_only_t"));
  CHECK_FALSE(t.is_type_name("vmlinux`pid_t"));
  CHECK_FALSE(t.find(TagKind::kStruct, "task_struct", "D"));
}

TEST_CASE("modules: by scope, for unknown tags, and sharing the kernel's types", "[types]") {
  const SmallKernel k;
  TypeTable t;
  t.add_btf(k.vmlinux.get());
  std::vector<std::string> asked;
  t.set_module_loader([&](std::string_view name) {
    asked.emplace_back(name);
    std::vector<const BtfIndex *> loaded;
    if (name.empty() || name == "mod") loaded.push_back(k.module.get());
    return loaded;
  });
  CHECK_FALSE(t.is_type_name("mod_t"));  // the lexer's question never reads modules
  CHECK(found(t, "task_struct", TagKind::kStruct));
  CHECK(asked.empty());
  CHECK_FALSE(t.find(TagKind::kOrdinary, "x", "nomod"));
  CHECK(asked == std::vector<std::string>{"nomod"});

  const TypeId in_module = found(t, "in_module", TagKind::kStruct);
  CHECK(asked == std::vector<std::string>{"nomod", ""});
  CHECK(t[in_module].module == "mod");
  const TypeId task = found(t, "task_struct", TagKind::kStruct);
  CHECK(t.find_member(in_module, "owner")->member.type == t.pointer_to(task));
  CHECK(t.from_btf(*k.module, k.module_task_pointer) == t.pointer_to(task));
  CHECK(t.find(TagKind::kOrdinary, "mod`mod_t"));
  CHECK(*t.find(TagKind::kStruct, "task_struct", "mod") == task);  // kept in the kernel's BTF

  // The kernel's own forward declaration of it is completed likewise.
  const auto forward = k.vmlinux->find("in_module", Kind::kFwd);
  REQUIRE(forward);
  const TypeId f = t.from_btf(*k.vmlinux, *forward);
  CHECK(t.complete(f) == in_module);
  CHECK(t.is_struct_or_union(f));
}

TEST_CASE("BTF that goes in circles is cut, not followed", "[types]") {
  BtfBuilder b;
  const uint32_t self = b.next_id();
  b.record(Kind::kTypedef, "self", self);
  const uint32_t ring = b.next_id();
  b.record(Kind::kPtr, "", ring + 1);
  b.record(Kind::kConst, "", ring);
  const uint32_t nest = b.next_id();
  b.aggregate(Kind::kStruct, "nest", 8, {{"", nest, 0}, {"", nest, 8}});
  const uint32_t arrays = b.array(b.next_id(), 0xffffffff);
  const uint32_t tower = b.next_id();
  const uint32_t i = b.integer("int", 4, 1);
  for (int n = 0; n < 100000; ++n) b.array(b.next_id() - 1, 2);
  const auto blob = b.blob();
  const auto btf = index_of(blob);
  TypeTable t;
  t.add_btf(btf.get());
  CHECK(t.is_void(t.from_btf(*btf, self)));
  CHECK(t.is_pointer(t.from_btf(*btf, ring)));
  CHECK_FALSE(t.name(t.from_btf(*btf, ring)).empty());
  const TypeId n = t.from_btf(*btf, nest);
  CHECK(t.align_bytes(n) >= 1);
  CHECK_FALSE(t.find_member(n, "none"));  // in itself twice: 2^depth ways to look
  CHECK(t.size_bytes(t.from_btf(*btf, arrays)) == 0);
  (void)i;
  TypeId top;
  for (uint32_t id = tower; id <= btf->last_id(); ++id) top = t.from_btf(*btf, id);
  CHECK(t.size_bytes(top) == UINT64_MAX);
  CHECK(t.is_complete(top));
  CHECK(t.align_bytes(top) == 4);
}

TEST_CASE("the running kernel's types", "[types][live]") {
  std::ifstream file("/sys/kernel/btf/vmlinux", std::ios::binary);
  if (!file) {
    WARN("skipped: this kernel has no BTF");
    return;
  }
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto *bytes = reinterpret_cast<const std::byte *>(text.data());
  const std::vector<std::byte> blob(bytes, bytes + text.size());
  const auto btf = index_of(blob);
  TypeTable t;
  t.add_btf(btf.get());
  const TypeId task = found(t, "task_struct", TagKind::kStruct);
  REQUIRE(t.find_member(task, "pid"));
  CHECK(t.name(t.find_member(task, "pid")->member.type) == "pid_t");
  REQUIRE(t.find_member(task, "comm"));
  CHECK(t.name(t.find_member(task, "comm")->member.type) == "char [16]");
  CHECK(t.find_member(task, "on_cpu"));
  CHECK(t.name(t.find_member(task, "mm")->member.type) == "struct mm_struct *");
  CHECK(t.align_bytes(task) >= 8);
  CHECK(t.is_type_name("u32"));
  CHECK(t.is_type_name("bool"));
  CHECK(t.find_member(found(t, "file", TagKind::kStruct), "f_op"));

  // Every type converts, has a name, and its members lie inside it.
  for (uint32_t id = 1; id <= btf->last_id(); ++id) {
    const TypeId type = t.from_btf(*btf, id);
    if (t.name(type).empty()) FAIL("type " << id << " has no name");
    const uint64_t size_bits = t.size_bytes(type) * 8;
    if (!t.is_struct_or_union(type)) continue;
    const uint32_t align = t.align_bytes(type);
    if (align == 0 || t.size_bytes(type) % align != 0) FAIL("alignment of " << t.name(type));
    for (const Member &m : t.members(type)) {
      const uint64_t bits = m.bits != 0 ? m.bits : t.size_bytes(m.type) * 8;
      if (m.off_bits + bits > size_bits) FAIL("member " << m.name << " of " << t.name(type));
    }
  }
}
