// SPDX-License-Identifier: Apache-2.0
// Parts of the probe's description: probeprov, probemod, probefunc and probename.
#include <algorithm>
#include <charconv>

#include "codegen/clause/text.h"
#include "frontend/lang/probe_part.h"

namespace dtrace::codegen {
namespace {

constexpr uint32_t kProcessDigits = 10;

/// "postgresql*": a provider of any process.
bool leaves_process_open(const std::string &provider) { return provider.ends_with('*'); }

/// The process that `name` adds to such a provider's name; nothing if it is none of its.
std::optional<uint64_t> process_in(const std::string &provider, std::string_view name) {
  const std::string_view stem = std::string_view(provider).substr(0, provider.size() - 1);
  if (!name.starts_with(stem) || name.size() == stem.size() || name[stem.size()] == '0') return std::nullopt;
  uint64_t pid = 0;
  const auto [end, error] = std::from_chars(name.data() + stem.size(), name.data() + name.size(), pid);
  return error == std::errc() && end == name.data() + name.size() ? std::optional(pid) : std::nullopt;
}

}  // namespace

/// A part of the name of a probe that may have been found after the program was compiled: the consumer puts the name
/// into a map before the probe can fire.
EmittedText TextEmitter::late_part(Variable part) {
  llvm::AllocaInst *id = local(object_.i32(), "id");
  b_.CreateStore(probe(), id);
  llvm::Value *names = helper(Helper::kMapLookup, {compilation_.names(), id}, object_.pointer());
  fault_if(b_.CreateIsNull(names), DT_FAULT_ILLOP);
  const auto [offset, size_bytes] = [&]() -> std::pair<size_t, size_t> {
    switch (part) {
      case Variable::k_probeprov:
        return {offsetof(dt_names, provider), sizeof(dt_names::provider)};
      case Variable::k_probemod:
        return {offsetof(dt_names, module), sizeof(dt_names::module)};
      case Variable::k_probefunc:
        return {offsetof(dt_names, function), sizeof(dt_names::function)};
      default:
        return {offsetof(dt_names, name), sizeof(dt_names::name)};
    }
  }();
  EmittedText value;
  value.kind = EmittedText::Kind::kMemory;
  value.pointer = at(names, offset);
  value.size_bytes = static_cast<uint32_t>(size_bytes);
  value.padded = true;
  return value;
}

EmittedText TextEmitter::part_value(Variable part) {
  const EmittedText value = described_part(part);
  const std::vector<ProbeId> &probes = context_.plan->probes;
  const bool is_open = part == Variable::k_probeprov && !in_error() &&
                       (context_.layout->may_grow || std::any_of(probes.begin(), probes.end(), [&](ProbeId id) {
                          return leaves_process_open(compilation_.input.host.probe(id).provider);
                        }));
  if (!is_open) return value;
  const uint32_t text_bytes =
      value.kind == EmittedText::Kind::kLiteral ? static_cast<uint32_t>(value.literal.size() + 1) : value.size_bytes;
  Memory named = scratch(align_up(text_bytes + kProcessDigits, 8));
  copy_text(named.pointer, text_bytes, value, false);
  library("dt_name_process",
          {slot(), constant32(*named.slot_offset), constant32(text_bytes), b_.CreateTrunc(tgid(), object_.i32())});
  EmittedText result;
  result.kind = EmittedText::Kind::kMemory;
  result.pointer = named.pointer;
  result.size_bytes = named.size_bytes;
  result.slot_offset = named.slot_offset;
  return result;
}

/// As the probe's description has it: a provider of any process ends in `*`.
EmittedText TextEmitter::described_part(Variable part) {
  if (context_.layout->may_grow && !in_error()) return late_part(part);
  std::vector<ProbeId> probes = in_error() ? std::vector{compilation_.layout.error_probe} : context_.plan->probes;
  bool alike = true;
  size_t longest = 0;
  const std::string &first = probe_part(compilation_.input.host.probe(probes[0]), part);
  for (ProbeId id : probes) {
    const std::string &field = probe_part(compilation_.input.host.probe(id), part);
    alike &= field == first;
    longest = std::max(longest, field.size());
  }
  EmittedText value;
  if (alike) {
    value.literal = first;
    return value;
  }
  const auto row_bytes = align_up(static_cast<uint32_t>(longest + 1), 8);
  std::string rows;
  for (ProbeId id : probes) rows += padded_bytes(probe_part(compilation_.input.host.probe(id), part), row_bytes);
  rows.resize(std::bit_ceil(probes.size()) * row_bytes);
  llvm::Value *index = bounded_index(object_, b_, probe_index(), rows.size() / row_bytes);
  value.kind = EmittedText::Kind::kMemory;
  value.pointer =
      b_.CreateInBoundsGEP(object_.i8(), object_.constant_bytes(rows), b_.CreateMul(index, constant(row_bytes)));
  value.size_bytes = row_bytes;
  value.padded = true;
  return value;
}

llvm::Value *TextEmitter::late_part_equals(Variable part, const std::string &literal) {
  const EmittedText value = late_part(part);
  auto reads = [&](const std::string &wanted) -> llvm::Value * {
    if (wanted.size() >= value.size_bytes) return llvm::ConstantInt::getFalse(object_.context());
    EmittedText text;
    text.literal = wanted;
    Memory memory = bytes_or_null(text);
    llvm::Value *order =
        helper(Helper::kStrncmp, {value.pointer, constant32(value.size_bytes), memory.pointer}, object_.i32());
    return b_.CreateICmpEQ(order, constant32(0));
  };
  if (part == Variable::k_probefunc) {
    llvm::Value *equal = reads(literal);
    // The kernel has names as the linker has them. The readable ones of probes that are known now:
    CompileHost &host = compilation_.input.host;
    for (ProbeId id : context_.plan->probes)
      if (host.probe(id).function != literal && host.shown_function(id) == literal)
        equal = b_.CreateOr(equal, b_.CreateICmpEQ(probe(), constant32(id.value)));
    return equal;
  }
  if (part != Variable::k_probeprov) return reads(literal);
  if (leaves_process_open(literal)) return llvm::ConstantInt::getFalse(object_.context());
  llvm::Value *equal = reads(literal);
  // "foo123" is process 123 of foo*, or 23 of foo1*, or 3 of foo12*.
  for (size_t stem = literal.size(); stem-- > 1 && std::isdigit(static_cast<unsigned char>(literal[stem])) != 0;) {
    const std::string provider = literal.substr(0, stem) + '*';
    const std::optional<uint64_t> process = process_in(provider, literal);
    if (!process) continue;
    llvm::Value *is_process = b_.CreateICmpEQ(b_.CreateAnd(tgid(), uint64_t{UINT32_MAX}), constant(*process));
    equal = b_.CreateOr(equal, b_.CreateAnd(is_process, reads(provider)));
  }
  return equal;
}

llvm::Value *TextEmitter::part_equals(Variable part, const std::string &literal) {
  if (context_.layout->may_grow && !in_error()) return late_part_equals(part, literal);
  std::vector<ProbeId> probes = in_error() ? std::vector{compilation_.layout.error_probe} : context_.plan->probes;
  // For each probe, the process in which its part equals `literal`: kNone, kAny, or the one whose pid completes the
  // provider's name (123 for pid123).
  constexpr uint64_t kNone = 0, kAny = UINT32_MAX;
  std::vector<uint64_t> processes;
  for (ProbeId id : probes) {
    const std::string &field = probe_part(compilation_.input.host.probe(id), part);
    const bool is_open = part == Variable::k_probeprov && leaves_process_open(field);
    const bool is_same =
        field == literal || (part == Variable::k_probefunc && compilation_.input.host.shown_function(id) == literal);
    processes.push_back(is_open ? process_in(field, literal).value_or(kNone) : is_same ? kAny : kNone);
  }
  const bool all_alike =
      std::all_of(processes.begin(), processes.end(), [&](uint64_t process) { return process == processes[0]; });
  if (all_alike && (processes[0] == kNone || processes[0] == kAny))
    return llvm::ConstantInt::getBool(object_.context(), processes[0] == kAny);
  llvm::Value *wanted = all_alike ? constant(processes[0]) : picked(processes);
  llvm::Value *is_any = b_.CreateICmpEQ(wanted, constant(kAny));
  if (std::all_of(processes.begin(), processes.end(), [&](uint64_t p) { return p == kNone || p == kAny; }))
    return is_any;
  return b_.CreateOr(is_any, b_.CreateICmpEQ(b_.CreateAnd(tgid(), uint64_t{UINT32_MAX}), wanted));
}

llvm::Value *FiringEmitter::open_process() {
  const std::vector<ProbeId> &probes = context_.plan->probes;
  const bool any =
      !in_error() && (context_.layout->may_grow || std::any_of(probes.begin(), probes.end(), [&](ProbeId id) {
                        return leaves_process_open(compilation_.input.host.probe(id).provider);
                      }));
  return any ? b_.CreateTrunc(tgid(), object_.i32()) : constant32(0);
}

}  // namespace dtrace::codegen
