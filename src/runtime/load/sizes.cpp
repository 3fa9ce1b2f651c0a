// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "bpf/dt_unwind.h"

namespace dtrace::runtime {
namespace {

constexpr size_t kSmallRingBytes = 64 * 1024;          // programs that record now and then only
constexpr uint64_t kRingHeadBytes = 8;                 // what the kernel puts before each record
constexpr size_t kLargestRingBytes = size_t{1} << 31;  // a map's size is 32 bits, and a power of two
constexpr uint32_t kElementOverheadBytes = 48;         // what the kernel adds to each hash element
constexpr uint32_t kLargestTable = 1 << 20;            // what tables grow to by themselves
constexpr int64_t kLargestMap = 1 << 24;
constexpr uint32_t kGrowth = 8;
/// From here on aggregations with keys share the room that so many would have: the keys that one CPU makes until it is
/// waited for no longer are the same, however many tables they go to, and the kernel writes every table's directory.
constexpr uint64_t kManyAggregations = 4;
constexpr unsigned kManyCpus = 16;  // from here on tables start smaller: their directories cost memory per CPU
constexpr int64_t kRoomy = 4;

constexpr int64_t kMinUnwindBlocks = 8;        // half a megabyte: less would hold no process's files
constexpr int64_t kMaxUnwindBlocks = 1 << 15;  // 2 GiB: offsets have 32 bits

constexpr uint64_t kRingShare = 8;    // rings take an eighth of the memory that there is: they are not swapped out
constexpr uint64_t kTableShare = 4;   // tables of aggregations a quarter
constexpr uint64_t kUnwindShare = 8;  // the pool of rules is in memory as a whole, from the beginning

/// What the kernel takes at most, and the share of the memory that rings may have.
size_t largest_ring(const Room &room) {
  const size_t memory = room.memory_bytes / kRingShare / std::max<size_t>(room.nr_online, 1);
  return std::max(std::min(kLargestRingBytes, std::bit_floor(memory)), room.page_bytes);
}

/// Asked for in bytes, made as a power of two of pages.
size_t ring_size(int64_t asked_bytes, const Room &room) {
  return std::max(std::bit_ceil(static_cast<size_t>(std::clamp<int64_t>(asked_bytes, 1, int64_t{1} << 62))),
                  room.page_bytes);
}

uint64_t longest_of(const Plan &plan) {
  return std::max<uint64_t>(plan.longest_record + kRingHeadBytes, plan.log_slot_bytes);
}

uint32_t element_bytes(const AggregationPlan &aggregation) {
  return aggregation.table_key_bytes() + aggregation.table_value_bytes() + kElementOverheadBytes;
}

/// How many aggregations have keys, at least 1.
uint64_t nr_with_keys(const Plan &plan) {
  const auto keyed =
      std::ranges::count_if(plan.aggregations, [](const AggregationPlan &one) { return !one.is_single(); });
  return std::max<uint64_t>(static_cast<uint64_t>(keyed), 1);
}

/// How many entries each of its tables may have, so that all tables stay within their share of the memory.
uint64_t affordable_entries(const Plan &plan, const AggregationPlan &aggregation, const Room &room) {
  const uint64_t tables = 2 * room.nr_online * nr_with_keys(plan);  // two banks
  return room.memory_bytes / kTableShare / (element_bytes(aggregation) * std::max<uint64_t>(tables, 1));
}

}  // namespace

Result<Unit> check_records(const Plan &plan, size_t buffer_bytes) {
  if (longest_of(plan) >= buffer_bytes)
    return Error(fmt::format("Enabling exceeds size of buffer (a record has {} bytes, the buffer {})", longest_of(plan),
                             buffer_bytes));
  if (plan.end_bytes >= buffer_bytes)
    return Error(
        fmt::format("END enablings exceed size of principal buffer ({} bytes of {})", plan.end_bytes, buffer_bytes));
  return ok();
}

Result<BufferSizes> buffer_sizes(const Plan &plan, const Options &options, const Room &room) {
  BufferSizes sizes;
  sizes.may_shrink = options.string(Opt::bufresize) == "auto";
  // The least size that the program needs. It overrides the default, and no size that the user set.
  const auto longest = std::max({longest_of(plan), plan.begin_bytes, plan.end_bytes});
  const size_t needed = ring_size(static_cast<int64_t>(longest) + 1, room);
  sizes.asked = ring_size(options.number(Opt::bufsize), room);
  if (!options.is_set(Opt::bufsize)) sizes.asked = std::max(sizes.asked, needed);
  sizes.most = std::min(sizes.asked, largest_ring(room));
  if (sizes.most != sizes.asked && !sizes.may_shrink) return Error("Not enough space");
  if (Result<Unit> fits = check_records(plan, sizes.most); !fits) return std::move(fits.error());
  const bool often = (plan.records_often && plan.log_slot_bytes == 0) || plan.fills_once;  // logs leave little
  sizes.rings = often ? sizes.most : std::min(sizes.most, std::max(kSmallRingBytes, needed));
  if (plan.one_ring) {
    // BEGIN, or a walk, and every clock may record on a CPU of its own before the consumer takes anything out.
    const auto clocks = static_cast<size_t>(std::ranges::count_if(
        plan.programs, [](const ProgramPlan &program) { return program.hook.is<PerfClockHook>(); }));
    const size_t cpus = options.is_set(Opt::cpu) ? 1 : std::max<size_t>(room.nr_online, 1);
    sizes.rings = std::min(sizes.rings * std::bit_ceil(std::min(clocks + 1, cpus)), kLargestRingBytes);
  }
  return sizes;
}

uint32_t first_table_entries(const Plan &plan, const AggregationPlan &aggregation, const Options &options,
                             const Room &room) {
  const bool is_ours = !options.is_set(Opt::aggsize);
  const bool roomy = is_ours && room.nr_possible < kManyCpus;
  const auto share = is_ours ? static_cast<int64_t>(std::max<uint64_t>(nr_with_keys(plan) / kManyAggregations, 1)) : 1;
  int64_t asked = options.number(Opt::aggsize) / element_bytes(aggregation) * (roomy ? kRoomy : 1) / share;
  // The kernel writes as many buckets as the next power of two. A table that shares its room has as many entries as
  // buckets.
  if (share > 1) asked = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(asked)));
  const auto affordable =
      static_cast<int64_t>(std::min<uint64_t>(affordable_entries(plan, aggregation, room), kLargestMap));
  return static_cast<uint32_t>(std::max<int64_t>(std::min(asked, affordable), kSmallestTable));
}

uint32_t next_table_entries(uint32_t now, const Plan &plan, const AggregationPlan &aggregation, const Options &options,
                            const Room &room) {
  if (options.is_set(Opt::aggsize) || now >= kLargestTable) return now;
  return uint64_t{now} * kGrowth <= affordable_entries(plan, aggregation, room) ? now * kGrowth : now;
}

uint32_t array_elements(const VariablePlan &variable, int64_t nr_arrays, const Options &options) {
  const uint32_t bytes = variable.key_bytes + variable.size_bytes + kElementOverheadBytes;
  return static_cast<uint32_t>(
      std::clamp<int64_t>(options.number(Opt::dynvarsize) / bytes * nr_arrays, kSmallestTable, kLargestMap));
}

PoolBlocks unwind_pool_blocks(const Options &options, const Room &room) {
  const int64_t asked =
      std::clamp<int64_t>(options.number(Opt::unwindsize) / DT_UNWIND_BLOCK_BYTES, kMinUnwindBlocks, kMaxUnwindBlocks);
  const auto affordable = static_cast<int64_t>(
      std::min<uint64_t>(room.memory_bytes / kUnwindShare / DT_UNWIND_BLOCK_BYTES, kMaxUnwindBlocks));
  const int64_t most = std::min(asked, std::max(affordable, kMinUnwindBlocks));
  return {static_cast<uint32_t>(asked), static_cast<uint32_t>(most)};
}

}  // namespace dtrace::runtime
