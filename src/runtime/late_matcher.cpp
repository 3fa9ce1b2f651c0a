// SPDX-License-Identifier: Apache-2.0
#include "runtime/late_matcher.h"

#include <bpf/bpf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "bpf/dt_abi.h"

#include "runtime/catalog.h"
#include "runtime/enabling.h"

namespace dtrace {

LateMatcher::LateMatcher(Catalog &catalog, Enabling &enabling) : catalog_(catalog), enabling_(enabling) {
  const Plan &plan = enabling.plan();
  for (const ClausePlan &clause : plan.clauses)
    if (clause.may_grow) growing_.push_back(clause.index);
  for (const ProgramPlan &program : plan.programs)
    for (ProbeId id : program.probes) known_.insert(id.value);
}

/// What a program does with a probe's name, other than record it, needs the name in the kernel.
void LateMatcher::tell_names(ProbeId id) {
  const int map = enabling_.map_fd("dt_names");
  if (map < 0) return;
  const Probe &probe = catalog_.probe(id);
  dt_names names{};
  auto put = [](auto &to, const std::string &text) {
    std::memcpy(to, text.data(), std::min(text.size(), sizeof to - 1));
  };
  put(names.provider, probe.provider);
  put(names.module, probe.module);
  put(names.function, probe.function);
  put(names.name, probe.name);
  bpf_map_update_elem(map, &id.value, &names, BPF_ANY);
}

Result<Unit> LateMatcher::start(const std::vector<int> &cpus) {
  for (uint32_t id : known_) tell_names(ProbeId{id});
  if (growing_.empty()) return ok();
  Result<MappingWatch> watch = MappingWatch::open(cpus);
  if (!watch) return std::move(watch).error();
  watch_ = std::move(*watch);
  return ok();
}

LateMatcher::Outcome LateMatcher::update() {
  Outcome outcome;
  if (!watch_) return outcome;
  MappingWatch::News news = watch_->take();
  outcome.pids = news.pids;
  std::map<uint32_t, std::vector<uint32_t>> fresh;  // probe: clauses
  for (uint32_t index : growing_) {
    const ProbeDesc &desc = enabling_.plan().clauses[index].desc;
    const bool concerned = news.lost || std::any_of(news.pids.begin(), news.pids.end(),
                                                    [&](pid_t pid) { return catalog_.follows(desc, pid); });
    if (!concerned) continue;
    Result<std::vector<ProbeId>> matched = catalog_.match(desc);
    if (!matched) continue;  // the process is gone, or is changing: there will be more news
    for (ProbeId id : *matched)
      if (!known_.contains(id.value)) fresh[id.value].push_back(index);
  }
  std::map<uint32_t, std::vector<SitePlan>> sites;  // by program
  for (const auto &[id, clauses] : fresh) {
    known_.insert(id);
    tell_names(ProbeId{id});
    attach(ProbeId{id}, clauses, sites, outcome);
  }
  for (auto &[program, list] : sites)
    if (Result<Unit> attached = enabling_.attach_more(program, list); !attached)
      outcome.problems.push_back(attached.error().text());
  return outcome;
}

void LateMatcher::attach(ProbeId id, const std::vector<uint32_t> &clauses,
                         std::map<uint32_t, std::vector<SitePlan>> &sites, Outcome &outcome) {
  const ProbeHook &hook = catalog_.hook(id);
  const std::vector<ProgramPlan> &programs = enabling_.plan().programs;
  const auto program =
      std::find_if(programs.begin(), programs.end(), [&](const ProgramPlan &p) { return p.hook == hook.hook; });
  auto refuse = [&](std::string_view why) {
    outcome.problems.push_back(fmt::format("cannot trace {}: {}", catalog_.probe(id).text(), why));
  };
  if (program == programs.end()) return refuse("no probe like it was there when tracing began");

  // The set of its clauses as one row, or else each clause for itself.
  std::vector<uint32_t> rows;
  auto row_of = [&](const std::vector<uint32_t> &set) {
    const auto row = std::find(program->rows.begin(), program->rows.end(), set);
    if (row == program->rows.end()) return false;
    rows.push_back(static_cast<uint32_t>(row - program->rows.begin()));
    return true;
  };
  if (!row_of(clauses))
    for (uint32_t clause : clauses)
      if (!row_of({clause})) return refuse("too many combinations of clauses");

  for (const UserSite &site : hook.sites) {
    uint32_t variant = site.variant;
    if (!hook.variants.empty()) {
      const auto same = std::find(program->variants.begin(), program->variants.end(), hook.variants.at(variant));
      if (same == program->variants.end()) return refuse("its arguments lie where no earlier probe's did");
      variant = static_cast<uint32_t>(same - program->variants.begin());
    }
    for (uint32_t row : rows)
      sites[static_cast<uint32_t>(program - programs.begin())].push_back(
          {site, SiteCookie{id.value, static_cast<uint16_t>(row), variant}.packed()});
  }
  ++outcome.probes;
}

}  // namespace dtrace
