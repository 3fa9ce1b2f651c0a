// SPDX-License-Identifier: Apache-2.0
// How large buffers and tables are made: by options, by what the program needs, and by the memory that there is.
// Nothing is made here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/options.h"
#include "base/result.h"
#include "plan/plan.h"

namespace dtrace::runtime {

/// What there is to share out.
struct Room {
  size_t nr_online = 1;       ///< CPUs
  unsigned nr_possible = 1;   ///< CPUs
  uint64_t memory_bytes = 0;  ///< that can still be had
  size_t page_bytes = 4096;
};

inline constexpr size_t kSmallestRingBytes = 4096;
inline constexpr uint32_t kSmallestTable = 64;  ///< entries

struct BufferSizes {
  size_t asked = 0;        ///< bytes, as option bufsize says, or more if nobody set it and the program needs more
  size_t most = 0;         ///< what can be had of that
  size_t rings = 0;        ///< of each ring: less than `most` where the program records seldom
  bool may_shrink = true;  ///< option bufresize
};
/// Errors: "Not enough space", if sizes must not shrink; check_records()'s.
Result<BufferSizes> buffer_sizes(const Plan &plan, const Options &options, const Room &room);

/// A record that can never fit would be dropped at each firing, exit() with it: better refused.
Result<Unit> check_records(const Plan &plan, size_t buffer_bytes);

/// Entries of one CPU's table of an aggregation with keys, in one bank, to begin with.
uint32_t first_table_entries(const Plan &plan, const AggregationPlan &aggregation, const Options &options,
                             const Room &room);
/// The next size of a table that fills up; the same if there is none.
uint32_t next_table_entries(uint32_t now, const Plan &plan, const AggregationPlan &aggregation, const Options &options,
                            const Room &room);
/// Elements of a map of associative arrays that `nr_arrays` share: each has the room that it would have alone.
uint32_t array_elements(const VariablePlan &variable, int64_t nr_arrays, const Options &options);

/// Blocks of the pool by which user stacks are walked (bpf/dt_unwind.h): what the option says, and what can be had.
struct PoolBlocks {
  uint32_t asked = 0;
  uint32_t most = 0;
};
PoolBlocks unwind_pool_blocks(const Options &options, const Room &room);

}  // namespace dtrace::runtime
