// SPDX-License-Identifier: Apache-2.0
// What the sinks share that draw a run's stacks.
#pragma once

#include "runtime/output/flame_tree.h"
#include "runtime/output/run_facts.h"
#include "runtime/output/stack_sink.h"

namespace dtrace::runtime {

class PictureSink : public StackSink {
 public:
  void fault(const FaultEvent &fault) override {
    ++faults_;
    StackSink::fault(fault);
  }
  void more_faults(std::string_view clause, uint64_t count) override {
    faults_ += count;
    StackSink::more_faults(clause, count);
  }

 protected:
  PictureSink(const SinkParts &parts, std::string_view format) : StackSink(parts, format, false) {}
  /// The whole file.
  virtual std::string picture(const FlameGraph &graph, const RunFacts &facts) = 0;

 private:
  std::string contents(const StackSamples &samples, std::span<const Loss> losses) final {
    const FlameGraph graph = flame_graph(
        samples, [this](const SampleSource &source, const StackSample &sample) { return width_of(source, sample); });
    return picture(graph, run_facts(parts_, clock(), losses, left_out(), faults_));
  }

  uint64_t faults_ = 0;
};

/// What stands where there is nothing to draw.
inline constexpr std::string_view kNoStacks =
    "No stacks were recorded. A flame graph shows aggregations keyed by stack() or ustack(), and rows with stacks.";

}  // namespace dtrace::runtime
