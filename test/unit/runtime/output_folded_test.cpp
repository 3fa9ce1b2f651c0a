// SPDX-License-Identifier: Apache-2.0
// Format folded, over recorded items.
#include <catch2/catch.hpp>

#include "output_support.h"

using namespace dtrace;
using namespace dtrace::runtime;
using namespace dtrace::runtime::test;

namespace {
constexpr uint64_t negative(int64_t value) { return static_cast<uint64_t>(value); }
}  // namespace

TEST_CASE("keys, then the user's frames, then the kernel's, outermost first", "[folded]") {
  ShownRun run("folded");
  const uint32_t count = run.aggregation("_", Builtin::k_count, {"execname", "pid", "stack()", "ustack()"});
  run.show(count, {{{text("cat"), i32(-3), kernel({0x1010, 0x2010, 0}), user({0x410, 0x905})}, {3}}}, true);
  CHECK(run.finish() == "cat;-3;libc.so.6`0x905;a.out`main;module`caller_[k];module`function_[k] 3\n");
  CHECK(run.reports.empty());
}

TEST_CASE("stacks of the same functions are one line", "[folded]") {
  ShownRun run("folded");
  const uint32_t sum = run.aggregation("_", Builtin::k_sum, {"stack()"});
  run.show(sum, {{{kernel({0x1010})}, {3}}, {{kernel({0x1020})}, {4}}, {{kernel({0x9999})}, {1}}}, true);
  CHECK(run.finish() == "0x9999_[k] 1\nmodule`function_[k] 7\n");
}

TEST_CASE("a frame has no semicolon and no newline, and is never empty", "[folded]") {
  ShownRun run("folded");
  const uint32_t count = run.aggregation("_", Builtin::k_count, {"a", "b", "c", "stack()"});
  run.show(count,
           {{{text("x;y z"), text("1\n2"), text("\xff"), kernel({})}, {2}},
            {{text("b"), text(""), text(""), kernel({})}, {1}}},
           true);
  CHECK(run.finish() == "b;\"\";\"\";[no frames] 1\nx:y z;1\\0122;\xef\xbf\xbd;[no frames] 2\n");
}

TEST_CASE("inlined functions are frames, and so is the reason why a stack is cut", "[folded]") {
  ShownRun run("folded");
  const uint32_t count = run.aggregation("_", Builtin::k_count, {"ustack()"});
  run.show(count, {{{user({0x440}, 2)}, {1}}}, true);
  CHECK(run.finish() == "[cut: " + std::string(stack_end_text(2)) + "];a.out`main;a.out`helper 1\n");
}

TEST_CASE("values are those of the text; histograms have their number of values", "[folded]") {
  ShownRun run("folded");
  const uint32_t avg = run.aggregation("a", Builtin::k_avg, {"stack()"});
  const uint32_t quantize = run.aggregation("q", Builtin::k_quantize, {"stack()"});
  const uint32_t minimum = run.aggregation("m", Builtin::k_min, {"stack()"});
  std::vector<uint64_t> buckets(kQuantizeBuckets);
  buckets[63] = 2;
  buckets[70] = 5;
  run.show(avg, {{{kernel({0x1010})}, {2, 31}}}, true);
  run.show(quantize, {{{kernel({0x1010})}, buckets}}, true);
  run.show(minimum, {{{kernel({0x1010})}, {9, 1}}, {{kernel({0x2010})}, {0, 0}}}, true);  // cleared: no value
  CHECK(run.finish() == "@a;module`function_[k] 15\n@q;module`function_[k] 7\n@m;module`function_[k] 9\n");
}

TEST_CASE("normalized values are divided", "[folded]") {
  ShownRun run("folded");
  const uint32_t sum = run.aggregation("_", Builtin::k_sum, {"stack()"});
  run.show(sum, {{{kernel({0x1010})}, {35}}}, true, 10);
  CHECK(run.finish() == "module`function_[k] 3\n");
}

TEST_CASE("rows with stacks are counted, and what has none is reported", "[folded]") {
  ShownRun run("folded");
  run.action(0, Builtin::k_trace, {"pid"}, 1);
  run.action(0, Builtin::k_stack, {""}, 1);
  run.action(0, Builtin::k_ustack, {""}, 1);
  run.action(1, Builtin::k_trace, {"pid"}, 1);
  const uint32_t count = run.aggregation("c", Builtin::k_count, {"pid"});
  run.row(0, {i32(1), kernel({0x1010}), user({0x410})});
  run.row(0, {i32(2), kernel({0x1020}), user({0x420})});
  run.row(1, {i32(2)});
  run.row(2, {});
  run.show(count, {{{i32(1)}, {8}}}, true);
  CHECK(run.finish() == "a.out`main;module`function_[k] 2\n");
  REQUIRE(run.reports.size() == 1);
  CHECK(
      run.reports[0] ==
      "format folded shows stacks; left out: @c (not keyed by a stack), 1 row without a stack, 2 values beside stacks");
}

TEST_CASE("what is shown many times counts once, and what was cleared is added", "[folded]") {
  ShownRun run("folded");
  const uint32_t count = run.aggregation("_", Builtin::k_count, {"stack()"});
  run.show(count, {{{kernel({0x1010})}, {2}}}, false);
  run.show(count, {{{kernel({0x1010})}, {5}}, {{kernel({0x2010})}, {1}}}, false);
  run.clear(count);
  run.show(count, {{{kernel({0x1010})}, {3}}, {{kernel({0x2010})}, {0}}}, false);
  CHECK(run.finish() == "module`caller_[k] 1\nmodule`function_[k] 8\n");
}

TEST_CASE("values that no frame can have are left out and reported", "[folded]") {
  ShownRun run("folded");
  const uint32_t sum = run.aggregation("s", Builtin::k_sum, {"stack()"});
  run.show(sum, {{{kernel({0x1010})}, {negative(-4)}}, {{kernel({0x2010})}, {6}}}, true);
  CHECK(run.finish() == "module`caller_[k] 6\n");
  CHECK(run.reports == std::vector<std::string>{
                           "format folded: left out: 1 value of @s: negative: a frame cannot have a negative width"});
}

TEST_CASE("sums that leave 64 bits are left out", "[folded]") {
  ShownRun run("folded");
  const uint32_t sum = run.aggregation("s", Builtin::k_sum, {"stack()"});
  run.show(sum, {{{kernel({0x1010})}, {uint64_t{1} << 62}}, {{kernel({0x1020})}, {uint64_t{1} << 62}}}, true);
  CHECK(run.finish().empty());
  CHECK(run.reports.size() == 1);
}

TEST_CASE("a run without stacks gives nothing; freopen() is refused", "[folded]") {
  ShownRun run("folded");
  CHECK_FALSE(run.sink().redirect("other"));
  CHECK_FALSE(run.sink().truncate());
  CHECK(run.finish().empty());
  CHECK(run.reports.empty());
}
