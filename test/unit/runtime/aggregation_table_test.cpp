// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/aggregation_table.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstring>

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

std::array<std::byte, 4> key(uint32_t n) {
  std::array<std::byte, 4> bytes;
  std::memcpy(bytes.data(), &n, sizeof n);
  return bytes;
}

void add(AggregationTable &table, uint32_t k, std::vector<uint64_t> words, unsigned cpu = 0) {
  table.add(key(k), words, cpu);
}

}  // namespace

TEST_CASE("partial results merge by key", "[aggregation]") {
  AggregationTable table(Builtin::k_sum, 4, 1, 2, true);
  add(table, 7, {5}, 0);
  add(table, 9, {1}, 1);
  add(table, 7, {static_cast<uint64_t>(-8)}, 1);
  REQUIRE(table.size() == 2);
  CHECK(static_cast<int64_t>(table.words(0)[0]) == -3);
  CHECK(table.cpu_words(0, 0)[0] == 5);
  CHECK(static_cast<int64_t>(table.cpu_words(0, 1)[0]) == -8);
  CHECK(table.words(1)[0] == 1);
}

TEST_CASE("keys are told apart by each of their bytes", "[aggregation]") {
  AggregationTable table(Builtin::k_count, 4, 1, 1, false);
  for (unsigned byte = 0; byte < 4; ++byte) {
    add(table, 7, {1});
    add(table, 7 ^ 1u << (8 * byte), {1});
  }
  // Many: keys that differ in the last byte only meet in one slot of the table, however it is hashed.
  for (uint32_t last = 1; last < 256; ++last) add(table, 7 | last << 24, {1});
  CHECK(table.size() == 5 - 1 + 255);
  CHECK(table.words(0)[0] == 4);
}

TEST_CASE("one entry alone becomes zero", "[aggregation]") {
  AggregationTable table(Builtin::k_avg, 4, 2, 2, true);
  add(table, 1, {2, 10}, 0);
  add(table, 2, {3, 20}, 1);
  table.zero(0);
  REQUIRE(table.size() == 2);
  CHECK(table.words(0)[0] == 0);
  CHECK(table.words(0)[1] == 0);
  CHECK(table.cpu_words(0, 0)[1] == 0);
  CHECK(table.words(1)[1] == 20);
  CHECK(table.cpu_words(1, 1)[0] == 3);
}

TEST_CASE("extremes keep what has a value", "[aggregation]") {
  std::vector<uint64_t> into{0, 0};
  merge_words(Builtin::k_min, into, std::vector<uint64_t>{static_cast<uint64_t>(-4), 1});
  CHECK(static_cast<int64_t>(into[0]) == -4);
  merge_words(Builtin::k_min, into, std::vector<uint64_t>{3, 2});
  CHECK(static_cast<int64_t>(into[0]) == -4);
  CHECK(into[1] == 3);
  merge_words(Builtin::k_min, into, std::vector<uint64_t>{static_cast<uint64_t>(-9), 0});  // no value
  CHECK(static_cast<int64_t>(into[0]) == -4);
  merge_words(Builtin::k_max, into, std::vector<uint64_t>{3, 2});
  CHECK(static_cast<int64_t>(into[0]) == 3);
}

TEST_CASE("squares carry into the high word", "[aggregation]") {
  std::vector<uint64_t> into{1, 10, UINT64_MAX, 0};
  merge_words(Builtin::k_stddev, into, std::vector<uint64_t>{1, 20, 2, 5});
  CHECK(into == std::vector<uint64_t>{2, 30, 1, 6});
}

TEST_CASE("a hundred thousand keys keep their own values; trunc keeps what is asked", "[aggregation]") {
  AggregationTable table(Builtin::k_count, 4, 1, 1, false);
  for (uint32_t i = 0; i < 100'000; ++i) add(table, i, {1});
  for (uint32_t i = 0; i < 100'000; ++i) add(table, i, {i});
  REQUIRE(table.size() == 100'000);
  for (uint32_t i = 0; i < 100'000; i += 997) CHECK(table.words(i)[0] == i + 1);
  table.retain(std::vector<uint32_t>{5, 99'999});
  REQUIRE(table.size() == 2);
  CHECK(table.words(1)[0] == 100'000);
  add(table, 99'999, {1});
  CHECK(table.words(1)[0] == 100'001);
  table.zero();
  CHECK(table.size() == 2);
  CHECK(table.words(0)[0] == 0);
}

TEST_CASE("without memory new keys are refused, and those that are there are counted", "[aggregation]") {
  uint64_t left = uint64_t{1} << 30;
  MemoryBudget budget([&left] { return left; });
  AggregationTable table(Builtin::k_count, 800, 1, 1, false, &budget);
  std::array<std::byte, 800> wide{};
  const auto add_wide = [&](uint32_t k) {
    std::memcpy(wide.data(), &k, sizeof k);
    return table.add(wide, std::vector<uint64_t>{1}, 0);
  };
  for (uint32_t i = 0; i < 10'000; ++i) REQUIRE(add_wide(i));
  left = 0;
  uint32_t taken = 10'000;
  while (taken < 20'000 && add_wide(taken)) ++taken;
  CHECK(taken < 11'000);  // the budget is asked again soon
  CHECK_FALSE(add_wide(30'000));
  CHECK(add_wide(5));
  CHECK(table.words(5)[0] == 2);
  // What is left again serves again, and is asked for now and then.
  left = uint64_t{1} << 30;
  uint32_t refused = 0;
  while (refused < 100'000 && !add_wide(40'000)) ++refused;
  CHECK(refused < 10'000);
}

TEST_CASE("entries that are kept move to the front with their keys and the CPUs' shares", "[aggregation]") {
  AggregationTable table(Builtin::k_sum, 12, 1, 2, true);
  std::array<std::byte, 12> wide{};
  for (uint32_t i = 0; i < 5000; ++i) {
    std::memcpy(wide.data() + 8, &i, sizeof i);
    table.add(wide, std::vector<uint64_t>{i}, i % 2);
  }
  table.retain(std::vector<uint32_t>{4999, 3, 2048});
  REQUIRE(table.size() == 3);
  CHECK(table.words(0)[0] == 3);
  CHECK(table.cpu_words(1, 0)[0] == 2048);
  CHECK(table.cpu_words(2, 1)[0] == 4999);
  for (uint32_t i = 0; i < 5000; ++i) {
    std::memcpy(wide.data() + 8, &i, sizeof i);
    table.add(wide, std::vector<uint64_t>{1}, 0);
  }
  CHECK(table.size() == 5000);
  CHECK(table.words(0)[0] == 4);
  CHECK(table.words(3)[0] == 1);
}
