// SPDX-License-Identifier: Apache-2.0
// Format csv, over recorded items.
#include <catch2/catch.hpp>

#include "output_support.h"

using namespace dtrace;
using namespace dtrace::runtime;
using namespace dtrace::runtime::test;

TEST_CASE("a header per clause, once", "[csv]") {
  ShownRun run("csv");
  run.action(0, Builtin::k_trace, {"pid"}, 1);
  run.action(0, Builtin::k_printf, {"execname"}, 1);
  run.action(1, Builtin::k_trace, {"arg0 \n + 1"}, 1);
  run.row(0, {i32(-7), text("a,b")});
  run.row(1, {u64(~uint64_t{0})});
  run.row(0, {i32(8), text("say \"hi\"\n")}, 6);
  CHECK(run.finish() ==
        "clause,time_ns,cpu,provider,module,function,name,pid,execname\r\n"
        "dt_clause_0,5,1,fbt,vmlinux,vfs_read,entry,-7,\"a,b\"\r\n"
        "clause,time_ns,cpu,provider,module,function,name,arg0 + 1\r\n"
        "dt_clause_1,5,1,fbt,vmlinux,vfs_read,entry,18446744073709551615\r\n"
        "dt_clause_0,6,1,fbt,vmlinux,vfs_read,entry,8,\"say \"\"hi\"\"\n\"\r\n");
}

TEST_CASE("a column per key, and a line per bucket", "[csv]") {
  ShownRun run("csv");
  const uint32_t sum = run.aggregation("s", Builtin::k_sum, {"execname", "stack()"});
  const uint32_t quantize = run.aggregation("_", Builtin::k_quantize, {"pid"});
  std::vector<uint64_t> buckets(kQuantizeBuckets);
  buckets[63] = 2;
  buckets[67] = 5;
  run.show(sum, {{{text(""), kernel({0x1010, 0x2010})}, {static_cast<uint64_t>(-2)}}}, true);
  run.show(quantize, {{{i32(4)}, buckets}}, true);
  CHECK(run.finish() ==
        "aggregation,execname,stack(),sum\r\n"
        "@s,,module`caller_[k];module`function_[k],-2\r\n"
        "aggregation,pid,least,greatest,count\r\n"
        "@,4,0,0,2\r\n"
        "@,4,8,15,5\r\n");
}

TEST_CASE("an action that was not taken is an empty field", "[csv]") {
  ShownRun run("csv");
  run.action(0, Builtin::k_trace, {"a"}, 1);
  run.action(0, Builtin::k_trace, {"b"}, 1);
  run.row(0, {i32(1)});
  CHECK(run.finish().ends_with("entry,1,\r\n"));
}

TEST_CASE("another file has headers of its own", "[csv]") {
  ShownRun run("csv");
  run.action(0, Builtin::k_trace, {"a"}, 1);
  run.row(0, {i32(1)});
  REQUIRE(run.sink().redirect("other"));
  run.row(0, {i32(2)});
  run.finish();
  CHECK(run.output.written("other").starts_with("clause,"));
}

TEST_CASE("text that spreadsheets would compute gets an apostrophe, and numbers stay numbers", "[csv]") {
  ShownRun run("csv");
  run.action(0, Builtin::k_trace, {"x"}, 1);
  run.action(0, Builtin::k_trace, {"y"}, 1);
  const uint32_t count = run.aggregation("c", Builtin::k_sum, {"execname"});
  const std::pair<std::string_view, std::string_view> cells[] = {{"=1+1", "'=1+1"},
                                                                 {"+1", "'+1"},
                                                                 {"-bash", "'-bash"},
                                                                 {"@SUM(A1)", "'@SUM(A1)"},
                                                                 {"\tx", "'\tx"},
                                                                 {"'=x", "''=x"},
                                                                 {"'x", "'x"},
                                                                 {"a=b", "a=b"},
                                                                 {"", ""},
                                                                 {"''", "''"},
                                                                 {"-a,b", "\"'-a,b\""},
                                                                 {"\rx", "\"'\rx\""},
                                                                 {"\n=x", "\"'\n=x\""}};
  std::string expected = "clause,time_ns,cpu,provider,module,function,name,x,y\r\n";
  for (const auto &[given, shown] : cells) {
    run.row(0, {i32(-7), text(given)});
    expected += fmt::format("dt_clause_0,5,1,fbt,vmlinux,vfs_read,entry,-7,{}\r\n", shown);
  }
  run.show(count, {{{text("=1")}, {static_cast<uint64_t>(-2)}}}, true);
  expected += "aggregation,execname,sum\r\n@c,'=1,-2\r\n";
  CHECK(run.finish() == expected);
}

TEST_CASE("csvformulas=keep leaves text as it is", "[csv]") {
  ShownRun run("csv");
  run.action(0, Builtin::k_trace, {"x"}, 1);
  run.options.set("csvformulas", "keep", OptionSource::kCommandLine);
  run.sink().refresh(run.options);
  run.row(0, {text("=1+1")});
  CHECK(run.finish().ends_with("entry,=1+1\r\n"));
}
