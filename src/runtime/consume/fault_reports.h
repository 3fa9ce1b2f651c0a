// SPDX-License-Identifier: Apache-2.0
// Faults as they are reported: one by one up to a limit for each clause, the others as a count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "plan/compile_host.h"
#include "plan/plan.h"
#include "runtime/events/sink.h"

namespace dtrace::runtime {

class FaultReports {
 public:
  static constexpr uint64_t kMaxReports = 100;  ///< of a clause

  /// `position_of`: where a clause is in its program, "line 9 of tcp.d"; empty, or empty text: not known.
  FaultReports(const Plan &plan, CompileHost &host, std::function<std::string(uint32_t clause)> position_of = {})
      : plan_(plan), host_(host), position_of_(std::move(position_of)) {}

  /// The fault of a dt_fault_record, or nothing: it is only counted.
  std::optional<FaultEvent> event_of(std::span<const std::byte> bytes);
  /// Does a dt_fault_record end a clause of BEGIN that has an exit()? True once for each clause.
  bool first_before_exit(std::span<const std::byte> bytes);
  /// "dt_clause_3 is at line 9 of tcp.d", if the clause of a dt_fault_record is not the only one that its probe may
  /// mean; once for each clause, else empty.
  std::string position_of_first(std::span<const std::byte> bytes);
  /// Tells the sink how many faults of each clause were counted since the last call.
  void report_more(Sink &sink);

 private:
  struct Faults {
    uint64_t reported = 0;
    uint64_t more = 0;
    bool position_asked = false;  ///< position_of_first() was called
    bool exit_asked = false;      ///< first_before_exit() was true
  };
  std::string_view name_of(uint32_t clause) const;

  const Plan &plan_;
  CompileHost &host_;
  std::function<std::string(uint32_t clause)> position_of_;
  std::map<uint32_t, Faults> faults_;  // by clause
};

}  // namespace dtrace::runtime
