// SPDX-License-Identifier: Apache-2.0
// The leaves of a clause: the largest expressions that read the firing (arguments, thread, memory of the kernel or of
// the process) and no D variable. From their values the clause can be run elsewhere and later: the rest is computed
// again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/tree/tree.h"

namespace dtrace::tree {

/// A leaf where a clause uses it.
struct LeafUse {
  const Expr *expr = nullptr;
  /// The expression in the text form of the tree: equal for equal expressions of whatever program, without the names
  /// that the program gave them.
  std::string identity;
  Span span;  ///< in the clause's own text: of the smallest expression written there that has it
  /// It reads what a D variable points to, or has an effect: only a firing that has run the program can tell it.
  bool depends_on_program = false;
};

/// Every leaf that the predicate and the statements use, in order of evaluation; one that is used twice comes twice.
/// What every row tells (timestamp, cpu, pid, tid, id and the parts of the probe's description) is none of them.
std::vector<LeafUse> leaves_of(const Unit &unit, const TypeTable &types, const Clause &clause);

/// The raw argument that a number among args[] is made of by its type alone. Its leaf is that, so that programs with
/// the one find what programs with the other have recorded. Nothing: the expression is something else.
std::optional<Variable> raw_argument(const TypeTable &types, const Expr &expr);

/// Does the expression itself, and not only what is below it, have an effect or lie in memory that the program has?
bool is_of_program(const Expr &expr);

/// Is the variable a fact that every row tells?
bool is_fact_of_row(Variable variable);

/// May the expression be a leaf that is more than a built-in variable or an argument?
bool may_be_leaf(const Expr &expr);

}  // namespace dtrace::tree
