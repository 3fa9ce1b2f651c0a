// SPDX-License-Identifier: Apache-2.0
#include "replay/file_catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "frontend/text/glob.h"
#include "replay/type_spelling.h"
#include "runtime/probes/providers/rate.h"

namespace dtrace::replay {
namespace {

constexpr int64_t kShortestPeriodNs = 200'000;  // as those of the profile provider

/// Period of "tick-10ms" or "profile-97"; nothing: it is no clock.
std::optional<int64_t> period_of(std::string_view name) {
  for (const std::string_view prefix : {"tick-", "profile-"})
    if (name.starts_with(prefix)) return runtime::period_of_rate(name.substr(prefix.size()), kShortestPeriodNs);
  return std::nullopt;
}

ProbeHook hook_at(HookTarget target) {
  ProbeHook hook;
  hook.hook.target = std::move(target);
  // Probes of one program are planned faster than as many programs.
  if (!hook.hook.is<NeverHook>()) hook.hook.selector = Selector::kPlace;
  return hook;
}

ArgPlace place_of(uint8_t number) {
  return number <= static_cast<uint8_t>(ArgPlace::kPointed) ? static_cast<ArgPlace>(number) : ArgPlace::kWord;
}

Space space_of(uint8_t number) {
  return number <= static_cast<uint8_t>(Space::kScratch) ? static_cast<Space>(number) : Space::kKernel;
}

}  // namespace

FileCatalog::FileCatalog(const recording::Reader &recording, AttributesOf attributes)
    : attributes_(std::move(attributes)) {
  for (const recording::Probe &probe : recording.probes()) {
    Entry entry{{{probe.id}, probe.provider, probe.module, probe.function, probe.name}, probe.shown_function, &probe};
    if (entry.shown_function.empty()) entry.shown_function = probe.function;
    if (probes_.try_emplace(probe.id, std::move(entry)).second) ids_.push_back(probe.id);
  }
  std::ranges::sort(ids_);
  for (const recording::Description &known : recording.descriptions())
    for (const uint32_t id : known.probes)
      if (probes_.contains(id))
        matches_[ProbeDesc{known.provider, known.module, known.function, known.name}.text()].insert(id);
  // The numbers that they have in a live run, if these are free.
  begin_ = find_or_add(1, "BEGIN");
  end_ = find_or_add(2, "END");
  error_ = find_or_add(3, "ERROR");
}

ProbeId FileCatalog::find_or_add(uint32_t wanted_id, std::string_view name) {
  for (const uint32_t id : ids_)
    if (const Probe &probe = probes_.at(id).probe; probe.provider == "dtrace" && probe.name == name) return {id};
  return add(wanted_id, "dtrace", name);
}

ProbeId FileCatalog::add(uint32_t wanted_id, std::string_view provider, std::string_view name) {
  uint32_t id = wanted_id;
  if (id == 0) id = ids_.empty() || ids_.back() == UINT32_MAX ? 1 : ids_.back() + 1;
  while (probes_.contains(id) || id == 0) ++id;
  probes_.try_emplace(id, Entry{{{id}, std::string(provider), "", "", std::string(name)}, "", nullptr});
  ids_.insert(std::ranges::lower_bound(ids_, id), id);
  return {id};
}

std::optional<ProbeId> FileCatalog::make_clock(const ProbeDesc &desc) {
  const bool is_plain = field_match(desc.module, "") && field_match(desc.function, "");
  if (!is_plain || !field_match(desc.provider, "profile")) return std::nullopt;
  const std::optional<int64_t> period = period_of(desc.name);
  if (!period) return std::nullopt;
  const ProbeId id = add(0, "profile", desc.name);
  clocks_.push_back({id, static_cast<uint64_t>(*period)});
  return id;
}

Result<std::vector<ProbeId>> FileCatalog::match(const ProbeDesc &desc) {
  std::vector<ProbeId> found;
  const auto known = matches_.find(desc.text());
  for (const uint32_t id : ids_) {
    const Entry &entry = probes_.at(id);
    const Probe &probe = entry.probe;
    if (known != matches_.end() && known->second.contains(id)) {
      found.push_back({id});
      continue;
    }
    if (field_match(desc.provider, probe.provider) && field_match(desc.module, probe.module) &&
        (field_match(desc.function, probe.function) || field_match(desc.function, entry.shown_function)) &&
        field_match(desc.name, probe.name))
      found.push_back({id});
  }
  if (found.empty())
    if (const std::optional<ProbeId> clock = make_clock(desc)) found.push_back(*clock);
  return found;
}

Absence FileCatalog::why_absent(const ProbeDesc &) {
  constexpr size_t kMax = 8;
  std::set<std::string> providers;
  for (const uint32_t id : ids_)
    if (const Entry &entry = probes_.at(id); entry.recorded != nullptr) providers.insert(entry.probe.provider);
  std::vector<std::string> named(providers.begin(), providers.end());
  const size_t others = named.size() > kMax ? named.size() - kMax : 0;
  named.resize(named.size() - others);
  if (named.empty()) return {"the recording has no probes", true};
  return {fmt::format("the recording has no such probe; it has probes of {}{}", fmt::join(named, ", "),
                      others == 0 ? "" : fmt::format(" and {} more providers", others)),
          true};
}

std::optional<ProbeId> FileCatalog::by_number(uint64_t number) {
  if (number > UINT32_MAX || !probes_.contains(static_cast<uint32_t>(number))) return std::nullopt;
  return ProbeId{static_cast<uint32_t>(number)};
}

const FileCatalog::Entry *FileCatalog::find(ProbeId id) const {
  const auto found = probes_.find(id.value);
  return found == probes_.end() ? nullptr : &found->second;
}

const Probe &FileCatalog::probe(ProbeId id) {
  static const Probe kUnknown{};
  const Entry *entry = find(id);
  return entry == nullptr ? kUnknown : entry->probe;
}

const std::string &FileCatalog::shown_function(ProbeId id) {
  static const std::string kUnknown;
  const Entry *entry = find(id);
  return entry == nullptr ? kUnknown : entry->shown_function;
}

const recording::Probe *FileCatalog::recorded(ProbeId id) const {
  const Entry *entry = find(id);
  return entry == nullptr ? nullptr : entry->recorded;
}

Result<std::vector<ProbeArg>> FileCatalog::args(ProbeId id, TypeTable &types) {
  std::vector<ProbeArg> args;
  const recording::Probe *probe = recorded(id);
  if (probe == nullptr) return args;
  if (!probe->arguments_error.empty()) return Error(probe->arguments_error);
  for (const recording::Argument &argument : probe->arguments) {
    ProbeArg &arg = args.emplace_back();
    arg.native = type_of_spelling(argument.native, types);
    arg.translated = argument.translated == argument.native ? arg.native : type_of_spelling(argument.translated, types);
    arg.source = argument.source;
    arg.undefined = argument.undefined;
    arg.place = place_of(argument.place);
    arg.space = space_of(argument.space);
    arg.missing = argument.missing;
    arg.name = argument.name;
  }
  return args;
}

ProviderAttributes FileCatalog::attributes(std::string_view provider) {
  if (attributes_) return attributes_(provider);
  constexpr Attributes kUnknown{Stability::kUnstable, Stability::kUnstable, DependencyClass::kCommon};
  return {kUnknown, kUnknown, kUnknown, kUnknown, kUnknown};
}

const ProbeHook &FileCatalog::hook(ProbeId id) {
  static const ProbeHook kError = hook_at(NeverHook{}), kBegin = hook_at(TestRunHook{false}),
                         kEnd = hook_at(TestRunHook{true}), kRow = hook_at(PerfTracepointHook{"recording", "row"});
  return id == error_ ? kError : id == begin_ ? kBegin : id == end_ ? kEnd : kRow;
}

}  // namespace dtrace::replay
