// SPDX-License-Identifier: Apache-2.0
#include "base/number_table.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>

namespace dtrace {
namespace {

TEST_CASE("what was put there is found, and nothing else", "[number_table]") {
  NumberTable<std::string> table;
  CHECK(table.find(0) == nullptr);
  for (uint32_t number : {0u, 1u, 63u, 64u, 100000u, UINT32_MAX}) {
    const auto [value, is_new] = table.try_emplace(number, std::to_string(number));
    CHECK(is_new);
    CHECK(*value == std::to_string(number));
  }
  CHECK_FALSE(table.contains(2));
  CHECK_FALSE(table.contains(65));
  CHECK_FALSE(table.contains(UINT32_MAX - 1));
  REQUIRE(table.contains(64));
  CHECK(*table.find(64) == "64");
  CHECK(*table.find(UINT32_MAX) == "4294967295");
  CHECK(*table.find(0) == "0");
}

TEST_CASE("what is there stays, and stays where it is", "[number_table]") {
  NumberTable<std::string> table;
  const std::string *first = table.try_emplace(7, "first").first;
  for (uint32_t number = 0; number < 10000; number++) table.try_emplace(number, "later");
  CHECK(table.find(7) == first);
  CHECK(*first == "first");
  CHECK_FALSE(table.try_emplace(7, "last").second);
}

TEST_CASE("each value is come by once", "[number_table]") {
  NumberTable<int> table;
  for (uint32_t number : {3u, 500u, 4u}) table.try_emplace(number, static_cast<int>(number));
  std::multiset<std::pair<uint32_t, int>> seen;
  table.for_each([&](uint32_t number, int value) { seen.emplace(number, value); });
  CHECK(seen == std::multiset<std::pair<uint32_t, int>>{{3, 3}, {4, 4}, {500, 500}});
}

}  // namespace
}  // namespace dtrace
