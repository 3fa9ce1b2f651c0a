// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/decode.h"

#include <cstring>

#include "base/wide_float.h"
#include "bpf/dt_unwind.h"
#include "frontend/lang/probe_part.h"

namespace dtrace::runtime {
namespace {

template <typename T>
T load(std::span<const std::byte> bytes, size_t offset = 0) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

uint64_t load_integer(std::span<const std::byte> bytes) {
  uint64_t bits = 0;
  if (!bytes.empty()) std::memcpy(&bits, bytes.data(), std::min<size_t>(bytes.size(), sizeof bits));
  return bits;
}

/// Frames up to the first zero. Records and keys keep 8-byte alignment for them.
std::span<const uint64_t> frames(std::span<const std::byte> bytes) {
  std::span<const uint64_t> all(reinterpret_cast<const uint64_t *>(bytes.data()), bytes.size() / 8);
  size_t used = 0;
  while (used < all.size() && all[used] != 0) ++used;
  return all.first(used);
}

/// The mark in the first word of a user stack or symbol.
uint32_t image_of(uint64_t word) { return static_cast<uint32_t>(word >> DT_IMAGE_SHIFT); }

SymbolKind symbol_kind(Builtin builtin) {
  switch (builtin) {
    case Builtin::k_func:
      return SymbolKind::kFunc;
    case Builtin::k_mod:
      return SymbolKind::kMod;
    case Builtin::k_usym:
      return SymbolKind::kUsym;
    case Builtin::k_ufunc:
      return SymbolKind::kUfunc;
    case Builtin::k_umod:
      return SymbolKind::kUmod;
    case Builtin::k_uaddr:
      return SymbolKind::kUaddr;
    default:
      return SymbolKind::kSym;
  }
}

Floating load_float(std::span<const std::byte> bytes, bool is_quad) {
  switch (bytes.size()) {
    case 4:
      return {load<float>(bytes)};
    case 8:
      return {load<double>(bytes)};
    case 16:
      return {wide_float(bytes.data(), is_quad)};
    default:
      return {};
  }
}

Integer decode_integer(const ValuePlan &plan, uint64_t bits) {
  const Integer whole{bits, static_cast<uint8_t>(plan.size_bytes), plan.is_signed};
  if (plan.first_bytes == 0) return whole;
  const Integer first{bits, static_cast<uint8_t>(plan.first_bytes), plan.first_is_signed};
  const uint64_t extended = first.is_signed ? static_cast<uint64_t>(first.as_signed()) : first.as_unsigned();
  return extended == bits ? first : whole;
}

}  // namespace

Integer Decoder::decode_enum(const ValuePlan &plan, Integer value) const {
  const auto number = value.as_signed();
  const std::span<const Enumerator> names =
      types_.enumerators(types_.resolve(types_.complete(types_.first_type(plan.type))));
  const auto found = std::ranges::find(names, number, &Enumerator::value);
  if (found != names.end()) value.name = found->name;
  return value;
}

std::string_view Decoder::part_text(const ValuePlan &plan, std::span<const std::byte> bytes) const {
  const auto id = load<uint32_t>(bytes);
  if (plan.part == Variable::k_probefunc) return host_.shown_function(ProbeId{id});
  const std::string &part = probe_part(host_.probe(ProbeId{id}), plan.part);
  const uint32_t process = plan.size_bytes >= 8 ? load<uint32_t>(bytes, 4) : 0;
  if (process == 0 || !part.ends_with('*')) return part;
  std::string &name = process_providers_[{id, process}];
  if (name.empty()) name = part.substr(0, part.size() - 1) + std::to_string(process);
  return name;
}

Value Decoder::decode(const ValuePlan &plan, std::span<const std::byte> record) const {
  if (plan.kind == ValuePlan::Kind::kConstString) return Text{plan.text};
  if (plan.offset > record.size() || plan.size_bytes > record.size() - plan.offset) return Bytes{};
  const std::span<const std::byte> bytes = record.subspan(plan.offset, plan.size_bytes);
  const std::string_view chars(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  switch (plan.kind) {
    case ValuePlan::Kind::kInteger:
      return plan.is_enum ? decode_enum(plan, decode_integer(plan, load_integer(bytes)))
                          : decode_integer(plan, load_integer(bytes));
    case ValuePlan::Kind::kFloat:
      return load_float(bytes, types_.is_quad_float(plan.type));
    case ValuePlan::Kind::kString:
      return Text{chars, true};
    case ValuePlan::Kind::kBytes:
      return Bytes{chars, types_.align_bytes(plan.type)};
    case ValuePlan::Kind::kProbePart:
      return Text{part_text(plan, bytes)};
    case ValuePlan::Kind::kKernelStack:
      return KernelStack{frames(bytes)};
    case ValuePlan::Kind::kStack:
      if (bytes.size() < 8 || load<uint64_t>(bytes) == 0)
        return KernelStack{frames(bytes.subspan(std::min<size_t>(bytes.size(), 8)))};
      [[fallthrough]];
    case ValuePlan::Kind::kUserStack: {
      if (bytes.size() < 8) return UserStack{};
      const auto pid = static_cast<pid_t>(load<uint32_t>(bytes));
      watcher_.saw_process(pid);
      const auto word = load<uint64_t>(bytes);
      return UserStack{pid, frames(bytes.subspan(8)),
                       static_cast<uint32_t>(word >> DT_STACK_END_SHIFT & DT_STACK_END_MASK), image_of(word)};
    }
    case ValuePlan::Kind::kKernelSymbol:
      return Symbol{symbol_kind(plan.builtin), 0, load_integer(bytes)};
    case ValuePlan::Kind::kUserSymbol: {
      if (bytes.size() < 16) return Symbol{};
      const auto word = load<uint64_t>(bytes);
      const auto pid = static_cast<pid_t>(word);
      watcher_.saw_process(pid);
      return Symbol{symbol_kind(plan.builtin), pid, load<uint64_t>(bytes, 8), image_of(word)};
    }
    case ValuePlan::Kind::kCgroupName:
      return Text{cgroups_ == nullptr ? std::string_view() : cgroups_->text(load_integer(bytes), plan.part), true};
    case ValuePlan::Kind::kConstString:
      break;
  }
  return Bytes{};
}

std::vector<Value> Decoder::decode_all(std::span<const ValuePlan> plans, std::span<const std::byte> bytes) const {
  std::vector<Value> values;
  values.reserve(plans.size());
  for (const ValuePlan &plan : plans) values.push_back(decode(plan, bytes));
  return values;
}

}  // namespace dtrace::runtime
