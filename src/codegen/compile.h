// SPDX-License-Identifier: Apache-2.0
// Typed tree in, BPF object and plan out. LLVM is behind this header and nowhere else; no system calls are made.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "codegen/planning/compile_input.h"
#include "plan/plan.h"

namespace dtrace::codegen {

struct CompiledObject {
  std::vector<char> elf;  ///< relocatable BPF object with BTF; loaded by libbpf
  Plan plan;
  std::string listing;  ///< optimised LLVM IR, and the BPF assembly
};

/// From here on the D program is correct: what fails below is our bug or a limit, said in the Error.
Result<CompiledObject> compile(const CompileInput &input);

}  // namespace dtrace::codegen
