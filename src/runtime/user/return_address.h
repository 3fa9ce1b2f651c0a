// SPDX-License-Identifier: Apache-2.0
// What a function does with its return address, and so whether the kernel's return probe changes what it computes.
//
// What a reader would get wrong: that probe is set when the function is entered. It replaces the word at the stack
// pointer (arm64: the link register) by the address of a trap, without asking whether a return address is there. Code
// that is entered by a jump has something else there: _start the number of arguments, the dynamic linker's resolver
// what the procedure linkage table has pushed. And a function that reads its return address gets the trap's address:
// setjmp() keeps it beyond the return, dlsym() looks for the caller's library by it.
#pragma once

#include <string_view>

#include "runtime/user/return_address_facts.h"
#include "runtime/user/user_object.h"

namespace dtrace::runtime {

/// Decodes the function at the first call; later calls for the same object look the answer up.
ReturnAddressUse return_address_use(UserObject &object, const UserFunction &function);

/// Why such a function cannot have the kernel's return probe; empty: it can.
std::string_view refusal_of(ReturnAddressUse use);

/// By name: C library functions that read or keep their return address, also where their code does not show it.
bool is_reader_of_return_address(std::string_view function);

}  // namespace dtrace::runtime
