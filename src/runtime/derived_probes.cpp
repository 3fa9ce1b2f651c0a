// SPDX-License-Identifier: Apache-2.0
#include "runtime/derived_probes.h"

#include <charconv>

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

/// The number that a type begins with, which is then taken off.
std::optional<unsigned> take_source(std::string_view &text) {
  unsigned source = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), source);
  if (error != std::errc()) return std::nullopt;
  constexpr std::string_view kSeparator = ": ";
  text.remove_prefix(static_cast<size_t>(end - text.data()) + kSeparator.size());
  return source;
}

}  // namespace

std::vector<ProbeArg> derived_args(const DerivedProbe &probe, const ProbeDefinition &definition, TypeTable &types) {
  const std::vector<const tree::Expr *> &values = probe.origins.front().derivation->args;
  std::vector<ProbeArg> args;
  bool is_whole = false;  // the definition's list
  for (unsigned n = 0; n < (is_whole ? definition.types.size() : values.size()); ++n) {
    std::string_view said = n < definition.types.size() ? definition.types[n] : std::string_view();
    const std::optional<unsigned> source = take_source(said);
    is_whole = is_whole || source;
    const TypeId native = values[source.value_or(n)]->type;
    args.push_back({native, said.empty() ? native : type_by_name(said, types), source.value_or(n)});
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
