// SPDX-License-Identifier: Apache-2.0
#include "runtime/user/pid_probes.h"

#include <algorithm>

#include "runtime/user/function_code.h"
#include "runtime/user/function_exits.h"
#include "runtime/user/return_address.h"

namespace dtrace::runtime {
namespace {

UserSite site_at(const PidProbe &probe, const PidPlace &place, uint64_t offset, uint32_t variant) {
  UserSite site;
  site.file = place.object->file();
  site.offset = place.function.offset + offset;
  site.pid = probe.family != 0 ? 0 : probe.pid;
  site.variant = variant;
  return site;
}

/// How a return is seen.
enum class Mode : uint8_t { kInstruction, kUretprobe, kNone };

ProbeHook hook_without_sites(PidProbe::Kind kind, Mode mode, bool is_64bit, uint32_t family) {
  ProbeHook hook;
  hook.hook.family = family;
  const uint8_t word_bytes = is_64bit ? 8 : 4;
  hook.hook.selector = Selector::kSite;
  hook.hook.preemptible = true;
  using Where = UserInstructionHook::Where;
  if (mode == Mode::kUretprobe)
    hook.hook.target = UserReturnHook{!is_64bit};
  else if (mode == Mode::kInstruction)
    hook.hook.target = UserInstructionHook{Where::kReturn, !is_64bit};
  else if (kind == PidProbe::Kind::kInline)
    hook.hook.target = UserInstructionHook{Where::kInline, !is_64bit};
  else
    hook.hook.target = UserInstructionHook{kind == PidProbe::Kind::kEntry ? Where::kEntry : Where::kInside, !is_64bit};
  if (kind == PidProbe::Kind::kReturn) {
    hook.args = {{ArgSource::Kind::kSiteVariant, 0, 8, false}, {ArgSource::Kind::kReturnValue, 0, word_bytes, false}};
  } else if (kind == PidProbe::Kind::kInline) {
    for (uint32_t i = 0; i < kRawArguments; i++)
      hook.args.push_back({ArgSource::Kind::kSiteOperand, i, word_bytes, false});
  } else {
    for (uint32_t i = 0; i < kRawArguments; i++)
      hook.args.push_back({ArgSource::Kind::kFunctionArg, i, word_bytes, false});
  }
  return hook;
}

/// Offsets from the function's start, ascending, fit a site's variant.
bool fits_variant(const std::vector<uint32_t> &offsets) {
  return offsets.empty() || offsets.back() < SiteCookie::kMaxVariants;
}

ProbeHook hook_of_exits(const PidProbe &probe, bool is_64bit) {
  ProbeHook hook = hook_without_sites(probe.kind, Mode::kInstruction, is_64bit, probe.family);
  for (const PidPlace &place : probe.places) {
    for (const FunctionExit &exit : exits_of(*place.object, place.function).value_or(std::vector<FunctionExit>())) {
      const bool fits = exit.function_offset < SiteCookie::kMaxVariants;
      hook.sites.push_back(
          site_at(probe, place, exit.file_offset - place.function.offset, fits ? exit.function_offset : 0));
    }
  }
  return hook;
}

/// The kernel's return probe can be set, and is no harm to the function itself (return_address.h). Whether the process
/// bears it is another question.
bool bears_return_probe(const PidPlace &place) {
  return !place.object->moves_stacks() && entry_of(*place.object, place.function) &&
         return_address_use(*place.object, place.function) == ReturnAddressUse::kReturns;
}

/// In any process, and none of its returns is missed, unless a signal interferes.
bool always_bears_return_probe(const PidPlace &place, const FunctionCode &code) {
  return code.calls_nothing() && entry_of(*place.object, place.function) == 0U && bears_return_probe(place);
}

ProbeHook hook_of_return(const PidProbe &probe, bool is_64bit) {
  bool by_instruction = true, bears = !probe.stack_use.calls_interfere;
  bool is_cheaper = is_64bit && !probe.stack_use.signals_interfere;
  std::vector<std::vector<uint32_t>> returns;
  for (const PidPlace &place : probe.places) {
    const FunctionCode code(*place.object, place.function);
    returns.push_back(code.returns());
    by_instruction &= code.leaves_by_returns_only() && fits_variant(returns.back());
    is_cheaper = is_cheaper && always_bears_return_probe(place, code);
  }
  if (!by_instruction) bears = bears && std::ranges::all_of(probe.places, bears_return_probe);
  if (!by_instruction && !bears) return hook_of_exits(probe, is_64bit);
  const Mode mode = by_instruction ? Mode::kInstruction : Mode::kUretprobe;
  ProbeHook hook = hook_without_sites(probe.kind, mode, is_64bit, probe.family);
  for (size_t i = 0; i < probe.places.size(); i++) {
    if (by_instruction) {
      for (uint32_t offset : returns[i]) hook.sites.push_back(site_at(probe, probe.places[i], offset, offset));
    } else {
      // Where there is just one, that is it, or the function left by a jump.
      const bool one = returns[i].size() == 1 && fits_variant(returns[i]);
      const PidPlace &place = probe.places[i];
      const uint32_t entry = entry_of(*place.object, place.function).value_or(0);
      hook.sites.push_back(site_at(probe, place, entry, one ? returns[i].front() : 0));
    }
  }
  if (by_instruction && is_cheaper) {
    ProbeHook cheaper = hook_without_sites(probe.kind, Mode::kUretprobe, is_64bit, probe.family);
    for (const PidPlace &place : probe.places) cheaper.sites.push_back(site_at(probe, place, 0, 0));
    hook.cheaper = std::make_shared<const ProbeHook>(std::move(cheaper));
  }
  return hook;
}

}  // namespace

ProbeHook hook_of(const PidProbe &probe) {
  const bool is_64bit = probe.places.empty() || probe.places.front().object->is_64bit();
  if (probe.kind == PidProbe::Kind::kReturn) return hook_of_return(probe, is_64bit);
  ProbeHook hook = hook_without_sites(probe.kind, Mode::kNone, is_64bit, probe.family);
  for (const PidPlace &place : probe.places) {
    const bool entry = probe.kind == PidProbe::Kind::kEntry;
    const uint64_t offset = entry ? entry_of(*place.object, place.function).value_or(0) : place.offset;
    hook.sites.push_back(site_at(probe, place, offset, 0));
  }
  return hook;
}

std::vector<ProbeHook> prototypes_of(PidProbe::Kind kind, bool is_64bit, uint32_t family) {
  if (kind != PidProbe::Kind::kReturn) return {hook_without_sites(kind, Mode::kNone, is_64bit, family)};
  return {hook_without_sites(kind, Mode::kInstruction, is_64bit, family),
          hook_without_sites(kind, Mode::kUretprobe, is_64bit, family)};
}

std::string return_refusal(const PidPlace &place, const StackUse &use) {
  if (FunctionCode(*place.object, place.function).leaves_by_returns_only()) return {};
  if (!use.calls_interfere && bears_return_probe(place)) return {};
  if (!use.calls_interfere && place.object->moves_stacks())
    return "its run-time system moves stacks, and would not find the return address that a return probe replaces";
  const std::optional<std::vector<FunctionExit>> exits = exits_of(*place.object, place.function);
  if (exits) return exits->empty() ? std::string(kDoesNotReturn) : std::string();
  std::string reason = "not all the instructions that leave it can be probed, and ";
  if (use.calls_interfere)
    reason += "neither exceptions nor coroutines survive the kernel's return probe";
  else if (!entry_of(*place.object, place.function))
    reason += "the kernel cannot probe its first instruction";
  else
    reason += refusal_of(return_address_use(*place.object, place.function));
  return reason;
}

bool share_return(const std::vector<PidPlace> &places, const StackUse &use) {
  if (!use.calls_interfere && std::ranges::all_of(places, bears_return_probe)) return true;
  return std::ranges::all_of(places,
                             [](const PidPlace &place) { return exits_of(*place.object, place.function).has_value(); });
}

}  // namespace dtrace::runtime
