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

/// A thread-local variable, as the debug information of its file states it.
struct ThreadVariable {
  uint64_t number = 0;          ///< offset in the file's segment of thread-local variables
  bool may_be_address = false;  ///< gcc's split debug information has an address of the file instead
};

/// The way to a variable of `object` (UserScope::Variable::thread_steps). `all`: the files of the process, of which
/// `object` is one.
/// Errors: the end of a sentence, why the way is unknown.
Result<std::vector<int64_t>> thread_steps(pid_t pid, const std::vector<MappedObject> &all, const MappedObject &object,
                                          ThreadVariable variable);

/// thread_steps() that hold in all processes that execute a program. Errors: the file is a library.
Result<std::vector<int64_t>> thread_steps_of_program(UserObject &object, ThreadVariable variable);

}  // namespace dtrace::runtime
