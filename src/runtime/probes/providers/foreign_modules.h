// SPDX-License-Identifier: Apache-2.0
// Modules by which scripts for other systems name probes of providers that every DTrace has.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace dtrace::runtime {

/// illumos', FreeBSD's or macOS' module of a stable provider; here its probes are the kernel's.
inline bool is_foreign_module(std::string_view name) {
  static constexpr std::string_view kModules[] = {"genunix", "unix", "kernel", "freebsd", "mach_kernel", "ip",  "sd",
                                                  "nfs",     "TS",   "IA",     "FX",      "RT",          "FSS", "SYS"};
  return std::ranges::find(kModules, name) != std::end(kModules);
}

}  // namespace dtrace::runtime
