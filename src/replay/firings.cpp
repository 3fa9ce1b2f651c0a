// SPDX-License-Identifier: Apache-2.0
#include "replay/firings.h"

#include <algorithm>
#include <cstring>

#include "bpf/dt_abi.h"

namespace dtrace::replay {

using evaluator::Fault;
using evaluator::FiringHead;
using evaluator::NotTold;

Firings::Firings(Parts parts)
    : parts_(std::move(parts)),
      variables_(parts_.unit, parts_.types),
      memory_(static_cast<uint64_t>(parts_.options.number(Opt::scratchsize))),
      speculations_(parts_.layout.plan.nr_speculations, static_cast<uint64_t>(parts_.options.number(Opt::specsize))),
      store_(parts_.layout.plan, parts_.host, parts_.nr_cpus, parts_.options.flag(Opt::aggpercpu)),
      faults_(parts_.layout.plan, parts_.host, parts_.position_of),
      finder_(parts_.layout.plan, parts_.host),
      evaluator_({.unit = parts_.unit,
                  .types = parts_.types,
                  .variables = variables_,
                  .memory = memory_,
                  .leaves = parts_.leaves,
                  .lose = [this](Cause cause) { lose(runs_.clause(), cause); },
                  .start_speculation =
                      [this] {
                        const uint32_t id = speculations_.start();
                        if (id == 0) lose(runs_.clause(), Cause::kSpecUnavailable);
                        return uint64_t{id};
                      }}),
      runs_({.layout = parts_.layout,
             .options = parts_.options,
             .evaluator = evaluator_,
             .leaves = parts_.leaves,
             .speculations = speculations_,
             .aggregate = [this](uint32_t index, std::span<std::byte> key,
                                 std::span<const uint64_t> words) { store_.add(index, key, words, cpu_); },
             .lose = [this](uint32_t clause, Cause cause) { lose(clause, cause); }}),
      actions_({.plan = parts_.layout.plan,
                .host = parts_.host,
                .types = parts_.types,
                .options = parts_.options,
                .store = store_,
                .symbolizer = parts_.symbolizer,
                .watcher = watcher_,
                .sink = parts_.sink,
                .snapshot = [this] { store_.set_times(begin_ns_, now_ns_); },
                .give_up = parts_.give_up ? parts_.give_up : [](std::chrono::nanoseconds) { return false; },
                .abandoned = parts_.abandoned,
                .cgroups = parts_.cgroups}) {
  if (parts_.sharing) store_.share_stacks(*parts_.sharing);
  for (uint32_t index = 0; index < parts_.layout.clauses.size(); ++index)
    for (const ProbeId id : parts_.layout.clauses[index].clause->probes) clauses_[id.value].push_back(index);
}

void Firings::begin(uint64_t time_ns) {
  parts_.sink.refresh(parts_.options);
  begin_ns_ = now_ns_ = time_ns;
  store_.set_times(time_ns, time_ns);
}

void Firings::fire(ProbeId probe, const FiringHead &firing, uint64_t thread) {
  const auto clauses = clauses_.find(probe.value);
  if (clauses == clauses_.end()) return;
  now_ns_ = firing.time_ns;
  cpu_ = std::min(firing.cpu, parts_.nr_cpus - 1);
  thread_ = thread;
  variables_.begin_firing(thread);
  evaluator_.begin_firing();
  exits_ = false;
  for (const uint32_t index : clauses->second)
    if (!run_clause(index, firing)) break;
  exited_ |= exits_;
  if (!records_.empty()) show(false);
}

bool Firings::run_clause(uint32_t index, const FiringHead &firing) {
  try {
    evaluator::ClauseRun::Outcome outcome = runs_.run(index, firing);
    if (!outcome.record.empty()) keep(std::move(outcome.record), firing);
    exits_ |= outcome.exited;
    if (outcome.fault) fail(index, firing, *outcome.fault);
  } catch (const NotTold &why) {
    if (!parts_.not_told) throw;
    parts_.not_told(index, why);
  }
  return !exits_;
}

/// What ERROR's clauses do with a fault.
void Firings::fail(uint32_t clause, const FiringHead &firing, const Fault &fault) {
  const dt_fault_record record{.head = {DT_RECORD_FAULT, firing.probe, firing.time_ns},
                               .clause = clause,
                               .kind = static_cast<uint32_t>(fault.kind),
                               .address = fault.value,
                               .pc = 0xffffffff,
                               .pad = 0};
  const std::span<const std::byte> bytes = std::as_bytes(std::span(&record, 1));
  keep({bytes.begin(), bytes.end()}, firing);
  if (parts_.layout.error_clauses.empty()) return;
  const uint64_t args[] = {0, firing.probe, clause, ~uint64_t{0}, static_cast<uint64_t>(fault.kind), fault.value};
  const std::vector<evaluator::Storage> saved = variables_.save_firing();
  variables_.begin_firing(thread_);
  parts_.leaves.begin_error(parts_.layout.error_probe, args);
  FiringHead head = firing;
  head.probe = parts_.layout.error_probe.value;
  for (const uint32_t index : parts_.layout.error_clauses) {
    try {
      evaluator::ClauseRun::Outcome outcome = runs_.run(index, head);
      if (!outcome.record.empty()) keep(std::move(outcome.record), head);
      if (outcome.fault) lose(index, Cause::kDoubleError);
      exits_ |= outcome.exited;
    } catch (const NotTold &why) {
      if (!parts_.not_told) throw;
      parts_.not_told(index, why);
    }
  }
  parts_.leaves.end_error();
  variables_.restore_firing(saved);
}

// ---------------------------------------------------------------- what is shown

void Firings::keep(std::vector<std::byte> record, const FiringHead &firing) {
  records_.push_back({firing.cpu, std::move(record)});
}

void Firings::show(bool all) {
  constexpr size_t kMaxWaiting = 4096;
  if (!parts_.options.flag(Opt::flowindent)) {
    for (const Kept &record : records_) show_record(record, nullptr);
    records_.clear();
    return;
  }
  size_t shown = 0;
  for (; shown < records_.size(); ++shown) {
    const auto begin = records_.begin() + static_cast<ptrdiff_t>(shown) + 1;
    const auto next = std::ranges::find(begin, records_.end(), records_[shown].cpu, &Kept::cpu);
    const bool has_next = next != records_.end();
    if (!has_next && !all && records_.size() - shown <= kMaxWaiting) break;
    show_record(records_[shown], has_next ? &*next : nullptr);
  }
  records_.erase(records_.begin(), records_.begin() + static_cast<ptrdiff_t>(shown));
}

void Firings::show_fault(std::span<const std::byte> bytes) {
  if (const std::optional<runtime::FaultEvent> event = faults_.event_of(bytes)) parts_.sink.fault(*event);
  if (!parts_.note) return;
  if (const std::string position = faults_.position_of_first(bytes); !position.empty()) parts_.note(position);
}

void Firings::show_record(const Kept &record, const Kept *next) {
  if (runtime::head_of(record.bytes).clause == DT_RECORD_FAULT) {
    if (actions_.is_abandoned()) return actions_.count_abandoned();
    return show_fault(record.bytes);
  }
  const std::optional<runtime::RecordedRow> row = finder_.row_of({static_cast<int>(record.cpu), record.bytes});
  if (!row || actions_.hold(*row)) return;
  const std::optional<runtime::RecordedRow> following =
      next == nullptr ? std::nullopt : finder_.row_of({static_cast<int>(next->cpu), next->bytes});
  actions_.take(*row, following ? &*following : nullptr);
}

int Firings::finish(std::span<const runtime::Loss> more, bool failed) {
  show(true);
  store_.set_times(begin_ns_, now_ns_);
  actions_.show_remaining();
  parts_.sink.flush();
  faults_.report_more(parts_.sink);
  std::vector<runtime::Loss> losses(more.begin(), more.end());
  for (const auto &[where, count] : losses_) losses.push_back({where.second, where.first, UINT32_MAX, count, {}, 0});
  parts_.sink.lost(losses);
  failed |= parts_.sink.failure().has_value() || actions_.nr_abandoned() != 0 || actions_.has_failed_command();
  const int status = failed ? 1 : actions_.exit_status().value_or(0);
  parts_.sink.ended(status, losses);
  return status;
}

}  // namespace dtrace::replay
