// SPDX-License-Identifier: Apache-2.0
// Saved runs of two builds of a program, or of two processes: what names of frames have that is of one run only.
#pragma once

#include <span>

#include "runtime/merge/saved_run.h"

namespace dtrace::runtime {

/// Gives modules of programs' frames names that are equal in all runs: "perf.map" for "perf-29412.map", and "a.out" for
/// the run's program, if the runs are of several.
void make_comparable(std::span<SavedRun> before, std::span<SavedRun> after);

/// Whether a program's stack is in both, by functions. True if one of them has no such stacks.
bool share_stacks(std::span<const SavedRun> before, std::span<const SavedRun> after);

}  // namespace dtrace::runtime
