// SPDX-License-Identifier: Apache-2.0
// What a recording has, for people.
#pragma once

#include <string>

#include "base/result.h"
#include "recording/reader.h"

namespace dtrace::replay {

/// Lines: the machine, from when to when, CPUs, a table of probes by their numbers of rows, losses, a cut. Reads all
/// rows. Errors: those of the reader are a line of it.
std::string summary_of(recording::Reader &recording);

}  // namespace dtrace::replay
