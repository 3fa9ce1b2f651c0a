// SPDX-License-Identifier: Apache-2.0
// The limit of open files, which tracing needs more of than the usual one allows: files with probes, links, events.
//
// What a reader would get wrong: children inherit the limit, and programs that call select() fail beyond the usual one.
// So commands that we start get the limit that we were started with.
#pragma once

#include <cstddef>

namespace dtrace {

/// Raises the soft limit to the hard one.
void raise_file_limit();
/// Raises both to `count`, as far as we may.
void raise_file_limit_to(size_t count);
/// In a child, before it executes a command: the limit is again what it was. Async-signal-safe.
void restore_file_limit();

/// How many files we may have open.
size_t file_limit();
/// Are nearly all descriptors in use that the limit allows?
bool are_descriptors_scarce();

}  // namespace dtrace
