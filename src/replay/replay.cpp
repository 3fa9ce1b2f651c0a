// SPDX-License-Identifier: Apache-2.0
#include "replay/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

namespace dtrace::replay {
namespace {

using evaluator::FiringHead;

constexpr std::string_view kEndedFact = "process.ended";

/// Firings between two looks at the client and the output.
constexpr uint32_t kBetweenChecks = 1024;

FiringHead head_of(const recording::Row &row) {
  return {.probe = row.probe, .time_ns = row.time_ns, .thread = row.thread, .cpu = row.cpu};
}

/// Thread-local variables of the idle threads, which all have the number 0, are those of their CPUs.
uint64_t thread_of(const recording::Row &row) {
  constexpr uint64_t kThread = 0xffffffff;
  return (row.thread & kThread) != 0 ? row.thread : uint64_t{1} << 63 | row.cpu;
}

uint64_t later(uint64_t time_ns, uint64_t by_ns) { return time_ns > UINT64_MAX - by_ns ? UINT64_MAX : time_ns + by_ns; }

/// UINT32_MAX: it was not of one CPU.
unsigned cpu_of(const recording::Loss &loss) {
  constexpr std::string_view kCpu = "CPU ";
  if (!loss.where.starts_with(kCpu)) return UINT32_MAX;
  const unsigned long cpu = std::strtoul(loss.where.c_str() + kCpu.size(), nullptr, 10);
  return static_cast<unsigned>(std::min<unsigned long>(cpu, UINT32_MAX));
}

std::optional<Cause> cause_of(std::string_view tag) {
  for (uint32_t i = 0; i < static_cast<uint32_t>(Cause::kCount); ++i)
    if (runtime::cause_name(static_cast<Cause>(i)) == tag) return static_cast<Cause>(i);
  for (uint32_t i = 0; i < static_cast<uint32_t>(Cause::kCount); ++i)
    if (runtime::cause_tag(static_cast<Cause>(i)) == tag) return static_cast<Cause>(i);
  return std::nullopt;
}

}  // namespace

unsigned nr_cpus_of(const recording::Reader &recording) {
  constexpr unsigned long kMax = 8192;
  const std::string *text = recording.fact("cpus");
  const unsigned long cpus = text == nullptr ? 1 : std::strtoul(text->c_str(), nullptr, 10);
  return static_cast<unsigned>(std::clamp(cpus, 1UL, kMax));
}

/// As the run that was recorded knew processes at its end.
std::optional<runtime::StackSharing> sharing_of(const Replay::Parts &parts) {
  const std::string &by = parts.options.string(Opt::stackkeys);
  if (!parts.shared_address || by == "process") return std::nullopt;
  std::set<pid_t> ended;
  for (const recording::Fact &fact : parts.recording.facts())
    if (fact.name == kEndedFact) ended.insert(static_cast<pid_t>(std::strtol(fact.text.c_str(), nullptr, 10)));
  return runtime::StackSharing{.shared_address = parts.shared_address,
                               .has_ended = [ended = std::move(ended)](pid_t pid) { return ended.contains(pid); },
                               .note = {},
                               .of_all = by == "file"};
}

Replay::Replay(Parts parts)
    : parts_(std::move(parts)),
      options_(parts_.options),
      leaves_(parts_.recording, parts_.catalog, parts_.unit, parts_.types),
      firings_(
          {.layout = parts_.layout,
           .unit = parts_.unit,
           .types = parts_.types,
           .options = options_,
           .host = parts_.catalog,
           .symbolizer = parts_.symbolizer,
           .sink = parts_.sink,
           .leaves = leaves_,
           .nr_cpus = nr_cpus_of(parts_.recording),
           .cgroups = &leaves_.cgroups(),
           .sharing = sharing_of(parts_),
           .note = [this](std::string_view text) { parts_.client.note(text); },
           .position_of = parts_.position_of,
           .give_up = [this](std::chrono::nanoseconds waiting) { return parts_.client.give_up(waiting).has_value(); },
           .abandoned = [this] { return parts_.client.end_abandoned(); },
           .not_told = [this](uint32_t clause, const evaluator::NotTold &why) { ++not_told_[{clause, why.leaf}]; }}) {
  options_.freeze();
}

std::optional<recording::Row> Replay::next_row() {
  if (failure_) return std::nullopt;
  Result<std::optional<recording::Row>> row = parts_.recording.next();
  if (!row) {
    failure_ = row.error();
    return std::nullopt;
  }
  if (*row) ++nr_rows_;
  return *row;
}

bool Replay::is_to_end() {
  if (is_to_end_ || firings_.exited()) return true;
  if (nr_until_check_-- != 0) return false;
  nr_until_check_ = kBetweenChecks;
  parts_.sink.flush();
  is_to_end_ = parts_.client.end_requested() || parts_.sink.failure().has_value();
  return is_to_end_;
}

void Replay::fire(const recording::Row &row) {
  parts_.time.set(row.time_ns);
  if (!firings_.has_clauses({row.probe})) return;
  leaves_.begin(row);
  firings_.fire({row.probe}, head_of(row), thread_of(row));
}

void Replay::fire_without_row(ProbeId probe, uint64_t time_ns) {
  fire({.probe = probe.value, .cpu = 0, .time_ns = time_ns, .thread = 0, .cells = {}});
}

bool Replay::fire_clocks(uint64_t until_ns) {
  while (!clocks_.empty()) {
    Clock &next = *std::ranges::min_element(clocks_, {}, &Clock::next_ns);  // of equal ones the first
    if (next.next_ns > until_ns || next.next_ns == UINT64_MAX) return true;
    const uint64_t time_ns = next.next_ns;
    next.next_ns = later(time_ns, next.period_ns);
    fire_without_row(next.probe, time_ns);
    if (is_to_end()) return false;
  }
  return true;
}

int Replay::run() {
  std::optional<recording::Row> first = next_row();
  const uint64_t begin_ns = first ? first->time_ns : 0;
  parts_.time.set(begin_ns);
  firings_.begin(begin_ns);
  for (const FileCatalog::Clock &clock : parts_.catalog.clocks())
    clocks_.push_back({clock.probe, clock.period_ns, later(begin_ns, clock.period_ns)});
  if (const int64_t duration_ns = options_.number(Opt::duration); duration_ns > 0)
    until_ns_ = later(begin_ns, static_cast<uint64_t>(duration_ns));
  const ProbeId begin = parts_.catalog.begin();
  if (first && ProbeId{first->probe} == begin) {
    fire(*first);
    first = firings_.exited() ? std::nullopt : next_row();
  } else {
    // The evaluator takes no row of the reader's here, so the first one stays valid.
    fire_without_row(begin, begin_ns);
  }
  if (!is_to_end()) run_rows(first);
  if (parts_.client.end_requested()) parts_.sink.interrupted();
  run_end();
  report_not_told();
  return firings_.finish(recorded_losses(), failure_.has_value());
}

void Replay::run_rows(std::optional<recording::Row> row) {
  for (; row; row = next_row()) {
    if (row->time_ns > until_ns_) break;
    if (!clocks_.empty() && !fire_clocks(row->time_ns)) return;
    const ProbeId probe{row->probe};
    if (probe == parts_.catalog.begin()) continue;  // it fires once
    if (probe == parts_.catalog.end()) {
      has_end_ = true;
      fire(*row);
      return;
    }
    fire(*row);
    if (is_to_end()) return;
  }
}

std::optional<recording::Row> Replay::find_end() {
  const std::optional<uint64_t> last_ns = parts_.recording.last_ns();
  const ProbeId end = parts_.catalog.end();
  if (!last_ns || parts_.catalog.recorded(end) == nullptr || !firings_.has_clauses(end)) return std::nullopt;
  parts_.recording.seek(*last_ns);
  for (;;) {
    const Result<std::optional<recording::Row>> row = parts_.recording.next();
    if (!row || !*row) return std::nullopt;
    if (ProbeId{(*row)->probe} == end) return **row;
  }
}

void Replay::run_end() {
  if (has_end_) return;
  if (std::optional<recording::Row> row = find_end()) {
    row->time_ns = parts_.time.monotonic_ns();  // it fires where the run ends
    fire(*row);
  } else {
    fire_without_row(parts_.catalog.end(), parts_.time.monotonic_ns());
  }
}

std::vector<runtime::Loss> Replay::recorded_losses() const {
  std::map<std::pair<Cause, unsigned>, uint64_t> counts;
  for (const recording::Loss &loss : parts_.recording.losses()) {
    if (const std::optional<Cause> cause = cause_of(loss.cause))
      counts[{*cause, cpu_of(loss)}] += loss.count;
    else
      parts_.client.report(fmt::format("the recording has lost {} of {}{}{}", loss.count, loss.cause,
                                       loss.where.empty() ? "" : " at ", loss.where));
  }
  std::vector<runtime::Loss> losses;
  for (const auto &[where, count] : counts) losses.push_back({where.first, UINT32_MAX, where.second, count, {}, 0});
  return losses;
}

void Replay::report_not_told() const {
  for (const auto &[where, count] : not_told_) {
    const auto &[clause, leaf] = where;
    const std::string text = leaf != nullptr && parts_.text_of ? parts_.text_of(*leaf) : std::string();
    const std::string position = parts_.position_of ? parts_.position_of(clause) : std::string();
    parts_.client.report(fmt::format("the recording has no value of {} at {} firing{} of {}{}{}, which ended there",
                                     text.empty() ? "an expression" : text, count, count == 1 ? "" : "s",
                                     parts_.layout.plan.clauses[clause].name, position.empty() ? "" : " at ",
                                     position));
  }
}

}  // namespace dtrace::replay
