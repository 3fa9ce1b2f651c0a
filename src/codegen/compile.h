// SPDX-License-Identifier: Apache-2.0
// Typed tree in, BPF object and plan out. LLVM is behind this header and nowhere else; no system calls are made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/result.h"
#include "codegen/kernel_feature.h"
#include "codegen/plan.h"
#include "frontend/source.h"
#include "frontend/tree.h"

namespace dtrace {

/// Answers about probes and the machine that code generation needs.
class CompileHost {
 public:
  virtual ~CompileHost() = default;
  virtual const Probe &probe(ProbeId id) = 0;
  virtual const ProbeHook &hook(ProbeId id) = 0;
  /// Hooks, without sites, of probes that may come to be under this description while tracing runs; programs for them
  /// are made beforehand. Empty: none will.
  virtual std::vector<ProbeHook> later(const ProbeDesc &) { return {}; }
  /// The newest kernel is assumed unless the host knows better.
  virtual bool has(KernelFeature) { return true; }
  /// The function of a probe as it is shown, by which a program may name it as well.
  virtual const std::string &shown_function(ProbeId id) { return probe(id).function; }
  /// Inode of the pid namespace whose numbers the program means; 0: the initial one, which needs no translation.
  virtual uint32_t pid_namespace() { return 0; }
};

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
std::string dump(const Plan &plan, const TypeTable &types);

}  // namespace dtrace
