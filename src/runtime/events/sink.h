// SPDX-License-Identifier: Apache-2.0
// What happens while tracing runs, as typed items in the order in which it is to be shown. The consumer makes them, a
// sink shows them; each format is a sink (output/formats.h).
//
// Items borrow: values, keys and words lie in the consumer's buffers and tables, and are gone after the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "base/result.h"
#include "frontend/lang/probe.h"
#include "plan/plan.h"
#include "runtime/events/aggregation_value.h"
#include "runtime/events/loss.h"
#include "runtime/events/value.h"

namespace dtrace::runtime {

/// A record of one clause at one firing.
struct RowEvent {
  const ClausePlan &clause;
  const Probe &probe;
  std::string_view function;  ///< of the probe, as it is shown
  unsigned cpu = 0;
  std::optional<uint64_t> time_ns;     ///< of CLOCK_MONOTONIC; nothing: the program's records have no time
  std::span<const std::byte> bytes{};  ///< the record as the clause's plan lays it out
  std::optional<uint64_t> thread{};    ///< process << 32 | thread; nothing: the program's records do not have it
};

/// What print() shows: bytes of a type, which may be fewer than the type has (option printsize).
struct ObjectEvent {
  TypeId type;
  std::string_view bytes;
  std::optional<uint64_t> address;  ///< of an object behind a pointer
};

/// A fault of a clause at a probe.
struct FaultEvent {
  std::string_view clause;  ///< "dt_clause_0"
  const Probe *probe = nullptr;
  uint32_t code = 0;              ///< enum dt_fault
  uint64_t value = ~uint64_t{0};  ///< address, or the index of BADINDEX; all ones: not known
  std::optional<uint32_t> pc;     ///< BPF instruction, if known
};

/// Aggregations that are shown together, in the order of the program's arguments, or of their first use.
using AggregationViews = std::span<const AggregationView *const>;

class Sink {
 public:
  virtual ~Sink() = default;

  /// Options may have changed: at the start, and at each setopt().
  virtual void refresh(const Options &options) = 0;

  // --- rows: a begin, an item for each action that was taken, an end

  /// `next`: the row that follows on the same CPU, if option flowindent is set and it is known.
  virtual void begin_row(const RowEvent &row, const RowEvent *next) = 0;
  /// trace(), stacks and symbols; `plan` has the type.
  virtual void trace(const ActionPlan &action, const ValuePlan &plan, const Value &value) = 0;
  virtual void object(const ActionPlan &action, const ObjectEvent &object) = 0;         ///< print()
  virtual void memory(const ActionPlan &action, std::string_view bytes) = 0;            ///< tracemem()
  virtual void formatted(const ActionPlan &action, std::span<const Value> values) = 0;  ///< printf()
  virtual void aggregations(const ActionPlan &action, AggregationViews views) = 0;      ///< printa()
  /// What an action did that shows nothing: `text` is a command, a path, "option=value"; `number` a status, a factor.
  virtual void did(const ActionPlan &action, std::string_view text, std::optional<int64_t> number) = 0;
  virtual void end_row(const RowEvent &row) = 0;

  // --- beside rows

  virtual void fault(const FaultEvent &fault) = 0;
  /// Faults of a clause that were counted and not reported one by one.
  virtual void more_faults(std::string_view clause, uint64_t count) = 0;
  /// An action that the consumer could not take.
  virtual void failed(const RowEvent &row, std::string_view message) = 0;
  /// What was lost since the last call.
  virtual void lost(std::span<const Loss> losses) = 0;

  // --- the end: of an interrupt, then what no printa() has shown, then once everything

  virtual void interrupted() = 0;
  virtual void remaining(AggregationViews views) = 0;
  virtual void ended(int status, std::span<const Loss> all_losses) = 0;

  // --- where it goes

  /// freopen(): the path; "" is the original target.
  virtual Result<Unit> redirect(const std::string &path) = 0;
  virtual Result<Unit> truncate() = 0;  ///< ftruncate()
  /// What was shown has left. Before commands run, and before tracing sleeps.
  virtual void flush() = 0;

  /// Why what was shown does not arrive any more; nothing: it does.
  virtual std::optional<Error> failure() const { return std::nullopt; }
  /// Rows that did not arrive, or not whole.
  virtual uint64_t nr_lost_rows() const { return 0; }
};

}  // namespace dtrace::runtime
