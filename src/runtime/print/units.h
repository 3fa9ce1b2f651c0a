// SPDX-License-Identifier: Apache-2.0
// Numbers with units, as %K, %B and %N print them: 12.3k, 4.56MiB, 78.9us. Three digits, or so many decimals as the
// precision says; a whole number below the second unit is printed as it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "frontend/lang/quantity.h"
#include "frontend/text/format_string.h"

namespace dtrace::runtime {

/// `unit`: kScaled, kBytes or kDuration (nanoseconds). `precision`: decimals; -1: three digits in all.
std::string unit_text(long double value, Conversion unit, int precision);

/// What a picture shows of a value: "1.07 s", "16 µs", "537 MiB"; without a unit the number alone.
std::string quantity_text(int64_t value, Quantity quantity);
/// The same of the number that ends a text: "< 1024" becomes "< 1 KiB". Other texts stay as they are.
std::string with_unit(std::string_view text, Quantity quantity);
/// Do values have units of their own?
inline bool has_unit(Quantity quantity) {
  return quantity.kind == Quantity::Kind::kTime || quantity.kind == Quantity::Kind::kBytes;
}
/// What values measure that were divided by `normal`; 0: by nothing.
Quantity normalised(Quantity quantity, uint64_t normal);

}  // namespace dtrace::runtime
