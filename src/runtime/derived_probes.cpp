// SPDX-License-Identifier: Apache-2.0
#include "runtime/derived_probes.h"

#include "runtime/usdt/argument_type.h"

namespace dtrace {
namespace {

Result<Derivation> derivation_of(const tree::Clause &clause) {
  Derivation derivation;
  derivation.condition = clause.predicate;
  for (const tree::Stmt &stmt : clause.body) {
    const auto *value = std::get_if<tree::Evaluate>(&stmt.node);
    if (value == nullptr) return Error("a statement has no value");
    derivation.args.push_back(value->expr);
  }
  return derivation;
}

TypeId type_by_name(std::string_view text, TypeTable &types) {
  return text == "string" ? types.string_type() : declared_type(text, UserOperand{}, Space::kKernel, types);
}

}  // namespace

std::vector<ProbeArg> derived_args(const DerivedProbe &probe, const ProbeDefinition &definition, TypeTable &types) {
  std::vector<ProbeArg> args;
  for (const tree::Expr *value : probe.origins.front().derivation->args) {
    const auto n = static_cast<unsigned>(args.size());
    const bool is_said = n < definition.types.size() && !definition.types[n].empty();
    args.push_back({value->type, is_said ? type_by_name(definition.types[n], types) : value->type, n});
  }
  return args;
}

Result<Unit> DerivedProbes::derive(const Probe &probe, const ProbeDefinition &definition, DerivedProbe &made) {
  if (!check_) return Error("definitions of probes cannot be checked");
  Result<tree::Program> program = check_(probe.text(), definition.text);
  if (!program) return std::move(program).error();
  bool extends_last = false;  // the clause before was of the same text, and matched something
  for (const tree::Clause &clause : program->clauses) {
    extends_last = extends_last && clause.same_as_last;
    if (extends_last) {
      std::vector<ProbeId> &probes = made.origins.back().probes;
      probes.insert(probes.end(), clause.probes.begin(), clause.probes.end());
      continue;
    }
    extends_last = !clause.probes.empty();
    if (clause.probes.empty()) continue;
    Result<Derivation> derivation = derivation_of(clause);
    if (!derivation) return std::move(derivation).error();
    derivation->number = ++last_number_;
    if (!made.origins.empty() && derivation->args.size() != made.origins.front().derivation->args.size())
      return Error("its clauses have different numbers of arguments");
    made.origins.push_back({clause.probes, std::make_shared<const Derivation>(std::move(*derivation))});
  }
  if (made.origins.empty()) return Error("this kernel has none of the events it is made of");
  return ok();
}

Result<const DerivedProbe *> DerivedProbes::find(const Probe &probe, const ProbeDefinition &definition) {
  std::unique_ptr<DerivedProbe> &known = known_[probe.id.value];
  if (known == nullptr) {
    auto made = std::make_unique<DerivedProbe>();
    if (Result<Unit> derived = derive(probe, definition, *made); !derived)
      return std::move(derived).error().during(probe.text());
    known = std::move(made);
  }
  return known.get();
}

}  // namespace dtrace
