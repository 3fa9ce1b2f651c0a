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

bool has_locals(const PidProbe &probe) { return is_inside(probe) || probe.kind == PidProbe::Kind::kInline; }

/// An argument of an inlined call that has operands among those of local variables: no variable has such a name.
std::string slot_name(size_t argument) { return fmt::format("args[{}]", argument); }

/// Notes where the value is at another site of the probe.
void add_place(ProbeArg &arg, const ProbeArg &here) {
  constexpr size_t kMaxShown = 48;
  if (!here.missing.empty()) return;
  if (!arg.missing.empty()) {
    arg = here;
  } else if (arg.where != here.where && !arg.where.ends_with("...") && !arg.where.ends_with(", " + here.where) &&
             !arg.where.starts_with(here.where + ",") && arg.where.find(", " + here.where + ",") == std::string::npos) {
    arg.where += arg.where.size() < kMaxShown ? ", " + here.where : ", ...";
  }
}

/// Is it the raw argument of its number?
bool is_raw(size_t number, const ProbeArg &arg) { return number < kRawArguments && arg.place == ArgPlace::kWord; }

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
    return Error(
        "only entries, returns and inlined calls have args[ ]; use locals->NAME for variables, and arg0 to arg9");
  if (!probe.places.front().object->is_64bit()) return Error("arguments of 32-bit programs have no types");
  if (probe.kind == PidProbe::Kind::kInline) return inlined_args(name, probe, types);
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

/// Operands of a probe that appeared after the program was compiled. The clause was checked with the argument types of
/// the probes known then, so only a function with the same types is read; firings of other functions are faults.
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
  return local_variable(**info, place.address(), name, 0, *types_, probe.kind == PidProbe::Kind::kInline);
}

/// Gives a variable, or an argument of an inlined call, operands of its own. False: there are too many.
bool PidTypes::take_slots(std::string_view name, ProbeArg &arg, size_t nr_operands) {
  constexpr unsigned kMaxOperands = 64;  // of a site (DT_MAX_OPERANDS)
  const auto known = std::ranges::find_if(locals_, [&](const Local &one) {
    return one.name == name && one.nr_operands >= nr_operands && one.arg.place == arg.place &&
           same_type(*types_, one.arg.native, arg.native);
  });
  if (known != locals_.end()) {
    arg.source = known->arg.source;
    return true;
  }
  if (nr_operands_ + nr_operands > kMaxOperands) return false;
  arg.source = kRawArguments + nr_operands_;
  nr_operands_ += static_cast<unsigned>(nr_operands);
  locals_.push_back({std::string(name), arg, nr_operands});
  return true;
}

namespace {

size_t operands_of(const TypedArguments &typed, size_t argument) {
  const size_t end = argument + 1 < typed.args.size() ? typed.args[argument + 1].source : typed.operands.size();
  return end - typed.args[argument].source;
}

}  // namespace

Result<TypedArguments> PidTypes::inlined_at(const PidProbe &probe, const PidPlace &place) {
  const Result<ObjectDebugInfo *> info = cache_.of(place.object, probe.pid);
  if (!info) return Error(info.error().text());
  Result<TypedArguments> typed = inlined_arguments(**info, place.address(), place.inlined - 1, *types_);
  if (!typed || !place.is_shared) return typed;
  constexpr std::string_view kShared = "there is no code between this call and the next";
  for (ProbeArg &arg : typed->args) arg.missing = kShared;
  for (UserOperand &operand : typed->operands) {
    operand = {};
    operand.reason = kShared;
  }
  return typed;
}

/// Where one call has the value, it is asked for; the firings of the others are faults. So are those of calls that have
/// a structure in another way than the first that has it.
Result<std::vector<ProbeArg>> PidTypes::inlined_args(const std::string &name, const PidProbe &probe, TypeTable &types) {
  if (const auto known = inlined_.find(name); known != inlined_.end() && types_ == &types) return known->second;
  types_ = &types;
  std::vector<ProbeArg> args;
  std::vector<size_t> nr_operands;
  bool is_first = true;
  for (const PidPlace &place : probe.places) {
    Result<TypedArguments> typed = inlined_at(probe, place);
    if (!typed) return std::move(typed).error();
    if (is_first) {
      args = typed->args;
      nr_operands.resize(args.size());
    }
    is_first = false;
    const auto same = [&](const ProbeArg &a, const ProbeArg &b) { return same_type(types, a.native, b.native); };
    if (!std::ranges::equal(args, typed->args, same))
      return Error("there are several functions of that name, and their parameters differ");
    for (size_t i = 0; i < args.size(); ++i) {
      ProbeArg &arg = args[i], &here = typed->args[i];
      if (!here.missing.empty()) continue;
      add_place(arg, here);
      if (arg.place == here.place) nr_operands[i] = std::max(nr_operands[i], operands_of(*typed, i));
    }
  }
  for (size_t i = 0; i < args.size(); ++i) {
    args[i].source = kRawArguments + static_cast<unsigned>(i);
    if (is_raw(i, args[i]) || !args[i].missing.empty()) continue;
    if (!take_slots(slot_name(i), args[i], nr_operands[i])) args[i].missing = "the program uses too many arguments";
  }
  return inlined_[name] = std::move(args);
}

std::string PidTypes::missing_argument(const std::string &name, const PidProbe &probe, unsigned n, TypeTable &types) {
  if (probe.kind != PidProbe::Kind::kInline || n >= kRawArguments) return {};
  const Result<std::vector<ProbeArg>> args = this->args(name, probe, types);
  if (!args) return args.error().text();
  if (n >= args->size()) return fmt::format("the function has {} parameters", args->size());
  const ProbeArg &arg = (*args)[n];
  return arg.missing.empty() && !is_raw(n, arg) ? fmt::format("it is a structure: args[{}]", n) : arg.missing;
}

void PidTypes::add_inlined_operands(const std::string &name, const PidProbe &probe,
                                    std::vector<std::vector<UserOperand>> &operands) {
  for (size_t at = 0; at < probe.places.size(); ++at) {
    Result<TypedArguments> typed = inlined_at(probe, probe.places[at]);
    if (!typed) continue;
    // The clause's types are those of probes that were there when the program was made.
    const auto has_types = [&](const auto &known) {
      return std::ranges::equal(known.second, typed->args, [&](const ProbeArg &a, const ProbeArg &b) {
        return same_type(*types_, a.native, b.native);
      });
    };
    const auto own = inlined_.find(name);
    const auto known = own != inlined_.end() ? own : is_late_ ? std::ranges::find_if(inlined_, has_types) : own;
    if (known == inlined_.end() || !has_types(*known)) continue;
    for (size_t i = 0; i < typed->args.size(); ++i) {
      const ProbeArg &arg = known->second[i], &here = typed->args[i];
      if (arg.place != here.place || !arg.missing.empty()) continue;
      const auto from = typed->operands.begin() + here.source;
      const size_t to = arg.source - kRawArguments;
      const size_t count = operands_of(*typed, i);
      if (to + count <= operands[at].size())
        std::move(from, from + static_cast<ptrdiff_t>(count), operands[at].begin() + static_cast<ptrdiff_t>(to));
    }
  }
}

Result<ProbeArg> PidTypes::local(const PidProbe &probe, std::string_view name, TypeTable &types) {
  if (!has_locals(probe))
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
      return Error(fmt::format("{} has another type in each of the functions that the probe is in", name))
          .tagged("D_LOCALS_MULTI");
    // Where the value can be had says how it lies; firings elsewhere are faults.
    if (arg && arg->missing.empty() && here.missing.empty() && arg->place != here.place)
      return Error(fmt::format("{} is in memory at one instruction of the probe, and in registers at another", name))
          .tagged("D_LOCALS_MULTI");
    nr_operands = std::max(nr_operands, typed->operands.size());
    if (!arg || (!arg->missing.empty() && here.missing.empty())) arg = std::move(here);
  }
  if (!take_slots(name, *arg, nr_operands))
    return Error("the program uses too many variables of locals").tagged("D_LOCALS_NONE");
  return *std::move(arg);
}

std::vector<ProbeArg> PidTypes::locals(const PidProbe &probe, TypeTable &types) {
  std::vector<ProbeArg> all;
  if (!has_locals(probe) || !probe.places.front().object->is_64bit()) return all;
  std::unordered_map<std::string, size_t> by_name;
  for (const PidPlace &place : probe.places) {
    const Result<ObjectDebugInfo *> info = cache_.of(place.object, probe.pid);
    if (!info) continue;
    for (ProbeArg &here : local_variables(**info, place.address(), types, place.inlined != 0)) {
      const auto [known, is_new] = by_name.try_emplace(here.name, all.size());
      if (is_new)
        all.push_back(std::move(here));
      else
        add_place(all[known->second], here);
    }
  }
  return all;
}

std::vector<std::vector<UserOperand>> PidTypes::local_operands(const PidProbe &probe) {
  std::vector<std::vector<UserOperand>> result;
  for (const PidPlace &place : probe.places) {
    std::vector<UserOperand> &operands = result.emplace_back(nr_operands_);
    for (const Local &local : locals_) {
      if (local.name.ends_with(']')) continue;  // an argument of an inlined call
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
  if (known != entries_.end() && !known->second.has_lost_sites && known->second.operands.size() == probe.places.size())
    return known->second.operands;
  return is_late_ || known != entries_.end() ? late_operands(probe) : std::vector<std::vector<UserOperand>>();
}

void PidTypes::forget(const std::vector<std::string> &probes, const std::set<const UserFile *> &files) {
  cache_.forget(files);
  for (const std::string &probe : probes)
    if (const auto known = entries_.find(probe); known != entries_.end()) known->second.has_lost_sites = true;
}

void PidTypes::add_operands(const std::string &name, const PidProbe &probe, ProbeHook &hook) {
  std::vector<std::vector<UserOperand>> operands;
  const bool is_inlined = probe.kind == PidProbe::Kind::kInline;
  if (has_locals(probe) && (!locals_.empty() || (is_inlined && !inlined_.empty()))) operands = local_operands(probe);
  if (is_inlined && !operands.empty())
    add_inlined_operands(name, probe, operands);
  else if (probe.kind == PidProbe::Kind::kEntry && !entries_.empty())
    operands = entry_operands(name, probe);
  // A probe with operands has one site for each entry of `places`, in the same order.
  for (size_t i = 0; i < hook.sites.size() && i < operands.size(); ++i) {
    const auto same = std::ranges::find(hook.variants, operands[i]);
    hook.sites[i].variant = static_cast<uint32_t>(same - hook.variants.begin());
    if (same == hook.variants.end()) hook.variants.push_back(std::move(operands[i]));
  }
}

}  // namespace dtrace::runtime
