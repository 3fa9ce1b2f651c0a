// SPDX-License-Identifier: Apache-2.0
// print(): objects behind pointers and values, by type.
#include "runtime/print/typed.h"

#include <catch2/catch.hpp>
#include <cstring>

#include "test/unit/runtime/print_support.h"

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

/// Bytes of an object of the host's own type.
template <typename T>
std::string_view bytes_of(const T &object) {
  return {reinterpret_cast<const char *>(&object), sizeof(object)};
}

struct Fixture {
  TypeTable types;
  TypeId enumeration_;

  TypeId enumeration() {
    if (enumeration_) return enumeration_;
    enumeration_ = types.declare_tag(TagKind::kEnum, "kind");
    const Enumerator values[] = {{"READ", 0}, {"WRITE", 1}, {"MINUS", -1}};
    types.complete_enum(enumeration_, values);
    return enumeration_;
  }
  TypeId structure(TagKind kind, std::string_view name, std::vector<TypeTable::NewMember> members) {
    const TypeId tag = types.declare_tag(kind, name);
    types.complete_struct(tag, members);
    return tag;
  }
  TypeId request() {
    return structure(
        TagKind::kStruct, "req",
        {{"id", types.int_type()}, {"tag", types.array_of(types.char_type(), 3)}, {"kind", enumeration()}});
  }

  std::string object(TypeId type, std::string_view bytes, uint64_t address = 0x1000) {
    std::string out;
    append_pointed(out, types, type, address, bytes);
    return out;
  }
  std::string value(TypeId type, std::string_view bytes) {
    test::FixedSymbols symbols;
    TextContext context;
    context.symbolizer = &symbols;
    std::string out;
    append_typed_value(out, types, type, bytes, context);
    return out;
  }
};

struct Request {
  int id = 1;
  char tag[3] = {'o', 'k', 0};
  int kind = 1;
};

std::string at(int depth, std::string_view text) { return std::string(44 + depth, ' ') + std::string(text) + "\n"; }

}  // namespace

TEST_CASE_METHOD(Fixture, "the reference's object") {
  CHECK(object(request(), bytes_of(Request{}), 0xffff888100c0de00) ==
        "0xffff888100c0de00 = *\n"
        "                                            (struct req) {\n"
        "                                             .id = (int)1,\n"
        "                                             .tag = (char [3]) [\n"
        "                                              (char)'o',\n"
        "                                              (char)'k',\n"
        "                                             ],\n"
        "                                             .kind = (enum kind)WRITE,\n"
        "                                            }\n");
}

TEST_CASE_METHOD(Fixture, "objects leave out members and trailing elements that are zero") {
  Request request_object;
  request_object.id = 0;
  std::memset(request_object.tag, 0, sizeof(request_object.tag));
  CHECK(object(request(), bytes_of(request_object)) ==
        "0x1000 = *\n" + at(0, "(struct req) {") + at(1, ".kind = (enum kind)WRITE,") + at(0, "}"));
  const int data[4] = {1, 0, -3, 0};
  CHECK(object(types.array_of(types.int_type(), 4), bytes_of(data)) ==
        "0x1000 = *\n" + at(0, "(int [4]) [") + at(1, "(int)1,") + at(1, "(int)0,") + at(1, "(int)-3,") + at(0, "],"));
}

TEST_CASE_METHOD(Fixture, "an object that is a scalar keeps its comma") {
  CHECK(object(types.int_type(), bytes_of(7)) == "0x1000 = *\n" + at(0, "(int)7,"));
  CHECK(object(types.int_type(), bytes_of(0)) == "0x1000 = *\n" + at(0, "(int)0,"));
  CHECK(object(types.integer(4, false), bytes_of(-1)) == "0x1000 = *\n" + at(0, "(unsigned int)4294967295,"));
  CHECK(object(types.bool_type(), bytes_of(true)) == "0x1000 = *\n" + at(0, "(_Bool)1,"));
  CHECK(object(types.char_type(), bytes_of('\n')) == "0x1000 = *\n" + at(0, "(char)10,"));
  const void *pointer = reinterpret_cast<const void *>(0xabc);
  CHECK(object(types.pointer_to(types.void_type()), bytes_of(pointer)) == "0x1000 = *\n" + at(0, "(void *)0xabc,"));
  CHECK(object(types.string_of(4), std::string_view("hi\0\0", 4)) == "0x1000 = *\n" + at(0, "(string)\"hi\","));
}

TEST_CASE_METHOD(Fixture, "objects in objects, with and without a name") {
  const TypeId inner = structure(TagKind::kStruct, "inner", {{"x", types.int_type()}});
  const TypeId nameless = structure(TagKind::kUnion, "", {{"l", types.int_type()}, {"m", types.int_type()}});
  const TypeId outer =
      structure(TagKind::kStruct, "outer", {{"in", inner}, {"pair", types.array_of(inner, 2)}, {"", nameless}});
  const int data[4] = {5, 0, 6, 7};
  CHECK(object(outer, bytes_of(data)) ==
        "0x1000 = *\n" + at(0, "(struct outer) {") + at(1, ".in = (struct inner) {") + at(2, ".x = (int)5,") +
            at(1, "},") + at(1, ".pair = (struct inner [2]) [") + at(2, "(struct inner) {") + at(2, "},") +
            at(2, "(struct inner) {") + at(3, ".x = (int)6,") + at(2, "},") + at(1, "],") + at(1, "(union) {") +
            at(2, ".l = (int)7,") + at(2, ".m = (int)7,") + at(1, "},") + at(0, "}"));
}

TEST_CASE_METHOD(Fixture, "bit-fields are read at their bits") {
  const TypeId type = structure(
      TagKind::kStruct, "bits",
      {{"a", types.int_type(), 3, true}, {"b", types.integer(4, false), 13, true}, {"c", types.int_type(), 7, true}});
  struct {
    int a : 3;
    unsigned b : 13;
    int c : 7;
  } data{-2, 8000, 33};
  CHECK(object(type, bytes_of(data)) == "0x1000 = *\n" + at(0, "(struct bits) {") + at(1, ".a = (int)-2,") +
                                            at(1, ".b = (unsigned int)8000,") + at(1, ".c = (int)33,") + at(0, "}"));
  CHECK(value(type, bytes_of(data)) ==
        "struct bits {\n    int a = 0x6\n    unsigned int b = 0x1f40\n    int c = 0x21\n}");
}

TEST_CASE_METHOD(Fixture, "what was not recorded shows as dots") {
  const int data[4] = {1, 2, 3, 4};
  const TypeId array = types.array_of(types.int_type(), 4);
  CHECK(object(array, bytes_of(data).substr(0, 10)) ==
        "0x1000 = *\n" + at(0, "(int [4]) [") + at(1, "(int)1,") + at(1, "(int)2,") + at(1, "...") + at(0, "],"));
  CHECK(value(array, bytes_of(data).substr(0, 8)) == "int [4] [ 0x1, 0x2, ... ]");
  const TypeId type = structure(TagKind::kStruct, "s", {{"a", types.int_type()}, {"b", array}});
  CHECK(value(type, bytes_of(data).substr(0, 4)) == "struct s {\n    int a = 0x1\n    int [4] b = [ ... ]\n}");
}

TEST_CASE_METHOD(Fixture, "values of scalar types") {
  CHECK(value(types.int_type(), bytes_of(5)) == "int 0x5");
  CHECK(value(types.int_type(), bytes_of(-1)) == "int 0xffffffff");
  CHECK(value(types.int_type(), bytes_of(0)) == "int 0");
  CHECK(value(types.char_type(), bytes_of('c')) == "char 'c'");
  CHECK(value(types.char_type(), bytes_of('\0')) == "char '\\0'");
  CHECK(value(types.char_type(), bytes_of('\x01')) == "char '\\001'");
  CHECK(value(types.floating(8), bytes_of(1.5)) == "double +1.5000000e+00");
  CHECK(value(types.floating(4), bytes_of(-2.0f)) == "float -2.0000000e+00");
  CHECK(value(enumeration(), bytes_of(1)) == "enum kind WRITE");
  CHECK(value(enumeration(), bytes_of(9)) == "enum kind 9");
}

TEST_CASE_METHOD(Fixture, "pointer values; functions by name") {
  const uint64_t address = 0x1000, nothing = 0;
  CHECK(value(types.pointer_to(types.int_type()), bytes_of(address)) == "int * 0x1000");
  CHECK(value(types.pointer_to(types.int_type()), bytes_of(nothing)) == "int * 0");
  const TypeId function = types.pointer_to(types.function(types.int_type(), {}, false));
  CHECK(value(function, bytes_of(address)).ends_with(" module`function"));
  CHECK(value(function, bytes_of(nothing)).ends_with(" 0"));
}

TEST_CASE_METHOD(Fixture, "values of aggregates") {
  CHECK(value(request(), bytes_of(Request{})) ==
        "struct req {\n"
        "    int id = 0x1\n"
        "    char [3] tag = [ \"ok\" ]\n"
        "    enum kind kind = WRITE\n"
        "}");
  const int numbers[3] = {1, 0, 3};
  CHECK(value(types.array_of(types.int_type(), 3), bytes_of(numbers)) == "int [3] [ 0x1, 0, 0x3 ]");
  CHECK(value(types.array_of(types.char_type(), 4), {"a\n\0b", 4}) == "char [4] [ \"a\\n\" ]");
  const TypeId inner = structure(TagKind::kStruct, "inner", {{"x", types.int_type()}});
  const TypeId outer = structure(TagKind::kStruct, "outer", {{"in", inner}, {"pair", types.array_of(inner, 2)}});
  CHECK(value(outer, bytes_of(numbers)) ==
        "struct outer {\n"
        "    struct inner in = {\n"
        "        int x = 0x1\n"
        "    }\n"
        "    struct inner [2] pair = [\n"
        "        {\n"
        "            int x = 0\n"
        "        },\n"
        "        {\n"
        "            int x = 0x3\n"
        "        }\n"
        "    ]\n"
        "}");
}

TEST_CASE_METHOD(Fixture, "strings") {
  const std::string_view bytes("hi\0\0", 4);
  const TypeId type = types.string_of(4);
  CHECK(value(type, bytes) == "string \"hi\"");
}
