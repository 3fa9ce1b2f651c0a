// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/providers/function_provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>

#include "base/read_file.h"
#include "frontend/text/glob.h"
#include "runtime/kernel/kernel_functions.h"
#include "runtime/probes/providers/absent_function.h"
#include "runtime/probes/providers/calling_convention.h"
#include "runtime/probes/providers/function_probes.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kEntry = "entry", kReturn = "return";
constexpr std::string_view kCoreKernel = "vmlinux";
constexpr uint32_t kArguments = 10;

/// How a value of a BTF type comes back in a register: its bytes, and whether it is signed.
struct Width {
  uint8_t bytes = 8;
  bool is_signed = false;
};

/// A type without its names and qualifiers.
std::optional<uint32_t> plain(const BtfIndex &btf, uint32_t id) {
  constexpr int kDeepest = 32;
  for (int depth = 0; depth < kDeepest; ++depth) {
    const std::optional<BtfIndex::Record> record = btf.record(id);
    if (!record) return std::nullopt;
    switch (record->kind) {
      case BtfIndex::Kind::kTypedef:
      case BtfIndex::Kind::kConst:
      case BtfIndex::Kind::kVolatile:
      case BtfIndex::Kind::kRestrict:
      case BtfIndex::Kind::kTypeTag:
        id = record->size_or_type;
        break;
      default:
        return id;
    }
  }
  return std::nullopt;
}

Width width_of(const BtfIndex &btf, uint32_t type) {
  const std::optional<uint32_t> id = plain(btf, type);
  const std::optional<BtfIndex::Record> record = id ? btf.record(*id) : std::nullopt;
  if (!record) return {};
  const auto bytes = static_cast<uint8_t>(std::min<uint32_t>(std::bit_floor(record->size_or_type), 8));
  if (bytes == 0) return {};
  if (record->kind == BtfIndex::Kind::kEnum) return {bytes, true};
  if (record->kind != BtfIndex::Kind::kInt) return {};
  const std::optional<BtfIndex::RawInt> integer = btf.integer(*id);
  return {bytes, integer && integer->is_signed};
}

/// Bytes of a struct or union; none for other types.
std::optional<uint32_t> record_bytes(const BtfIndex &btf, uint32_t type) {
  const std::optional<uint32_t> id = plain(btf, type);
  const std::optional<BtfIndex::Record> record = id ? btf.record(*id) : std::nullopt;
  const bool is_record = record && (record->kind == BtfIndex::Kind::kStruct || record->kind == BtfIndex::Kind::kUnion);
  return is_record ? std::optional(record->size_or_type) : std::nullopt;
}

/// Widths of the arguments in registers. A struct by value takes one register or two, or none if it is larger, and one
/// that is returned by memory takes the first (calling_convention.h).
ArgWidths widths_of(const BtfIndex &btf, uint32_t prototype, const BtfIndex::Record &record) {
  constexpr uint32_t kWordBytes = 8;
  ArgWidths widths;
  unsigned at = record_bytes(btf, record.size_or_type).value_or(0) > 2 * kWordBytes ? 1 : 0;
  for (const BtfIndex::RawParam &param : btf.params(prototype)) {
    if (param.type == 0) break;
    const std::optional<uint32_t> bytes = record_bytes(btf, param.type);
    if (!bytes) {
      const Width width = width_of(btf, param.type);
      widths.set(at++, width.bytes, width.is_signed);
      continue;
    }
    const uint32_t words = (*bytes + kWordBytes - 1) / kWordBytes;
    if (words <= 2 && at + words <= ArgWidths::kMaxArguments) at += words;
  }
  return widths;
}

/// A number or a pointer of at most 8 bytes.
bool is_scalar(const BtfIndex &btf, uint32_t type, bool or_void) {
  if (type == 0) return or_void;
  const std::optional<uint32_t> id = plain(btf, type);
  if (id && *id == 0) return or_void;
  const std::optional<BtfIndex::Record> record = id ? btf.record(*id) : std::nullopt;
  if (!record) return false;
  switch (record->kind) {
    case BtfIndex::Kind::kPtr:
      return true;
    case BtfIndex::Kind::kInt:
    case BtfIndex::Kind::kEnum:
    case BtfIndex::Kind::kEnum64:
      return std::has_single_bit(record->size_or_type) && record->size_or_type <= 8;
    default:
      return false;
  }
}

}  // namespace

ProviderAttributes FunctionProvider::attributes() const {
  constexpr Attributes kEvolvingIsa{Stability::kEvolving, Stability::kEvolving, DependencyClass::kIsa};
  constexpr Attributes kPrivate{Stability::kPrivate, Stability::kPrivate, DependencyClass::kUnknown};
  constexpr Attributes kPrivateIsa{Stability::kPrivate, Stability::kPrivate, DependencyClass::kIsa};
  return {kEvolvingIsa, kPrivate, kPrivate, kEvolvingIsa, kPrivateIsa};
}

Result<Unit> FunctionProvider::list(const ProbeDesc &want, ProbeSink &sink) {
  const bool entry = field_match(want.name, kEntry), at_return = field_match(want.name, kReturn);
  const std::optional<uint64_t> offset = entry || at_return ? std::nullopt : offset_of(want.name);
  if (!entry && !at_return && !offset) return ok();
  const bool by_name = !want.provider.empty() && !is_glob(want.provider);
  Result<const KernelFunctions *> functions = kernel_.functions();
  if (!functions) return by_name ? Result<Unit>(std::move(functions).error()) : ok();
  if (offset) return list_offset(want, *offset, sink);
  uint32_t ordinal = 0;
  for (const KernelFunction &function : (*functions)->all()) {
    const uint32_t here = ordinal;
    ordinal += 2;
    if (function.is_gone() || function.is_repeated || (!is_raw_ && function.name.find('.') != std::string_view::npos))
      continue;
    if (!field_match(want.function, function.name) || !field_match(want.module, function.module)) continue;
    if (entry) sink.offer(here, function.module, function.name, kEntry);
    if (at_return) sink.offer(here + 1, function.module, function.name, kReturn);
  }
  return ok();
}

Result<Unit> FunctionProvider::list_offset(const ProbeDesc &want, uint64_t offset, ProbeSink &sink) {
  bool any = false, any_function = false;
  for (const KernelFunction &function : (*kernel_.functions())->all()) {
    if (function.is_gone() || function.is_repeated || (!is_raw_ && function.name.find('.') != std::string_view::npos))
      continue;
    if (!field_match(want.function, function.name) || !field_match(want.module, function.module)) continue;
    any_function = true;
    const std::optional<KernelLocation> there = kallsyms_.by_address(function.address + offset);
    if (!there || there->symbol.address != function.address) continue;
    any = true;
    sink.offer(ProbeSink::kOnDemand, function.module, function.name, want.name);
  }
  if (!any && any_function && is_literal(want.function))
    return Error(fmt::format("offset {:#x} is outside of function '{}'", offset, want.function)).tagged("D_PROC_OFF");
  return ok();
}

Absence FunctionProvider::why_absent(const ProbeDesc &desc) {
  if (is_raw_ || desc.function.empty() || is_glob(desc.function)) return {};
  if (!field_match(desc.name, kEntry) && !field_match(desc.name, kReturn) && !offset_of(desc.name)) return {};
  const Result<std::string> symbols = read_file("/proc/kallsyms");
  return symbols ? absent_function(*symbols, is_glob(desc.module) ? "" : desc.module, desc.function) : Absence{};
}

std::optional<FunctionProvider::Prototype> FunctionProvider::prototype(const Probe &probe) {
  KernelBtf *btf = is_raw_ ? nullptr : kernel_.kernel_btf();
  if (btf == nullptr) return std::nullopt;
  Result<const BtfIndex *> index = btf->module(probe.module);
  if (!index) return std::nullopt;
  const std::optional<uint32_t> function = (*index)->find(probe.function, BtfIndex::Kind::kFunc);
  if (!function) return std::nullopt;
  const std::optional<BtfIndex::Record> record = (*index)->record(*function);
  if (!record) return std::nullopt;
  return Prototype{*index, record->size_or_type};
}

Result<std::vector<ProbeArg>> FunctionProvider::args(const Probe &probe, TypeTable &types) {
  std::vector<ProbeArg> args;
  const std::optional<Prototype> known = prototype(probe);
  if (!known) return args;
  const std::optional<BtfIndex::Record> record = known->btf->record(known->id);
  const TypeId result = record ? types.from_btf(*known->btf, record->size_or_type) : types.void_type();
  if (probe.name != kEntry && probe.name != kReturn) return args;
  if (probe.name == kReturn) {
    args.push_back({types.int_type(), types.int_type(), 0});
    if (!types.is_void(result)) {
      args.push_back(returned_value(arch::host_machine().calls, types, result, 1));
      args.back().name = kReturnValueName;
    }
    return args;
  }
  std::vector<TypeId> params;
  std::vector<std::string_view> names;
  for (const BtfIndex::RawParam &param : known->btf->params(known->id)) {
    if (param.type == 0) break;  // "..."
    params.push_back(types.from_btf(*known->btf, param.type));
    names.push_back(param.name);
  }
  args = passed_values(arch::host_machine().calls, types, result, params);
  for (size_t i = 0; i < args.size(); ++i) args[i].name = names[i];
  return args;
}

namespace {

ProbeHook entry_hook(std::string_view provider) {
  ProbeHook hook;
  hook.hook.target = KernelEntryHook{provider};
  hook.hook.selector = Selector::kSite;
  for (uint32_t i = 0; i < kArguments; ++i) hook.args.push_back({ArgSource::Kind::kSiteFunctionArg, i, 8, false});
  return hook;
}

ProbeHook return_hook(std::string_view provider) {
  ProbeHook hook;
  hook.hook.target = KernelReturnHook{provider};
  hook.hook.selector = Selector::kSite;
  hook.args = {{ArgSource::Kind::kUnknown}, {ArgSource::Kind::kSiteReturnValue, 0, 8, false}};
  return hook;
}

/// arg1 of a function that returns int is to be negative when the function says so, and the upper half of the register
/// is nobody's.
uint32_t variant_of(Width width) {
  return static_cast<uint32_t>(std::countr_zero(width.bytes)) | (width.is_signed ? ReturnWidth::kSigned : 0);
}

}  // namespace

FunctionProvider::FunctionProvider(std::string_view name, bool is_raw, KernelInfo &kernel)
    : name_(name), is_raw_(is_raw), kernel_(kernel), entry_(entry_hook(name)), return_(return_hook(name)) {}

ProbeHook FunctionProvider::hook(const Probe &probe) {
  if (probe.name != kEntry && probe.name != kReturn) return instruction_hook(probe);
  const bool at_return = probe.name == kReturn;
  ProbeHook hook = at_return ? return_ : entry_;
  const std::optional<Prototype> known = prototype(probe);
  const std::optional<BtfIndex::Record> record = known ? known->btf->record(known->id) : std::nullopt;
  uint32_t variant = ArgWidths{}.packed;
  if (at_return)
    variant = variant_of(record ? width_of(*known->btf, record->size_or_type) : Width{});
  else if (record)
    variant = widths_of(*known->btf, known->id, *record).packed;
  // Several functions may share a name: the probe is all of them.
  Result<const KernelFunctions *> functions = kernel_.functions();
  assert(functions);
  (*functions)->each_by_name(probe.module, probe.function, [&](const KernelFunction &function) {
    UserSite &site = hook.sites.emplace_back();
    site.offset = function.address;
    site.variant = variant;
  });
  std::reverse(hook.sites.begin(), hook.sites.end());
  const bool one_by_one = !kernel_.features().has(KernelFeature::kKprobeMulti);
  if (one_by_one && hook.sites.size() == 1 && probe.module == kCoreKernel) set_trampoline(probe, hook.sites.front());
  return hook;
}

ProbeHook FunctionProvider::instruction_hook(const Probe &probe) {
  ProbeHook hook;
  hook.hook.target = KernelInstructionHook{name_};
  hook.hook.selector = Selector::kSite;
  (*kernel_.functions())->each_by_name(probe.module, probe.function, [&](const KernelFunction &function) {
    hook.sites.emplace_back().offset = function.address + *offset_of(probe.name);
  });
  std::reverse(hook.sites.begin(), hook.sites.end());
  return hook;
}

bool FunctionProvider::follows_modules(const ProbeDesc &want) {
  return !want.module.empty() && want.module != kCoreKernel && kernel_.functions();
}

std::vector<ProbeHook> FunctionProvider::later(const ProbeDesc &want) {
  std::vector<ProbeHook> hooks;
  if (!follows_modules(want)) return hooks;
  if (field_match(want.name, kEntry)) hooks.push_back(entry_);
  if (field_match(want.name, kReturn)) hooks.push_back(return_);
  return hooks;
}

/// A function can call a program through a BPF trampoline if BTF describes the function, its name is unique, and its
/// arguments are numbers or pointers in registers.
void FunctionProvider::set_trampoline(const Probe &probe, UserSite &site) {
  const BtfIndex *btf = kernel_.btf();
  if (btf == nullptr) return;
  const std::optional<uint32_t> function = btf->find(probe.function, BtfIndex::Kind::kFunc);
  const std::optional<BtfIndex::Record> record = function ? btf->record(*function) : std::nullopt;
  if (!record) return;
  const std::optional<BtfIndex::Record> prototype = btf->record(record->size_or_type);
  const std::vector<BtfIndex::RawParam> params = btf->params(record->size_or_type);
  if (!prototype || params.size() > Trampoline::kMaxArguments || !is_scalar(*btf, prototype->size_or_type, true))
    return;
  for (const BtfIndex::RawParam &param : params)
    if (!is_scalar(*btf, param.type, false)) return;
  site.btf_id = *function;
  // The function saves of each argument as many bytes as its type has.
  if (probe.name == kEntry) site.variant = widths_of(*btf, record->size_or_type, *prototype).packed;
}

}  // namespace dtrace::runtime
