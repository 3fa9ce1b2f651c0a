// SPDX-License-Identifier: Apache-2.0
// Who gives way when memory ends: caches first, in their order, and then the one that asks.
#include "base/memory_budget.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

using namespace dtrace;

namespace {

/// A cache of so many bytes that belong to a total of memory that is left.
struct Cache {
  uint64_t bytes;
  uint64_t &left;
  std::string &order;
  char name;
  uint64_t operator()(uint64_t wanted) {
    const uint64_t given = std::min(wanted, bytes);
    if (given != 0) order += name;
    bytes -= given;
    left += given;
    return given;
  }
};

}  // namespace

TEST_CASE("budget: what fits is admitted, and caches stay") {
  uint64_t left = 1000;
  std::string order;
  Cache cache{500, left, order, 'a'};
  MemoryBudget budget([&] { return left; });
  budget.add_cache([&](uint64_t wanted) { return cache(wanted); });
  CHECK(budget.admits(600, 400));
  CHECK(order.empty());
}

TEST_CASE("budget: caches give way in their order, no more than is missing") {
  uint64_t left = 100;
  std::string order;
  Cache first{50, left, order, 'a'}, second{500, left, order, 'b'}, third{500, left, order, 'c'};
  MemoryBudget budget([&] { return left; });
  for (Cache *cache : {&first, &second, &third})
    budget.add_cache([cache](uint64_t wanted) { return (*cache)(wanted); });
  CHECK(budget.admits(200, 100));
  CHECK(order == "ab");
  CHECK(second.bytes == 350);
  CHECK_FALSE(budget.admits(5000, 0));
  CHECK(order == "abbc");
  CHECK(third.bytes == 0);
}

TEST_CASE("budget: sums do not wrap around") {
  MemoryBudget budget([] { return UINT64_MAX - 1; });
  CHECK_FALSE(budget.admits(UINT64_MAX, 2));
}
