// SPDX-License-Identifier: Apache-2.0
#include "runtime/metrics/plain_metric.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <string>

namespace dtrace::runtime {
namespace {

constexpr std::string_view kNames[] = {"lost",
                                       "left_out_keys",
                                       "series_limit",
                                       "build_info",
                                       "cpu_seconds",
                                       "resident_memory_bytes",
                                       "start_time_seconds",
                                       "snapshots",
                                       "snapshot_seconds",
                                       "otlp_pushes",
                                       "bpf_run_seconds",
                                       "bpf_runs"};

double seconds_of(clockid_t clock) {
  timespec now{};
  if (clock_gettime(clock, &now) != 0) return 0;
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

uint64_t resident_bytes(int pid) {
  const std::string path = "/proc/" + (pid == 0 ? std::string("self") : std::to_string(pid)) + "/statm";
  FILE *const file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return 0;
  unsigned long size = 0, resident = 0;
  const int read = std::fscanf(file, "%lu %lu", &size, &resident);
  (void)std::fclose(file);
  return read == 2 ? resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

/// Each cause has a series from the beginning: a counter that appears with its first loss has no increase.
PlainMetric losses_metric(const Plan &plan, std::span<const Loss> losses) {
  PlainMetric metric{"lost", MetricType::kCounter, {}, "What was lost, by cause and clause: dtrace's ledger", {}};
  std::map<std::pair<size_t, std::string>, uint64_t> sums;
  for (size_t cause = 0; cause < static_cast<size_t>(Cause::kCount); ++cause) sums[{cause, ""}] = 0;
  for (const Loss &loss : losses) {
    const bool has_clause = loss.clause < plan.clauses.size();
    sums[{static_cast<size_t>(loss.cause), has_clause ? plan.clauses[loss.clause].name : loss.program}] += loss.count;
  }
  for (const auto &[key, count] : sums)
    metric.samples.push_back(
        {{{"cause", std::string(cause_name(static_cast<Cause>(key.first)))}, {"clause", key.second}}, count});
  return metric;
}

PlainMetric left_out_metric(std::span<const FamilySnapshot> snapshots) {
  PlainMetric metric{"left_out_keys", MetricType::kGauge, {}, "Keys of aggregations that are not served, and why", {}};
  for (const FamilySnapshot &snapshot : snapshots)
    metric.samples.push_back(
        {{{"aggregation", snapshot.family->shown}, {"reason", snapshot.family->has_stack ? "stack" : "series limit"}},
         snapshot.nr_left_out});
  for (const FamilySnapshot &snapshot : snapshots)
    if (snapshot.family->shape.is_histogram())
      metric.samples.push_back(
          {{{"aggregation", snapshot.family->shown}, {"reason", "negative count"}}, snapshot.nr_negative});
  return metric;
}

PlainMetric single(std::string_view name, MetricType type, std::string_view unit, std::string_view help,
                   std::variant<uint64_t, double> value) {
  return {name, type, unit, help, {{{}, value}}};
}

}  // namespace

std::span<const std::string_view> plain_metric_names() { return kNames; }

void measure_processes(OwnCost &cost, int other) {
  cost.cpu_seconds = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  cost.resident_bytes = resident_bytes(0);
  if (other == 0) return;
  clockid_t clock = 0;
  if (clock_getcpuclockid(other, &clock) == 0) cost.cpu_seconds += seconds_of(clock);
  cost.resident_bytes += resident_bytes(other);
}

std::vector<PlainMetric> plain_metrics(const Plan &plan, std::span<const Loss> losses, const OwnCost &cost,
                                       std::span<const FamilySnapshot> snapshots, uint64_t max_series,
                                       std::string_view version) {
  constexpr MetricType kCounter = MetricType::kCounter, kGauge = MetricType::kGauge;
  std::vector<PlainMetric> metrics = {losses_metric(plan, losses), left_out_metric(snapshots)};
  metrics.push_back(single("series_limit", kGauge, {}, "The most series of aggregations that are served", max_series));
  metrics.push_back(
      {"build_info", kGauge, {}, "The version of dtrace", {{{{"version", std::string(version)}}, uint64_t{1}}}});
  metrics.push_back(
      single("cpu_seconds", kCounter, "seconds", "CPU time of dtrace and its exporter", cost.cpu_seconds));
  metrics.push_back(single("resident_memory_bytes", kGauge, "bytes", "Resident memory of dtrace and its exporter",
                           cost.resident_bytes));
  metrics.push_back(
      single("start_time_seconds", kGauge, "seconds", "When tracing began, since 1970", cost.start_time_seconds));
  metrics.push_back(single("snapshots", kCounter, {}, "Snapshots that were made for metrics", cost.snapshots));
  metrics.push_back(single("snapshot_seconds", kCounter, "seconds", "Time that dtrace spent on snapshots for metrics",
                           cost.snapshot_seconds));
  if (cost.pushes_at_all)
    metrics.push_back({"otlp_pushes",
                       kCounter,
                       {},
                       "Snapshots that were pushed by OTLP",
                       {{{{"result", "ok"}}, cost.pushes}, {{{"result", "failed"}}, cost.failed_pushes}}});
  if (cost.programs.empty()) return metrics;
  PlainMetric seconds{
      "bpf_run_seconds", kCounter, "seconds", "Run time of BPF programs, as the kernel measures it", {}};
  PlainMetric runs{"bpf_runs", kCounter, {}, "Runs of BPF programs, as the kernel counts them", {}};
  for (const ProgramCost &program : cost.programs) {
    seconds.samples.push_back({{{"program", program.program}}, static_cast<double>(program.run_ns) / 1e9});
    runs.samples.push_back({{{"program", program.program}}, program.runs});
  }
  metrics.push_back(std::move(seconds));
  metrics.push_back(std::move(runs));
  return metrics;
}

}  // namespace dtrace::runtime
