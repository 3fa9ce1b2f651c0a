// SPDX-License-Identifier: Apache-2.0
#include "base/progress.h"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

namespace dtrace {
namespace {

using Told = std::vector<std::pair<size_t, size_t>>;

TEST_CASE("progress: each step when the time has come, and the end") {
  Told told;
  const TellProgress tell = [&](size_t done, size_t total) { told.emplace_back(done, total); };
  {
    Progress progress(3, tell, std::chrono::nanoseconds(0));
    for (size_t i = 0; i < 3; i++) progress.at(i);
  }
  CHECK(told == Told{{0, 3}, {1, 3}, {2, 3}, {3, 3}});
}

TEST_CASE("progress: work that ends soon tells nothing") {
  Told told;
  const TellProgress tell = [&](size_t done, size_t total) { told.emplace_back(done, total); };
  {
    Progress progress(3, tell, std::chrono::hours(1));
    for (size_t i = 0; i < 3; i++) progress.at(i);
  }
  CHECK(told.empty());
  const TellProgress nobody;
  Progress(1, nobody, std::chrono::nanoseconds(0)).at(0);
}

}  // namespace
}  // namespace dtrace
