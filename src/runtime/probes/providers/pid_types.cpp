// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/providers/pid_types.h"

#include <algorithm>

#include "frontend/types/types_compat.h"
#include "runtime/debug_info/typed_arguments.h"
#include "runtime/probes/provider.h"

namespace dtrace::runtime {
namespace {

bool are_alike(const TypeTable &types, const std::vector<ProbeArg> &a, const std::vector<ProbeArg> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const ProbeArg &x, const ProbeArg &y) {
    return x.source == y.source && x.place == y.place && same_type(types, x.native, y.native);
  });
}

}  // namespace

UserScope *PidTypes::scope(const PidProbe &probe) {
  const std::shared_ptr<UserObject> &object = probe.places.front().object;
  const bool is_one = std::ranges::all_of(probe.places, [&](const PidPlace &place) { return place.object == object; });
  if (!is_one) return nullptr;
  std::unique_ptr<ProgramScope> &scope = scopes_[{probe.pid, object.get()}];
  if (scope == nullptr) scope = std::make_unique<ProgramScope>(cache_, objects_, probe.pid, object);
  return scope.get();
}

Result<PidTypes::Entry> PidTypes::entry(const PidProbe &probe, TypeTable &types) {
  Entry entry;
  for (const PidPlace &place : probe.places) {
    const Result<ObjectDebugInfo *> info = cache_.of(place.object, probe.pid);
    if (!info) return Error(info.error().text());
    Result<TypedArguments> typed = entry_arguments(**info, place.function.address, kRawArguments, types);
    if (!typed) return std::move(typed).error();
    if (entry.operands.empty())
      entry.args = std::move(typed->args);
    else if (!are_alike(types, entry.args, typed->args))
      return Error("there are several functions of that name, and their parameters differ");
    entry.operands.push_back(std::move(typed->operands));
  }
  return entry;
}

Result<std::vector<ProbeArg>> PidTypes::args(const std::string &name, const PidProbe &probe, TypeTable &types) {
  if (probe.kind == PidProbe::Kind::kOffset || probe.kind == PidProbe::Kind::kLine)
    return Error("only entries and returns have types; use arg0 to arg9");
  if (!probe.places.front().object->is_64bit()) return Error("arguments of 32-bit programs have no types");
  if (probe.kind == PidProbe::Kind::kEntry) {
    Result<Entry> made = entry(probe, types);
    if (!made) return std::move(made).error();
    types_ = &types;
    return (entries_[name] = std::move(*made)).args;
  }
  std::vector<ProbeArg> args;
  for (const PidPlace &place : probe.places) {
    const Result<ObjectDebugInfo *> info = cache_.of(place.object, probe.pid);
    if (!info) return Error(info.error().text());
    Result<std::vector<ProbeArg>> typed = return_arguments(**info, place.function.address, types);
    if (!typed) return std::move(typed).error();
    if (args.empty())
      args = std::move(*typed);
    else if (!are_alike(types, args, *typed))
      return Error("there are several functions of that name, and what they return differs");
  }
  if (args.size() > 1) args[1].name = kReturnValueName;
  return args;
}

/// Of a probe that came to be when the program was made: the clause's types are those of probes that were there, so
/// only a function of the same ones is read; the firings of others are faults.
std::vector<std::vector<UserOperand>> PidTypes::late_operands(const PidProbe &probe) {
  const Result<Entry> made = entry(probe, *types_);
  const bool is_known = made && std::ranges::any_of(entries_, [&](const auto &known) {
                          return are_alike(*types_, known.second.args, made->args);
                        });
  if (is_known) return made->operands;
  size_t most = 0;
  for (const auto &[name, known] : entries_)
    for (const std::vector<UserOperand> &operands : known.operands) most = std::max(most, operands.size());
  return std::vector(probe.places.size(), std::vector<UserOperand>(most));
}

void PidTypes::add_operands(const std::string &name, const PidProbe &probe, ProbeHook &hook) {
  if (probe.kind != PidProbe::Kind::kEntry || entries_.empty()) return;
  std::vector<std::vector<UserOperand>> operands;
  if (const auto known = entries_.find(name);
      known != entries_.end() && known->second.operands.size() == probe.places.size())
    operands = known->second.operands;
  else if (is_late_ || known != entries_.end())
    operands = late_operands(probe);
  else
    return;
  // A probe at an entry has a site for each place, in their order.
  for (size_t i = 0; i < hook.sites.size() && i < operands.size(); ++i) {
    const auto same = std::ranges::find(hook.variants, operands[i]);
    hook.sites[i].variant = static_cast<uint32_t>(same - hook.variants.begin());
    if (same == hook.variants.end()) hook.variants.push_back(std::move(operands[i]));
  }
}

}  // namespace dtrace::runtime
