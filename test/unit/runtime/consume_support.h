// SPDX-License-Identifier: Apache-2.0
// What the consumer's tests share: probes, records as programs would write them, and a sink that notes each item.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "bpf/dt_abi.h"
#include "plan/compile_host.h"
#include "runtime/consume/record.h"
#include "runtime/events/sink.h"

namespace dtrace::runtime::test {

/// Probe 0 is BEGIN, 1 is END, 2 and 3 are entry and return of vfs_read().
class FewProbes final : public CompileHost {
 public:
  static constexpr uint32_t kBegin = 0, kEnd = 1, kEntry = 2, kReturn = 3;
  const Probe &probe(ProbeId id) override { return probes_.at(id.value); }
  const ProbeHook &hook(ProbeId) override { return hook_; }

 private:
  std::array<Probe, 4> probes_{{{ProbeId{0}, "dtrace", "", "", "BEGIN"},
                                {ProbeId{1}, "dtrace", "", "", "END"},
                                {ProbeId{2}, "fbt", "vmlinux", "vfs_read", "entry"},
                                {ProbeId{3}, "fbt", "vmlinux", "vfs_read", "return"}}};
  ProbeHook hook_;
};

using RecordBytes = std::vector<std::byte>;

template <typename T>
void append(RecordBytes &record, T value) {
  const auto *bytes = reinterpret_cast<const std::byte *>(&value);
  record.insert(record.end(), bytes, bytes + sizeof value);
}

/// A record without values.
inline RecordBytes head(uint32_t clause, uint32_t probe, uint64_t time = 0) {
  RecordBytes record;
  append(record, dt_record{clause, probe, time});
  return record;
}

/// A record of one 64-bit value.
inline RecordBytes record_of(uint32_t clause, uint32_t probe, uint64_t value, uint64_t time = 0) {
  RecordBytes record = head(clause, probe, time);
  append(record, value);
  return record;
}

inline RecordBytes fault_of(uint32_t clause, uint32_t probe, uint32_t kind, uint64_t address, uint32_t pc) {
  RecordBytes record;
  append(record, dt_fault_record{{DT_RECORD_FAULT, probe, 0}, clause, kind, address, pc, 0});
  return record;
}

/// The value of a record_of().
inline ValuePlan number_at(uint32_t offset) {
  ValuePlan plan;
  plan.kind = ValuePlan::Kind::kInteger;
  plan.offset = offset;
  plan.size_bytes = 8;
  return plan;
}

/// Notes each item as a line.
class NotingSink final : public Sink {
 public:
  std::vector<std::string> items;
  std::string refusal;  ///< of redirect() and truncate(); empty: they do as they are asked

  void refresh(const Options &options) override { quiet = options.flag(Opt::quiet); }
  void begin_row(const RowEvent &row, const RowEvent *next) override {
    items.push_back(fmt::format("row {}{}", row.probe.name, next != nullptr ? ", then " + next->probe.name : ""));
  }
  void trace(const ActionPlan &, const ValuePlan &, const Value &value) override {
    items.push_back(fmt::format("trace {}", std::get<Integer>(value).as_unsigned()));
  }
  void object(const ActionPlan &, const ObjectEvent &event) override {
    items.push_back(fmt::format("print {} bytes{}", event.bytes.size(),
                                event.address ? fmt::format(" at {:#x}", *event.address) : ""));
  }
  void memory(const ActionPlan &, std::string_view bytes) override {
    items.push_back(fmt::format("tracemem {}", bytes));
  }
  void formatted(const ActionPlan &, std::span<const Value> values) override {
    items.push_back(fmt::format("printf of {}", values.size()));
  }
  void aggregations(const ActionPlan &, AggregationViews views) override { note_views("printa", views); }
  void did(const ActionPlan &action, std::string_view text, std::optional<int64_t> number) override {
    items.push_back(fmt::format("did {}{}{}", dtrace::row(action.kind).name,
                                text.empty() ? "" : fmt::format(" {}", text),
                                number ? fmt::format(" {}", *number) : ""));
  }
  void end_row(const RowEvent &) override { items.push_back("end"); }
  void fault(const FaultEvent &event) override {
    items.push_back(fmt::format("fault {} {} {}", event.clause, event.code, event.value));
  }
  void more_faults(std::string_view clause, uint64_t count) override {
    items.push_back(fmt::format("{} more faults of {}", count, clause));
  }
  void failed(const RowEvent &, std::string_view message) override {
    items.push_back(fmt::format("failed: {}", message));
  }
  void lost(std::span<const Loss>) override {}
  void interrupted() override {}
  void remaining(AggregationViews views) override { note_views("remaining", views); }
  void ended(int, std::span<const Loss>) override {}
  Result<Unit> redirect(const std::string &) override { return answer(); }
  Result<Unit> truncate() override { return answer(); }
  void flush() override {}

  /// The items since the last call.
  std::vector<std::string> take() { return std::exchange(items, {}); }
  bool quiet = false;

 private:
  Result<Unit> answer() const {
    if (!refusal.empty()) return Error(refusal);
    return ok();
  }
  void note_views(std::string what, AggregationViews views) {
    for (const AggregationView *view : views) what += fmt::format(" @{}:{}", view->name, view->entries.size());
    items.push_back(std::move(what));
  }
};

}  // namespace dtrace::runtime::test
