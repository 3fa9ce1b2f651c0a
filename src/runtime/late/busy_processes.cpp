// SPDX-License-Identifier: Apache-2.0
#include "runtime/late/busy_processes.h"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <thread>
#include <tuple>

#include "base/read_file.h"
#include "runtime/usdt/process_files.h"

namespace dtrace::runtime {
namespace {

/// Between the readings: five ticks at the usual 100 a second. A process that runs all the time gets three or more.
constexpr std::chrono::milliseconds kLeastInterval{50};

constexpr uint64_t kBusyPart = 100;

std::optional<ProcessTicks> ticks_of(pid_t pid) {
  const Result<std::string> stat = read_file(fmt::format("/proc/{}/stat", pid));
  return stat ? process_ticks(*stat) : std::nullopt;
}

uint64_t ticks_since_boot() {
  timespec now{};
  (void)clock_gettime(CLOCK_BOOTTIME, &now);
  const auto a_second = static_cast<uint64_t>(sysconf(_SC_CLK_TCK));
  return static_cast<uint64_t>(now.tv_sec) * a_second + static_cast<uint64_t>(now.tv_nsec) * a_second / 1'000'000'000;
}

}  // namespace

std::optional<ProcessTicks> process_ticks(std::string_view stat) {
  // The name is in parentheses and may hold any letter, these too. Behind it, from 1 on: 12 utime, 13 stime, 20
  // starttime.
  const size_t name_end = stat.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  std::string_view rest = stat.substr(name_end + 1);
  ProcessTicks ticks;
  for (unsigned word = 1; word <= 20; ++word) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const std::string_view text = rest.substr(0, rest.find(' '));
    rest.remove_prefix(text.size());
    if (word != 12 && word != 13 && word != 20) continue;
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    if (word == 20)
      ticks.start = value;
    else
      ticks.used += value;
  }
  return ticks;
}

BusyProcesses::BusyProcesses(const std::vector<pid_t> &pids) : read_(std::chrono::steady_clock::now()) {
  for (const pid_t pid : pids)
    if (const std::optional<ProcessTicks> ticks = ticks_of(pid)) ticks_.emplace_back(pid, ticks->used);
  std::ranges::sort(ticks_);
}

std::vector<pid_t> BusyProcesses::busiest_first() const {
  std::this_thread::sleep_until(read_ + kLeastInterval);
  const uint64_t now = ticks_since_boot();
  std::vector<std::tuple<uint64_t, uint64_t, pid_t>> busy;  // growth, time used, process
  for (const pid_t pid : all_processes()) {
    const std::optional<ProcessTicks> ticks = ticks_of(pid);
    if (!ticks) continue;
    const auto known = std::ranges::lower_bound(ticks_, pid, {}, &std::pair<pid_t, uint64_t>::first);
    const uint64_t before = known != ticks_.end() && known->first == pid ? known->second : 0;
    const uint64_t grown = ticks->used > before ? ticks->used - before : 0;
    const uint64_t lifetime = now > ticks->start ? now - ticks->start : 0;
    const bool is_busy = grown != 0 || (ticks->used != 0 && ticks->used >= lifetime / kBusyPart);
    if (is_busy) busy.emplace_back(grown, ticks->used, pid);
  }
  std::ranges::sort(busy, std::ranges::greater());
  std::vector<pid_t> pids;
  for (const auto &[grown, used, pid] : busy) pids.push_back(pid);
  return pids;
}

}  // namespace dtrace::runtime
