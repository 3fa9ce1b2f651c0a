// SPDX-License-Identifier: Apache-2.0
// Which functions the indirect ones (STT_GNU_IFUNC: memcpy, strlen, ...) stand for in a process. The dynamic linker
// asks a resolver once and writes what it answers into the tables of the callers' files; we read it there.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "runtime/user/user_object.h"

namespace dtrace::runtime {

/// Resolver's address in `wanted` -> virtual addresses in it of the functions it chose. A resolver that was not
/// called yet has none. Reads the memory of the process, and does not stop it.
std::map<uint64_t, std::set<uint64_t>> resolved_functions(pid_t pid, const std::vector<MappedObject> &objects,
                                                          const MappedObject &wanted);

}  // namespace dtrace::runtime
