// SPDX-License-Identifier: Apache-2.0
// Typed tree in, BPF object and plan out. LLVM is behind this header and nowhere else; no system calls are made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/result.h"
#include "frontend/source.h"
#include "frontend/tree.h"
#include "plan/compile_host.h"
#include "plan/plan.h"

namespace dtrace {

/// What -S shows (option disasm).
enum Listing : unsigned { kListIr = 1, kListAssembly = 2 };

struct CompileInput {
  const tree::Unit &unit;
  const Sources &sources;
  TypeTable &types;
  const Options &options;
  CompileHost &host;
  unsigned nr_cpus = 1;  ///< possible CPUs: size of per-CPU tables
  unsigned listing = 0;  ///< -S: what `CompiledObject::listing` shows, bits of Listing
};

struct CompiledObject {
  std::vector<char> elf;  ///< relocatable BPF object with BTF; loaded by libbpf
  Plan plan;
  std::string listing;  ///< optimised LLVM IR, and the BPF assembly
};

/// From here on the D program is correct: what fails below is our bug or a limit, said in the Error.
Result<CompiledObject> compile(const CompileInput &input);

/// The plan alone, for `--stop-after=plan --dump` and tests.
Plan make_plan(const CompileInput &input);

}  // namespace dtrace
