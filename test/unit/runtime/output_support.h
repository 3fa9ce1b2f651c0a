// SPDX-License-Identifier: Apache-2.0
// What the tests of formats share: a plan, what a run shows of it, and what a sink makes of that.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "frontend/text/format_string.h"
#include "memory_output.h"
#include "print_support.h"
#include "runtime/output/formats.h"

namespace dtrace::runtime::test {

/// Symbols with mappings and inlined functions: a.out`main at 0x440 has a.out`helper in it.
class MappedSymbols final : public FixedSymbols {
 public:
  std::vector<StackFrame> user_frames(UserImage image, uint64_t address, bool is_return) override {
    std::vector<StackFrame> frames = FixedSymbols::user_frames(image, address, is_return);
    if (address != 0x440) return frames;
    frames.front().source = "main.c:12";
    frames.insert(frames.begin(), {"a.out`helper", "helper.h:3", true, {}});
    return frames;
  }
  CodeMapping mapping(UserImage image, uint64_t address) override {
    if (image.pid == 0) return {0x1000, 0x9000, 0, "[module]", "cafe"};
    if (address < 0x900) return {0x400, 0x500, 0x1000, "/bin/a.out", "0123ab"};
    return {};
  }
};

/// A run that shows what a test says, in one format.
class ShownRun {
 public:
  explicit ShownRun(std::string_view format) : format_(find_format(format)) {
    plan.clauses.resize(3);
    for (uint32_t i = 0; i < plan.clauses.size(); ++i) {
      plan.clauses[i].index = i;
      plan.clauses[i].name = fmt::format("dt_clause_{}", i);
    }
  }

  Plan plan;
  MappedSymbols symbols;
  TypeTable types;
  MemoryOutput output;
  Options options;
  std::vector<std::string> reports;
  Probe probe{ProbeId{7}, "fbt", "vmlinux", "vfs_read", "entry"};

  Sink &sink() {
    if (sink_) return *sink_;
    sink_ = format_->make({output, symbols, types, plan, 0, false, false,
                           [this](std::string_view text) { reports.emplace_back(text); }, "test"});
    sink_->refresh(options);
    return *sink_;
  }

  /// Adds an aggregation with keys of those texts to the plan. Before the first use of the sink.
  uint32_t aggregation(const std::string &name, Builtin function, const std::vector<std::string> &keys) {
    AggregationPlan &added = plan.aggregations.emplace_back();
    added.name = name;
    added.function = function;
    added.key_texts = keys;
    added.keys.resize(keys.size());
    return static_cast<uint32_t>(plan.aggregations.size() - 1);
  }
  struct Shown {
    std::vector<Value> keys;
    std::vector<uint64_t> words;
  };
  void show(uint32_t aggregation, const std::vector<Shown> &entries, bool at_end, uint64_t normal = 1) {
    const AggregationPlan &about = plan.aggregations[aggregation];
    AggregationView view{aggregation, about.name, {aggregating_function(about.function), about.params}, normal, {}};
    for (const Shown &entry : entries) view.entries.push_back({entry.keys, entry.words, {}});
    const AggregationView *const views[] = {&view};
    at_end ? sink().remaining(views) : sink().aggregations({}, views);
  }
  void clear(uint32_t aggregation) {
    ActionPlan action;
    action.kind = Builtin::k_clear;
    action.aggregations = {aggregation};
    sink().did(action, {}, {});
  }

  /// Adds an action to a clause. Before the first use of the sink.
  void action(uint32_t clause, Builtin kind, const std::vector<std::string> &texts, size_t nr_values) {
    ActionPlan &added = plan.clauses[clause].actions.emplace_back();
    added.kind = kind;
    added.value_texts = texts;
    added.values.resize(nr_values);
    if (kind != Builtin::k_printf) return;
    std::string format = "shown";
    for (size_t i = 0; i < nr_values; ++i) format += " %s";
    FormatError error;
    added.format = parse_format(format, error);
  }
  /// A row with a value for each of its clause's actions.
  void row(uint32_t clause, const std::vector<Value> &values, uint64_t time_ns = 5) {
    const ClausePlan &about = plan.clauses[clause];
    const RowEvent event{about, probe, probe.function, 1, time_ns, {}};
    sink().begin_row(event, nullptr);
    for (size_t i = 0; i < values.size(); ++i)
      if (about.actions[i].kind == Builtin::k_printf)
        sink().formatted(about.actions[i], std::span(&values[i], 1));
      else
        sink().trace(about.actions[i], about.actions[i].values[0], values[i]);
    sink().end_row(event);
  }

  const std::string &finish() {
    sink().ended(0, {});
    return output.written();
  }

 private:
  const FormatRow *format_;
  std::unique_ptr<Sink> sink_;
};

/// Frames that live as long as the test.
inline std::span<const uint64_t> frames(std::vector<uint64_t> addresses) {
  static std::list<std::vector<uint64_t>> kept;
  return kept.emplace_back(std::move(addresses));
}
inline Value kernel(std::vector<uint64_t> addresses) { return KernelStack{frames(std::move(addresses))}; }
inline Value user(std::vector<uint64_t> addresses, uint32_t end = 0) {
  return UserStack{42, frames(std::move(addresses)), end};
}

}  // namespace dtrace::runtime::test
