// SPDX-License-Identifier: Apache-2.0
// Attributes: words, combination, -xamin.
#include "frontend/lang/stability.h"

#include <catch2/catch.hpp>

#include "test/unit/frontend/check_fixture.h"

using namespace dtrace;
using namespace dtrace::test;

TEST_CASE("stability: words", "[check]") {
  CHECK(text(*parse_attributes("Stable/Private/ISA")) == "Stable/Private/ISA");
  CHECK(text(*parse_attributes("stable/evolving/common")) == "Stable/Evolving/Common");
  CHECK(text(*parse_attributes("Evolving")) == "Evolving/Standard/Common");
  CHECK(text(*parse_attributes("/Private")) == "Standard/Private/Common");
  CHECK(text(*parse_attributes("")) == "Standard/Standard/Common");
  CHECK_FALSE(parse_attributes("Firm/Stable/Common"));
  CHECK_FALSE(parse_attributes("Stable/Stable/Uncommon"));
  CHECK_FALSE(parse_attributes("Stable/Stable/Common/Common"));
  CHECK(text(Stability::kInternal) == "Internal");
  CHECK(text(Stability::kExternal) == "External");
  CHECK(text(Stability::kStandard) == "Standard");
  CHECK(text(DependencyClass::kCpu) == "CPU");
  CHECK(text(DependencyClass::kCommon) == "Common");
}

TEST_CASE("stability: the weaker of each part", "[check]") {
  const Attributes a = *parse_attributes("Stable/Private/ISA");
  const Attributes b = *parse_attributes("Evolving/Stable/CPU");
  CHECK(text(weaker(a, b)) == "Evolving/Private/CPU");
  CHECK(reaches(a, *parse_attributes("Stable/Private/CPU")));
  CHECK_FALSE(reaches(a, b));
}

TEST_CASE("stability: of probe descriptions", "[check]") {
  const Attributes evolving = *parse_attributes("Evolving/Evolving/ISA");
  const Attributes private_ = *parse_attributes("Private/Private/Unknown");
  const ProviderAttributes provider{evolving, private_, evolving, evolving, evolving};
  CHECK(text(description_attributes({"syscall", "", "", "entry"}, provider)) == "Evolving/Evolving/ISA");
  CHECK(text(description_attributes({"syscall", "m", "", "entry"}, provider)) == "Private/Private/Unknown");
  CHECK(text(description_attributes({"", "", "", "BEGIN"}, provider)) == "Unstable/Unstable/ISA");
  CHECK(text(description_attributes({"sys*", "", "", ""}, provider)) == "Unstable/Unstable/Common");
}

namespace {
std::string attributes_line(Check &c) {
  const tree::Clause &clause = c.unit.programs.back().clauses.back();
  return text(clause.statement_attributes) + " " + text(clause.desc_attributes);
}
}  // namespace

TEST_CASE("stability: of clauses", "[check]") {
  Check c;
  REQUIRE(c.program("dtrace:::BEGIN { x = 1; trace(pid); }"));
  CHECK(attributes_line(c) == "Stable/Stable/Common Stable/Stable/Common");
  // What names no provider has that of its probes, if there is only one.
  REQUIRE(c.program("BEGIN { trace(probename == \"x\"); }"));
  CHECK(attributes_line(c) == "Stable/Stable/Common Stable/Stable/Common");
  // The weakest of several count.
  c.probes.add("fbt", "vmlinux", "vfs_read", "entry");
  REQUIRE(c.program(":::entry { trace(pid); }"));
  CHECK(attributes_line(c) == "Unstable/Unstable/ISA Unstable/Unstable/ISA");
  REQUIRE(c.program("dtrace:::BEGIN { trace(curthread->pid); }"));
  CHECK(attributes_line(c) == "Private/Private/Unknown Stable/Stable/Common");
  REQUIRE(c.program("dtrace:::BEGIN { trace(curthread == NULL); }"));
  CHECK(attributes_line(c) == "Stable/Private/Common Stable/Stable/Common");
  REQUIRE(c.program("syscall::read:entry { trace(args[0]); trace(probefunc); }"));
  CHECK(attributes_line(c) == "Evolving/Evolving/ISA Evolving/Evolving/ISA");
  REQUIRE(c.program("dtrace:::BEGIN { trace(`jiffies); }"));
  CHECK(attributes_line(c) == "Private/Private/Unknown Stable/Stable/Common");
}

TEST_CASE("stability: a library's translator and a pragma hide what lies under", "[check]") {
  Check c;
  REQUIRE(
      c.library("struct me { int pr_pid; }; translator struct me < struct task_struct *T > { pr_pid = T->pid; };\n"
                "#pragma D attributes Evolving/Stable/Common here\n"
                "inline int here = curthread->pid;"));
  REQUIRE(c.program("dtrace:::BEGIN { trace(xlate <struct me> (curthread).pr_pid); }"));
  CHECK(attributes_line(c) == "Stable/Private/Common Stable/Stable/Common");
  REQUIRE(c.program("dtrace:::BEGIN { trace(here); }"));
  CHECK(attributes_line(c) == "Evolving/Stable/Common Stable/Stable/Common");
}

TEST_CASE("stability: amin", "[check]") {
  Check c;
  c.option("amin", "Evolving/Evolving/Common");
  CHECK_FALSE(c.program("dtrace:::BEGIN { trace(curthread); }"));
  CHECK(c.tag() == "D_ATTR_MIN");
  CHECK(c.message() == "attributes for curthread (Stable/Private/Common) are less than predefined minimum");
  Check ok;
  ok.option("amin", "Evolving/Evolving/Common");
  CHECK(ok.program("dtrace:::BEGIN { trace(pid); }"));
  Check description;
  description.option("amin", "Stable");
  CHECK_FALSE(description.program("BEGIN { trace(pid); }"));
  CHECK(description.tag() == "D_ATTR_MIN");
  Check wrong;
  wrong.option("amin", "Firm");
  CHECK_FALSE(wrong.program("BEGIN { trace(pid); }"));
  CHECK(wrong.tag() == "D_PRAGMA_OPTSET");
}
