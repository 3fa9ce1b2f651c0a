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

TEST_CASE("losses of series are shown once, and what came after that at the end", "[ledger]") {
  using Counts = std::vector<uint64_t>;
  HeldLosses held;
  const auto series = [](uint64_t count) { return std::vector{loss(Cause::kNotServed, count)}; };
  CHECK(counts(held.due({}, false)).empty());
  CHECK(counts(held.due(series(5), false)) == Counts{5});
  CHECK(counts(held.due(series(1), false)).empty());
  CHECK(counts(held.due({}, false)).empty());
  CHECK(counts(held.due(series(2), false)).empty());
  CHECK(counts(held.due(series(7), true)) == Counts{10});
}

TEST_CASE("losses of series that do not grow are shown once", "[ledger]") {
  HeldLosses held;
  CHECK(held.due(std::vector{loss(Cause::kNotServed, 5)}, false).size() == 1);
  CHECK(held.due({}, true).empty());
}

TEST_CASE("other losses are shown at once", "[ledger]") {
  HeldLosses held;
  const std::vector<Loss> both = {loss(Cause::kNotServed, 1), loss(Cause::kRingFull, 2)};
  CHECK(held.due(both, false).size() == 2);
  const std::vector<Loss> shown = held.due(both, false);
  REQUIRE(shown.size() == 1);
  CHECK(shown[0].cause == Cause::kRingFull);
}
