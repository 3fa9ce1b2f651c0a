// SPDX-License-Identifier: Apache-2.0
#include "runtime/print/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

namespace dtrace::runtime {
namespace {

constexpr int kMaxDecimals = 64;

struct UnitRow {
  long double step;
  std::span<const std::string_view> names;
};

constexpr std::string_view kCountNames[] = {"", "k", "M", "G", "T", "P", "E"};
constexpr std::string_view kByteNames[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
constexpr std::string_view kTimeNames[] = {"ns", "us", "ms", "s"};

UnitRow row_of(Conversion unit) {
  if (unit == Conversion::kBytes) return {1024, kByteNames};
  if (unit == Conversion::kDuration) return {1000, kTimeNames};
  return {1000, kCountNames};
}

/// Decimals that leave three digits; none behind a whole number of the first unit.
int decimals_of(long double magnitude, bool is_first) {
  if (is_first && magnitude == std::floor(magnitude)) return 0;
  // Rounding may add a digit: 9.996 is 10.0.
  return magnitude < 9.995L ? 2 : magnitude < 99.95L ? 1 : 0;
}

}  // namespace

std::string unit_text(long double value, Conversion unit, int precision) {
  const UnitRow row = row_of(unit);
  long double magnitude = std::fabs(value);
  for (size_t i = 0;; ++i) {
    const int decimals = precision >= 0 ? std::min(precision, kMaxDecimals) : decimals_of(magnitude, i == 0);
    const long double scale = std::pow(10.0L, std::min(decimals, 9));
    const bool is_last = i + 1 == row.names.size();
    const long double rounded = std::round(magnitude * scale) / scale;
    if (!is_last && rounded >= row.step) {
      magnitude /= row.step;
      continue;
    }
    return fmt::format("{:.{}f}{}", std::signbit(value) ? -rounded : rounded, decimals, row.names[i]);
  }
}

}  // namespace dtrace::runtime
