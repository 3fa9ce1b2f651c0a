// SPDX-License-Identifier: Apache-2.0
// The options that say of which processes firings are wanted.
#pragma once

#include <algorithm>

#include "base/options.h"

namespace dtrace {

inline constexpr Opt kCgroupOptions[] = {Opt::cgroup, Opt::container, Opt::pod, Opt::unit};

inline bool wants_some_cgroups(const Options &options) {
  return std::ranges::any_of(kCgroupOptions, [&](Opt option) { return options.is_set(option); });
}

}  // namespace dtrace
