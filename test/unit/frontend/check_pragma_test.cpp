// SPDX-License-Identifier: Apache-2.0
// Pragmas of the checker and provider definitions.
#include <catch2/catch.hpp>

#include "frontend/lang/stability.h"
#include "test/unit/frontend/check_fixture.h"

using namespace dtrace;
using namespace dtrace::test;

namespace {
struct Row {
  const char *text;
  const char *expected;
};
}  // namespace

TEST_CASE("pragma: errors", "[check]") {
  const Row rows[] = {
      {"#pragma D attributes Firm/Stable/Common x\nint x;", "D_PRAGMA_INVAL"},
      {"#pragma D attributes Stable/Stable/Common nosuch\nint x;", "D_PRAGMA_UNUSED"},
      {"#pragma D attributes Stable/Stable/Common pid\nint x;", "D_PRAGMA_SCOPE"},
      {"#pragma D attributes Stable/Stable/Common strlen\nint x;", "D_PRAGMA_SCOPE"},
      {"#pragma D attributes Stable/Stable/Common provider shop nosuch\nint x;", "D_PRAGMA_INVAL"},
      {"#pragma D attributes Stable/Stable/Common module shop name\nint x;", "D_PRAGMA_INVAL"},
      {"#pragma D binding \"1.x\" x\nint x;", "D_PRAGMA_INVAL"},
      {"#pragma D binding \"1.0\" nosuch\nint x;", "D_PRAGMA_UNUSED"},
      {"#pragma D depends_on module nomodule\nint x;", "D_PRAGMA_DEPEND"},
      {"#pragma D depends_on provider noprovider\nint x;", "D_PRAGMA_DEPEND"},
      {"#pragma D depends_on library x.d\nint x;", "D_PRAGMA_DEPEND"},
      {"#pragma D depends_on bird x.d\nint x;", "D_PRAGMA_INVAL"},
      {"#pragma D depends_on provider syscall\nint x;", ""},
      {"#pragma D attributes Private/Private/Common x\nint x;", ""},
      {"int x;\n#pragma D attributes Private/Private/Common x\n", ""},
      {"int x;\n#pragma D binding \"1.2.3\" x\n", ""},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(tag_of(row.text) == row.expected);
  }
}

TEST_CASE("pragma: attributes of a variable", "[check]") {
  Check c;
  REQUIRE(c.program("#pragma D attributes Private/Evolving/CPU x\nint x; dtrace:::BEGIN { trace(x); }"));
  CHECK(text(c.unit.programs.back().clauses[0].statement_attributes) == "Private/Evolving/CPU");
  // Another text's names are out of reach.
  CHECK_FALSE(c.program("#pragma D attributes Stable/Stable/Common x\nint y;"));
  CHECK(c.tag() == "D_PRAGMA_SCOPE");
}

TEST_CASE("pragma: binding hides from older versions", "[check]") {
  Check c;
  c.option("version", "1.0");
  REQUIRE(
      c.library("#pragma D binding \"1.5\" later\ninline int later = 1;\n#pragma D binding \"1.0\" early\ninline int "
                "early = 1;\n"));
  CHECK(c.program("BEGIN { trace(early); }"));
  CHECK_FALSE(c.program("BEGIN { trace(later); }"));
  CHECK(c.tag() == "D_IDENT_UNDEF");
}

TEST_CASE("provider: data", "[check]") {
  Check c;
  REQUIRE(
      c.program("#pragma D attributes Evolving/Evolving/Common provider shop provider\n"
                "struct item; typedef struct { int i_id; } iteminfo_t;\n"
                "translator iteminfo_t < struct item *I > { i_id = 1; };\n"
                "provider shop {\n"
                "  probe order__start(int id, char *who);\n"
                "  probe order__done(int id, struct item *it) : (iteminfo_t *it, int id, long id);\n"
                "  probe idle(void);\n"
                "};"));
  CHECK(
      c.dump().starts_with("provider shop\n"
                           "  probe order-start int, char *\n"
                           "  probe order-done int, struct item *, : iteminfo_t * from 1, int from 0, long from 0\n"
                           "  probe idle\n"));
  const tree::ProviderInfo &shop = c.unit.providers[0];
  CHECK(shop.probes[0].source_name == "order__start");
  REQUIRE(shop.attributes);
  CHECK(text(shop.attributes->provider) == "Evolving/Evolving/Common");
  CHECK(
      c.program("provider shop { probe order__start(int, char *); probe order__done(int id, struct item *it) : "
                "(iteminfo_t *it, int id, "
                "long id); probe idle(); };"));
}

TEST_CASE("provider: errors", "[check]") {
  const std::string many = [] {
    std::string text = "provider p { probe x(int a0";
    for (int i = 1; i < 256; ++i) text += fmt::format(", int a{}", i);
    return text + "); };";
  }();
  CHECK(tag_of(many) == "D_PROV_PRARGLEN");
  const Row rows[] = {
      {"provider shop1 { probe x(); };", "D_PROV_BADNAME"},
      {"provider sh`op { probe x(); };", "D_PROV_BADNAME"},
      {"provider shop { probe a`b(); };", "D_PROV_BADNAME"},
      {"provider aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggg { probe x(); };", "D_PROV_BADNAME"},
      {"provider shop { probe x(); probe x(); };", "D_PROV_PRDUP"},
      {"provider shop { probe x(int); }; provider shop { probe x(long); };", "D_PROV_INCOMPAT"},
      {"provider shop { probe x(int); }; provider shop { probe x(int); probe y(); };", "D_PROV_INCOMPAT"},
      {"provider shop { probe x(int a); }; provider shop { probe x(int a) : (int a); };", "D_PROV_INCOMPAT"},
      {"provider shop { probe x(int a) : (int b); };", "D_DECL_PROTO_FORM"},
      {"provider shop { probe x(int a, int a); };", "D_DECL_PROTO_FORM"},
      {"provider shop { probe x(int a) : (int); };", "D_DECL_PROTO_NAME"},
      {"provider shop { probe x(int a, ...); };", "D_DECL_PROTO_VARARGS"},
      {"provider shop { probe x(int a, void); };", "D_DECL_PROTO_VOID"},
      {"struct s { int a; }; provider shop { probe x(int a) : (struct s *a); };", "D_PROV_PRXLATOR"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(tag_of(row.text) == row.expected);
  }
}
