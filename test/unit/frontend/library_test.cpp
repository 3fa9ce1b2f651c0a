// SPDX-License-Identifier: Apache-2.0
#include "frontend/check/library.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace dtrace;

TEST_CASE("scan finds what a library declares", "[library]") {
  LibraryNames names = scan_library(R"(
/* int not_this; */
#pragma D depends_on library other.d
#pragma D depends_on module ext4
#pragma D depends_on provider io
typedef struct psinfo { int pr_pid; struct inner { int x; } in; } psinfo_t;
typedef unsigned long ulongs[4];
typedef int (*callback_t)(int, char *);
inline int EPERM = 1;
inline string state_name[int s] = s == 0 ? "a;b" : "c";
enum colour { RED, GREEN = (1 + 2), BLUE };
struct forward;
translator psinfo_t < struct task_struct *T > { pr_pid = T->pid; };
translator struct a < struct b *B > { x = 1; };
extern int counter;
)");
  CHECK(names.names == std::vector<std::string>{"psinfo", "inner", "psinfo_t", "ulongs", "callback_t", "EPERM",
                                                "state_name", "colour", "RED", "GREEN", "BLUE", "forward", "counter"});
  CHECK(names.translator_outputs == std::vector<std::string>{"psinfo_t", "struct a"});
  CHECK(names.libraries == std::vector<std::string>{"other.d"});
  CHECK(names.modules == std::vector<std::string>{"ext4"});
  CHECK(names.providers == std::vector<std::string>{"io"});
}

TEST_CASE("scan survives broken text", "[library]") {
  for (std::string_view text :
       {"", "/*", "\"abc", "}}};", "typedef", "enum {", "translator x <", "#pragma D depends_on"})
    CHECK_NOTHROW(scan_library(text));
}

TEST_CASE("scan finds what cannot be in a library", "[library]") {
  const auto mistake = [](std::string_view text) {
    const LibraryNames names = scan_library(text);
    if (!names.mistake) return std::string("none");
    const LibraryMistake &seen = *names.mistake;
    return std::string(tag_name(seen.tag)) + ' ' + std::string(text.substr(seen.offset, seen.length)) + ": " +
           seen.text;
  };
  const std::string clause = ": D library may not contain probe clauses";
  CHECK(mistake("inline int A = 1;\nBEGIN { trace(1); }\n") == "D_PRAGMA_SCOPE BEGIN" + clause);
  CHECK(mistake("syscall::read:entry, tick-1s /pid == (1)/ { x = 1; }") == "D_PRAGMA_SCOPE syscall" + clause);
  CHECK(mistake("tick-1s /f(1)/ { }") == "D_PRAGMA_SCOPE tick" + clause);
  CHECK(mistake("provider p { probe a(int); }\ninline int A = 1;") == "D_SYNTAX }: ';' expected after a provider");
  CHECK(mistake("provider p { probe a(int); }") == "D_SYNTAX }: ';' expected after a provider");
  CHECK(mistake("translator a_t < int I > { x = I; } int y;") == "D_SYNTAX }: ';' expected after a translator");
  CHECK(mistake("int x; inline int A = 1") == "D_SYNTAX 1: ';' expected at the end of the library");
  for (std::string_view fine :
       {"provider p { probe a(int); };", "struct s { int a; } x; enum e { A }; typedef union { int a; } u_t;",
        "provider p { };\nstatic int f(int a) { return a; }", "translator <\"a<*>\"> T { x = T.a; };", ""})
    CHECK(mistake(fine) == "none");
  // The names are known all the same.
  CHECK(scan_library("provider p { probe a(int); }\ninline int A = 1;").names == std::vector<std::string>{"A"});
}

TEST_CASE("index finds files by name, and claims them once", "[library]") {
  Sources sources;
  Diagnostics diags;
  LibraryEnvironment environment;
  environment.has_module = [](std::string_view name) { return name == "vmlinux"; };
  auto index = LibraryIndex::create(
      {{{"a.d", "inline int A = 1;"}, {"b.d", "#pragma D depends_on module nosuch\ninline int B = 1;"}},
       {{"a2.d", "inline int A = 2; inline int C = 3;"}}},
      environment, sources, diags);
  REQUIRE(diags.ok());
  CHECK(index->file_of("A") == 0u);
  CHECK_FALSE(index->file_of("B"));
  CHECK(index->file_of("C") == 1u);
  CHECK(index->claim(0));
  CHECK_FALSE(index->claim(0));
}

TEST_CASE("a cycle of dependencies is an error", "[library]") {
  Sources sources;
  Diagnostics diags;
  LibraryIndex::create(
      {{{"d/a.d", "#pragma D depends_on library b.d\n"}, {"d/b.d", "#pragma D depends_on library a.d\n"}}}, {}, sources,
      diags);
  REQUIRE_FALSE(diags.ok());
  CHECK(diags.list()[0].tag == Tag::D_PRAGMA_DEPEND);
}

TEST_CASE("two files that define a name differently are named", "[library]") {
  Sources sources;
  Diagnostics diags;
  std::vector<std::vector<LibraryFile>> directories{
      {{"/lib/a.d",
        "struct fwd; typedef struct t { int x; } t_t; inline int same = 1; translator t_t < struct s *S > "
        "{ x = S->a; }; extern int e;"},
       {"/lib/b.d", "struct fwd { int y; }; inline  int same = /* */ 1;"}},
      {{"/more/c.d", "typedef struct t { long x; } t_t; translator t_t < struct s *T > { x = T->b; };"}}};
  const auto index = LibraryIndex::create(std::move(directories), {}, sources, diags);
  CHECK(diags.ok());
  CHECK(index->conflict("t_t") == "/lib/a.d and /more/c.d define t_t differently: remove one of them");
  CHECK(index->conflict("translator t_t") ==
        "/lib/a.d and /more/c.d define translator t_t < struct s * > differently: remove one of them");
  CHECK(index->conflict("same").empty());
  CHECK(index->conflict("fwd").empty());
  CHECK(index->conflict("e").empty());
}

TEST_CASE("a library that another one depends on and that is not there is named", "[library]") {
  Sources sources;
  Diagnostics diags;
  std::vector<std::vector<LibraryFile>> directories{
      {{"/lib/a.d", "#pragma D depends_on library b.d\n#pragma D depends_on library gone.d\nint x;"},
       {"/lib/b.d", "int y;"}}};
  const auto index = LibraryIndex::create(std::move(directories), {}, sources, diags);
  CHECK(index->missing_library(0) == "gone.d");
  CHECK(index->missing_library(1).empty());
}
