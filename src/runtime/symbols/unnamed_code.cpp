// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/unnamed_code.h"

#include <fmt/format.h>

#include <algorithm>

namespace dtrace::runtime {
namespace {

struct JitRuntime {
  std::string_view object;  // base name, or how it begins if that ends in a dot or a dash
  std::string_view option;
};

/// Sources: the manuals of the programs.
constexpr JitRuntime kRuntimes[] = {
    {"node", "node --perf-basic-prof"},
    {"nodejs", "node --perf-basic-prof"},
    {"deno", "deno run --v8-flags=--perf-basic-prof"},
    {"libjvm.so", "jcmd PID Compiler.perfmap, before tracing ends"},
    {"beam.smp", "erl +JPperf true"},
    {"libcoreclr.so", "DOTNET_PerfMapEnabled=1"},
    {"luajit", "LuaJIT built with -DLUAJIT_USE_PERFTOOLS"},
    {"luajit-", "LuaJIT built with -DLUAJIT_USE_PERFTOOLS"},
    {"libluajit-", "LuaJIT built with -DLUAJIT_USE_PERFTOOLS"},
};

/// Fewer of all samples are not worth a message.
constexpr uint64_t kWorthPercent = 1;

bool is_of(const JitRuntime &runtime, std::string_view object) {
  const char last = runtime.object.back();
  return last == '-' || last == '.' ? object.starts_with(runtime.object) : object == runtime.object;
}

}  // namespace

std::string_view naming_option(const std::vector<std::string_view> &objects) {
  for (const std::string_view object : objects)
    for (const JitRuntime &runtime : kRuntimes)
      if (is_of(runtime, object)) return runtime.option;
  return {};
}

void UnnamedCode::add(uint32_t aggregation, std::string_view option, uint64_t count) {
  Tally &tally = of_[aggregation];
  tally.total += count;
  if (!option.empty()) tally.by_option[option] += count;
}

std::vector<std::string> UnnamedCode::messages() const {
  std::map<std::pair<bool, std::string_view>, uint64_t> counts;
  for (const auto &[aggregation, tally] : of_)
    for (const auto &[option, count] : tally.by_option)
      if (count >= tally.total / 100 * kWorthPercent) counts[{tally.is_counted, option}] += count;
  std::vector<std::string> lines;
  for (const auto &[of, count] : counts) {
    const std::string_view noun = of.first ? "sample" : "stack";
    lines.push_back(
        fmt::format("{} {}{} in code without names: {} names it", count, noun, count == 1 ? "" : "s", of.second));
  }
  return lines;
}

}  // namespace dtrace::runtime
