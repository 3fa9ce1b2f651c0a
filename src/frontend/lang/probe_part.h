// SPDX-License-Identifier: Apache-2.0
// The four variables that name a part of the firing probe's description.
#pragma once

#include <string>

#include "frontend/lang/builtins.h"
#include "frontend/lang/probe.h"

namespace dtrace {

/// Is it probeprov, probemod, probefunc or probename?
bool is_probe_part(Variable variable);

/// Text of the part that the variable stands for; it must be a probe part.
const std::string &probe_part(const Probe &probe, Variable part);

}  // namespace dtrace
