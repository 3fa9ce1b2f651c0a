// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/held_losses.h"

#include <catch2/catch.hpp>

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

Loss loss(Cause cause, uint64_t count) { return {cause, UINT32_MAX, UINT32_MAX, count, {}, 0}; }

std::vector<uint64_t> counts(const std::vector<Loss> &losses) {
  std::vector<uint64_t> all;
  for (const Loss &one : losses) all.push_back(one.count);
  return all;
}

}  // namespace

TEST_CASE("losses of series are shown once a minute, with all that came in between", "[ledger]") {
  using std::chrono::seconds;
  using Counts = std::vector<uint64_t>;
  HeldLosses held;
  const HeldLosses::Clock::time_point start{};
  const auto series = [](uint64_t count) { return std::vector{loss(Cause::kNotServed, count)}; };
  CHECK(counts(held.due(series(5), start, false)) == Counts{5});
  CHECK(counts(held.due(series(1), start + seconds(1), false)).empty());
  CHECK(counts(held.due(series(2), start + seconds(59), false)).empty());
  CHECK(counts(held.due({}, start + seconds(60), false)) == Counts{3});
  CHECK(counts(held.due({}, start + seconds(200), false)).empty());
  CHECK(counts(held.due(series(4), start + seconds(201), false)) == Counts{4});
  CHECK(counts(held.due(series(7), start + seconds(202), false)).empty());
  CHECK(counts(held.due({}, start + seconds(203), true)) == Counts{7});
}

TEST_CASE("other losses are shown at once", "[ledger]") {
  HeldLosses held;
  const HeldLosses::Clock::time_point start{};
  const std::vector<Loss> both = {loss(Cause::kNotServed, 1), loss(Cause::kRingFull, 2)};
  CHECK(held.due(both, start, false).size() == 2);
  const std::vector<Loss> shown = held.due(both, start, false);
  REQUIRE(shown.size() == 1);
  CHECK(shown[0].cause == Cause::kRingFull);
}
