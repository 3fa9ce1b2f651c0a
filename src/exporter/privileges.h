// SPDX-License-Identifier: Apache-2.0
// What the exporter gives up before it reads a byte of the network.
#pragma once

#include "base/result.h"

namespace dtrace::exporter {

/// Closes every descriptor from `first` on, replaces the standard streams by /dev/null, and goes to the root folder.
/// dtrace starts us so already: this is for whatever another starter has left open. Errors: the system's.
Result<Unit> leave_surroundings(int first);

/// Becomes nobody if started by root, gives up capabilities and the way to new ones, lowers limits, and cannot be
/// looked at by processes of the same user. Errors: something of it is refused; then the exporter must not serve.
Result<Unit> drop_privileges();

/// Descriptors that may be open at the same time, as the limit is now.
unsigned max_descriptors();

}  // namespace dtrace::exporter
