// SPDX-License-Identifier: Apache-2.0
// Rates in the names of probes: tick-10ms, profile-997, every-1s.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dtrace::runtime {

/// Period of "997", "10ms", "5sec"; a number without a unit means hertz (the opposite of option values, which mean
/// nanoseconds). Nothing: malformed, or shorter than `shortest_ns`.
std::optional<int64_t> period_of_rate(std::string_view rate, int64_t shortest_ns);

}  // namespace dtrace::runtime
