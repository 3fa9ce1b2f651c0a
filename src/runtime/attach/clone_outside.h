// SPDX-License-Identifier: Apache-2.0
// clone(2) of a process that shares our memory, into the root of the unified hierarchy of cgroups.
//
// Why: `cgroup.kill`, which service managers and container runtimes use, kills every process of a cgroup, also those in
// a session of their own. clone3(2) makes the process there from its beginning: moving it costs all forks of the
// machine a grace period.
#pragma once

#include <cstddef>
#include <span>

#include "base/owned.h"

namespace dtrace::runtime {

/// The root's folder, as far as this process sees it: that of its cgroup namespace. Empty: there is no such hierarchy.
Fd open_root_cgroup();

/// As clone(2): `function` runs on `stack`, and the process ends with its result. The parent waits (CLONE_VFORK).
/// -1: not possible there, with errno; nothing has run then. Kernels with cgroup::kill_seq kill the child
/// before it runs if the cgroup of the parent was ever killed: then `function` has not run, either.
long clone_into(const Fd &cgroup, unsigned long flags, std::span<std::byte> stack, int (*function)(void *),
                void *argument);

/// Moves the calling process, if that is allowed. It allocates nothing.
void move_into(const Fd &cgroup);

}  // namespace dtrace::runtime
