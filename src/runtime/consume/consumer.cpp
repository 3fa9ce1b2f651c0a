// SPDX-License-Identifier: Apache-2.0
// Passes over the rings. What is done for each action is in row_actions.cpp.
#include "runtime/consume/consumer.h"

#include <bpf/bpf.h>

#include <algorithm>
#include <limits>
#include <new>

#include "base/clock.h"
#include "bpf/dt_abi.h"
#include "bpf/dt_speculation.h"
#include "runtime/symbols/managed_frames.h"

namespace dtrace::runtime {

Consumer::Consumer(Parts parts)
    : parts_(std::move(parts)),
      finder_(parts_.enabling.plan(), parts_.catalog),
      faults_(parts_.enabling.plan(), parts_.catalog, parts_.position_of),
      actions_({parts_.enabling.plan(), parts_.catalog, parts_.types, parts_.options, parts_.aggregator.store(),
                parts_.symbolizer, *this, parts_.sink, parts_.target_pid, [this] { take_snapshot(); }, parts_.give_up,
                parts_.abandoned, parts_.cgroups, [this](AggregationViews views) { look_for_unnamed_code(views); },
                [this](const std::vector<UserStack> &stacks) { prepare(stacks); }}) {
  const std::string &policy = parts_.options.string(Opt::bufpolicy);
  if (policy == "switch" || parts_.enabling.plan().fills_once) return;
  const auto when_full = policy == "ring" ? KeptRecords::WhenFull::kDropOldest : KeptRecords::WhenFull::kRefuse;
  kept_.emplace(when_full, static_cast<size_t>(parts_.options.number(Opt::bufsize)));
}

Consumer::~Consumer() = default;

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
    batch_.push_back({ring.cpu() != Ring::kAllCpus ? ring.cpu() : finder_.cpu_of(bytes), bytes});
    ring.pop();
  }
}

void Consumer::place_begin_first() {
  std::vector<Ring> &rings = parts_.enabling.buffers().rings();
  auto first = std::find_if(rings.begin(), rings.end(), [&](Ring &ring) {
    ring.begin_pass();
    return finder_.is_begin({ring.cpu(), ring.peek()});
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
  // Before the rings are looked at: their rows come first.
  const std::vector<dt_record> unheard = unheard_commits();
  for (Ring &ring : rings) {
    gather(ring, until_ns);
    if (by_time) continue;
    keep_or_process();
    ring.release();
  }
  if (by_time) {
    // What had fired on a CPU, but was not yet committed when we looked there.
    for (Ring &ring : rings) gather(ring, until_ns);
    sort_by_time(batch_);
    for (const dt_record &commit : unheard)
      batch_.push_back({rings.front().cpu(), std::as_bytes(std::span(&commit, 1))});
    keep_or_process();
    for (Ring &ring : rings) ring.release();
  }
  parts_.sink.flush();
  return ok();
}

std::vector<dt_record> Consumer::unheard_commits() {
  const uint64_t nr_unheard = __atomic_load_n(&parts_.enabling.control().nr_unheard, __ATOMIC_ACQUIRE);
  std::vector<dt_record> commits;
  if (nr_unheard == nr_unheard_seen_) return commits;
  nr_unheard_seen_ = nr_unheard;
  const int map = parts_.enabling.map_fd("dt_speculations");
  for (uint32_t slot = 1; slot <= parts_.enabling.plan().nr_speculations; ++slot) {
    dt_speculation speculation{};
    if (bpf_map_lookup_elem(map, &slot, &speculation) != 0 || (speculation.state & DT_SPEC_UNHEARD) == 0) continue;
    const uint32_t use = (speculation.state & ~DT_SPEC_UNHEARD) >> 1;
    commits.push_back({DT_RECORD_COMMIT, slot | use << DT_SPEC_SLOT_BITS, monotonic_ns()});
    // Programs leave a slot in this state alone.
    speculation.state = DT_SPEC_IDLE_AFTER(use);
    (void)bpf_map_update_elem(map, &slot, &speculation, BPF_EXIST);
  }
  return commits;
}

void Consumer::keep_or_process() {
  if (kept_)
    keep_batch();
  else
    process_batch();
  batch_.clear();
}

void Consumer::process_batch() {
  nr_processed_ = 0;
  try {
    process(batch_);
  } catch (const std::bad_alloc &) {
    nr_without_memory_ +=
        static_cast<uint64_t>(std::count_if(batch_.begin() + static_cast<ptrdiff_t>(nr_processed_), batch_.end(),
                                            [this](const Record &record) { return finder_.makes_row(record.bytes); }));
    batch_.clear();
    throw;
  }
}

void Consumer::keep_batch() {
  for (const Record &record : batch_) {
    const std::optional<RecordedRow> row = finder_.row_of(record);
    // A commit has no output of its own, and decides about that of others.
    if (!kept_->keep(record, !row || !row->clause.makes_row)) {
      parts_.enabling.stop();  // fill: the first full buffer ends tracing everywhere
      ++refused_[static_cast<unsigned>(record.cpu)];
      continue;
    }
    // exit() must be noticed although nothing is printed yet.
    if (row) actions_.notice_exit(*row);
  }
}

Result<Unit> Consumer::finish() {
  if (Result<Unit> drained = parts_.aggregator.drain_all(); !drained) return drained;
  finished_ = true;
  if (kept_) process_kept();
  kept_.reset();
  return consume();
}

void Consumer::process_kept() {
  std::vector<std::vector<Record>> by_cpu;
  parts_.enabling.buffers().close_logs();
  for (const Ring &ring : parts_.enabling.buffers().rings()) {
    std::vector<Record> &records = by_cpu.emplace_back(kept_->of_cpu(ring.cpu()));
    for (const RecordLog &log : parts_.enabling.buffers().logs())
      if (log.cpu() == ring.cpu())
        for (std::span<const std::byte> bytes : log.records()) records.push_back({log.cpu(), bytes});
  }
  const Plan &plan = parts_.enabling.plan();
  const auto is_begin = [this](const Record &record) { return finder_.is_begin(record); };
  for (const std::vector<Record> &records :
       processing_order(std::move(by_cpu), plan.by_time, plan.timestamps, is_begin))
    process(records);
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

void Consumer::process_record(const Record &record, const Record *next) {
  if (record.bytes.size() >= sizeof(dt_fault_record) && head_of(record.bytes).clause == DT_RECORD_FAULT)
    return process_fault(record.bytes);
  if (head_of(record.bytes).clause == DT_RECORD_COMMIT) return actions_.commit(head_of(record.bytes).probe);
  const std::optional<RecordedRow> row = finder_.row_of(record);
  if (!row || actions_.hold(*row)) return;  // no row: of DT_RECORD_WAKE the work was done at the start of the pass
  const std::optional<RecordedRow> following = next != nullptr ? finder_.row_of(*next) : std::nullopt;
  actions_.take(*row, following ? &*following : nullptr);
}

void Consumer::process_fault(std::span<const std::byte> bytes) {
  if (actions_.is_abandoned()) return actions_.count_abandoned();
  if (const std::optional<FaultEvent> event = faults_.event_of(bytes)) parts_.sink.fault(*event);
  if (const std::string position = faults_.position_of_first(bytes); !position.empty()) parts_.note(position);
  if (!parts_.enabling.exited() && !saw_exit() && faults_.first_before_exit(bytes))
    parts_.note("tracing goes on: the clause ended before its exit()");
}

void Consumer::prepare(const std::vector<UserStack> &stacks) {
  std::vector<StackAddresses> addresses;
  addresses.reserve(stacks.size());
  for (const UserStack &stack : stacks) addresses.push_back({{stack.pid, stack.image}, stack.frames});
  if (!addresses.empty()) parts_.symbolizer.prepare(addresses, parts_.abandoned, parts_.naming);
}

void Consumer::look_for_unnamed_code(AggregationViews views) {
  UserSymbols &symbols = parts_.symbolizer.user();
  const auto option_of = [&symbols](const UserStack &stack) -> std::string_view {
    // Methods of Java have names, and their stacks frames of stubs that have none.
    if (std::ranges::any_of(stack.frames, is_managed)) return {};
    for (const uint64_t address : stack.frames) {
      if (address == 0) break;
      if (const std::string_view option = symbols.naming_option({stack.pid, stack.image}, address); !option.empty())
        return option;
    }
    return {};
  };
  for (const AggregationView *view : views) {
    const bool is_counted = view->shape.function == AggregatingFunction::kCount;
    unnamed_code_.begin(view->id, is_counted);
    for (const AggregationEntry &entry : view->entries)
      for (const Value &key : entry.keys)
        if (const auto *stack = std::get_if<UserStack>(&key))
          unnamed_code_.add(view->id, option_of(*stack), is_counted ? entry.words[0] : 1);
  }
}

void Consumer::take_snapshot() {
  if (finished_ || std::exchange(snapshot_taken_, true)) return;
  if (Result<Unit> taken = parts_.aggregator.snapshot(); !taken) parts_.report(taken.error().text());
}

}  // namespace dtrace::runtime
