// SPDX-License-Identifier: Apache-2.0
// Faults as they are reported: one by one up to a limit for each clause, the others as a count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>

#include "plan/compile_host.h"
#include "plan/plan.h"
#include "runtime/events/sink.h"

namespace dtrace::runtime {

class FaultReports {
 public:
  static constexpr uint64_t kMaxReports = 100;  ///< of a clause

  FaultReports(const Plan &plan, CompileHost &host) : plan_(plan), host_(host) {}

  /// The fault of a dt_fault_record, or nothing: it is only counted.
  std::optional<FaultEvent> event_of(std::span<const std::byte> bytes);
  /// Does a dt_fault_record end a clause of BEGIN that has an exit()? True once for each clause.
  bool first_before_exit(std::span<const std::byte> bytes);
  /// Tells the sink how many faults of each clause were counted since the last call.
  void report_more(Sink &sink);

 private:
  struct Faults {
    uint64_t reported = 0;
    uint64_t more = 0;
    bool exit_asked = false;  ///< first_before_exit() was true
  };
  std::string_view name_of(uint32_t clause) const;

  const Plan &plan_;
  CompileHost &host_;
  std::map<uint32_t, Faults> faults_;  // by clause
};

}  // namespace dtrace::runtime
