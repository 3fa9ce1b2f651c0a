// SPDX-License-Identifier: Apache-2.0
// Metrics that are not aggregations: what dtrace lost, what it costs, what it left out. Few numbers, made anew each
// time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "plan/plan.h"
#include "runtime/events/loss.h"
#include "runtime/load/program_costs.h"
#include "runtime/metrics/metric_family.h"
#include "runtime/metrics/metric_snapshot.h"

namespace dtrace::runtime {

using Labels = std::vector<std::pair<std::string, std::string>>;

struct PlainSample {
  Labels labels;
  std::variant<uint64_t, double> value;
};

struct PlainMetric {
  std::string_view name;  ///< without "dtrace_" and "_total"
  MetricType type = MetricType::kGauge;
  std::string_view unit;  ///< the last word of its name, if that is a unit
  std::string_view help;
  std::vector<PlainSample> samples;
};

/// Names that aggregations do not get.
std::span<const std::string_view> plain_metric_names();

/// What the tracer itself costs and does.
struct OwnCost {
  double cpu_seconds = 0;
  uint64_t resident_bytes = 0;
  double start_time_seconds = 0;  ///< since 1970
  uint64_t snapshots = 0;
  double snapshot_seconds = 0;  ///< spent for them in all
  uint64_t pushes = 0, failed_pushes = 0;
  bool pushes_at_all = false;
  std::vector<ProgramCost> programs;  ///< where the kernel measures them
};

/// CPU time and memory of this process and of `other`, which may be 0.
void measure_processes(OwnCost &cost, int other);

std::vector<PlainMetric> plain_metrics(const Plan &plan, std::span<const Loss> losses, const OwnCost &cost,
                                       std::span<const FamilySnapshot> snapshots, uint64_t max_series,
                                       std::string_view version);

}  // namespace dtrace::runtime
