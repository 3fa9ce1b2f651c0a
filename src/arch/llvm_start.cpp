// SPDX-License-Identifier: Apache-2.0
#include "arch/llvm_start.h"

namespace {

using Initialiser = void (*)(int, char **, char **);

}  // namespace

// Defined by the linker script. Programs that are linked without it, as most tests are, run initialisers as usual.
extern "C" {
[[gnu::weak]] extern const Initialiser dt_llvm_init_begin[];
[[gnu::weak]] extern const Initialiser dt_llvm_init_end[];
}

namespace dtrace::arch {

void start_llvm() {
  [[maybe_unused]] static const bool started = [] {
    for (const Initialiser *at = dt_llvm_init_begin; at != dt_llvm_init_end; ++at) (*at)(0, nullptr, nullptr);
    return true;
  }();
}

}  // namespace dtrace::arch
