// SPDX-License-Identifier: Apache-2.0
#include "replay/leaf_check.h"

#include <algorithm>
#include <map>

#include "replay/row_leaves.h"

namespace dtrace::replay {

LeafCheck::LeafCheck(const recording::Reader &recording, FileCatalog &catalog, const TypeTable &types,
                     const Sources &sources)
    : recording_(recording), catalog_(catalog), types_(types), sources_(sources) {
  sets_.resize(recording.sets().size() + 1);
  for (const recording::LeafSet &set : recording.sets())
    for (const uint32_t leaf : set.leaves)
      if (set.id < sets_.size() && leaf != 0 && leaf <= recording.leaves().size())
        sets_[set.id].insert(recording.leaves()[leaf - 1].identity);
}

bool LeafCheck::is_of_error(const tree::Clause &clause) const {
  return std::ranges::find(clause.probes, catalog_.error()) != clause.probes.end();
}

bool LeafCheck::is_told(const tree::LeafUse &use) const {
  const auto *builtin = std::get_if<tree::BuiltinRef>(&use.expr->node);
  return builtin != nullptr && is_told_by_rows(recording_, builtin->var);
}

std::vector<tree::LeafUse> LeafCheck::uses_of(const tree::Unit &unit, const tree::Clause &clause) const {
  std::vector<tree::LeafUse> uses = tree::leaves_of(unit, types_, clause);
  std::erase_if(uses, [&](const tree::LeafUse &use) { return is_told(use); });
  return uses;
}

uint32_t LeafCheck::set_of(ProbeId probe) const {
  const recording::Probe *recorded = catalog_.recorded(probe);
  return recorded == nullptr ? 0 : recorded->leaves;
}

bool LeafCheck::has(uint32_t set, const std::string &identity) const {
  return set < sets_.size() && sets_[set].contains(identity);
}

void LeafCheck::check(const tree::Unit &unit, const tree::Program &program, Diagnostics &diags) {
  std::set<ProbeId> of_program, of_all;
  const auto add_probes = [&](const tree::Program &some, std::set<ProbeId> &probes) {
    for (const tree::Clause &clause : some.clauses) probes.insert(clause.probes.begin(), clause.probes.end());
    probes.erase(catalog_.error());
  };
  add_probes(program, of_program);
  for (const tree::Program &earlier : unit.programs) add_probes(earlier, of_all);
  of_all.insert(of_program.begin(), of_program.end());
  const auto check_clause = [&](const tree::Clause &clause, const std::set<ProbeId> &of_error) {
    std::vector<tree::LeafUse> uses = uses_of(unit, clause);
    if (is_of_error(clause)) {  // arg0 to arg9 are those of the fault
      std::erase_if(uses, [](const tree::LeafUse &use) {
        const auto *builtin = std::get_if<tree::BuiltinRef>(&use.expr->node);
        return builtin != nullptr && builtin->var >= Variable::k_arg0 && builtin->var <= Variable::k_arg9;
      });
      return check_uses(uses, of_error, diags);
    }
    check_uses(uses, {clause.probes.begin(), clause.probes.end()}, diags);
  };
  for (const tree::Clause &clause : program.clauses) check_clause(clause, of_all);
  for (const tree::Program &earlier : unit.programs)
    for (const tree::Clause &clause : earlier.clauses)
      if (is_of_error(clause)) check_clause(clause, of_program);
}

void LeafCheck::check_uses(const std::vector<tree::LeafUse> &uses, const std::set<ProbeId> &probes,
                           Diagnostics &diags) {
  for (const tree::LeafUse &use : uses) {
    if (use.depends_on_program) {
      diags.report(Tag::D_NOT_RECORDED, use.span,
                   "'{}' depends on what the program has computed: no recording can have it", sources_.text(use.span));
      continue;
    }
    std::vector<ProbeId> without;
    std::map<uint32_t, bool> known;  // by LeafSet
    for (const ProbeId id : probes) {
      const auto [has_it, is_new] = known.try_emplace(set_of(id));
      if (is_new) has_it->second = has(has_it->first, use.identity);
      if (!has_it->second) without.push_back(id);
    }
    if (!without.empty()) report(use, without, diags);
  }
}

void LeafCheck::report(const tree::LeafUse &use, const std::vector<ProbeId> &probes, Diagnostics &diags) {
  const std::string text(sources_.text(use.span));
  const std::string probe = catalog_.probe(probes.front()).text();
  const size_t others = probes.size() - 1;
  diags.report(Tag::D_NOT_RECORDED, use.span, "'{}' was not recorded at {}{}", text, probe,
               others == 0 ? "" : fmt::format(" and {} more probe{}", others, others == 1 ? "" : "s"));
  diags.advise(fmt::format("record it with: dtrace --record FILE -n '{} {{ trace({}); }}'", probe, text));
}

}  // namespace dtrace::replay
