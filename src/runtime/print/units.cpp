// SPDX-License-Identifier: Apache-2.0
#include "runtime/print/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <string_view>
#include <system_error>

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

/// `gap`: between number and unit.
std::string text_of(long double value, const UnitRow &row, int precision, std::string_view gap) {
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
    return fmt::format("{:.{}f}{}{}", std::signbit(value) ? -rounded : rounded, decimals, gap, row.names[i]);
  }
}

constexpr std::string_view kPictureTimeNames[] = {"ns", "µs", "ms", "s"};

}  // namespace

std::string unit_text(long double value, Conversion unit, int precision) {
  return text_of(value, row_of(unit), precision, "");
}

std::string quantity_text(int64_t value, Quantity quantity) {
  if (!has_unit(quantity)) return fmt::format("{}", value);
  const long double whole = static_cast<long double>(value) * static_cast<long double>(quantity.step);
  const bool is_time = quantity.kind == Quantity::Kind::kTime;
  return text_of(whole, is_time ? UnitRow{1000, kPictureTimeNames} : UnitRow{1024, kByteNames}, -1, " ");
}

std::string with_unit(std::string_view text, Quantity quantity) {
  const size_t begin = text.find_last_of(' ') + 1;  // npos + 1 is 0
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data() + begin, text.data() + text.size(), value);
  if (!has_unit(quantity) || error != std::errc() || end != text.data() + text.size()) return std::string(text);
  return std::string(text.substr(0, begin)) + quantity_text(value, quantity);
}

Quantity normalised(Quantity quantity, uint64_t normal) {
  const auto by = static_cast<int64_t>(normal);
  if (!has_unit(quantity) || by == 0) return quantity;
  if (by < 0 || __builtin_mul_overflow(quantity.step, by, &quantity.step)) return {};
  return quantity;
}

}  // namespace dtrace::runtime
