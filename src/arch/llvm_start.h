// SPDX-License-Identifier: Apache-2.0
// LLVM's static initialisers, which are not run when the program starts (cmake/llvm_late.ld).
#pragma once

namespace dtrace::arch {

/// Runs them. To be called before anything of LLVM but its hash and its demanglers, which have none; the second call
/// does nothing.
void start_llvm();

}  // namespace dtrace::arch
