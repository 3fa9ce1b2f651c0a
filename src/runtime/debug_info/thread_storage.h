// SPDX-License-Identifier: Apache-2.0
// Where threads of a process have the thread-local variables of one of its files.
//
// What a reader would get wrong: a library's variables may be at a fixed distance from the thread pointer (static TLS),
// or in a block that each thread gets when it first uses them (dynamic TLS), and only the dynamic linker knows which.
// glibc keeps that in its own part of the link map, and says where for debuggers (symbols _thread_db_*).
// Source: ELF Handling For Thread-Local Storage, 3.4; glibc's nptl_db/structs.def.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "runtime/user/user_object.h"

namespace dtrace::runtime {

/// The way to the variable at `offset` of a file's thread-local variables (UserScope::Variable::thread_steps). `all`:
/// the files of the process, of which `object` is one.
/// Errors: the end of a sentence, why the way is unknown.
Result<std::vector<int64_t>> thread_steps(pid_t pid, const std::vector<MappedObject> &all, const MappedObject &object,
                                          uint64_t offset);

}  // namespace dtrace::runtime
