// SPDX-License-Identifier: Apache-2.0
#include "replay/file_catalog.h"

#include <catch2/catch.hpp>

#include "recorded.h"
#include "replay/file_symbolizer.h"
#include "replay/type_spelling.h"

using namespace dtrace;
using namespace dtrace::replay;
using namespace dtrace::replay::test;

namespace {

std::string names_of(FileCatalog &catalog, const ProbeDesc &desc) {
  std::string names;
  const Result<std::vector<ProbeId>> ids = catalog.match(desc);
  REQUIRE(ids);
  for (const ProbeId id : *ids) names += (names.empty() ? "" : " ") + std::to_string(id.value);
  return names;
}

}  // namespace

TEST_CASE("replay: descriptions match the probes of the recording") {
  Recorded recorded;
  recorded.probe(10, "read", {});
  recorded.probe(12, "write", {});
  recording::Probe mangled = probe_of(3, "fbt", "", "_Zfoo", "entry");
  mangled.shown_function = "foo";
  recorded.add(mangled, {});
  const std::unique_ptr<recording::Reader> reader = recorded.reader();
  FileCatalog catalog(*reader);
  CHECK(names_of(catalog, {"made", "", "", ""}) == "10 12");
  CHECK(names_of(catalog, {"m*", "up", "w?ite", "hit"}) == "12");
  CHECK(names_of(catalog, {"fbt", "", "foo", ""}) == "3");
  CHECK(names_of(catalog, {"fbt", "", "_Zfoo", ""}) == "3");
  CHECK(names_of(catalog, {"io", "", "", ""}).empty());
  CHECK(catalog.why_absent({"io", "", "", ""}).reason == "the recording has no such probe; it has probes of fbt, made");
  CHECK(catalog.by_number(12) == ProbeId{12});
  CHECK(!catalog.by_number(11));
  CHECK(catalog.probe({10}).function == "read");
  CHECK(catalog.shown_function({3}) == "foo");
}

TEST_CASE("replay: BEGIN, END and ERROR are there, and get numbers that are free") {
  Recorded recorded;
  recorded.probe(2, "read", {});
  const std::unique_ptr<recording::Reader> reader = recorded.reader();
  FileCatalog catalog(*reader);
  CHECK(catalog.begin() == ProbeId{1});
  CHECK(catalog.end() == ProbeId{3});
  CHECK(catalog.error() == ProbeId{4});
  CHECK(names_of(catalog, {"dtrace", "", "", "END"}) == "3");
  CHECK(catalog.recorded(catalog.end()) == nullptr);
  CHECK(catalog.recorded({2}) != nullptr);
}

TEST_CASE("replay: a clock is made by its exact name") {
  Recorded recorded;
  recorded.add(probe_of(7, "profile", "", "", "tick-1s"), {});
  const std::unique_ptr<recording::Reader> reader = recorded.reader();
  FileCatalog catalog(*reader);
  CHECK(names_of(catalog, {"profile", "", "", "tick-1s"}) == "7");
  CHECK(names_of(catalog, {"", "", "", "tick-*"}) == "7");
  CHECK(catalog.clocks().empty());
  CHECK(names_of(catalog, {"", "", "", "tick-10ms"}) == "8");
  CHECK(names_of(catalog, {"profile", "", "", "tick-10ms"}) == "8");
  CHECK(names_of(catalog, {"made", "", "", "tick-20ms"}).empty());
  REQUIRE(catalog.clocks().size() == 1);
  CHECK(catalog.clocks().front().period_ns == 10'000'000);
}

TEST_CASE("replay: arguments have the types that their spellings name") {
  Recorded recorded;
  recording::Probe typed = probe_of(7, "made", "", "", "typed"), untyped = probe_of(8, "made", "", "", "untyped");
  typed.arguments = {argument_of("struct request *", "bufinfo_t *", 2),
                     argument_of("userland char *", "userland char *", 0)};
  typed.arguments[0].place = 1;
  typed.arguments[1].missing = "optimised out";
  untyped.arguments_error = "nobody knows";
  recorded.add(typed, {});
  recorded.add(untyped, {});
  const std::unique_ptr<recording::Reader> reader = recorded.reader();
  FileCatalog catalog(*reader);
  TypeTable types;
  const Result<std::vector<ProbeArg>> args = catalog.args({7}, types);
  REQUIRE(args);
  REQUIRE(args->size() == 2);
  CHECK(types.name((*args)[0].native) == "struct request *");
  CHECK(types.name((*args)[0].translated) == "void *");  // there is no library here
  CHECK((*args)[0].source == 2);
  CHECK((*args)[0].place == ArgPlace::kWords);
  CHECK(types.is_userland((*args)[1].native));
  CHECK((*args)[1].missing == "optimised out");
  CHECK(catalog.args({8}, types).error().text() == "nobody knows");
  CHECK(catalog.args(catalog.begin(), types)->empty());
}

TEST_CASE("replay: spellings of types are read as they are written") {
  TypeTable types;
  for (const char *spelling : {"int",
                               "unsigned long",
                               "char",
                               "string",
                               "void *",
                               "const char *",
                               "char *const",
                               "struct task_struct *",
                               "userland char *",
                               "int [4]",
                               "int [2][3]",
                               "char (*)[16]",
                               "int (*)()",
                               "struct pt_regs [4]",
                               "long long",
                               "unsigned char",
                               "userland struct iovec *",
                               "char **",
                               "const volatile int *",
                               "dt_stack_t",
                               "double"}) {
    INFO(spelling);
    const TypeId type = type_of_spelling(spelling, types);
    REQUIRE(type);
    CHECK(types.name(type) == spelling);
  }
  CHECK(types.size_bytes(type_of_spelling("int [2][3]", types)) == 24);
  CHECK(types.name(type_of_spelling("unknown_t *", types)) == "void *");
  CHECK(types.name(type_of_spelling("struct *", types)) == "void *");
  for (const char *spelling : {"", "unknown_t", "struct", "int [", "int [x]", "int (*", "int *)", "*", "int int int"}) {
    INFO(spelling);
    CHECK(!type_of_spelling(spelling, types));
  }
  CHECK(!type_of_spelling("int " + std::string(100000, '('), types));
}

TEST_CASE("replay: addresses that the recording does not name are numbers") {
  using Kind = recording::Name::Kind;
  const std::vector<recording::Name> names = {
      {Kind::kKernelModule, false, 0, 0, 0x10, {"vmlinux"}},
      {Kind::kUserSymbol, true, 7, 2, 0x20, {"a.out`main+0x4"}},
      {Kind::kUserFrames, true, 7, 2, 0x20, {"a.out`inner", "a.c:3", "", "1", "a.out`main+0x4", "", "", ""}},
      {Kind::kMapping, false, 7, 2, 0x20, {"16", "48", "4096", "/bin/a.out", "cafe"}},
      {Kind::kUserModule, false, 7, 2, 0x20, {}},
  };
  FileSymbolizer symbolizer(names);
  CHECK(symbolizer.kernel_module(0x10) == "vmlinux");
  CHECK(symbolizer.kernel_symbol(0x10, true) == "0x10");
  CHECK(symbolizer.user_symbol({7, 2}, 0x20, true) == "a.out`main+0x4");
  CHECK(symbolizer.user_symbol({7, 3}, 0x20, true) == "0x20");
  CHECK(symbolizer.user_module({7, 2}, 0x20) == "0x20");
  const std::vector<runtime::StackFrame> frames = symbolizer.user_frames({7, 2}, 0x20, true);
  REQUIRE(frames.size() == 2);
  CHECK(frames[0].is_inlined);
  CHECK(frames[0].source == "a.c:3");
  CHECK(frames[1].symbol == "a.out`main+0x4");
  CHECK(symbolizer.user_frames({7, 2}, 0x20, false).front().symbol == "a.out`main+0x4");
  CHECK(symbolizer.mapping({7, 2}, 0x20).offset == 4096);
  CHECK(symbolizer.mapping({7, 2}, 0x21).file.empty());
}
