// SPDX-License-Identifier: Apache-2.0
// Message texts, from tables: scripts and test suites match on them, so they are never reworded.
#include "runtime/print/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace dtrace::runtime {

namespace {

struct DropRow {
  std::string_view tag;
  std::string_view noun;  ///< takes an "s" when the count is not 1
  std::string_view rest;  ///< after the noun
  bool per_cpu;
};

constexpr DropRow kDrops[] = {
    {"DTRACEDROP_PRINCIPAL", "drop", "", true},
    {"DTRACEDROP_AGGREGATION", "aggregation drop", "", true},
    {"DTRACEDROP_DYNAMIC", "dynamic variable drop", "", false},
    {"DTRACEDROP_SPEC", "speculative drop", "", false},
    {"DTRACEDROP_SPECUNAVAIL", "failed speculation", " (no speculative buffer available)", false},
    {"DTRACEDROP_DBLERROR", "error", " in ERROR probe enabling", false},
};

const DropRow &row(DropKind kind) { return kDrops[static_cast<size_t>(kind)]; }

/// Losses of which no line is made. That output was lost or abandoned is said once, with the reason. Cut strings are a
/// ledger entry, as DTrace cuts silently. So are late probes: whether they missed anything is not known.
constexpr Cause kSilent[] = {Cause::kOutputLost, Cause::kAbandoned, Cause::kStringCut, Cause::kLateSites,
                             Cause::kUnheard, Cause::kStackKeys,
                             // shown with each such stack
                             Cause::kStackNoTable, Cause::kStackNoRule, Cause::kStackUnreadable, Cause::kStackTooDeep,
                             Cause::kManagedNoRoom, Cause::kManagedUnreadable};

enum class FaultValue : uint8_t { kNone, kAddress, kIndex, kSize };

struct FaultRow {
  uint32_t code;
  std::string_view text;
  FaultValue value;
};

constexpr FaultRow kFaults[] = {
    {0, "unknown fault", FaultValue::kNone},
    {1, "invalid address", FaultValue::kAddress},
    {2, "invalid alignment", FaultValue::kAddress},
    {3, "illegal operation", FaultValue::kNone},
    {4, "divide-by-zero", FaultValue::kNone},
    {5, "out of scratch space (-x scratchsize=N gives more)", FaultValue::kNone},
    {6, "invalid kernel access", FaultValue::kNone},
    {7, "invalid user access", FaultValue::kNone},
    {8, "tuple stack overflow", FaultValue::kNone},
    {9, "bad stack", FaultValue::kAddress},
    {10, "invalid size", FaultValue::kSize},
    {11, "index out of bounds", FaultValue::kIndex},
    {1000, "library-level fault", FaultValue::kNone},
};

const FaultRow &fault_row(uint32_t code) {
  const auto *found = std::ranges::find(kFaults, code, &FaultRow::code);
  return found == std::end(kFaults) ? kFaults[0] : *found;
}

constexpr uint64_t kUnknownValue = ~uint64_t{0};
constexpr uint64_t kNsPerSecond = 1'000'000'000;

}  // namespace

std::optional<DropKind> drop_kind(Cause cause) {
  const auto *const found = std::ranges::find(kDropCauses, cause, &DropCause::cause);
  if (found == std::end(kDropCauses)) return std::nullopt;
  return found->kind;
}

bool is_silent(Cause cause) { return std::ranges::find(kSilent, cause) != std::end(kSilent); }

std::string drop_text(DropKind kind, uint64_t count, unsigned cpu, bool tagged) {
  const DropRow &drop = row(kind);
  std::string text = tagged ? fmt::format("[{}] ", drop.tag) : std::string();
  text += fmt::format("{} {}{}{}", count, drop.noun, count == 1 ? "" : "s", drop.rest);
  if (drop.per_cpu && cpu != UINT32_MAX) text += fmt::format(" on CPU {}", cpu);
  return text;
}

std::string_view fault_text(uint32_t code) { return fault_row(code).text; }

std::string fault_report_text(const FaultEvent &report) {
  const FaultRow &fault = fault_row(report.code);
  std::string text = fmt::format("error in {} for probe ID {} ({}): {}", report.clause, report.probe->id.value,
                                 report.probe->text(), fault.text);
  // A size is always known: -1 is one that a program computed.
  const bool is_shown = report.value != kUnknownValue && fault.value == FaultValue::kAddress;
  if (is_shown || fault.value == FaultValue::kSize) text += fmt::format(" (0x{:x})", report.value);
  if (report.value != kUnknownValue && fault.value == FaultValue::kIndex)
    text += fmt::format(" ({})", static_cast<int64_t>(report.value));
  if (report.pc) text += fmt::format(" at BPF pc {}", *report.pc);
  return text;
}

std::string library_fault_text(std::string_view clause, const Probe &probe, std::string_view message) {
  return fmt::format("error in {} for probe ID {} ({}): {}", clause, probe.id.value, probe.text(), message);
}

std::string setopt_failure_text(std::string_view option, std::string_view value, std::string_view reason) {
  return fmt::format("couldn't set option \"{}\" to \"{}\": {}", option, value, reason);
}

std::string size_text(uint64_t bytes) {
  static constexpr std::string_view kSuffixes = " kmgtpe";
  size_t suffix = 0;
  uint64_t scaled = bytes;
  while (scaled != 0 && scaled % 1024 == 0 && suffix + 1 < kSuffixes.size()) {
    scaled /= 1024;
    suffix++;
  }
  return suffix == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{}{}", scaled, kSuffixes[suffix]);
}

std::string size_lowered_text(std::string_view what, uint64_t bytes) {
  return fmt::format("{} lowered to {}", what, size_text(bytes));
}

std::string rate_text(uint64_t interval_ns) {
  if (interval_ns != 0 && kNsPerSecond % interval_ns == 0) return fmt::format("{} hz", kNsPerSecond / interval_ns);
  if (interval_ns % kNsPerSecond == 0) return fmt::format("once every {} seconds", interval_ns / kNsPerSecond);
  return fmt::format("once every {} nanoseconds", interval_ns);
}

std::string rate_changed_text(std::string_view what, uint64_t wanted_interval_ns, uint64_t actual_interval_ns) {
  const char *direction = actual_interval_ns > wanted_interval_ns ? "reduced" : "increased";
  return fmt::format("{} {} to {}", what, direction, rate_text(actual_interval_ns));
}

}  // namespace dtrace::runtime
