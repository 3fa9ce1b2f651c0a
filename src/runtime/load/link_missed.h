// SPDX-License-Identifier: Apache-2.0
// Firings that a link's own mechanism let pass without running the program: another probe was being handled on the CPU,
// or a return probe had no room left to remember the call.
#pragma once

#include <cstdint>
#include <optional>

struct bpf_link;

namespace dtrace::runtime {

struct LinkMissed {
  uint32_t program_id = 0;
  uint64_t count = 0;
};

/// Nothing for links that do not count (kernels before 6.7, and every kind of link but kprobes).
std::optional<LinkMissed> link_missed(const bpf_link &link);

}  // namespace dtrace::runtime
