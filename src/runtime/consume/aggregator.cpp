// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/aggregator.h"

#include <bpf/bpf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <numeric>

#include "base/clock.h"
#include "bpf/dt_abi.h"
#include "runtime/load/enabling.h"
#include "runtime/load/grace_period.h"
#include "runtime/load/scheduling.h"

namespace dtrace::runtime {
namespace {

constexpr uint32_t kBatchEntries = 8192;
constexpr uint32_t kFewestBatchEntries = 16;
constexpr uint32_t kBatchBytes = 1 << 20;
constexpr uint32_t kWakeFraction = 16;  // of a table's capacity
constexpr int kSettleRounds = 50;       // how long to wait for programs that sleep
constexpr useconds_t kSettleMicroseconds = 200;

}  // namespace

Aggregator::Aggregator(Enabling &enabling, AggregationStore &store) : enabling_(enabling), store_(store) { arm_wake(); }

Result<Unit> Aggregator::wait_for_programs() {
  if (!enabling_.was_active()) return ok();
  return wait_for_running_programs();
}

void Aggregator::arm_wake() {
  dt_control &control = enabling_.control();
  for (uint32_t i = 0; i < store_.size(); ++i) {
    const uint32_t counter = i % DT_MAX_AGGREGATIONS;
    // One busy CPU must not fill its own table before we come.
    const uint64_t wake_at =
        store_.plan(i).is_single()
            ? UINT64_MAX
            : std::max(1u, enabling_.banks().capacity(i, enabling_.banks().active()) / kWakeFraction);
    __atomic_store_n(&control.new_keys[counter], 0, __ATOMIC_RELAXED);
    control.wake_at[counter] = i == counter ? wake_at : std::min<uint64_t>(control.wake_at[counter], wake_at);
  }
}

Result<Unit> Aggregator::relieve() {
  dt_control &control = enabling_.control();
  bool filling = false;
  for (uint32_t i = 0; i < store_.size(); ++i) {
    const uint32_t counter = i % DT_MAX_AGGREGATIONS;
    if (__atomic_load_n(&control.new_keys[counter], __ATOMIC_RELAXED) < control.wake_at[counter]) continue;
    enabling_.banks().want_more(i);
    filling = true;
  }
  return filling ? snapshot() : ok();
}

bool Aggregator::left_alone(uint32_t bank) const {
  const int map = enabling_.map_fd("dt_running");
  if (map < 0) return true;
  std::vector<uint64_t> counts(enabling_.possible_cpus());
  for (int round = 0; round < kSettleRounds; ++round) {
    if (bpf_map_lookup_elem(map, &bank, counts.data()) != 0) return true;
    if (std::accumulate(counts.begin(), counts.end(), uint64_t{0}) == 0) return true;
    usleep(kSettleMicroseconds);
  }
  return false;
}

Result<Unit> Aggregator::snapshot() {
  if (store_.size() == 0) return ok();
  if (!switched_) {
    if (Result<Unit> r = enabling_.banks().prepare(1 - enabling_.banks().active()); !r) return r;
    enabling_.banks().switch_active();
    switched_ = true;
    switched_ns_ = monotonic_ns();
    arm_wake();
  }
  if (Result<Unit> r = wait_for_programs(); !r) return r;
  // A program that waits for a page holds its bank for as long as that takes; the next round then drains it.
  const uint32_t old_bank = 1 - enabling_.banks().active();
  if (!left_alone(old_bank)) return ok();
  switched_ = false;
  store_.set_times(enabling_.control().start, switched_ns_);
  store_.begin_drain();
  Result<Unit> drained = drain(old_bank);
  store_.end_drain();
  return drained;
}

Result<Unit> Aggregator::drain_all() {
  store_.set_times(enabling_.control().start, enabling_.stopped_ns());
  store_.begin_drain();
  for (uint32_t bank : {0u, 1u})
    if (Result<Unit> r = drain(bank); !r) return r;
  store_.end_drain();
  return ok();
}

Result<Unit> Aggregator::drain(uint32_t bank) {
  for (uint32_t i = 0; i < store_.size(); ++i) {
    if (store_.plan(i).is_single()) {
      drain_single(i, bank);
    } else if (Result<Unit> r = drain_keyed(i, bank); !r) {
      return std::move(r).error().during("cannot read an aggregation");
    }
  }
  return ok();
}

void Aggregator::drain_single(uint32_t index, uint32_t bank) {
  const AggregationPlan &aggregation = store_.plan(index);
  const std::span<uint64_t> totals = enabling_.banks().totals(index, bank);
  const size_t stride = aggregation.total_bytes / 8;
  for (unsigned cpu = 0; cpu * stride < totals.size(); ++cpu) {
    const std::span<uint64_t> value = totals.subspan(cpu * stride, stride);
    if (value[aggregation.touched_word] == 0) continue;
    store_.add(index, {}, value.first(aggregation.value_words), cpu);
    std::ranges::fill(value, 0);
  }
}

Result<Unit> Aggregator::drain_keyed(uint32_t index, uint32_t bank) {
  const AggregationPlan &aggregation = store_.plan(index);
  const std::vector<Fd> &inner = enabling_.banks().tables(index, bank);
  if (inner.empty()) return ok();
  const unsigned cpus = enabling_.possible_cpus();
  const uint32_t key_bytes = aggregation.table_key_bytes(), value_words = aggregation.table_value_bytes() / 8;
  uint32_t batch = std::clamp(kBatchBytes / (key_bytes + value_words * 8), kFewestBatchEntries, kBatchEntries);
  for (unsigned cpu = 0; cpu < cpus; ++cpu) {
    const int fd = inner[cpu].get();
    if (fd < 0) continue;
    uint64_t position = 0;
    bool first = true;
    for (;;) {
      key_buffer_.resize(size_t{batch} * key_bytes);
      value_buffer_.resize(size_t{batch} * value_words);
      uint32_t count = batch;
      LIBBPF_OPTS(bpf_map_batch_opts, opts);
      int error = 0;
      {
        const Undisturbed undisturbed;
        if (bpf_map_lookup_and_delete_batch(fd, first ? nullptr : &position, &position, key_buffer_.data(),
                                            value_buffer_.data(), &count, &opts) != 0)
          error = errno;
      }
      const bool end = error == ENOENT;
      if (error == ENOSPC) {  // keys of one hash are given all or none
        batch *= 2;
        continue;
      }
      if (error != 0 && !end) return Error::from_errno(aggregation.name, error);
      for (uint32_t i = 0; i < count; ++i) {
        uint64_t *words = value_buffer_.data() + static_cast<size_t>(i) * value_words;
        std::byte *key = aggregation.by_hash ? reinterpret_cast<std::byte *>(words + aggregation.value_words)
                                             : key_buffer_.data() + static_cast<size_t>(i) * key_bytes;
        store_.add(index, {key, aggregation.key_bytes}, {words, aggregation.value_words}, cpu);
      }
      if (end) break;
      first = false;
    }
  }
  return ok();
}

}  // namespace dtrace::runtime
