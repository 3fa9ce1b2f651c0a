// SPDX-License-Identifier: Apache-2.0
// Headers, prefixes and flow indentation.
#include "runtime/print/row.h"

#include <catch2/catch.hpp>

#include "test/unit/runtime/print_support.h"

using namespace dtrace;
using namespace dtrace::runtime;
using dtrace::runtime::test::padded;

namespace {

RowSite site(uint32_t probe, uint32_t clause, std::string_view function, std::string_view name,
             std::string_view provider = "fbt", unsigned cpu = 0) {
  return {cpu, probe, clause, provider, function, name};
}

/// Prefixes of rows in sequence, each knowing its successor, the blanks at the end cut.
std::vector<std::string> flow(const std::vector<RowSite> &sites) {
  RowPrinter rows;
  rows.set_flowindent(true);
  rows.set_quiet(true);
  std::vector<std::string> prefixes;
  for (size_t i = 0; i < sites.size(); i++) {
    std::string out;
    rows.begin(out, sites[i], i + 1 < sites.size() ? &sites[i + 1] : nullptr);
    rows.end(out);
    if (i == 0) out.erase(0, out.find('\n') + 1);
    out.erase(out.find_last_not_of(' ') + 1);
    prefixes.push_back(out);
  }
  return prefixes;
}

}  // namespace

TEST_CASE("normal rows have a header once") {
  RowPrinter rows;
  std::string out;
  rows.begin(out, site(1, 0, "", "BEGIN"));
  rows.end(out);
  rows.begin(out, {3, 123456, 1, "syscall", "read", "entry"});
  rows.end(out);
  CHECK(out ==
        "CPU     ID                    FUNCTION:NAME\n"
        "  0      1                           :BEGIN \n"
        "  3 123456                       read:entry \n");
}

TEST_CASE("wide names are not cut") {
  RowPrinter rows;
  std::string out;
  const std::string function(40, 'f');
  rows.begin(out, {1234, 12345678, 0, "fbt", function, "entry"});
  out.erase(0, out.find('\n') + 1);
  CHECK(out == "1234 12345678 " + function + ":entry ");
}

TEST_CASE("quiet rows have nothing around them") {
  RowPrinter rows;
  rows.set_quiet(true);
  std::string out;
  rows.begin(out, site(1, 0, "", "BEGIN"));
  out += "x";
  rows.end(out);
  CHECK(out == "x");
}

TEST_CASE("a header that quiet suppressed comes with the first loud row") {
  RowPrinter rows;
  rows.set_quiet(true);
  std::string out;
  rows.begin(out, site(1, 0, "", "BEGIN"));
  rows.set_quiet(false);
  rows.begin(out, site(1, 0, "", "BEGIN"));
  CHECK(out.starts_with("CPU     ID "));
}

TEST_CASE("flowindent's header and columns, also when quiet") {
  RowPrinter rows;
  rows.set_flowindent(true);
  std::string out;
  rows.begin(out, site(1, 0, "vfs_read", "entry"));
  rows.end(out);
  CHECK(out == "CPU " + padded("FUNCTION", 41) + "\n" + "  0 " + padded(" -> vfs_read", 41) + " \n");

  RowPrinter quiet_rows;
  quiet_rows.set_flowindent(true);
  quiet_rows.set_quiet(true);
  std::string quiet_out;
  quiet_rows.begin(quiet_out, site(1, 0, "vfs_read", "entry"));
  quiet_rows.end(quiet_out);
  CHECK(quiet_out == "CPU " + padded("FUNCTION", 41) + "\n" + "  0 " + padded(" -> vfs_read", 41) + " ");
}

TEST_CASE("the reference's flow") {
  CHECK(flow({site(1, 0, "vfs_read", "entry"), site(2, 0, "rw_verify_area", "entry"),
              site(3, 0, "rw_verify_area", "return"), site(4, 0, "do_x", "probe-1", "pid1"),
              site(5, 0, "vfs_read", "return")}) == std::vector<std::string>{
                                                        "  0  -> vfs_read",
                                                        "  0    -> rw_verify_area",
                                                        "  0    <- rw_verify_area",
                                                        "  0   | do_x:probe-1",
                                                        "  0  <- vfs_read",
                                                    });
}

TEST_CASE("system calls have double arrows; names ending in -entry and -return count") {
  CHECK(flow({site(1, 0, "read", "entry", "syscall"), site(2, 0, "read", "return", "syscall"),
              site(3, 0, "method", "method-entry", "hotspot"), site(4, 0, "method", "method-return", "hotspot"),
              site(5, 0, "x", "reentry", "hotspot")}) == std::vector<std::string>{
                                                             "  0  => read",
                                                             "  0  <= read",
                                                             "  0  -> method",
                                                             "  0  <- method",
                                                             "  0 | x:reentry",
                                                         });
}

TEST_CASE("of several clauses only the first entry and the last return step") {
  CHECK(flow({site(1, 0, "f", "entry"), site(1, 1, "f", "entry"), site(2, 2, "f", "return"), site(2, 3, "f", "return"),
              site(3, 4, "g", "entry")}) == std::vector<std::string>{
                                                "  0  -> f",
                                                "  0   | f:entry",
                                                "  0   | f:return",
                                                "  0  <- f",
                                                "  0  -> g",
                                            });
}

TEST_CASE("the same clause again is recursion, not a second clause") {
  CHECK(flow({site(1, 0, "f", "entry"), site(1, 0, "f", "entry"), site(2, 1, "f", "return"),
              site(2, 1, "f", "return")}) == std::vector<std::string>{
                                                 "  0  -> f",
                                                 "  0    -> f",
                                                 "  0    <- f",
                                                 "  0  <- f",
                                             });
}

TEST_CASE("indentation is per CPU and never negative") {
  CHECK(flow({site(1, 0, "f", "return", "fbt", 1), site(2, 1, "g", "entry", "fbt", 1),
              site(3, 2, "h", "entry", "fbt", 0), site(4, 3, "i", "entry", "fbt", 1)}) == std::vector<std::string>{
                                                                                              "  1  <- f",
                                                                                              "  1  -> g",
                                                                                              "  0  -> h",
                                                                                              "  1    -> i",
                                                                                          });
}

TEST_CASE("a step can be taken without printing") {
  RowPrinter rows;
  const FlowStep in = rows.take_step({0, 1, 0, "fbt", "f", "entry"}, nullptr);
  const FlowStep between = rows.take_step({0, 3, 0, "sdt", "g", "x"}, nullptr);
  const FlowStep out = rows.take_step({0, 2, 0, "fbt", "f", "return"}, nullptr);
  CHECK(in.kind == FlowStep::Kind::kEntry);
  CHECK(in.indent == 0);
  CHECK(in.prefix == " -> ");
  CHECK(between.kind == FlowStep::Kind::kNone);
  CHECK(between.indent == 2);
  CHECK(between.prefix == "| ");
  CHECK(out.kind == FlowStep::Kind::kReturn);
  CHECK(out.indent == 0);
}

TEST_CASE("plain rows have neither CPU nor probe number") {
  RowPrinter rows;
  rows.set_plain(true);
  std::string out;
  rows.begin(out, site(17, 1, "open", "entry"));
  rows.end(out);
  CHECK(out == std::string(19, ' ') + "FUNCTION:NAME\n" + std::string(22, ' ') + "open:entry \n");

  RowPrinter flow;
  flow.set_plain(true);
  flow.set_flowindent(true);
  out.clear();
  flow.begin(out, site(17, 1, "open", "entry"));
  flow.end(out);
  CHECK(out == padded("FUNCTION", 41) + "\n" + padded(" -> open", 42) + "\n");
}
