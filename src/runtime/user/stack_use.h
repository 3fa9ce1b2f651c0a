// SPDX-License-Identifier: Apache-2.0
// Ways a process breaks uretprobes, which replace the return address of a call and remember it with the stack pointer:
// - an unwinder finds no function at the replaced address: the program ends, or does not clean up;
// - a probed call with a higher stack pointer means to the kernel that the calls below have been left: if they lie on
//   another stack they are still to come back, and the process is killed when they do.
#pragma once

#include <vector>

#include "runtime/user/user_object.h"

namespace dtrace::runtime {

/// From what the process maps now; what it loads later may add to it.
struct StackUse {
  /// It happens to functions while they wait for one that they have called. They are unwound through by exceptions of
  /// C++, panics of Rust, threads that end or are cancelled; coroutines go on on another stack.
  bool calls_interfere = false;

  /// A signal can do so to any function at any instruction, also to one that calls nothing:
  /// - a thread is cancelled. Asynchronously, it is at any instruction; but in a system call that may be cancelled
  ///   the C library lets that happen too, from within small functions of its own that bracket the call;
  /// - a handler throws (-fnon-call-exceptions, Ada's checks and aborts, D, Go of GCC) or calls pthread_exit(). No file
  ///   says that it does, so each counts that asks for signals and has code to throw or to clean up: a server in C++
  ///   that wants to know of SIGTERM, every program in Rust;
  /// - a handler runs on a stack of its own, or goes on on another one.
  ///
  /// These are harmless and do not count: siglongjmp() out of a handler, which reads no return addresses and
  /// after which the kernel forgets the calls below the new stack pointer; backtrace() and profilers, whose lists end
  /// early. Not known of: a handler that throws and is installed for its object by another one, which has no
  /// exceptions; what is found by dlsym() or done by system calls in assembly code.
  bool signals_interfere = false;

  StackUse &operator|=(const StackUse &other);
};

StackUse stack_use_of(const std::vector<MappedObject> &objects);

}  // namespace dtrace::runtime
