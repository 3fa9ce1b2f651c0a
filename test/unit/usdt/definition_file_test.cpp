// SPDX-License-Identifier: Apache-2.0
#include "usdt/definition_file.h"

#include <catch2/catch.hpp>

#include "usdt/calling_convention.h"
#include "usdt/header.h"
#include "usdt/target.h"

using namespace dtrace;

namespace {

struct Read {
  Sources sources;
  Diagnostics diags;
  usdt::DefinitionFile file;

  explicit Read(const std::string &text) {
    file = usdt::read_definition_file(sources.add("t.d", text, SourceKind::kScript), sources, diags);
  }
  std::string error() const {
    return diags.ok() ? "" : render(diags.list().front(), sources, {.tags = true, .human = false});
  }
};

/// "type|name" of the only parameter.
std::string parameter(const std::string &text) {
  const Read read("provider p { probe a(" + text + "); };");
  if (!read.diags.ok()) return read.error();
  const usdt::Argument &argument = read.file.providers.at(0).probes.at(0).native.at(0);
  return argument.type + "|" + argument.name;
}

}  // namespace

TEST_CASE("a parameter is a type and a name", "[definition]") {
  CHECK(parameter("int") == "int|");
  CHECK(parameter("int x") == "int|x");
  CHECK(parameter("unsigned   long long int x") == "unsigned long long int|x");
  CHECK(parameter("const char*s") == "const char *|s");
  CHECK(parameter("char * const * s") == "char *const *|s");
  CHECK(parameter("struct foo *") == "struct foo *|");
  CHECK(parameter("struct foo **p") == "struct foo **|p");
  CHECK(parameter("foo_t") == "foo_t|");
  CHECK(parameter("foo_t x") == "foo_t|x");
  CHECK(parameter("foo_t *string") == "foo_t *|string");
  CHECK(parameter("string string") == "string|string");
  CHECK(parameter("unsigned foo") == "unsigned|foo");
  CHECK(parameter("uint8_t key[16]") == "uint8_t [16]|key");
  CHECK(parameter("uint8_t [N * 2 + 1]") == "uint8_t [N *2+1]|");
  CHECK(parameter("int (*f)(void *, int x)") == "int (*)(void *, int x)|f");
  CHECK(parameter("void (*)(void)") == "void (*)(void)|");
  CHECK(parameter("char __user *p") == "char __user *|p");
  CHECK(parameter("__const char *__restrict p") == "const char *restrict|p");
  CHECK(parameter("int x __attribute__((unused))") == "int|x");
  CHECK(parameter("register int class") == "int|class");
  CHECK(parameter("char name[8]") == "char [8]|name");
  CHECK(parameter("ns::order *s") == "ns::order *|s");
  CHECK(parameter("::ns::order*s") == "::ns::order *|s");
  CHECK(parameter("const std::string &s") == "const std::string &|s");
  CHECK(parameter("std::map<int, unsigned long> *m") == "std::map<int, unsigned long> *|m");
  CHECK(parameter("std::vector<ns::a<int>>&&") == "std::vector<ns::a<int>> &&|");
  CHECK(parameter("struct ns::s *") == "struct ns::s *|");
  CHECK(parameter("a<b>::c x") == "a<b>::c|x");
}

TEST_CASE("what is no parameter is refused where it stands", "[definition]") {
  CHECK(parameter("int a b") == "[D_SYNTAX] line 1: syntax error near \"b\"");
  CHECK(parameter("4") == "[D_SYNTAX] line 1: syntax error near \"4\"");
  CHECK(parameter("int x = 4") == "[D_SYNTAX] line 1: syntax error near \"=\"");
  CHECK(parameter("int,") == "[D_SYNTAX] line 1: syntax error near \")\"");
}

TEST_CASE("macros are named in capitals, pairs of underscores by one", "[definition]") {
  CHECK(usdt::macro_name("python", "function__entry") == "PYTHON_FUNCTION_ENTRY");
  CHECK(usdt::macro_name("HaskellEvent", "gc__start") == "HASKELLEVENT_GC_START");
  CHECK(usdt::macro_name("a__b", "c___d") == "A__B_C__D");
  CHECK(usdt::include_guard("dir.d/probes.h.tmp") == "_PROBES_H_TMP");
}

TEST_CASE("definitions are kept that arguments reach", "[definition]") {
  const Read read(
      "typedef unsigned int Oid;\n"
      "struct inner { int a; int b; };\n"
      "typedef struct outer { struct inner in; Oid oid; } outer_t;\n"
      "typedef struct { int dummy; } dummy_t;\n"
      "struct unused { int a; int b; };\n"
      "int f(int x) { return x; }\n"
      "provider p { probe a(outer_t *o, dummy_t *d); };\n");
  REQUIRE(read.error().empty());
  const std::vector<std::string> expected = {"typedef unsigned int Oid;", "struct inner { int a; int b; };",
                                             "typedef struct outer { struct inner in; Oid oid; } outer_t;"};
  CHECK(read.file.providers.at(0).definitions == expected);
}

TEST_CASE("the compiler's name says the machine", "[target]") {
  const usdt::Target host = usdt::host_target();
  CHECK(usdt::target_of_compiler("", "", host) == host);
  CHECK(usdt::target_of_compiler("cc", "-O2 -g", host) == host);
  CHECK(usdt::target_of_compiler("/opt/bin/aarch64-linux-gnu-gcc -pipe", "", host).machine == EM_AARCH64);
  CHECK(usdt::target_of_compiler("clang -target i686-linux-gnu", "", host).machine == EM_386);
  const usdt::Target x86 = usdt::target_of_compiler("x86_64-linux-gnu-gcc", "-O2 -m32", host);
  CHECK(x86.machine == EM_386);
  CHECK_FALSE(x86.is_64);
}

TEST_CASE("arguments at a function's entry", "[target]") {
  const std::vector<usdt::Argument> arguments = {{"int", ""},   {"unsigned char", ""}, {"char *", ""},
                                                 {"float", ""}, {"long", ""},          {"uint16_t", ""}};
  CHECK(usdt::arguments_at_entry(arguments, {true, false, EM_X86_64, 0, 0}) ==
        "-4@%rdi 1@%rsi 8@%rdx 4f@-8(%rsp) -8@%rcx 2@%r8");
  CHECK(usdt::arguments_at_entry(arguments, {false, false, EM_386, 0, 0}) ==
        "-4@4(%esp) 1@8(%esp) 4@12(%esp) 4f@16(%esp) -4@20(%esp) 2@24(%esp)");
  CHECK(usdt::arguments_at_entry({{"char [8]", "name"}, {"int [4]", "v"}, {"const double", ""}},
                                 {true, false, EM_X86_64, 0, 0}) == "8@%rdi 8@%rsi 8f@-8(%rsp)");
  CHECK(usdt::arguments_at_entry(arguments, {true, false, EM_AARCH64, 0, 0}) == "-4@x0 1@x1 8@x2 4f@x9 -8@x3 2@x4");
}
