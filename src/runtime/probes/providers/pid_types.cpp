// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/providers/pid_types.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/types/types_compat.h"
#include "runtime/probes/provider.h"

namespace dtrace::runtime {
namespace {

bool are_alike(const TypeTable &types, const std::vector<ProbeArg> &a, const std::vector<ProbeArg> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const ProbeArg &x, const ProbeArg &y) {
    return x.source == y.source && x.place == y.place && same_type(types, x.native, y.native);
  });
}

bool is_inside(const PidProbe &probe) {
  return probe.kind == PidProbe::Kind::kOffset || probe.kind == PidProbe::Kind::kLine;
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
  if (is_inside(probe))
    return Error("only entries and returns have args[ ]; use locals->NAME for variables, and arg0 to arg9");
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

Result<TypedArguments> PidTypes::local_at(const PidProbe &probe, const PidPlace &place, std::string_view name) {
  const Result<ObjectDebugInfo *> info = cache_.of(place.object, probe.pid);
  if (!info) return Error(info.error().text()).tagged("D_LOCALS_NONE");
  return local_variable(**info, place.address(), name, 0, *types_);
}

Result<ProbeArg> PidTypes::local(const PidProbe &probe, std::string_view name, TypeTable &types) {
  constexpr unsigned kMaxOperands = 64;  // of a site (DT_MAX_OPERANDS)
  if (!is_inside(probe))
    return Error("it is at an entry or a return, where parameters are args.NAME").tagged("D_LOCALS_NONE");
  if (!probe.places.front().object->is_64bit())
    return Error("variables of 32-bit programs have no types").tagged("D_LOCALS_NONE");
  types_ = &types;
  std::optional<ProbeArg> arg;
  size_t nr_operands = 0;
  for (const PidPlace &place : probe.places) {
    Result<TypedArguments> typed = local_at(probe, place, name);
    if (!typed) return std::move(typed).error();
    ProbeArg &here = typed->args.front();
    if (arg && !same_type(types, arg->native, here.native))
      return Error(fmt::format("{} has another type in each of the functions that the line is in", name))
          .tagged("D_LOCALS_MULTI");
    // Where the value can be had says how it lies; firings elsewhere are faults.
    if (arg && arg->missing.empty() && here.missing.empty() && arg->place != here.place)
      return Error(fmt::format("{} is in memory at one instruction of the line, and in registers at another", name))
          .tagged("D_LOCALS_MULTI");
    nr_operands = std::max(nr_operands, typed->operands.size());
    if (!arg || (!arg->missing.empty() && here.missing.empty())) arg = std::move(here);
  }
  const auto known = std::ranges::find_if(locals_, [&](const Local &one) {
    return one.name == name && one.nr_operands >= nr_operands && one.arg.place == arg->place &&
           same_type(types, one.arg.native, arg->native);
  });
  if (known == locals_.end()) {
    if (nr_local_operands_ + nr_operands > kMaxOperands)
      return Error("the program uses too many variables of locals").tagged("D_LOCALS_NONE");
    arg->source = kRawArguments + nr_local_operands_;
    nr_local_operands_ += static_cast<unsigned>(nr_operands);
    locals_.push_back({std::string(name), *arg, nr_operands});
  } else {
    arg->source = known->arg.source;
  }
  return *std::move(arg);
}

std::vector<std::vector<UserOperand>> PidTypes::local_operands(const PidProbe &probe) {
  std::vector<std::vector<UserOperand>> result;
  for (const PidPlace &place : probe.places) {
    std::vector<UserOperand> &operands = result.emplace_back(nr_local_operands_);
    for (const Local &local : locals_) {
      Result<TypedArguments> typed = local_at(probe, place, local.name);
      if (!typed || typed->operands.size() > local.nr_operands || typed->args.front().place != local.arg.place ||
          !same_type(*types_, typed->args.front().native, local.arg.native))
        continue;
      std::ranges::move(typed->operands, operands.begin() + (local.arg.source - kRawArguments));
    }
  }
  return result;
}

std::vector<std::vector<UserOperand>> PidTypes::entry_operands(const std::string &name, const PidProbe &probe) {
  const auto known = entries_.find(name);
  if (known != entries_.end() && known->second.operands.size() == probe.places.size()) return known->second.operands;
  return is_late_ || known != entries_.end() ? late_operands(probe) : std::vector<std::vector<UserOperand>>();
}

void PidTypes::add_operands(const std::string &name, const PidProbe &probe, ProbeHook &hook) {
  std::vector<std::vector<UserOperand>> operands;
  if (is_inside(probe) && !locals_.empty())
    operands = local_operands(probe);
  else if (probe.kind == PidProbe::Kind::kEntry && !entries_.empty())
    operands = entry_operands(name, probe);
  // Such a probe has a site for each of its places, in their order.
  for (size_t i = 0; i < hook.sites.size() && i < operands.size(); ++i) {
    const auto same = std::ranges::find(hook.variants, operands[i]);
    hook.sites[i].variant = static_cast<uint32_t>(same - hook.variants.begin());
    if (same == hook.variants.end()) hook.variants.push_back(std::move(operands[i]));
  }
}

}  // namespace dtrace::runtime
