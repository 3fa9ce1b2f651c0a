// SPDX-License-Identifier: Apache-2.0
// What a compilation is given, and the first that is made of it: the plan.
#pragma once

#include "arch/machine.h"
#include "base/options.h"
#include "base/result.h"
#include "frontend/text/source.h"
#include "frontend/tree/tree.h"
#include "plan/compile_host.h"
#include "plan/plan.h"

namespace dtrace::codegen {

/// What -S shows (option disasm).
enum Listing : unsigned { kListIr = 1, kListAssembly = 2 };

struct CompileInput {
  const tree::Unit &unit;
  const Sources &sources;
  TypeTable &types;
  const Options &options;
  CompileHost &host;
  unsigned nr_cpus = 1;                                 ///< possible CPUs: size of per-CPU tables
  unsigned listing = 0;                                 ///< -S: what `CompiledObject::listing` shows, bits of Listing
  const arch::Machine &machine = arch::host_machine();  ///< whose kernel runs the programs
  bool with_time = false;                               ///< records have the time in any case
  bool with_thread = false;                             ///< records say which thread they are of
  bool in_order = false;                                ///< records of all CPUs are merged by time in any case
};

/// The plan alone, for `--stop-after=plan --dump` and tests.
/// Errors: as make_layout()'s.
Result<Plan> make_plan(const CompileInput &input);

}  // namespace dtrace::codegen
