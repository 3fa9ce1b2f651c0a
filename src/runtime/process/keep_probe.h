// SPDX-License-Identifier: Apache-2.0
// The probe of another tracer, kept where it is.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "base/owned.h"
#include "base/result.h"

namespace dtrace::runtime {

/// An event of our own at the address of a probe that somebody else has in a process. As long as it is open the probe
/// belongs to the process, also when the other tracer ends, so the trap may be overwritten and written back: a trap
/// without a probe would kill the process. Errors: what is there is no probe, or the kernel has none for user programs.
Result<Fd> keep_probe(pid_t pid, uint64_t address);

}  // namespace dtrace::runtime
