// SPDX-License-Identifier: Apache-2.0
// How large buffers and tables are made, without a kernel. Source: the command line reference, options bufsize,
// aggsize, dynvarsize and bufresize.
#include "runtime/load/sizes.h"

#include <catch2/catch.hpp>

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

constexpr uint64_t kMiB = 1 << 20;

Room roomy() { return {2, 2, 8192 * kMiB, 4096}; }

Options with(std::string_view name, std::string_view value) {
  Options options;
  REQUIRE(options.set(name, value, OptionSource::kCommandLine) == OptionError::kNone);
  return options;
}

Plan recording(uint64_t longest, bool often) {
  Plan plan;
  plan.longest_record = longest;
  plan.records_often = often;
  return plan;
}

AggregationPlan keyed(uint32_t key_bytes, uint32_t value_words) {
  AggregationPlan aggregation;
  aggregation.key_bytes = key_bytes;
  aggregation.value_words = value_words;
  return aggregation;
}

Plan aggregating(size_t count) {
  Plan plan;
  for (size_t i = 0; i < count; ++i) plan.aggregations.push_back(keyed(8, 1));
  return plan;
}

}  // namespace

TEST_CASE("sizes: rings are as large as asked, and a power of two", "[sizes]") {
  const Result<BufferSizes> sizes = buffer_sizes(recording(64, true), with("bufsize", "3m"), roomy());
  REQUIRE(sizes);
  CHECK(sizes->asked == 4 * kMiB);
  CHECK(sizes->most == 4 * kMiB);
  CHECK(sizes->rings == 4 * kMiB);
}

TEST_CASE("sizes: what records seldom gets small rings", "[sizes]") {
  const Result<BufferSizes> seldom = buffer_sizes(recording(64, false), with("bufsize", "4m"), roomy());
  REQUIRE(seldom);
  CHECK(seldom->rings == 64 * 1024);
  CHECK(seldom->most == 4 * kMiB);
  // But a record fits.
  const Result<BufferSizes> wide = buffer_sizes(recording(100'000, false), with("bufsize", "4m"), roomy());
  REQUIRE(wide);
  CHECK(wide->rings == 128 * 1024);
}

TEST_CASE("sizes: the one ring has room for all that may record at once", "[sizes]") {
  Plan plan = recording(64, false);
  plan.one_ring = true;
  const auto rings = [&](const Room &room) { return buffer_sizes(plan, with("bufsize", "4m"), room)->rings; };
  CHECK(rings(roomy()) == 64 * 1024);
  for (int clocks = 0; clocks < 3; ++clocks) plan.programs.emplace_back().hook.target = PerfClockHook{1'000'000, 0};
  CHECK(rings(roomy()) == 2 * 64 * 1024);  // of two CPUs
  CHECK(rings({8, 8, 8192 * kMiB, 4096}) == 4 * 64 * 1024);
}

TEST_CASE("sizes: a record that does not fit is refused, unless nobody set the size", "[sizes]") {
  const Result<BufferSizes> refused = buffer_sizes(recording(5000, true), with("bufsize", "4k"), roomy());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text() == "Enabling exceeds size of buffer (a record has 5008 bytes, the buffer 4096)");
  const Result<BufferSizes> grown = buffer_sizes(recording(16 * kMiB, true), Options(), roomy());
  REQUIRE(grown);
  CHECK(grown->most == 32 * kMiB);
  Plan at_end = recording(8, true);
  at_end.end_bytes = 4096;
  const Result<BufferSizes> too_much = buffer_sizes(at_end, with("bufsize", "4k"), roomy());
  REQUIRE_FALSE(too_much);
  CHECK(too_much.error().text() == "END enablings exceed size of principal buffer (4096 bytes of 4096)");
}

TEST_CASE("sizes: rings of all CPUs take an eighth of the memory at most", "[sizes]") {
  Room small = roomy();
  small.memory_bytes = 64 * kMiB;
  const Result<BufferSizes> less = buffer_sizes(recording(64, true), with("bufsize", "16m"), small);
  REQUIRE(less);
  CHECK(less->most == 4 * kMiB);  // 64 / 8 / 2 CPUs
  CHECK(less->asked == 16 * kMiB);
  Options manual = with("bufsize", "16m");
  manual.set("bufresize", "manual", OptionSource::kCommandLine);
  const Result<BufferSizes> refused = buffer_sizes(recording(64, true), manual, small);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text() == "Not enough space");
}

TEST_CASE("sizes: tables by option aggsize, larger if nobody set it", "[sizes]") {
  const Plan plan = aggregating(1);
  const uint32_t asked = first_table_entries(plan, plan.aggregations[0], with("aggsize", "64k"), roomy());
  CHECK(asked == 64 * 1024 / (8 + 8 + 48));
  CHECK(next_table_entries(asked, plan, plan.aggregations[0], with("aggsize", "64k"), roomy()) == asked);
  const Options defaults;
  const uint32_t first = first_table_entries(plan, plan.aggregations[0], defaults, roomy());
  CHECK(first == defaults.number(Opt::aggsize) / 64 * 4);
  CHECK(next_table_entries(first, plan, plan.aggregations[0], defaults, roomy()) == first * 8);
  CHECK(next_table_entries(1 << 20, plan, plan.aggregations[0], defaults, roomy()) == 1 << 20);
  Room many = roomy();
  many.nr_possible = 64;
  CHECK(first_table_entries(plan, plan.aggregations[0], defaults, many) == first / 4);
}

TEST_CASE("sizes: many aggregations share, and little memory is shared by all", "[sizes]") {
  const Options defaults;
  const Plan one = aggregating(1), many = aggregating(64);
  const uint32_t alone = first_table_entries(one, one.aggregations[0], defaults, roomy());
  CHECK(first_table_entries(many, many.aggregations[0], defaults, roomy()) == alone / 16);
  CHECK(first_table_entries(many, many.aggregations[0], with("aggsize", "64k"), roomy()) == 64 * 1024 / 64);
  const Plan thirty = aggregating(30);  // a seventh each, down to what fills the kernel's directory
  CHECK(first_table_entries(thirty, thirty.aggregations[0], defaults, roomy()) == alone / 8);
  Room small = roomy();
  small.memory_bytes = kMiB;
  // A quarter of it, for two banks of each CPU, 64 bytes an element.
  CHECK(first_table_entries(one, one.aggregations[0], defaults, small) == kMiB / 4 / 4 / 64);
  CHECK(next_table_entries(1024, one, one.aggregations[0], defaults, small) == 1024);
  small.memory_bytes = 0;
  CHECK(first_table_entries(one, one.aggregations[0], defaults, small) == kSmallestTable);
}

TEST_CASE("sizes: associative arrays that share a map have the room that each would have", "[sizes]") {
  VariablePlan variable;
  variable.key_bytes = 8;
  variable.size_bytes = 8;
  const Options options = with("dynvarsize", "64k");
  CHECK(array_elements(variable, 1, options) == 1024);
  CHECK(array_elements(variable, 3, options) == 3072);
  CHECK(array_elements(variable, 1, with("dynvarsize", "1")) == kSmallestTable);
}

TEST_CASE("sizes: rules of user stacks take a share of the memory", "[sizes]") {
  constexpr uint32_t kBlocksOfMiB = 16;
  Room room = roomy();
  const PoolBlocks whole = unwind_pool_blocks(Options(), room);
  CHECK(whole.asked == 16 * kBlocksOfMiB);
  CHECK(whole.most == whole.asked);
  room.memory_bytes = 40 * kMiB;
  const PoolBlocks lowered = unwind_pool_blocks(Options(), room);
  CHECK(lowered.asked == 16 * kBlocksOfMiB);
  CHECK(lowered.most == 5 * kBlocksOfMiB);
  room.memory_bytes = 0;
  CHECK(unwind_pool_blocks(Options(), room).most == kBlocksOfMiB / 2);
}
