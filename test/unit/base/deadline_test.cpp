// SPDX-License-Identifier: Apache-2.0
#include "base/deadline.h"

#include <catch2/catch.hpp>

namespace dtrace {

TEST_CASE("a point in time that the clock does not reach is the end of time") {
  using Point = std::chrono::steady_clock::time_point;
  using std::chrono::nanoseconds;
  const Point day = Point(std::chrono::hours(24));
  CHECK(after(day, nanoseconds(5)) == day + nanoseconds(5));
  CHECK(after(day, nanoseconds::max()) == Point::max());
  CHECK(after(day, nanoseconds::max() - std::chrono::hours(24)) == Point::max());
  CHECK(after(Point(), nanoseconds::max()) == Point::max());
}

}  // namespace dtrace
