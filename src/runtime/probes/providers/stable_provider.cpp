// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/providers/stable_provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <iterator>

#include "arch/machine.h"
#include "frontend/text/glob.h"
#include "runtime/kernel/kernel_functions.h"
#include "runtime/probes/providers/foreign_modules.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kModule = "vmlinux";
constexpr std::string_view kBlanks = " \t";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    parts.push_back(trimmed(text.substr(0, comma)));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return parts;
}

/// CONFIG_HZ: a tick is the resolution of the clock that advances once a tick.
unsigned clock_hz() {
  timespec tick{};
  if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) != 0 || tick.tv_nsec <= 0) return 0;
  return static_cast<unsigned>((1'000'000'000 + tick.tv_nsec / 2) / tick.tv_nsec);
}

}  // namespace

ProviderAttributes StableProvider::attributes() const {
  constexpr Attributes kEvolvingIsa{Stability::kEvolving, Stability::kEvolving, DependencyClass::kIsa};
  constexpr Attributes kPrivate{Stability::kPrivate, Stability::kPrivate, DependencyClass::kUnknown};
  return {kEvolvingIsa, kPrivate, kPrivate, kEvolvingIsa, kEvolvingIsa};
}

bool StableProvider::has_function(const StableProbe &row) {
  Result<const KernelFunctions *> functions = kernel_.functions();
  bool found = false;
  if (functions)
    (*functions)->each_by_name(row.module.empty() ? kModule : row.module, row.function, [&](const KernelFunction &) {
      found = true;
    });
  return found;
}

/// Whether it is of a module that is neither loaded nor built into the kernel.
bool StableProvider::is_unloaded(const StableProbe &row) {
  return !row.module.empty() && kernel_.module_btf(row.module) == nullptr &&
         (row.tracepoint.empty() || !kernel_.tracepoint_args(row.tracepoint));
}

bool StableProvider::is_usable(const StableProbe &row) {
  if (row.by_child && !arch::host_machine().children_return) return false;
  if (row.clock_hz != 0 && row.clock_hz != clock_hz()) return false;
  if (is_unloaded(row)) return false;
  if (!row.function.empty() && !has_function(row)) return false;
  if (row.tracepoint.empty()) return true;
  const std::optional<unsigned> args = kernel_.tracepoint_args(row.tracepoint, row.module);
  return args && *args >= row.least_args;
}

Result<Unit> StableProvider::list(const ProbeDesc &want, ProbeSink &sink) {
  const bool is_ours = field_match(want.module, kModule) && field_match(want.function, "");
  // Functions are those of the other system, too. What is known of one says which probes are meant.
  const std::string_view names = foreign_probes(name_, want.function);
  const bool may_be_theirs =
      is_foreign_module(want.module) || (!want.provider.empty() && want.module.empty() && !names.empty());
  if (!is_ours && !may_be_theirs) return ok();
  std::string_view last;  // rows of one name stand together
  for (uint32_t i = 0; i < rows_.size(); ++i) {
    const StableProbe &row = rows_[i];
    if (row.name == last || !field_match(want.name, row.name) || !is_usable(row)) continue;
    last = row.name;
    if (!is_ours && !names.empty() && !is_word_of(names, row.name)) continue;
    sink.offer(first_ordinal_ + i, kModule, "", row.name);
  }
  return ok();
}

std::optional<ProbeDefinition> StableProvider::definition(const Probe &probe) {
  for (const StableProbe &row : rows_)
    if (row.name == probe.name && is_usable(row)) return ProbeDefinition{row.text, split_at_commas(row.types)};
  return std::nullopt;
}

std::vector<std::string_view> StableProvider::absent_types(const ProbeDesc &desc) {
  std::optional<std::string_view> types;
  for (const StableProbe &row : rows_) {
    if (!field_match(desc.name, row.name)) continue;
    if (types && *types != row.types) return {};
    types = row.types;
  }
  return types ? split_at_commas(*types) : std::vector<std::string_view>{};
}

Absence StableProvider::why_absent(const ProbeDesc &desc) {
  if (is_unloaded(rows_.front()))  // then those of all rows are
    return {fmt::format("it needs the kernel module {}, which is not loaded", rows_.front().module), true};
  const auto row = std::ranges::find(rows_, desc.name, &StableProbe::name);
  if (row == rows_.end()) {
    const auto absent = std::ranges::find_if(
        absent_, [&](const AbsentProbe &probe) { return probe.name == desc.name || probe.name == "*"; });
    return absent == absent_.end() ? Absence{} : Absence{std::string(absent->reason), absent->name != "*"};
  }
  const bool has_way =
      std::ranges::any_of(rows_, [&](const StableProbe &way) { return way.name == desc.name && is_usable(way); });
  if (has_way) return {};
  if (const auto absent = std::ranges::find(absent_, desc.name, &AbsentProbe::name); absent != absent_.end())
    return {std::string(absent->reason), true};
  if (row->tracepoint.empty()) return {};
  const bool has_event = kernel_.tracepoint_args(row->tracepoint, row->module).has_value();
  return {fmt::format("it needs the tracepoint {}, which this kernel {}", row->tracepoint,
                      has_event ? "has with fewer arguments" : "lacks"),
          true};
}

}  // namespace dtrace::runtime
