// SPDX-License-Identifier: Apache-2.0
// What the exporter gives up before it reads a byte that others sent.
#pragma once

#include "base/result.h"

namespace dtrace::exporter {

/// No capability, no way to get one, nobody's user and group where we may change them, no core file, no file written.
/// Errors: something of it failed, and nothing may be served.
Result<Unit> drop_privileges();

}  // namespace dtrace::exporter
