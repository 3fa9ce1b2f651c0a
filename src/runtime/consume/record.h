// SPDX-License-Identifier: Apache-2.0
// Records as programs write them, and the rows that they are by the plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "bpf/dt_abi.h"
#include "plan/compile_host.h"
#include "plan/plan.h"
#include "runtime/events/sink.h"

namespace dtrace::runtime {

struct Record {
  int cpu;
  std::span<const std::byte> bytes;
};

/// The T at an offset of a record; zeros where the record is shorter than its clause's plan (not one of ours).
template <typename T>
T load_at(std::span<const std::byte> bytes, size_t offset) {
  T value{};
  if (offset <= bytes.size() && bytes.size() - offset >= sizeof value)
    std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

inline dt_record head_of(std::span<const std::byte> bytes) { return load_at<dt_record>(bytes, 0); }

/// A record with the clause and probe that its head names.
struct RecordedRow : RowEvent {
  RecordedRow(const ClausePlan &clause_, const Probe &probe_, std::string_view function_, int cpu_,
              std::optional<uint64_t> time_ns_, std::span<const std::byte> bytes_)
      : RowEvent{clause_, probe_, function_, static_cast<unsigned>(cpu_), time_ns_, bytes_} {
    if (clause.thread_offset != 0) thread = load_at<uint64_t>(bytes, clause.thread_offset);
  }
};

/// Finds the rows of records. `plan` and `host`, which knows the probes, outlive it.
class RowFinder {
 public:
  RowFinder(const Plan &plan, CompileHost &host) : plan_(plan), host_(host) {}

  /// Nothing: the record is no row (DT_RECORD_WAKE, a fault, or not one of ours).
  std::optional<RecordedRow> row_of(const Record &record) const;
  /// Is it a row with output of its own? A commit is none.
  bool makes_row(std::span<const std::byte> bytes) const;
  /// The CPU of a record in the ring of all CPUs; -1: it does not say.
  int cpu_of(std::span<const std::byte> bytes) const;
  /// Is it a row of BEGIN?
  bool is_begin(const Record &record) const;

 private:
  const Plan &plan_;
  CompileHost &host_;
};

/// Was the action taken? One within an `if` has a byte of the record that says so.
bool guard_allows(const RecordedRow &row, const ActionPlan &action);

}  // namespace dtrace::runtime
