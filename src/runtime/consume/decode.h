// SPDX-License-Identifier: Apache-2.0
// From the bytes of a record or key to the values the printers take, by the plan. Decoded values borrow the bytes.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "frontend/types/types.h"
#include "plan/compile_host.h"
#include "plan/plan.h"
#include "runtime/cgroups/cgroup_texts.h"
#include "runtime/events/value.h"

namespace dtrace::runtime {

/// Told each process whose addresses appear in a value, while it may still be alive.
class ProcessWatcher {
 public:
  virtual ~ProcessWatcher() = default;
  virtual void saw_process(pid_t pid) = 0;
};

class Decoder {
 public:
  /// `cgroups` may be null: names of cgroups are then empty.
  Decoder(CompileHost &host, const TypeTable &types, ProcessWatcher &watcher, CgroupTexts *cgroups = nullptr)
      : host_(host), types_(types), watcher_(watcher), cgroups_(cgroups) {}

  /// One value. `bytes` too short for the plan (a torn or foreign record) reads as an empty value of its kind.
  Value decode(const ValuePlan &plan, std::span<const std::byte> bytes) const;
  std::vector<Value> decode_all(std::span<const ValuePlan> plans, std::span<const std::byte> bytes) const;

 private:
  Integer decode_enum(const ValuePlan &plan, Integer value) const;
  std::string_view part_text(const ValuePlan &plan, std::span<const std::byte> bytes) const;

  CompileHost &host_;
  const TypeTable &types_;
  ProcessWatcher &watcher_;
  CgroupTexts *cgroups_;
  /// Providers of processes met so far ("postgresql1234"), by probe and process; values point into it.
  mutable std::map<std::pair<uint32_t, uint32_t>, std::string> process_providers_;
};

}  // namespace dtrace::runtime
