// SPDX-License-Identifier: Apache-2.0
// Makes a recording of programs: in place of what they do, clauses that record what they read. Each probe belongs to
// one of them, so that a firing makes one row.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/options.h"
#include "frontend/lang/probe.h"
#include "frontend/text/diag.h"
#include "frontend/text/source.h"
#include "frontend/tree/tree.h"
#include "frontend/types/types.h"

namespace dtrace::recorder {

struct RecordedLeaf {
  const tree::Expr *expr = nullptr;
  std::string identity;
  std::string label;  ///< as one of the programs writes it
};

/// A description of probes as a program has it, and what it matches now.
struct RecordedDescription {
  ProbeDesc desc;
  std::vector<ProbeId> probes;
};

struct RecordedLeaves {
  uint32_t first_clause = 0;         ///< of the clauses that record, which are the last
  std::vector<RecordedLeaf> leaves;  ///< number n at n - 1
  std::vector<std::vector<uint32_t>>
      sets;  ///< by clause, from first_clause: numbers of its leaves, in the order of its record
  std::vector<std::vector<ProbeId>> probes;  ///< likewise: probes that there are now
  std::vector<RecordedDescription> descriptions;
  std::vector<const tree::Expr *> symbols;  ///< SymbolRef: kernel symbols that the programs name, each once
};

/// Replaces the programs of `unit`, which have been checked, by one program; under option recordrun it comes behind
/// them. Its clauses keep what they were matched by, predicates if option recordfilter is set and they can be asked
/// without running the programs, and exit() where nothing decides about it. `also`: clauses that do not run, whose
/// leaves are recorded all the same.
/// Errors, in `diags`: D_NOT_RECORDED, leaves that only a run of the program itself can tell.
RecordedLeaves record_leaves(tree::Unit &unit, std::span<const tree::Clause> also, const TypeTable &types,
                             const Sources &sources, const Options &options, ProbeCatalog &probes, Diagnostics &diags);

}  // namespace dtrace::recorder
