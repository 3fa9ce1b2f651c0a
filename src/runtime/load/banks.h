// SPDX-License-Identifier: Apache-2.0
// The two banks of aggregations: what programs update now, and what is taken out of meanwhile. Those with keys have a
// hash table for each CPU and bank; those without have slots in the totals.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/owned.h"
#include "base/result.h"
#include "plan/plan.h"
#include "runtime/load/sizes.h"
#include "runtime/load/slot_filler.h"

struct dt_control;

namespace dtrace::runtime {

class Banks {
 public:
  struct Parts {
    const Plan &plan;
    const Options &options;
    SlotFiller &filler;
    std::function<int(const std::string &map)> map_fd;  ///< -1: there is none
    std::function<Room()> room;                         ///< as it is now; to ask costs system calls
    unsigned nr_possible;                               ///< CPUs
    std::vector<int> cpus;                              ///< online
  };
  explicit Banks(Parts parts);

  /// Makes the tables of the bank that programs begin with.
  Result<Unit> make_first();
  /// Before tracing begins: what the banks share with programs. `totals`: section ".bss.dt_totals", or empty. Both
  /// outlive the banks.
  void use(dt_control &control, std::span<uint64_t> totals);

  uint32_t active() const;  ///< bank that programs update now
  void switch_active();
  /// Makes sure that the bank, which no program uses now, has tables of the capacity now wanted for each aggregation.
  Result<Unit> prepare(uint32_t bank);

  /// File descriptors of the hash tables of aggregation `index` in one bank, by CPU; empty if there are none yet.
  const std::vector<Fd> &tables(uint32_t index, uint32_t bank) const { return tables_[index].banks[bank].fds; }
  /// Entries that one table of aggregation `index` can hold in that bank.
  uint32_t capacity(uint32_t index, uint32_t bank) const { return tables_[index].banks[bank].capacity; }
  /// The tables of aggregation `index` fill up faster than we come: want larger ones, unless the user gave a size.
  void want_more(uint32_t index);

  /// The values of keyless aggregation `index` in one bank, one for each possible CPU: total_bytes / 8 words each.
  /// Empty if no program updates one.
  std::span<uint64_t> totals(uint32_t index, uint32_t bank) const;

 private:
  /// Makes tables and begins to put them in their slots.
  Result<Unit> begin_tables(uint32_t index, uint32_t bank);

  /// Tables of one aggregation with keys; bank 1 is made when it is first wanted.
  struct Tables {
    struct Bank {
      std::vector<Fd> fds;
      uint32_t capacity = 0;
    };
    Bank banks[2];
    uint32_t wanted = 0;
  };
  Parts parts_;
  dt_control *control_ = nullptr;
  std::span<uint64_t> totals_;
  std::vector<Tables> tables_;  // by aggregation
};

}  // namespace dtrace::runtime
