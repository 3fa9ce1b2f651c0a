// SPDX-License-Identifier: Apache-2.0
// Aggregations: definition, agreement of uses, parameters.
#include <catch2/catch.hpp>

#include "test/unit/frontend/check_fixture.h"

using namespace dtrace;
using namespace dtrace::test;

namespace {
struct Row {
  const char *text;
  const char *expected;
};
}  // namespace

TEST_CASE("agg: actions may come before the clause that aggregates", "[check]") {
  CHECK(tag_of("END { printa(@a); clear(@a); trunc(@b, 3); } BEGIN { @a[pid] = count(); @b = sum(1); }") == "");
  CHECK(tag_of("END { printa(\"%d %@d\", @a); } BEGIN { @a[pid] = count(); }") == "");
  CHECK(tag_of("END { printa(\"%s %@d\", @a); } BEGIN { @a[pid] = count(); }") == "D_PRINTF_ARG_TYPE");
  CHECK(tag_of("END /pid/ { printa(@a); } BEGIN { @a = count(); }") == "");
  CHECK(tag_of("END { printa(@a); printa(@c); } BEGIN { @a = count(); }") == "D_IDENT_UNDEF");
  CHECK(tag_of("END { printa(@a); trace((void)1); } BEGIN { @a = count(); }") == "D_TRACE_VOID");
}

TEST_CASE("agg: trees", "[check]") {
  Check c;
  REQUIRE(
      c.program("BEGIN { @ = count(); @a[pid, execname] = sum(arg0); @a[1, \"longer than sixteen bytes\"] = sum(-1);"
                " @q[stack(), sym(arg0)] = quantize((char)pid, 2); @l = lquantize(pid, -10, 100, 5);"
                " @ll = llquantize(pid, 10, 0, 6, 20, arg1); @p = max(curthread); }"));
  CHECK(c.dump() ==
        "aggregation @_ = count\n"
        "aggregation @a[pid_t, string(26)] = sum\n"
        "aggregation @q[dt_stack_t, _symaddr] = quantize\n"
        "aggregation @l = lquantize(-10, 100, 5)\n"
        "aggregation @ll = llquantize(10, 0, 6, 20)\n"
        "aggregation @p = max\n"
        "program \"test.d\" matched 1\n"
        "  clause :::BEGIN probes 1\n"
        "    attributes Stable/Private/Common of description Stable/Stable/Common\n"
        "    aggregate @_ = count\n"
        "    aggregate @a = sum\n"
        "      keys\n"
        "        builtin pid : pid_t\n"
        "        builtin execname : string(16)\n"
        "      value\n"
        "        builtin arg0 : int64_t\n"
        "    aggregate @a = sum\n"
        "      keys\n"
        "        int 1 : pid_t\n"
        "        string \"longer than sixteen bytes\" : string(26)\n"
        "      value\n"
        "        int -1 : long\n"
        "    aggregate @q = quantize\n"
        "      keys\n"
        "        stack frames 20 : dt_stack_t\n"
        "        sym : _symaddr\n"
        "          convert integer : uintptr_t\n"
        "            builtin arg0 : int64_t\n"
        "      value\n"
        "        convert integer : long\n"
        "          convert integer : char\n"
        "            builtin pid : pid_t\n"
        "      increment\n"
        "        int 2 : long\n"
        "    aggregate @l = lquantize\n"
        "      value\n"
        "        convert integer : long\n"
        "          builtin pid : pid_t\n"
        "    aggregate @ll = llquantize\n"
        "      value\n"
        "        convert integer : long\n"
        "          builtin pid : pid_t\n"
        "      increment\n"
        "        builtin arg1 : int64_t\n"
        "    aggregate @p = max\n"
        "      value\n"
        "        convert integer : long\n"
        "          builtin curthread : struct task_struct *\n");
  CHECK(c.unit.aggregations[2].key_samples.size() == 2);
}

TEST_CASE("agg: errors", "[check]") {
  const Row rows[] = {
      {"@a = count(); @a = sum(1);", "D_AGG_REDEF"},
      {"@a = 1;", "D_AGG_FUNC"},
      {"@a += 1;", "D_AGG_FUNC"},
      {"@a = strlen(\"a\");", "D_AGG_FUNC"},
      {"@a = trace(1);", "D_AGG_FUNC"},
      {"@a[1][2] = count();", "D_AGG_MDIM"},
      {"@a = count(); @a;", "D_AGG_NULL"},
      {"@a = sum(execname);", "D_AGG_SCALAR"},
      {"@a = sum(*curthread);", "D_AGG_SCALAR"},
      {"@a = count(1);", "D_PROTO_LEN"},
      {"@a = sum();", "D_PROTO_LEN"},
      {"@a = quantize(1, 2, 3);", "D_PROTO_LEN"},
      {"@a = quantize(1, execname);", "D_PROTO_ARG"},
      {"@a[1] = count(); @a = count();", "D_PROTO_LEN"},
      {"@a[1] = count(); @a[\"x\"] = count();", "D_PROTO_ARG"},
      {"@a[trace(1)] = count();", "D_KEY_TYPE"},
      {"@b = count(); @a[@b] = count();", "D_KEY_TYPE"},
      {"@a = lquantize(1, pid, 10);", "D_LQUANT_BASETYPE"},
      {"@a = lquantize(1, 4294967296, 10);", "D_LQUANT_BASEVAL"},
      {"@a = lquantize(1, 0, execname);", "D_LQUANT_LIMTYPE"},
      {"@a = lquantize(1, 0, 4294967296);", "D_LQUANT_LIMVAL"},
      {"@a = lquantize(1, 10, 0);", "D_LQUANT_MISMATCH"},
      {"@a = lquantize(1, 0, 10, pid);", "D_LQUANT_STEPTYPE"},
      {"@a = lquantize(1, 0, 10, 0);", "D_LQUANT_STEPTYPE"},
      {"@a = lquantize(1, 0, 10, 65536);", "D_LQUANT_STEPVAL"},
      {"@a = lquantize(1, 0, 10, 11);", "D_LQUANT_STEPLARGE"},
      {"@a = lquantize(1, 0, 65536);", "D_LQUANT_STEPSMALL"},
      {"@a = lquantize(1, 0, 10); @a = lquantize(1, 1, 10);", "D_LQUANT_MATCHBASE"},
      {"@a = lquantize(1, 0, 10); @a = lquantize(1, 0, 11);", "D_LQUANT_MATCHLIM"},
      {"@a = lquantize(1, 0, 10); @a = lquantize(1, 0, 10, 2);", "D_LQUANT_MATCHSTEP"},
      {"@a = lquantize(1, 0);", "D_PROTO_LEN"},
      {"@a = llquantize(1, pid, 0, 6, 20);", "D_LLQUANT_FACTORTYPE"},
      {"@a = llquantize(1, 65536, 0, 6, 20);", "D_LLQUANT_FACTORVAL"},
      {"@a = llquantize(1, 1, 0, 6, 20);", "D_LLQUANT_FACTORVAL"},
      {"@a = llquantize(1, 10, pid, 6, 20);", "D_LLQUANT_LMAGTYPE"},
      {"@a = llquantize(1, 10, -1, 6, 20);", "D_LLQUANT_LMAGVAL"},
      {"@a = llquantize(1, 10, 0, execname, 20);", "D_LLQUANT_HMAGTYPE"},
      {"@a = llquantize(1, 10, 0, 65536, 20);", "D_LLQUANT_HMAGVAL"},
      {"@a = llquantize(1, 10, 6, 5, 20);", "D_LLQUANT_HMAGVAL"},
      {"@a = llquantize(1, 10, 0, 20, 20);", "D_LLQUANT_HMAGVAL"},
      {"@a = llquantize(1, 10, 0, 6, pid);", "D_LLQUANT_STEPTYPE"},
      {"@a = llquantize(1, 10, 0, 6, 65536);", "D_LLQUANT_STEPVAL"},
      {"@a = llquantize(1, 10, 0, 6, 15);", "D_LLQUANT_STEPVAL"},
      {"@a = llquantize(1, 10, 0, 6, 0);", "D_LLQUANT_STEPVAL"},
      {"@a = llquantize(1, 10, 2, 6, 80);", "D_LLQUANT_STEPVAL"},
      {"@a = llquantize(1, 10, 2, 6, 40);", "D_LLQUANT_STEPVAL"},
      {"@a = llquantize(1, 10, 0, 6, 20); @a = llquantize(1, 5, 0, 6, 5);", "D_LLQUANT_MATCHFACTOR"},
      {"@a = llquantize(1, 10, 0, 6, 20); @a = llquantize(1, 10, 1, 6, 20);", "D_LLQUANT_MATCHLMAG"},
      {"@a = llquantize(1, 10, 0, 6, 20); @a = llquantize(1, 10, 0, 5, 20);", "D_LLQUANT_MATCHHMAG"},
      {"@a = llquantize(1, 10, 0, 6, 20); @a = llquantize(1, 10, 0, 6, 10);", "D_LLQUANT_MATCHSTEPS"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(tag_in(row.text) == row.expected);
  }
  CHECK(message_of("BEGIN { @a = count(); }\nEND { @a = sum(1); }") ==
        "aggregation redefined: @a\n\t current: @a = sum( )\n\tprevious: @a = count( ) : line 1");
  CHECK(message_in("@a[1] = count(); @a = count();") == "@a[ ] prototype mismatch: 0 keys passed, 1 expected");
}

TEST_CASE("agg: parameters that are right", "[check]") {
  for (const char *text :
       {"@a = llquantize(1, 10, 0, 6, 5);", "@a = llquantize(1, 2, 0, 61, 2);", "@a = llquantize(1, 10, 0, 4, 10);",
        "@a = llquantize(1, 10, 3, 3, 100);", "@a = lquantize(1, 0, 65535);", "@a = lquantize(1, -5, 5, 1, 3);"}) {
    CAPTURE(text);
    CHECK(message_in(text) == "");
  }
}
