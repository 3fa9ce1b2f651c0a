// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/loss_counters.h"

#include <bpf/bpf.h>

#include <cerrno>

#include "runtime/load/enabling.h"
#include "runtime/load/scheduling.h"

namespace dtrace::runtime {
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

LossCounters read_loss_counters(const Enabling &enabling) {
  LossCounters counters;
  counters.missed = enabling.missed();
  counters.log_gaps = enabling.buffers().log_gaps();
  const auto nr_slots = static_cast<uint32_t>(kNrCauses * enabling.plan().clauses.size());
  const int map = enabling.map_fd("dt_drops");
  if (map < 0) return counters;
  const unsigned cpus = enabling.possible_cpus();
  counters.drops.resize(size_t{nr_slots} * cpus);
  const Undisturbed undisturbed;
  counters.drops.resize(size_t{read_all(map, nr_slots, cpus, counters.drops.data())} * cpus);
  return counters;
}

}  // namespace dtrace::runtime
