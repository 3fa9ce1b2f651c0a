// SPDX-License-Identifier: Apache-2.0
#include "base/restarts.h"

#include <catch2/catch.hpp>

namespace dtrace {
namespace {

using std::chrono::milliseconds;

TEST_CASE("restarts: some, with pauses that double") {
  Restarts restarts;
  const Restarts::Clock::time_point now{};
  milliseconds pause = Restarts::kFirstPause;
  for (unsigned i = 1; i <= Restarts::kMax; ++i, pause *= 2) {
    CHECK(restarts.next(now + i * milliseconds(1000)) == pause);
    CHECK(restarts.count() == i);
  }
  CHECK_FALSE(restarts.next(now + milliseconds(8000)));
}

TEST_CASE("restarts: begin again for a process that has run for long") {
  Restarts restarts;
  const Restarts::Clock::time_point now{};
  for (unsigned i = 0; i < Restarts::kMax; ++i) (void)restarts.next(now);
  CHECK_FALSE(restarts.next(now));
  CHECK(restarts.next(now + Restarts::kForgotten + milliseconds(1)) == Restarts::kFirstPause);
}

}  // namespace
}  // namespace dtrace
