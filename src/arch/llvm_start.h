// SPDX-License-Identifier: Apache-2.0
// LLVM's static initialisers, which are not run when the program starts (cmake/llvm_late.ld).
#pragma once

namespace dtrace::arch {

/// Before anything else of LLVM is called; more than once does nothing.
void start_llvm();

}  // namespace dtrace::arch
