// SPDX-License-Identifier: Apache-2.0
// Whether the kernel lets this process load a tracing program. Capabilities alone do not say so: those of a user
// namespace do not count, and seccomp, lockdown and security modules refuse those who have them.
#pragma once

namespace dtrace::runtime {

/// Loads a program that reads kernel memory, and drops it. 0, or the errno of bpf(2).
int try_to_load();

}  // namespace dtrace::runtime
