// SPDX-License-Identifier: Apache-2.0
// Rows of -l, blocks of -v, stability reports.
#include "runtime/print/list.h"

#include <catch2/catch.hpp>

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

const Probe kBegin{ProbeId{1}, "dtrace", "", "", "BEGIN"};
constexpr Attributes kPrivate{Stability::kPrivate, Stability::kPrivate, DependencyClass::kUnknown};
constexpr Attributes kEvolving{Stability::kEvolving, Stability::kEvolving, DependencyClass::kIsa};

constexpr std::string_view kDetails =
    "\n"
    "\tProbe Description Attributes\n"
    "\t\tIdentifier Names: Private\n"
    "\t\tData Semantics:   Private\n"
    "\t\tDependency Class: Unknown\n"
    "\n"
    "\tArgument Attributes\n"
    "\t\tIdentifier Names: Evolving\n"
    "\t\tData Semantics:   Evolving\n"
    "\t\tDependency Class: ISA\n"
    "\n"
    "\tArgument Types\n";

}  // namespace

TEST_CASE("the heading and rows of -l") {
  std::string out;
  append_list_header(out);
  append_list_row(out, kBegin, kBegin.function);
  append_list_row(out, {ProbeId{123456}, "syscall", "vmlinux", "read", "entry"}, "read");
  append_list_row(out, {ProbeId{7}, "a_long_provider", "m", "_Z1fv", "n"}, std::string(34, 'f'));
  CHECK(out ==
        "   ID   PROVIDER            MODULE                          FUNCTION NAME\n"
        "    1     dtrace                                                     BEGIN\n"
        "123456    syscall           vmlinux                              read entry\n"
        "    7 a_long_provider                 m " +
            std::string(34, 'f') + " n\n");
}

TEST_CASE("the block of -lv with arguments") {
  const std::string types[] = {"int", "char *", ""};
  std::string out;
  append_probe_details(out, {kPrivate, kEvolving, types});
  CHECK(out == std::string(kDetails) + "\t\targs[0]: int\n\t\targs[1]: char *\n\t\targs[2]: (unknown)\n\n");
}

TEST_CASE("the block of -lv without arguments") {
  std::string out;
  append_probe_details(out, {kPrivate, kEvolving, {}});
  CHECK(out == std::string(kDetails) + "\t\tNone\n\n");
}

TEST_CASE("the stability report of a program") {
  std::string out;
  append_stability_report(out, "description", "BEGIN", {}, kEvolving);
  CHECK(out ==
        "\nStability attributes for description BEGIN:\n"
        "\n"
        "\tMinimum Probe Description Attributes\n"
        "\t\tIdentifier Names: Stable\n"
        "\t\tData Semantics:   Stable\n"
        "\t\tDependency Class: Common\n"
        "\n"
        "\tMinimum Statement Attributes\n"
        "\t\tIdentifier Names: Evolving\n"
        "\t\tData Semantics:   Evolving\n"
        "\t\tDependency Class: ISA\n");
}
