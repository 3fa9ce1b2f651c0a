// SPDX-License-Identifier: Apache-2.0
#include "runtime/ledger.h"

#include <bpf/bpf.h>
#include <fmt/format.h>

#include <algorithm>

#include "runtime/enabling.h"
#include "runtime/print/json.h"

namespace dtrace {
namespace {

struct CauseRow {
  std::string_view name, tag, text;
};
constexpr CauseRow kCauses[] = {
#define CAUSE(name, tag, text) {#name, tag, text},
#include "codegen/causes.def"
};
constexpr auto kNrCauses = static_cast<uint32_t>(Cause::kCount);

}  // namespace

std::string_view cause_tag(Cause cause) { return kCauses[static_cast<size_t>(cause)].tag; }
std::string_view cause_name(Cause cause) { return kCauses[static_cast<size_t>(cause)].name; }
std::string_view cause_text(Cause cause) { return kCauses[static_cast<size_t>(cause)].text; }

Ledger::Ledger(Enabling &enabling) : enabling_(enabling) {
  seen_.assign(size_t{kNrCauses} * enabling.plan().clauses.size() * enabling.possible_cpus(), 0);
}

void Ledger::add(std::vector<Loss> &fresh, Loss loss) {
  auto known = std::find_if(total_.begin(), total_.end(), [&](const Loss &l) {
    return l.cause == loss.cause && l.clause == loss.clause && l.cpu == loss.cpu && l.program == loss.program;
  });
  if (known != total_.end())
    known->count += loss.count;
  else
    total_.push_back(loss);
  fresh.push_back(std::move(loss));
}

std::vector<Ledger::Loss> Ledger::update() {
  std::vector<Loss> fresh;
  const auto nr_clauses = static_cast<uint32_t>(enabling_.plan().clauses.size());
  const unsigned cpus = enabling_.possible_cpus();
  std::vector<uint64_t> values(cpus);
  if (int map = enabling_.map_fd("dt_drops"); map >= 0) {
    for (uint32_t slot = 0; slot < kNrCauses * nr_clauses; ++slot) {
      if (bpf_map_lookup_elem(map, &slot, values.data()) != 0) continue;
      for (unsigned cpu = 0; cpu < cpus; ++cpu) {
        uint64_t &seen = seen_[size_t{slot} * cpus + cpu];
        if (values[cpu] == seen) continue;
        add(fresh, {static_cast<Cause>(slot / nr_clauses), slot % nr_clauses, cpu, values[cpu] - seen, {}});
        seen = values[cpu];
      }
    }
  }
  for (const Enabling::Missed &missed : enabling_.missed()) {
    auto known = std::find_if(missed_seen_.begin(), missed_seen_.end(),
                              [&](const auto &m) { return m.first == missed.program; });
    if (known == missed_seen_.end()) known = missed_seen_.insert(known, {missed.program, 0});
    if (missed.count == known->second) continue;
    add(fresh, {Cause::kMissed, UINT32_MAX, UINT32_MAX, missed.count - known->second, missed.program});
    known->second = missed.count;
  }
  return fresh;
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
                       has_clause ? enabling_.plan().clauses[loss.clause].name : loss.program, cause_text(loss.cause));
  }
  return out;
}

std::string Ledger::json() const {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("losses").begin_array();
  for (const Loss &loss : total_) {
    json.begin_object().member("cause", cause_name(loss.cause)).member("tag", cause_tag(loss.cause));
    if (loss.clause != UINT32_MAX) json.member("clause", std::string_view(enabling_.plan().clauses[loss.clause].name));
    if (loss.cpu != UINT32_MAX) json.member("cpu", loss.cpu);
    if (!loss.program.empty()) json.member("program", std::string_view(loss.program));
    json.member("count", loss.count).end_object();
  }
  json.end_array().end_object();
  return out;
}

}  // namespace dtrace
