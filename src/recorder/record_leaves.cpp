// SPDX-License-Identifier: Apache-2.0
#include "recorder/record_leaves.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "frontend/tree/leaves.h"
#include "frontend/tree/walk.h"

namespace dtrace::recorder {
namespace {

/// Clauses of the programs by their position.
using Group = std::vector<uint32_t>;

class Recording {
 public:
  Recording(tree::Unit &unit, const TypeTable &types, const Sources &sources, const Options &options,
            ProbeCatalog &probes, Diagnostics &diags)
      : unit_(unit), types_(types), sources_(sources), options_(options), probes_(probes), diags_(diags) {}

  RecordedLeaves make(std::span<const tree::Clause> also) {
    for (const tree::Program &program : unit_.programs)
      for (const tree::Clause &clause : program.clauses) clauses_.push_back(&clause);
    const auto nr_clauses = static_cast<uint32_t>(clauses_.size());
    for (const tree::Clause &clause : also) clauses_.push_back(&clause);
    for (const tree::Clause *clause : clauses_) {
      uses_.push_back(uses_of(*clause));
      recorded_.descriptions.push_back({clause->desc, clause->probes});
      note_symbols(*clause);
    }
    tree::Program program;
    for (const auto &[group, probes] : groups()) program.clauses.push_back(clause_of(group, probes));
    if (!unit_.programs.empty()) {
      program.name = unit_.programs.front().name;
      program.is_script = unit_.programs.front().is_script;
    }
    for (const tree::Clause &clause : program.clauses) program.matched += clause.probes.size();
    if (options_.flag(Opt::recordrun)) {
      recorded_.first_clause = nr_clauses;
    } else {
      unit_.programs.clear();
      unit_.aggregations.clear();
    }
    unit_.programs.push_back(std::move(program));
    return std::move(recorded_);
  }

 private:
  bool is_error(ProbeId id) const {
    const Probe &probe = probes_.probe(id);
    return probe.provider == "dtrace" && probe.name == "ERROR";
  }
  bool is_of_error(const tree::Clause &clause) const {
    return !clause.probes.empty() && std::ranges::all_of(clause.probes, [&](ProbeId id) { return is_error(id); });
  }
  /// The arguments of ERROR are those of the fault.
  static bool is_argument(const tree::Expr &expr) {
    const auto *builtin = std::get_if<tree::BuiltinRef>(&expr.node);
    return builtin != nullptr && builtin->var >= Variable::k_arg0 && builtin->var <= Variable::k_arg9;
  }

  std::vector<tree::LeafUse> uses_of(const tree::Clause &clause) {
    std::vector<tree::LeafUse> uses = tree::leaves_of(unit_, types_, clause);
    if (is_of_error(clause)) std::erase_if(uses, [](const tree::LeafUse &use) { return is_argument(*use.expr); });
    for (const tree::LeafUse &use : uses)
      if (use.depends_on_program)
        diags_.report(Tag::D_NOT_RECORDED, use.span,
                      "'{}' cannot be recorded: what it reads depends on what the program has computed, and other "
                      "programs will ask the recording",
                      sources_.text(use.span));
    return uses;
  }

  void note_symbols(const tree::Clause &clause) {
    tree::walk(clause, [&](const tree::Expr &expr) {
      const auto *symbol = std::get_if<tree::SymbolRef>(&expr.node);
      if (symbol != nullptr && symbols_.insert({symbol->module, symbol->name}).second)
        recorded_.symbols.push_back(&expr);
    });
  }

  /// Probes by the clauses that they run, in the order of the first clause. Clauses whose probes are still to come are
  /// together if their descriptions are the same.
  std::vector<std::pair<Group, std::vector<ProbeId>>> groups() const {
    std::map<ProbeId, Group> of_probe;
    for (uint32_t i = 0; i < clauses_.size(); i++)
      for (const ProbeId id : clauses_[i]->probes)
        if (!is_error(id)) of_probe[id].push_back(i);
    std::map<Group, std::vector<ProbeId>> probes;
    for (const auto &[id, group] : of_probe) probes[group].push_back(id);
    std::map<std::string, Group> to_come;
    for (uint32_t i = 0; i < clauses_.size(); i++)
      if (clauses_[i]->probes.empty()) to_come[clauses_[i]->desc.text()].push_back(i);
    for (const auto &[desc, group] : to_come) probes[group] = {};
    return {probes.begin(), probes.end()};
  }

  tree::Clause clause_of(const Group &group, const std::vector<ProbeId> &probes) {
    const uint32_t narrow =
        *std::ranges::min_element(group, {}, [&](uint32_t index) { return clauses_[index]->probes.size(); });
    const tree::Clause &narrowest = *clauses_[narrow];
    tree::Clause clause;
    clause.span = narrowest.span;
    clause.desc_span = narrowest.desc_span;
    clause.desc = narrowest.desc;
    clause.statement_attributes = narrowest.statement_attributes;
    clause.desc_attributes = narrowest.desc_attributes;
    clause.records_firing = true;
    clause.probes = probes;
    clause.predicate = filter(group);
    std::vector<uint32_t> set;
    for (const uint32_t index : group) add(index, set);
    for (uint32_t i = 0; i < clauses_.size(); i++)  // a fault may happen at any firing
      if (is_of_error(*clauses_[i])) add(i, set);
    for (const uint32_t number : set)
      clause.body.push_back({clause.span, tree::RecordLeaf{recorded_.leaves[number - 1].expr}});
    clause.default_action = set.empty();
    recorded_.sets.push_back(std::move(set));
    recorded_.probes.push_back(probes);
    if (options_.flag(Opt::recordrun)) return clause;  // the programs call it
    for (const uint32_t index : group)
      if (const tree::Stmt *exit = unconditional_exit(*clauses_[index])) {
        clause.body.push_back({exit->span, std::get<tree::Action>(exit->node)});
        break;
      }
    return clause;
  }

  /// Adds the clause's leaves to a set that does not have them.
  void add(uint32_t index, std::vector<uint32_t> &set) {
    for (const tree::LeafUse &use : uses_[index]) {
      const auto [known, is_new] =
          numbers_.try_emplace(use.identity, static_cast<uint32_t>(recorded_.leaves.size()) + 1);
      if (is_new)
        recorded_.leaves.push_back({recorded_as(*use.expr), use.identity, std::string(sources_.text(use.span))});
      if (std::ranges::find(set, known->second) == set.end()) set.push_back(known->second);
    }
  }

  const tree::Expr *recorded_as(const tree::Expr &expr) {
    const std::optional<Variable> raw = tree::raw_argument(types_, expr);
    if (!raw) return &expr;
    unit_.exprs.push_back({types_.long_type(), expr.span, tree::BuiltinRef{*raw}});
    return &unit_.exprs.back();
  }

  bool runs_alone(const tree::Expr &expr) const {
    bool runs = true;
    tree::walk(expr, [&](const tree::Expr &part) { runs = runs && !tree::is_of_program(part); });
    return runs;
  }

  /// What every clause of the group wants of a firing, or: null, all firings.
  const tree::Expr *filter(const Group &group) {
    if (!options_.flag(Opt::recordfilter)) return nullptr;
    const tree::Expr *any = nullptr;
    for (const uint32_t index : group) {
      const tree::Expr *predicate = clauses_[index]->predicate;
      if (predicate == nullptr || !runs_alone(*predicate)) return nullptr;
      if (any == nullptr) {
        any = predicate;
        continue;
      }
      unit_.exprs.push_back({types_.int_type(), predicate->span, tree::Logical{BinaryOp::kLogOr, any, predicate}});
      any = &unit_.exprs.back();
    }
    return any;
  }

  const tree::Stmt *unconditional_exit(const tree::Clause &clause) const {
    if (clause.predicate != nullptr) return nullptr;
    for (const tree::Stmt &stmt : clause.body) {
      const auto *action = std::get_if<tree::Action>(&stmt.node);
      if (action != nullptr && action->kind == Builtin::k_exit && runs_alone(*action->values.front())) return &stmt;
    }
    return nullptr;
  }

  tree::Unit &unit_;
  const TypeTable &types_;
  const Sources &sources_;
  const Options &options_;
  ProbeCatalog &probes_;
  Diagnostics &diags_;
  std::vector<const tree::Clause *> clauses_;
  std::vector<std::vector<tree::LeafUse>> uses_;  // by clause
  std::map<std::string, uint32_t> numbers_;       // by identity
  std::set<std::pair<std::string, std::string>> symbols_;
  RecordedLeaves recorded_;
};

}  // namespace

RecordedLeaves record_leaves(tree::Unit &unit, std::span<const tree::Clause> also, const TypeTable &types,
                             const Sources &sources, const Options &options, ProbeCatalog &probes, Diagnostics &diags) {
  return Recording(unit, types, sources, options, probes, diags).make(also);
}

}  // namespace dtrace::recorder
