// SPDX-License-Identifier: Apache-2.0
// Typed tree in, BPF object and plan out. LLVM is behind this header and nowhere else; no system calls are made.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "codegen/planning/compile_input.h"
#include "plan/object_store.h"
#include "plan/plan.h"

namespace dtrace::codegen {

struct CompiledObject {
  std::vector<char> elf;  ///< relocatable BPF object with BTF; loaded by libbpf
  std::unique_ptr<Plan> plan;
  std::string listing;    ///< optimised LLVM IR, and the BPF assembly
  bool was_kept = false;  ///< a store had it
};

/// Called when all layouts are made and no code is: with the plan that the object will have, at its address.
using Planned = std::function<void(const Plan &)>;

/// From here on the D program is correct: what fails below is our bug or a limit, said in the Error.
/// With a store: an object that was compiled before from the same is used again, and LLVM is not.
Result<CompiledObject> compile(const CompileInput &input, const Planned &planned = {}, const StoreUse &use = {});

}  // namespace dtrace::codegen
