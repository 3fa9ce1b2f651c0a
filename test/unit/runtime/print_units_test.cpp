// SPDX-License-Identifier: Apache-2.0
// Values of pictures with the units that an aggregation measures.
#include "runtime/print/units.h"

#include <catch2/catch.hpp>

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

constexpr Quantity kTime{Quantity::Kind::kTime, 1};
constexpr Quantity kMicroseconds{Quantity::Kind::kTime, 1000};
constexpr Quantity kBytes{Quantity::Kind::kBytes, 1};

}  // namespace

TEST_CASE("a quantity is shown in three digits, with its unit", "[print]") {
  CHECK(quantity_text(0, kTime) == "0 ns");
  CHECK(quantity_text(999, kTime) == "999 ns");
  CHECK(quantity_text(16'000, kTime) == "16.0 µs");
  CHECK(quantity_text(1'070'000'000, kTime) == "1.07 s");
  CHECK(quantity_text(-1'070'000'000, kTime) == "-1.07 s");
  CHECK(quantity_text(90'000'000'000, kTime) == "90.0 s");
  CHECK(quantity_text(16, kMicroseconds) == "16.0 µs");
  CHECK(quantity_text(563'085'312, kBytes) == "537 MiB");
  CHECK(quantity_text(1024, kBytes) == "1.00 KiB");
  CHECK(quantity_text(512, kBytes) == "512 B");
  CHECK(quantity_text(1234567, {}) == "1234567");
  CHECK(quantity_text(1234567, {Quantity::Kind::kSamples, 1}) == "1234567");
}

TEST_CASE("the number that ends a label gets the unit", "[print]") {
  CHECK(with_unit("1048576", kTime) == "1.05 ms");
  CHECK(with_unit("< 1000", kTime) == "< 1.00 µs");
  CHECK(with_unit(">= 4096", kBytes) == ">= 4.00 KiB");
  CHECK(with_unit("-8", kTime) == "-8 ns");
  CHECK(with_unit("-", kTime) == "-");
  CHECK(with_unit("", kTime).empty());
  CHECK(with_unit("1048576", {}) == "1048576");
  CHECK(with_unit("99999999999999999999", kTime) == "99999999999999999999");
}

TEST_CASE("what is normalised is of larger units", "[print]") {
  CHECK(normalised(kTime, 1000) == kMicroseconds);
  CHECK(normalised(kTime, 0) == kTime);
  CHECK(normalised(kTime, 1) == kTime);
  CHECK(normalised(kMicroseconds, INT64_MAX) == Quantity());
  CHECK(normalised(kTime, uint64_t{1} << 63) == Quantity());
  CHECK(normalised({Quantity::Kind::kSamples, 1}, 1000) == Quantity{Quantity::Kind::kSamples, 1});
}
