// SPDX-License-Identifier: Apache-2.0
// pidNNN:module:function:entry|return|OFFSET, for any function that process NNN has in a file; "-" for function means
// an address in the program itself. A probe fires in that process only.
//
// Needs uprobes: uprobe_multi links (6.10) put all probes of a file in place at once; without them every probe is a
// perf event of its own.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <set>
#include <unordered_map>

#include "frontend/text/glob.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/probes/provider.h"
#include "runtime/symbols/demangle.h"
#include "runtime/user/function_code.h"
#include "runtime/user/indirect_functions.h"
#include "runtime/user/pid_probes.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kPrefix = "pid";
constexpr std::string_view kSentinel = "-";  // for a function: the name is an address in the program
constexpr uint64_t kLongestInstruction = 15;
constexpr std::string_view kNoFirstInstruction = "the kernel cannot probe its first instruction";

/// The process of "pid123", or of a glob that ends in a number and matches that, "p*d123"; nothing for other names.
std::optional<std::string_view> number_of(std::string_view provider) {
  size_t stem = provider.size();
  while (stem > 0 && std::isdigit(static_cast<unsigned char>(provider[stem - 1])) != 0) --stem;
  if (stem == 0 || stem == provider.size() || !field_match(provider.substr(0, stem), kPrefix)) return std::nullopt;
  return provider.substr(stem);
}

/// A hexadecimal number without 0x.
std::optional<uint64_t> offset_of(std::string_view name) {
  uint64_t offset = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), offset, 16);
  return error == std::errc() && end == name.data() + name.size() ? std::optional(offset) : std::nullopt;
}

bool is_literal(std::string_view field) { return !field.empty() && !is_glob(field); }

/// Whether the function field means a symbol, by its own name or by the one its author wrote, with or without the types
/// of its parameters.
bool function_matches(std::string_view field, std::string_view symbol) {
  if (field_match(field, symbol)) return true;
  if (!symbol.starts_with("_Z") && !symbol.starts_with("_R")) return false;
  const std::string readable = demangle(symbol);
  return field_match(field, readable) || field_match(field, name_without_parameters(readable));
}

/// Everything of one list() call.
struct Listing {
  const ProbeDesc &want;
  pid_t pid;
  const std::vector<MappedObject> &objects;
  ProbeSink &sink;
  StackUse stack_use;
};

class PidProvider final : public GrowingProvider {
 public:
  explicit PidProvider(KernelInfo &) {}

  std::string_view name() const override { return kPrefix; }
  bool claims(std::string_view pattern) const override { return number_of(pattern).has_value(); }

  ProviderAttributes attributes() const override {
    constexpr Attributes kEvolving{Stability::kEvolving, Stability::kEvolving, DependencyClass::kIsa};
    constexpr Attributes kPrivate{Stability::kPrivate, Stability::kPrivate, DependencyClass::kUnknown};
    return {kEvolving, kPrivate, kPrivate, kEvolving, kPrivate};
  }

  Result<Unit> list(const ProbeDesc &want, ProbeSink &sink) override;
  Result<std::vector<ProbeArg>> args(const Probe &, TypeTable &) override { return std::vector<ProbeArg>{}; }
  std::vector<ProbeHook> later(const ProbeDesc &want) override;
  bool follows(const ProbeDesc &want, pid_t pid) override { return number_of(want.provider) == std::to_string(pid); }
  bool grew(const Probe &probe) const override {
    const auto known = probes_.find(probe.text());
    return known != probes_.end() && known->second.places.size() > known->second.told;
  }
  ProbeHook hook(const Probe &probe) override {
    PidProbe &known = probes_.at(probe.text());
    known.told = known.places.size();
    return hook_of(known);
  }

 private:
  Result<Unit> list_object(const Listing &listing, const MappedObject &mapped);
  Result<Unit> list_function(const Listing &listing, const PidPlace &place, std::string_view function);
  Result<Unit> list_offsets(const Listing &listing, const PidPlace &place, std::string_view function);
  Result<Unit> list_address(const Listing &listing);
  bool is_narrow_process(pid_t pid);
  static void refuse(const Listing &listing, const PidPlace &place, std::string_view function, std::string_view name,
                     std::string_view reason);
  void offer(const Listing &listing, const PidPlace &place, std::string_view function, PidProbe::Kind kind,
             uint64_t offset);

  UserObjects objects_;
  std::unordered_map<std::string, PidProbe> probes_;  // by their full names
  std::set<std::string> settled_;                     // descriptions of one function, which was found
};

Result<Unit> PidProvider::list(const ProbeDesc &want, ProbeSink &sink) {
  const std::optional<std::string_view> digits = number_of(want.provider);
  if (!digits) return ok();
  if (is_glob(want.provider)) {
    ProbeDesc named = want;
    named.provider = std::string(kPrefix).append(*digits);
    // A glob that finds no such process, or nothing in it, may mean another provider.
    (void)list(named, sink);
    return ok();
  }
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(digits->data(), digits->data() + digits->size(), pid);
  if (error != std::errc() || pid <= 0)
    return Error(fmt::format("no process with pid {}{}", *digits,
                             *digits == "0" ? ": $target is 0 without -c and -p" : ""))
        .tagged("D_PROC_BADPID");
  if (pid == getpid()) return Error("failed to grab process: dtrace cannot trace itself").tagged("D_PROC_GRAB");
  const bool names_instruction = want.name.empty() || is_glob(want.name) || offset_of(want.name);
  if (want.name != "entry" && want.name != "return" && !names_instruction)
    return Error(fmt::format("'{}' is neither entry, return nor an offset", want.name)).tagged("D_PROC_NAME");

  std::vector<UserObjects::Refusal> refusals;
  Result<std::vector<MappedObject>> objects = objects_.of_process(pid, &refusals);
  if (!objects) {
    const std::string doing = fmt::format("failed to grab process {}", pid);
    const int cause = objects.error().errno_value();
    // What is not in /proc is no process: which file of it was asked for first says nothing.
    if (cause == ENOENT || cause == ESRCH) return Error::from_errno(doing, ESRCH).tagged("D_PROC_GRAB");
    return std::move(objects).error().during(doing).tagged("D_PROC_GRAB");
  }
  const Listing listing{want, pid, *objects, sink, stack_use_of(*objects)};
  if (want.function == kSentinel) return list_address(listing);
  if (want.module == "[vdso]" || want.module.starts_with("linux-vdso"))
    return Error("the vDSO is memory of the kernel and no file, so that no probe can be set in it")
        .tagged("D_PROC_LIB");
  bool any = false;
  for (const MappedObject &mapped : *objects) {
    if (!module_matches(want.module, mapped)) continue;
    any = true;
    if (Result<Unit> listed = list_object(listing, mapped); !listed) return listed;
  }
  for (const UserObjects::Refusal &refusal : refusals) {
    const bool is_meant =
        names_file(want.module, object_name(refusal.path)) || (want.module == "a.out" && refusal.is_program);
    if (!any && is_meant && (refusal.cause == EACCES || refusal.cause == EPERM))
      return Error::from_errno(fmt::format("failed to grab process {}: {}", pid, refusal.path), refusal.cause)
          .tagged("D_PROC_GRAB");
  }
  return ok();
}

Result<Unit> PidProvider::list_object(const Listing &listing, const MappedObject &mapped) {
  const ProbeDesc &want = listing.want;
  std::optional<std::map<uint64_t, std::set<uint64_t>>> resolved;
  bool found = false;
  for (const UserFunction &function : mapped.object->functions()) {
    // Of several names for one place the first that matches is taken, and makes one probe.
    const auto name = std::find_if(function.names.begin(), function.names.end(),
                                   [&](std::string_view n) { return function_matches(want.function, n); });
    if (name == function.names.end()) continue;
    found = true;
    if (!function.is_indirect) {
      if (Result<Unit> r = list_function(listing, {mapped.object, function}, *name); !r) return r;
      continue;
    }
    if (!resolved) resolved = resolved_functions(listing.pid, listing.objects, mapped);
    for (uint64_t address : (*resolved)[function.address]) {
      std::optional<UserFunction> chosen = mapped.object->function_at(address);
      if (!chosen) continue;
      if (Result<Unit> r = list_function(listing, {mapped.object, *chosen}, *name); !r) return r;
    }
  }
  const bool one = is_literal(want.module) && is_literal(want.function);
  if (found && one) settled_.insert(want.text());
  if (!found && one)
    return Error(fmt::format("failed to lookup '{}' in module '{}'", want.function, mapped.object->name()))
        .tagged("D_PROC_FUNC");
  return ok();
}

Result<Unit> PidProvider::list_function(const Listing &listing, const PidPlace &place, std::string_view function) {
  const ProbeDesc &want = listing.want;
  if (field_match(want.name, "entry")) {
    if (entry_of(*place.object, place.function))
      offer(listing, place, function, PidProbe::Kind::kEntry, 0);
    else if (is_literal(want.function) && want.name == "entry")
      return Error(fmt::format("failed to create an entry probe in '{}': {}", function, kNoFirstInstruction))
          .tagged("D_PROC_CREATEFAIL");
    else
      refuse(listing, place, function, "entry", kNoFirstInstruction);
  }
  if (field_match(want.name, "return")) {
    const std::string refusal = return_refusal(place, listing.stack_use);
    if (refusal.empty())
      offer(listing, place, function, PidProbe::Kind::kReturn, 0);
    else if (is_literal(want.function) && want.name == "return")
      return Error(fmt::format("failed to create a return probe in '{}': {}", function, refusal))
          .tagged("D_PROC_CREATEFAIL");
    else if (refusal != kDoesNotReturn)
      refuse(listing, place, function, "return", refusal);
  }
  return want.name == "entry" || want.name == "return" ? ok() : list_offsets(listing, place, function);
}

Result<Unit> PidProvider::list_offsets(const Listing &listing, const PidPlace &place, std::string_view function) {
  const ProbeDesc &want = listing.want;
  const FunctionCode code(*place.object, place.function);
  if (!is_literal(want.name)) {
    for (const Instruction &instruction : code.instructions()) {
      const std::string name = fmt::format("{:x}", instruction.offset);
      if (!field_match(want.name, name)) continue;
      if (const std::string_view hazard = code.hazard(instruction); !hazard.empty())
        refuse(listing, place, function, name, hazard);
      else
        offer(listing, place, function, PidProbe::Kind::kOffset, instruction.offset);
    }
    return ok();
  }
  const uint64_t offset = *offset_of(want.name);
  const Instruction *instruction = code.at(offset);
  const std::string_view hazard = instruction != nullptr ? code.hazard(*instruction) : std::string_view();
  if (instruction != nullptr && hazard.empty()) {
    offer(listing, place, function, PidProbe::Kind::kOffset, offset);
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

/// pid:a.out:-:ADDRESS, as the program's symbol table counts addresses.
Result<Unit> PidProvider::list_address(const Listing &listing) {
  const ProbeDesc &want = listing.want;
  const std::optional<uint64_t> address = offset_of(want.name);
  if (!address) return Error("only an address can be probed where the function is '-'").tagged("D_PROC_NAME");
  const auto program = std::find_if(listing.objects.begin(), listing.objects.end(),
                                    [](const MappedObject &mapped) { return mapped.is_program; });
  if (program == listing.objects.end() ||
      (!want.module.empty() && want.module != "a.out" && !module_matches(want.module, *program)))
    return Error("an address can be probed in the program itself only: a.out").tagged("D_PROC_LIB");

  const std::shared_ptr<UserObject> &object = program->object;
  const ElfSymbols *elf = object->symbols();
  const std::optional<UserFunction> around = object->function_around(*address);
  PidPlace place{object, around ? *around : UserFunction{}};
  if (!around) {  // nothing tells where instructions begin: the address is taken on trust
    const std::optional<uint64_t> offset = elf != nullptr ? elf->offset_of_address(*address) : std::nullopt;
    if (!offset) return Error(fmt::format("address {:#x} is not in the program", *address)).tagged("D_PROC_OFF");
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
  place.function.offset += inside.offset;
  place.function.address = *address;
  offer(listing, place, kSentinel, PidProbe::Kind::kOffset, *address);
  return ok();
}

/// Does the process execute a 32-bit program?
bool PidProvider::is_narrow_process(pid_t pid) {
  const Result<std::vector<MappedObject>> objects = objects_.of_process(pid);
  return objects && std::any_of(objects->begin(), objects->end(), [](const MappedObject &mapped) {
           return mapped.is_program && !mapped.object->is_64bit();
         });
}

/// A module that is not there yet may be loaded, and the process may become another program.
std::vector<ProbeHook> PidProvider::later(const ProbeDesc &want) {
  const std::optional<std::string_view> digits = number_of(want.provider);
  if (!digits || want.function == kSentinel || settled_.contains(want.text())) return {};
  const bool is_64bit = !is_narrow_process(static_cast<pid_t>(std::strtol(digits->data(), nullptr, 10)));
  std::vector<ProbeHook> hooks;
  for (PidProbe::Kind kind : {PidProbe::Kind::kEntry, PidProbe::Kind::kReturn, PidProbe::Kind::kOffset}) {
    const bool wanted = kind == PidProbe::Kind::kEntry    ? field_match(want.name, "entry")
                        : kind == PidProbe::Kind::kReturn ? field_match(want.name, "return")
                                                          : want.name != "entry" && want.name != "return";
    if (!wanted) continue;
    for (ProbeHook &hook : prototypes_of(kind, is_64bit)) hooks.push_back(std::move(hook));
  }
  return hooks;
}

void PidProvider::offer(const Listing &listing, const PidPlace &place, std::string_view function, PidProbe::Kind kind,
                        uint64_t offset) {
  const std::string name = kind == PidProbe::Kind::kEntry    ? "entry"
                           : kind == PidProbe::Kind::kReturn ? "return"
                                                             : fmt::format("{:x}", offset);
  const std::string_view module = place.object->name();
  PidProbe &probe = probes_[fmt::format("{}:{}:{}:{}", listing.want.provider, module, function, name)];
  probe.kind = kind;
  probe.pid = listing.pid;
  probe.stack_use |= listing.stack_use;
  probe.offset = function == kSentinel ? 0 : offset;
  if (std::find(probe.places.begin(), probe.places.end(), place) == probe.places.end()) probe.places.push_back(place);
  listing.sink.offer_as(listing.want.provider, module, function, name);
}

/// One of the probes that a glob means.
void PidProvider::refuse(const Listing &listing, const PidPlace &place, std::string_view function,
                         std::string_view name, std::string_view reason) {
  listing.sink.refuse(
      {{}, listing.want.provider, std::string(place.object->name()), std::string(function), std::string(name)}, reason);
}

}  // namespace

std::unique_ptr<Provider> make_pid_provider(KernelInfo &kernel) { return std::make_unique<PidProvider>(kernel); }

}  // namespace dtrace::runtime
