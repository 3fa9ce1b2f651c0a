// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/print/json.h"
#include "runtime/print/json_losses.h"

namespace dtrace::runtime {
namespace {

constexpr auto kNrCauses = static_cast<uint32_t>(Cause::kCount);

}  // namespace

Ledger::Ledger(const Plan &plan, unsigned nr_cpus) : plan_(plan), nr_cpus_(nr_cpus) {
  seen_.assign(size_t{kNrCauses} * plan.clauses.size() * nr_cpus, 0);
}

void Ledger::add(std::vector<Loss> &fresh, Loss loss) {
  auto known = std::find_if(total_.begin(), total_.end(), [&](const Loss &l) {
    return l.cause == loss.cause && l.clause == loss.clause && l.cpu == loss.cpu && l.program == loss.program;
  });
  if (known != total_.end()) {
    known->count += loss.count;
    known->longest_ns = std::max(known->longest_ns, loss.longest_ns);
  } else {
    total_.push_back(loss);
  }
  fresh.push_back(std::move(loss));
}

std::vector<Loss> Ledger::update(const LossCounters &counters) {
  std::vector<Loss> fresh;
  const auto nr_clauses = static_cast<uint32_t>(plan_.clauses.size());
  for (size_t i = 0; i < std::min(counters.drops.size(), seen_.size()); ++i) {
    const auto slot = static_cast<uint32_t>(i / nr_cpus_);
    const uint64_t count = counters.drops[i] - std::exchange(seen_[i], counters.drops[i]);
    if (count == 0) continue;
    add(fresh,
        {static_cast<Cause>(slot / nr_clauses), slot % nr_clauses, static_cast<unsigned>(i % nr_cpus_), count, {}, 0});
  }
  for (const MissedFirings &missed : counters.missed) {
    auto known = std::ranges::find(missed_seen_, missed.program, &MissedFirings::program);
    if (known == missed_seen_.end()) known = missed_seen_.insert(known, {missed.program, 0});
    if (missed.count == known->count) continue;
    add(fresh, {Cause::kMissed, UINT32_MAX, UINT32_MAX, missed.count - known->count, missed.program, 0});
    known->count = missed.count;
  }
  for (; log_gaps_seen_ < counters.log_gaps.size(); ++log_gaps_seen_) {
    const LogGaps &gaps = counters.log_gaps[log_gaps_seen_];
    add(fresh, {Cause::kLogGap, UINT32_MAX, gaps.cpu, gaps.count, {}, 0});
  }
  for (Loss &loss : std::exchange(noted_, {})) add(fresh, std::move(loss));
  return fresh;
}

void Ledger::note_late(const std::string &file, uint64_t probes, uint64_t longest_ns) {
  noted_.push_back({Cause::kLateSites, UINT32_MAX, UINT32_MAX, probes, file, longest_ns});
}

std::string Ledger::sentence(const Loss &loss) {
  std::string text(cause_text(loss.cause));
  if (loss.cause == Cause::kLateSites)
    text += fmt::format(" ({} probe{}, by {:.1f} ms at most)", loss.count, loss.count == 1 ? "" : "s",
                        static_cast<double>(loss.longest_ns) / 1e6);
  return text;
}

uint64_t Ledger::total(Cause cause) const {
  uint64_t sum = 0;
  for (const Loss &loss : total_)
    if (loss.cause == cause) sum += loss.count;
  return sum;
}

std::string Ledger::text() const {
  if (total_.empty()) return "nothing was lost\n";
  std::string out = fmt::format("{:>12} {:>4} {:<16} {}\n", "COUNT", "CPU", "CLAUSE", "CAUSE");
  for (const Loss &loss : total_) {
    const bool has_clause = loss.clause != UINT32_MAX;
    const std::string count = has_known_count(loss.cause) ? std::to_string(loss.count) : "unknown";
    out += fmt::format("{:>12} {:>4} {:<16} {}\n", count, loss.cpu == UINT32_MAX ? "-" : std::to_string(loss.cpu),
                       has_clause ? plan_.clauses[loss.clause].name : loss.program, sentence(loss));
  }
  return out;
}

std::string Ledger::json() const {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  append_losses(json, total_, plan_);
  json.end_object();
  return out;
}

}  // namespace dtrace::runtime
