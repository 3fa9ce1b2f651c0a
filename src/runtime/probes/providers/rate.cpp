// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/providers/rate.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <system_error>

namespace dtrace::runtime {
namespace {

struct RateUnit {
  std::string_view suffix;
  int64_t ns;  ///< 0: hertz
};
constexpr RateUnit kRateUnits[] = {
    {"ns", 1},
    {"nsec", 1},
    {"us", 1'000},
    {"usec", 1'000},
    {"ms", 1'000'000},
    {"msec", 1'000'000},
    {"s", 1'000'000'000},
    {"sec", 1'000'000'000},
    {"m", 60'000'000'000},
    {"min", 60'000'000'000},
    {"h", 3'600'000'000'000},
    {"hour", 3'600'000'000'000},
    {"d", 86'400'000'000'000},
    {"day", 86'400'000'000'000},
    {"hz", 0},
    {"", 0},
};

}  // namespace

std::optional<int64_t> period_of_rate(std::string_view rate, int64_t shortest_ns) {
  int64_t number = 0;
  auto [end, error] = std::from_chars(rate.data(), rate.data() + rate.size(), number);
  if (error != std::errc() || end == rate.data() || number <= 0) return std::nullopt;
  std::string_view suffix = rate.substr(static_cast<size_t>(end - rate.data()));
  for (const RateUnit &unit : kRateUnits) {
    if (!std::ranges::equal(unit.suffix, suffix, {}, {}, [](unsigned char c) { return std::tolower(c); })) continue;
    int64_t period = 0;
    if (unit.ns == 0)
      period = 1'000'000'000 / number;
    else if (__builtin_mul_overflow(number, unit.ns, &period))
      return std::nullopt;
    return period >= shortest_ns ? std::optional(period) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace dtrace::runtime
