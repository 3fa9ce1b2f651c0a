// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/ledger.h"

#include <bpf/bpf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "runtime/load/enabling.h"
#include "runtime/load/scheduling.h"
#include "runtime/print/json.h"
#include "runtime/print/json_losses.h"

namespace dtrace {
namespace {

constexpr auto kNrCauses = static_cast<uint32_t>(Cause::kCount);

/// Reads a per-CPU array of u64: `count` rows of `cpus`. In one call where the kernel has it: with hundreds of clauses,
/// there are thousands of counters. How many rows were read.
uint32_t read_all(int map, uint32_t count, unsigned cpus, uint64_t *values) {
  std::vector<uint32_t> keys(count);
  uint32_t next = 0, read = count;
  LIBBPF_OPTS(bpf_map_batch_opts, opts);
  const int error = bpf_map_lookup_batch(map, nullptr, &next, keys.data(), values, &read, &opts);
  if ((error == 0 || error == -ENOENT) && read == count) return count;  // ENOENT: that was the last one
  for (uint32_t slot = 0; slot < count; ++slot)
    if (bpf_map_lookup_elem(map, &slot, values + size_t{slot} * cpus) != 0) return slot;
  return count;
}

}  // namespace

Ledger::Ledger(Enabling &enabling) : enabling_(enabling) {
  seen_.assign(size_t{kNrCauses} * enabling.plan().clauses.size() * enabling.possible_cpus(), 0);
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

std::vector<Loss> Ledger::update() {
  std::vector<Loss> fresh;
  const auto nr_clauses = static_cast<uint32_t>(enabling_.plan().clauses.size());
  const unsigned cpus = enabling_.possible_cpus();
  const uint32_t nr_slots = kNrCauses * nr_clauses;
  if (int map = enabling_.map_fd("dt_drops"); map >= 0) {
    std::vector<uint64_t> values(size_t{nr_slots} * cpus);
    const Undisturbed undisturbed;
    const uint32_t nr_read = read_all(map, nr_slots, cpus, values.data());
    for (uint32_t slot = 0; slot < nr_read; ++slot) {
      for (unsigned cpu = 0; cpu < cpus; ++cpu) {
        const uint64_t value = values[size_t{slot} * cpus + cpu];
        uint64_t &seen = seen_[size_t{slot} * cpus + cpu];
        if (value == seen) continue;
        add(fresh, {static_cast<Cause>(slot / nr_clauses), slot % nr_clauses, cpu, value - seen, {}, 0});
        seen = value;
      }
    }
  }
  for (const Enabling::Missed &missed : enabling_.missed()) {
    auto known = std::find_if(missed_seen_.begin(), missed_seen_.end(),
                              [&](const auto &m) { return m.first == missed.program; });
    if (known == missed_seen_.end()) known = missed_seen_.insert(known, {missed.program, 0});
    if (missed.count == known->second) continue;
    add(fresh, {Cause::kMissed, UINT32_MAX, UINT32_MAX, missed.count - known->second, missed.program, 0});
    known->second = missed.count;
  }
  for (; log_gaps_seen_ < enabling_.log_gaps().size(); ++log_gaps_seen_) {
    const Enabling::LogGaps &gaps = enabling_.log_gaps()[log_gaps_seen_];
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
    text += fmt::format(" (by {:.1f} ms at most)", static_cast<double>(loss.longest_ns) / 1e6);
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
    out += fmt::format("{:>12} {:>4} {:<16} {}\n", loss.count, loss.cpu == UINT32_MAX ? "-" : std::to_string(loss.cpu),
                       has_clause ? enabling_.plan().clauses[loss.clause].name : loss.program, sentence(loss));
  }
  return out;
}

std::string Ledger::json() const {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  append_losses(json, total_, enabling_.plan());
  json.end_object();
  return out;
}

}  // namespace dtrace
