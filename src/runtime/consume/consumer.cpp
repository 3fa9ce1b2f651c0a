// SPDX-License-Identifier: Apache-2.0
// Passes over the rings and rows of records; what each action does is in consumer_actions.cpp.
#include "runtime/consume/consumer.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <deque>
#include <limits>
#include <new>
#include <numeric>

#include "bpf/dt_abi.h"

namespace dtrace {
namespace {

/// The T at an offset of a record; zeros where the record is shorter than its clause's plan (not one of ours).
template <typename T>
T load_at(std::span<const std::byte> bytes, size_t offset) {
  T value{};
  if (offset <= bytes.size() && bytes.size() - offset >= sizeof value)
    std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

dt_record head_of(std::span<const std::byte> bytes) { return load_at<dt_record>(bytes, 0); }

/// The clock of dt_record::time.
uint64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace

Consumer::Consumer(Parts parts)
    : parts_(std::move(parts)),
      decoder_(parts_.catalog, parts_.types, *this),
      speculations_(parts_.enabling.plan().nr_speculations) {
  keeps_ = parts_.options.string(Opt::bufpolicy) != "switch" && !parts_.enabling.plan().fills_once;
  format_.text.symbolizer = &parts_.symbolizer;
  format_.target_pid = parts_.target_pid;
  format_.names = &names_;
  refresh_contexts();
}

Consumer::~Consumer() = default;

void Consumer::refresh_contexts() {
  format_.text.quiet = parts_.options.flag(Opt::quiet);
  format_.text.raw_bytes = parts_.options.flag(Opt::rawbytes);
  parts_.sink.refresh(parts_.options);
}

void Consumer::saw_process(pid_t pid) {
  // Processes come and go for weeks; to note one again costs little.
  constexpr size_t kMaxSeen = 16384;
  if (seen_processes_.size() >= kMaxSeen) seen_processes_.clear();
  if (pid > 0 && seen_processes_.insert(pid).second) parts_.symbolizer.note_process(pid);
}

void Consumer::gather(Ring &ring, uint64_t until_ns) {
  ring.begin_pass();
  for (std::span<const std::byte> bytes = ring.peek(); !bytes.empty(); bytes = ring.peek()) {
    if (head_of(bytes).time > until_ns) break;
    batch_.push_back({ring.cpu(), bytes});
    ring.pop();
  }
}

void Consumer::place_begin_first() {
  std::vector<Ring> &rings = parts_.enabling.buffers().rings();
  auto first = std::find_if(rings.begin(), rings.end(), [&](Ring &ring) {
    ring.begin_pass();
    const std::span<const std::byte> bytes = ring.peek();
    if (bytes.size() < sizeof(dt_record)) return false;
    const std::optional<Row> row = row_of({ring.cpu(), bytes});
    return row && row->probe.provider == "dtrace" && row->probe.name == "BEGIN";
  });
  if (first != rings.end()) std::iter_swap(rings.begin(), first);
}

Result<Unit> Consumer::consume() {
  std::vector<Ring> &rings = parts_.enabling.buffers().rings();
  snapshot_taken_ = false;
  if (!std::exchange(placed_begin_, true)) place_begin_first();
  if (Result<Unit> relieved = parts_.aggregator.relieve(); !relieved) return relieved;
  const Plan &plan = parts_.enabling.plan();
  if (plan.fills_once && !parts_.enabling.exited()) return ok();
  const bool by_time = plan.by_time;
  // What fires from now on is left for the next pass: we may be interrupted between two rings, and what comes after
  // that would be printed before what had been added to a ring we have looked at.
  const uint64_t until_ns = by_time && !finished_ ? monotonic_ns() : std::numeric_limits<uint64_t>::max();
  for (Ring &ring : rings) {
    gather(ring, until_ns);
    if (by_time) continue;
    keep_or_process();
    ring.release();
  }
  if (by_time) {
    // What had fired on a CPU, but was not yet committed when we looked there.
    for (Ring &ring : rings) gather(ring, until_ns);
    std::stable_sort(batch_.begin(), batch_.end(),
                     [](const Record &a, const Record &b) { return head_of(a.bytes).time < head_of(b.bytes).time; });
    keep_or_process();
    for (Ring &ring : rings) ring.release();
  }
  parts_.sink.flush();
  return ok();
}

void Consumer::keep_or_process() {
  if (!keeps_) {
    nr_processed_ = 0;
    try {
      process(batch_);
    } catch (const std::bad_alloc &) {
      nr_without_memory_ += batch_.size() - nr_processed_;
      batch_.clear();
      throw;
    }
    batch_.clear();
    return;
  }
  const bool overwrite = parts_.options.string(Opt::bufpolicy) == "ring";
  const auto limit = static_cast<size_t>(parts_.options.number(Opt::bufsize));
  for (const Record &record : batch_) {
    std::deque<std::vector<std::byte>> &kept = kept_[record.cpu];
    size_t &bytes = kept_bytes_[record.cpu];
    if (!overwrite && bytes + record.bytes.size() > limit) {
      parts_.enabling.stop();  // fill: the first full buffer ends tracing everywhere
      continue;
    }
    kept.emplace_back(record.bytes.begin(), record.bytes.end());
    bytes += record.bytes.size();
    while (overwrite && bytes > limit) {
      bytes -= kept.front().size();
      kept.pop_front();
    }
    // exit() must be noticed although nothing is printed yet.
    if (std::optional<Row> row = row_of(record))
      for (const ActionPlan &action : row->clause.actions)
        if (action.kind == Builtin::k_exit && guard_allows(*row, action)) note_exit(*row, action);
  }
  batch_.clear();
}

Result<Unit> Consumer::finish() {
  if (Result<Unit> drained = parts_.aggregator.drain_all(); !drained) return drained;
  finished_ = true;
  if (std::exchange(keeps_, false)) process_kept();
  return consume();
}

void Consumer::process_kept() {
  std::vector<std::vector<Record>> by_cpu;
  parts_.enabling.buffers().close_logs();
  for (const Ring &ring : parts_.enabling.buffers().rings()) {
    std::vector<Record> &records = by_cpu.emplace_back();
    for (const std::vector<std::byte> &bytes : kept_[ring.cpu()]) records.push_back({ring.cpu(), bytes});
    for (const RecordLog &log : parts_.enabling.buffers().logs())
      if (log.cpu() == ring.cpu())
        for (std::span<const std::byte> bytes : log.records()) records.push_back({log.cpu(), bytes});
  }
  // One firing's records have one time, and are in the order of its clauses.
  const auto earlier = [](const Record &a, const Record &b) {
    const dt_record first = head_of(a.bytes), second = head_of(b.bytes);
    return first.time != second.time ? first.time < second.time : first.clause < second.clause;
  };
  if (parts_.enabling.plan().by_time) {
    for (size_t i = 1; i < by_cpu.size(); ++i) by_cpu[0].insert(by_cpu[0].end(), by_cpu[i].begin(), by_cpu[i].end());
    by_cpu.resize(std::min<size_t>(by_cpu.size(), 1));
  }
  for (std::vector<Record> &records : by_cpu)
    if (parts_.enabling.plan().timestamps) std::stable_sort(records.begin(), records.end(), earlier);
  const auto begins = [&](const std::vector<Record> &records) {
    const std::optional<Row> row = records.empty() ? std::nullopt : row_of(records.front());
    return row && row->probe.provider == "dtrace" && row->probe.name == "BEGIN";
  };
  std::stable_partition(by_cpu.begin(), by_cpu.end(), begins);
  for (const std::vector<Record> &records : by_cpu) process(records);
  kept_.clear();
}

void Consumer::process(std::span<const Record> records) {
  if (!records.empty() && parts_.before_rows) parts_.before_rows();
  for (size_t i = 0; i < records.size(); ++i) {
    const Record *next = nullptr;  // only flowindent looks ahead; setopt() may switch it on from one record to the next
    if (parts_.options.flag(Opt::flowindent))
      for (size_t j = i + 1; j < records.size() && next == nullptr; ++j)
        if (records[j].cpu == records[i].cpu) next = &records[j];
    process_record(records[i], next);
    ++nr_processed_;
  }
}

std::optional<Consumer::Row> Consumer::row_of(const Record &record) {
  if (record.bytes.size() < sizeof(dt_record)) return std::nullopt;
  const dt_record head = head_of(record.bytes);
  const Plan &plan = parts_.enabling.plan();
  if (head.clause >= plan.clauses.size()) return std::nullopt;
  const Probe &probe = parts_.catalog.probe(ProbeId{head.probe});
  const std::optional<uint64_t> time_ns = plan.timestamps ? std::optional(head.time) : std::nullopt;
  return std::optional<Row>(std::in_place, plan.clauses[head.clause], probe, parts_.catalog.shown_function(probe),
                            record.cpu, time_ns, record.bytes);
}

void Consumer::process_record(const Record &record, const Record *next) {
  if (record.bytes.size() >= sizeof(dt_fault_record) && head_of(record.bytes).clause == DT_RECORD_FAULT)
    return process_fault(record.bytes);
  std::optional<Row> row = row_of(record);
  if (!row) return;  // DT_RECORD_WAKE: the work was done at the start of the pass
  if (row->clause.speculation_offset != 0) {
    const auto speculation = load_at<uint32_t>(record.bytes, row->clause.speculation_offset);
    if (speculation != 0 && speculations_.hold(speculation, record.cpu, record.bytes)) return;
  }
  std::optional<Row> following = next != nullptr ? row_of(*next) : std::nullopt;
  print_row(*row, following ? &*following : nullptr);
}

bool Consumer::guard_allows(const Row &row, const ActionPlan &action) const {
  if (action.guard < 0 || row.clause.guard_offset == 0) return true;
  return load_at<uint8_t>(row.bytes, row.clause.guard_offset + static_cast<uint32_t>(action.guard)) != 0;
}

void Consumer::abandon_row(const Row &row) {
  ++nr_abandoned_;
  for (const ActionPlan &action : row.clause.actions)
    if (guard_allows(row, action) && (action.kind == Builtin::k_commit || action.kind == Builtin::k_discard))
      (this->*handler_of(action.kind))(row, action);  // what they print is abandoned as well, and counted
}

void Consumer::print_row(const Row &row, const Row *next) {
  if (parts_.abandoned && parts_.abandoned()) return abandon_row(row);
  parts_.sink.begin_row(row, next);
  for (const ActionPlan &action : row.clause.actions) {
    if (!guard_allows(row, action)) continue;
    if (const Handler handler = handler_of(action.kind); handler != nullptr)
      (this->*handler)(row, action);
    else
      parts_.sink.did(action, {}, {});
  }
  parts_.sink.end_row(row);
}

void Consumer::process_fault(std::span<const std::byte> bytes) {
  dt_fault_record fault{};
  std::memcpy(&fault, bytes.data(), sizeof fault);
  if (parts_.abandoned && parts_.abandoned()) {
    ++nr_abandoned_;
    return;
  }
  Faults &faults = faults_[fault.clause];
  if (faults.reported == kMaxFaults) {
    ++faults.more;
    return;
  }
  ++faults.reported;
  const Plan &plan = parts_.enabling.plan();
  FaultEvent event;
  event.clause = fault.clause < plan.clauses.size() ? std::string_view(plan.clauses[fault.clause].name) : "dt_clause";
  event.probe = &parts_.catalog.probe(ProbeId{fault.head.probe});
  event.code = fault.kind;
  event.value = fault.address;
  if (fault.pc != UINT32_MAX) event.pc = fault.pc;
  parts_.sink.fault(event);
}

void Consumer::report_more_faults() {
  const std::vector<ClausePlan> &clauses = parts_.enabling.plan().clauses;
  for (auto &[clause, faults] : faults_) {
    if (faults.more == 0) continue;
    const std::string_view name = clause < clauses.size() ? std::string_view(clauses[clause].name) : "dt_clause";
    parts_.sink.more_faults(name, std::exchange(faults.more, 0));
  }
}

void Consumer::take_snapshot() {
  if (finished_ || std::exchange(snapshot_taken_, true)) return;
  if (Result<Unit> taken = parts_.aggregator.snapshot(); !taken) parts_.report(taken.error().text());
}

void Consumer::print_remaining_aggregations() {
  std::vector<uint32_t> remaining;
  for (uint32_t i = 0; i < parts_.aggregator.store().size(); ++i) {
    if (printed_aggregations_.contains(i)) continue;
    if (parts_.abandoned && parts_.abandoned())
      nr_abandoned_ += parts_.aggregator.store().table(i).size();
    else
      remaining.push_back(i);
  }
  const BuiltViews built(parts_.aggregator.store(), remaining, decoder_, format_.text);
  parts_.sink.remaining(built.views());
}

void Consumer::show_all_aggregations() {
  std::vector<uint32_t> all(parts_.aggregator.store().size());
  std::iota(all.begin(), all.end(), 0u);
  const BuiltViews built(parts_.aggregator.store(), all, decoder_, format_.text);
  parts_.sink.remaining(built.views());
}

}  // namespace dtrace
