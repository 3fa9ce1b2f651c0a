// SPDX-License-Identifier: Apache-2.0
#include "replay/summary.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <set>
#include <vector>

#include "base/printable.h"
#include "replay/file_time.h"

namespace dtrace::replay {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

std::string fact_or(const recording::Reader &recording, std::string_view name, std::string_view otherwise) {
  const std::string *text = recording.fact(name);
  return text == nullptr || text->empty() ? std::string(otherwise) : printable(*text);
}

/// Wall time in UTC; without the clocks, seconds since the machine was booted.
std::string time_text(const FileTime &time, uint64_t time_ns) {
  if (!time.has_wall()) return fmt::format("{}.{:09} s after boot", time_ns / kSecond, time_ns % kSecond);
  const uint64_t wall_ns = time.wall_ns(time_ns);
  const auto seconds = static_cast<time_t>(wall_ns / kSecond);
  tm parts{};
  if (gmtime_r(&seconds, &parts) == nullptr) return fmt::format("{} ns", wall_ns);
  return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:09} UTC", parts, wall_ns % kSecond);
}

/// "0-3, 7"
std::string ranges_of(const std::set<uint32_t> &numbers) {
  std::string text;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const uint32_t first = *at;
    uint32_t last = first;
    for (++at; at != numbers.end() && *at == last + 1; ++at) last = *at;
    text += text.empty() ? "" : ", ";
    text += first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
  }
  return text;
}

struct Counted {
  std::map<uint32_t, uint64_t> rows;  // by probe
  std::set<uint32_t> cpus;
  std::string error;
};

Counted count(recording::Reader &recording) {
  Counted counted;
  for (;;) {
    const Result<std::optional<recording::Row>> row = recording.next();
    if (!row) {
      counted.error = row.error().text();
      return counted;
    }
    if (!*row) return counted;
    ++counted.rows[(*row)->probe];
    counted.cpus.insert((*row)->cpu);
  }
}

std::string probe_text(const recording::Reader &recording, uint32_t id) {
  const recording::Probe *probe = recording.probe(id);
  if (probe == nullptr) return fmt::format("probe {}", id);
  const std::string &function = probe->shown_function.empty() ? probe->function : probe->shown_function;
  return printable(fmt::format("{}:{}:{}:{}", probe->provider, probe->module, function, probe->name));
}

}  // namespace

std::string summary_of(recording::Reader &recording) {
  const Counted counted = count(recording);
  std::string text =
      fmt::format("machine: {}, Linux {}, {}\n", fact_or(recording, "host", "unknown"),
                  fact_or(recording, "kernel.release", "unknown"), fact_or(recording, "machine", "unknown"));
  if (const std::string *redacted = recording.fact("redacted"); redacted != nullptr)
    text += fmt::format("redacted: {}\n", printable(*redacted));
  const FileTime time(recording);
  if (const std::optional<uint64_t> first = recording.first_ns(), last = recording.last_ns(); first && last) {
    const uint64_t span_ns = *last - *first;
    text += fmt::format("from: {}\nto: {}, {}.{:09} s\n", time_text(time, *first), time_text(time, *last),
                        span_ns / kSecond, span_ns % kSecond);
  }
  text += fmt::format("rows: {}\n", recording.nr_rows());
  if (!counted.cpus.empty()) text += fmt::format("CPUs: {}\n", ranges_of(counted.cpus));
  text += fmt::format("\n{:>12} {}\n", "ROWS", "PROBE");
  std::vector<std::pair<uint64_t, uint32_t>> probes;
  for (const recording::Probe &probe : recording.probes()) {
    const auto rows = counted.rows.find(probe.id);
    probes.emplace_back(rows == counted.rows.end() ? 0 : rows->second, probe.id);
  }
  std::ranges::stable_sort(probes, std::greater(), &std::pair<uint64_t, uint32_t>::first);
  for (const auto &[rows, id] : probes) text += fmt::format("{:>12} {}\n", rows, probe_text(recording, id));
  std::map<std::pair<std::string, std::string>, uint64_t> losses;
  for (const recording::Loss &loss : recording.losses()) losses[{loss.cause, loss.where}] += loss.count;
  if (!losses.empty()) text += "\nlost:\n";
  for (const auto &[what, count] : losses)
    text += fmt::format("{:>12} {}{}\n", count, printable(what.first),
                        what.second.empty() ? "" : printable(fmt::format(" at {}", what.second)));
  if (!recording.cut().empty()) text += fmt::format("\ncut: {}\n", recording.cut());
  if (!counted.error.empty()) text += fmt::format("\ndamaged: {}\n", counted.error);
  return text;
}

}  // namespace dtrace::replay
