// SPDX-License-Identifier: Apache-2.0
// The system calls that are left to the exporter (seccomp). What the libraries of HTTP, TLS and name resolution need is
// allowed, and nothing that starts programs, writes files or looks at other processes.
#pragma once

#include "base/result.h"

namespace dtrace::exporter {

/// From here on every other call fails with ENOSYS, in this thread and those that it starts. Needs no_new_privs or
/// CAP_SYS_ADMIN. Errors: the kernel's.
Result<Unit> restrict_system_calls();

}  // namespace dtrace::exporter
