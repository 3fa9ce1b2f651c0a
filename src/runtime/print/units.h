// SPDX-License-Identifier: Apache-2.0
// Numbers with units, as %K, %B and %N print them: 12.3k, 4.56MiB, 78.9us. Three digits, or so many decimals as the
// precision says; a whole number below the second unit is printed as it is.
#pragma once

#include <string>

#include "frontend/text/format_string.h"

namespace dtrace::runtime {

/// `unit`: kScaled, kBytes or kDuration (nanoseconds). `precision`: decimals; -1: three digits in all.
std::string unit_text(long double value, Conversion unit, int precision);

}  // namespace dtrace::runtime
