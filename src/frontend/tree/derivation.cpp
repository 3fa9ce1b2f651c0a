// SPDX-License-Identifier: Apache-2.0
#include "frontend/tree/derivation.h"

#include <variant>

namespace dtrace {
namespace {

Result<tree::Derivation> derivation_of(const tree::Clause &clause) {
  tree::Derivation derivation;
  derivation.condition = clause.predicate;
  for (const tree::Stmt &stmt : clause.body) {
    const auto *value = std::get_if<tree::Evaluate>(&stmt.node);
    if (value == nullptr) return Error("a statement has no value");
    derivation.args.push_back(value->expr);
  }
  return derivation;
}

}  // namespace

Result<std::vector<ProbeOrigin>> derive(const tree::Program &definition, tree::Unit &unit) {
  std::vector<ProbeOrigin> origins;
  bool extends_last = false;  // the clause before was of the same text, and matched something
  for (const tree::Clause &clause : definition.clauses) {
    extends_last = extends_last && clause.same_as_last;
    if (extends_last) {
      std::vector<ProbeId> &probes = origins.back().probes;
      probes.insert(probes.end(), clause.probes.begin(), clause.probes.end());
      continue;
    }
    extends_last = !clause.probes.empty();
    if (clause.probes.empty()) continue;
    Result<tree::Derivation> derivation = derivation_of(clause);
    if (!derivation) return std::move(derivation).error();
    ProbeOrigin origin;
    origin.probes = clause.probes;
    for (const tree::Expr *arg : derivation->args) origin.args.push_back(arg->type);
    if (!origins.empty() && origin.args.size() != origins.front().args.size())
      return Error("its clauses have different numbers of arguments");
    unit.derivations.push_back(std::move(*derivation));
    origin.derivation = static_cast<uint32_t>(unit.derivations.size());
    origins.push_back(std::move(origin));
  }
  if (origins.empty()) return Error("this kernel has none of the events that define it");
  return origins;
}

}  // namespace dtrace
