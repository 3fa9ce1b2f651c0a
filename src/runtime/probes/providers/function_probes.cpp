// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/providers/function_probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <span>

#include "frontend/text/glob.h"
#include "runtime/symbols/demangle.h"
#include "runtime/user/function_code.h"

namespace dtrace::runtime {
namespace {

constexpr uint64_t kLongestInstruction = 15;
constexpr std::string_view kNoFirstInstruction = "the kernel cannot probe its first instruction";

PidPlace at(PidPlace function, uint64_t offset) {
  function.offset = offset;
  return function;
}

}  // namespace

bool function_matches(std::string_view field, std::string_view symbol) {
  if (field_match(field, symbol)) return true;
  if (!symbol.starts_with("_Z") && !symbol.starts_with("_R")) return false;
  const std::string readable = demangle(symbol);
  return field_match(field, readable) || field_match(field, name_without_parameters(readable));
}

std::optional<uint64_t> offset_of(std::string_view name) {
  uint64_t offset = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), offset, 16);
  return error == std::errc() && end == name.data() + name.size() ? std::optional(offset) : std::nullopt;
}

bool is_named(const std::vector<std::string> &names, const UserObject &object) {
  return std::ranges::any_of(names, [&](const std::string &name) { return names_file(name, object.name()); });
}

bool is_literal(std::string_view field) { return !field.empty() && !is_glob(field); }

Result<Unit> check_probe_name(const ProbeDesc &want) {
  if (want.name == kLineName && is_literal(want.function) && !means_lines(want))
    return Error(fmt::format("'{}' is not a line: name a source file and a line, as in main.c@12", want.function))
        .tagged("D_PROC_NAME");
  const bool names_instruction =
      want.name.empty() || is_glob(want.name) || offset_of(want.name) || want.name == kLineName;
  if (want.name == "entry" || want.name == "return" || want.name == kInlineName || names_instruction) return ok();
  return Error(fmt::format("'{}' is neither entry, return, inline, line nor an offset", want.name))
      .tagged("D_PROC_NAME");
}

Result<bool> FunctionProbes::list_object(const FunctionListing &listing, const std::shared_ptr<UserObject> &object) {
  const ProbeDesc &want = listing.want;
  if (means_lines(want)) return list_lines(listing, object);
  if (want.name == kInlineName) return list_inlined(listing, object);
  bool found = false;
  const bool is_pattern = !is_literal(want.function);
  const auto matching_name = [&](const UserFunction &function) -> std::optional<std::string_view> {
    // A pattern means strlen, and not strlen_ifunc, the local name of its resolver.
    const size_t names = is_pattern && function.is_indirect() ? function.indirect_names : function.names.size();
    for (const std::string_view name : std::span(function.names).first(names))
      if (function_matches(want.function, name)) return name;
    return std::nullopt;
  };
  // A pattern that means strlen and __strlen_avx2 gives the function one probe, by the name that callers know.
  std::set<uint64_t> chosen_by_name;
  if (is_pattern)
    for (const UserFunction &function : object->functions())
      if (function.is_indirect() && matching_name(function)) chosen_by_name.merge(listing.resolved(function.address));
  for (const UserFunction &function : object->functions()) {
    // A function with several names gets one probe, under the first name that matches.
    const std::optional<std::string_view> name = matching_name(function);
    if (!name) continue;
    found = true;
    if (!function.is_indirect()) {
      if (chosen_by_name.contains(function.address)) continue;
      if (Result<Unit> r = list_function(listing, {object, function}, *name); !r) return std::move(r).error();
      continue;
    }
    for (const uint64_t address : listing.resolved(function.address)) {
      std::optional<UserFunction> chosen = object->function_at(address);
      if (!chosen) continue;
      if (Result<Unit> r = list_function(listing, {object, *chosen}, *name); !r) return std::move(r).error();
    }
  }
  return found;
}

Result<Unit> FunctionProbes::list_function(const FunctionListing &listing, const PidPlace &place,
                                           std::string_view function) {
  const ProbeDesc &want = listing.want;
  if (field_match(want.name, "entry")) {
    if (entry_of(*place.object, place.function))
      offer(listing, place, function, PidProbe::Kind::kEntry, "entry");
    else if (is_literal(want.function) && want.name == "entry")
      return Error(fmt::format("failed to create an entry probe in '{}': {}", function, kNoFirstInstruction))
          .tagged("D_PROC_CREATEFAIL");
    else
      refuse(listing, place, function, "entry", kNoFirstInstruction);
  }
  if (field_match(want.name, "return")) {
    const std::string refusal = return_refusal(place, listing.stack_use);
    if (refusal.empty())
      offer(listing, place, function, PidProbe::Kind::kReturn, "return");
    else if (is_literal(want.function) && want.name == "return")
      return Error(fmt::format("failed to create a return probe in '{}': {}", function, refusal))
          .tagged("D_PROC_CREATEFAIL");
    else if (refusal != kDoesNotReturn)
      refuse(listing, place, function, "return", refusal);
  }
  return want.name == "entry" || want.name == "return" ? ok() : list_offsets(listing, place, function);
}

Result<Unit> FunctionProbes::list_offsets(const FunctionListing &listing, const PidPlace &place,
                                          std::string_view function) {
  const ProbeDesc &want = listing.want;
  const FunctionCode code(*place.object, place.function);
  if (!is_literal(want.name)) {
    for (const Instruction &instruction : code.instructions()) {
      const std::string name = fmt::format("{:x}", instruction.offset);
      if (!field_match(want.name, name)) continue;
      if (const std::string_view hazard = code.hazard(instruction); !hazard.empty())
        refuse(listing, place, function, name, hazard);
      else
        offer(listing, at(place, instruction.offset), function, PidProbe::Kind::kOffset, name);
    }
    return ok();
  }
  const uint64_t offset = *offset_of(want.name);
  const Instruction *instruction = code.at(offset);
  const std::string_view hazard = instruction != nullptr ? code.hazard(*instruction) : std::string_view();
  if (instruction != nullptr && hazard.empty()) {
    offer(listing, at(place, offset), function, PidProbe::Kind::kOffset, fmt::format("{:x}", offset));
    return ok();
  }
  if (!is_literal(want.function)) {
    if (!hazard.empty()) refuse(listing, place, function, want.name, hazard);
    return ok();
  }
  if (offset >= place.function.size_bytes)
    return Error(fmt::format("offset {:#x} is outside of function '{}'", offset, function)).tagged("D_PROC_OFF");
  if (instruction == nullptr)
    return Error(fmt::format("offset {:#x} of function '{}' is not the start of an instruction", offset, function))
        .tagged("D_PROC_ALIGN");
  return Error(fmt::format("failed to create a probe at offset {:#x} of function '{}': {}", offset, function, hazard))
      .tagged("D_PROC_CREATEFAIL");
}

Result<Unit> FunctionProbes::list_address(const FunctionListing &listing, const std::shared_ptr<UserObject> &object) {
  const ProbeDesc &want = listing.want;
  const std::optional<uint64_t> address = offset_of(want.name);
  if (!address) return Error("only an address can be probed where the function is '-'").tagged("D_PROC_NAME");
  const ElfSymbols *elf = object->symbols();
  const std::optional<UserFunction> around = object->function_around(*address);
  PidPlace place{object, around ? *around : UserFunction{}};
  if (!around) {  // nothing tells where instructions begin: the address is taken on trust
    const std::optional<uint64_t> offset = elf != nullptr ? elf->offset_of_address(*address) : std::nullopt;
    if (!offset)
      return Error(fmt::format("address {:#x} is not in '{}'", *address, object->name())).tagged("D_PROC_OFF");
    place.function.offset = *offset;
    place.function.address = *address;
    place.function.size_bytes = kLongestInstruction;
  }
  const FunctionCode code(*object, place.function);
  const Instruction *instruction = code.at(*address - place.function.address);
  if (instruction == nullptr)
    return Error(fmt::format("address {:#x} is not the start of an instruction", *address)).tagged("D_PROC_ALIGN");
  // Where no function begins, the first instruction decoded is as deep inside as any.
  Instruction inside = *instruction;
  std::string_view hazard = code.hazard(*instruction);
  if (hazard.empty() && !around && inside.kind == Instruction::Kind::kNop && inside.size_bytes == 5)
    hazard = "the kernel would turn its 5-byte NOP into a call";
  if (!hazard.empty())
    return Error(fmt::format("failed to create a probe at address {:#x}: {}", *address, hazard))
        .tagged("D_PROC_CREATEFAIL");
  offer(listing, at(place, inside.offset), kAddressFunction, PidProbe::Kind::kOffset, fmt::format("{:x}", *address));
  return ok();
}

bool FunctionProbes::grew(const Probe &probe) const {
  const auto known = probes_.find(probe.text());
  return known != probes_.end() && known->second.places.size() > known->second.told;
}

ProbeHook FunctionProbes::hook(const Probe &probe) {
  PidProbe &known = probes_.at(probe.text());
  known.told = known.places.size();
  return hook_of(known);
}

std::vector<std::string> FunctionProbes::forget(const std::set<const UserFile *> &files) {
  std::vector<std::string> changed;
  for (auto &[name, probe] : probes_) {
    const auto is_gone = [&](const PidPlace &place) { return files.contains(place.object->file().get()); };
    const auto told = probe.places.begin() + static_cast<std::ptrdiff_t>(probe.told);
    probe.told -= static_cast<size_t>(std::count_if(probe.places.begin(), told, is_gone));
    if (std::erase_if(probe.places, is_gone) != 0) changed.push_back(name);
  }
  return changed;
}

void FunctionProbes::offer(const FunctionListing &listing, const PidPlace &place, std::string_view function,
                           PidProbe::Kind kind, std::string_view name) {
  const auto probe_in = [&](std::string_view module) -> PidProbe & {
    return probes_[fmt::format("{}:{}:{}:{}", listing.provider, module, function, name)];
  };
  std::string_view module = listing.by_path ? place.object->path() : place.object->name();
  // Functions of 32-bit programs have their arguments elsewhere: such a file is another module, called by its path.
  const PidProbe &same_name = probe_in(module);
  if (!same_name.places.empty() && same_name.places.front().object->is_64bit() != place.object->is_64bit())
    module = place.object->path();
  PidProbe &probe = probe_in(module);
  probe.kind = kind;
  probe.pid = listing.pid;
  probe.family = listing.family;
  probe.stack_use |= listing.stack_use;
  if (std::find(probe.places.begin(), probe.places.end(), place) == probe.places.end()) {
    probe.places.push_back(place);
    if (kind == PidProbe::Kind::kReturn && probe.places.size() > 1 && !share_return(probe.places, probe.stack_use)) {
      probe.places.pop_back();
      return refuse(listing, place, function, name, "another function of its name can only be probed in another way");
    }
  }
  listing.sink.offer_as(listing.provider, module, function, name);
}

/// One of the probes that a glob means.
void FunctionProbes::refuse(const FunctionListing &listing, const PidPlace &place, std::string_view function,
                            std::string_view name, std::string_view reason) {
  listing.sink.refuse(
      {{}, std::string(listing.provider), std::string(place.object->name()), std::string(function), std::string(name)},
      reason);
}

void FunctionProbes::fall_short(const FunctionListing &listing, const UserObject &object, std::string_view shortfall) {
  listing.sink.fall_short(
      {{}, std::string(listing.provider), std::string(object.name()), listing.want.function, listing.want.name},
      shortfall);
}

std::vector<ProbeHook> prototypes_of(const ProbeDesc &want, bool is_64bit, uint32_t family) {
  std::vector<ProbeHook> hooks;
  if (want.name == kInlineName) return prototypes_of(PidProbe::Kind::kInline, is_64bit, family);
  for (const PidProbe::Kind kind : {PidProbe::Kind::kEntry, PidProbe::Kind::kReturn, PidProbe::Kind::kOffset}) {
    const bool wanted = kind == PidProbe::Kind::kEntry    ? field_match(want.name, "entry")
                        : kind == PidProbe::Kind::kReturn ? field_match(want.name, "return")
                                                          : want.name != "entry" && want.name != "return";
    if (!wanted || (means_lines(want) && kind != PidProbe::Kind::kOffset)) continue;
    for (ProbeHook &hook : prototypes_of(kind, is_64bit, family)) hooks.push_back(std::move(hook));
  }
  return hooks;
}

ProviderAttributes function_attributes() {
  constexpr Attributes kEvolving{Stability::kEvolving, Stability::kEvolving, DependencyClass::kIsa};
  constexpr Attributes kPrivate{Stability::kPrivate, Stability::kPrivate, DependencyClass::kUnknown};
  return {kEvolving, kPrivate, kPrivate, kEvolving, kPrivate};
}

}  // namespace dtrace::runtime
