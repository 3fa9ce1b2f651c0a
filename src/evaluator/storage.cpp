// SPDX-License-Identifier: Apache-2.0
// Storage that expressions denote: where it is, and how it is read and written.
#include <algorithm>
#include <cstring>

#include "evaluator/evaluator.h"
#include "frontend/check/fold.h"

namespace dtrace::evaluator {
namespace {

using Wide = unsigned __int128;  // the bytes that a bit-field of 64 bits may touch

std::string text_in(std::span<const std::byte> bytes) {
  std::string text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

std::vector<std::byte> bytes_of_number(uint64_t value, uint64_t size_bytes) {
  const std::span<const std::byte> raw = std::as_bytes(std::span(&value, 1)).first(size_bytes);
  return {raw.begin(), raw.end()};
}

uint64_t little_endian(std::span<const std::byte> bytes) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
  return value;
}

}  // namespace

Space Evaluator::space_of(TypeId pointer) const {
  if (parts_.types.is_userland(pointer)) return Space::kUser;
  const Type &type = parts_.types.resolved(pointer);
  return type.kind == TypeKind::kPointer ? type.space : Space::kKernel;
}

Evaluator::Place Evaluator::temporary(std::vector<std::byte> bytes) {
  temporaries_.push_back({.bytes = std::move(bytes)});
  return {.storage = &temporaries_.back()};
}

Evaluator::Place Evaluator::place(const tree::Expr &expr, PlaceUse use) {
  if (use == PlaceUse::kValue && is_told(expr)) return temporary(told_bytes(expr));
  if (const auto *ref = std::get_if<tree::VarRef>(&expr.node)) return {.storage = parts_.variables.find(ref->var)};
  if (const auto *ref = std::get_if<tree::ElemRef>(&expr.node))
    return {.storage = parts_.variables.find_element(ref->var, element_key(*ref)), .is_element = true};
  if (const auto *symbol = std::get_if<tree::SymbolRef>(&expr.node); symbol != nullptr && symbol->cpu_offsets == 0)
    return {.address = symbol->address};
  if (const auto *deref = std::get_if<tree::Deref>(&expr.node))
    return {.address = number(*deref->pointer), .space = space_of(deref->pointer->type)};
  if (const auto *member = std::get_if<tree::Member>(&expr.node)) {
    Place where = place(*member->base, use);
    where.off_bits += member->off_bits;
    where.bits = member->bits;
    return where;
  }
  if (const auto *element = std::get_if<tree::Element>(&expr.node)) {
    Place where = place(*element->base, use);
    where.off_bits +=
        index_in(*element, !where.address) * std::max<uint64_t>(parts_.types.size_bytes(expr.type), 1) * 8;
    return where;
  }
  if (const auto *assignment = std::get_if<tree::Assign>(&expr.node)) {
    evaluate(expr);
    return place(*assignment->place, use);
  }
  if (const auto *comma = std::get_if<tree::Comma>(&expr.node)) {
    evaluate(*comma->lhs);
    return place(*comma->rhs, use);
  }
  if (const auto *convert = std::get_if<tree::Convert>(&expr.node);
      convert != nullptr && !parts_.types.is_scalar(expr.type))
    return place(*convert->operand, use);
  if (const auto *choice = std::get_if<tree::Conditional>(&expr.node))
    return temporary(bytes(condition(*choice->condition) ? *choice->then_value : *choice->else_value));
  return temporary(told_bytes(expr));
}

std::vector<std::byte> Evaluator::told_bytes(const tree::Expr &expr) {
  std::vector<std::byte> value = parts_.leaves.bytes(expr);
  const auto *stack = std::get_if<tree::StackValue>(&expr.node);
  constexpr size_t kOwnerBytes = 8;  // none owns the kernel's
  if (stack != nullptr && stack->kind == Builtin::k_stack) value.insert(value.begin(), kOwnerBytes, std::byte{});
  value.resize(parts_.types.size_bytes(expr.type));
  return value;
}

Evaluator::Target Evaluator::target(const tree::Expr &expr) {
  if (const auto *ref = std::get_if<tree::VarRef>(&expr.node)) return {.storage = &parts_.variables.make(ref->var)};
  if (const auto *ref = std::get_if<tree::ElemRef>(&expr.node))
    return {.storage = &parts_.variables.make_element(ref->var, element_key(*ref))};
  if (const auto *deref = std::get_if<tree::Deref>(&expr.node)) return {.address = number(*deref->pointer)};
  if (const auto *member = std::get_if<tree::Member>(&expr.node)) {
    Target where = target(*member->base);
    where.off_bits += member->off_bits;
    where.bits = member->bits;
    return where;
  }
  if (const auto *element = std::get_if<tree::Element>(&expr.node)) {
    Target where = target(*element->base);
    where.off_bits +=
        index_in(*element, !where.address) * std::max<uint64_t>(parts_.types.size_bytes(expr.type), 1) * 8;
    return where;
  }
  if (const auto *comma = std::get_if<tree::Comma>(&expr.node)) {
    evaluate(*comma->lhs);
    return target(*comma->rhs);
  }
  if (const auto *assignment = std::get_if<tree::Assign>(&expr.node)) {
    evaluate(expr);
    return target(*assignment->place);
  }
  if (const auto *convert = std::get_if<tree::Convert>(&expr.node)) return target(*convert->operand);
  // The checker lets nothing else be assigned to. What is written here nobody reads.
  temporary(std::vector<std::byte>(parts_.types.size_bytes(expr.type)));
  return {.storage = &temporaries_.back()};
}

uint64_t Evaluator::index_in(const tree::Element &node, bool is_bounded) {
  const uint64_t index = number(*node.index), count = std::max<uint64_t>(node.count, 1);
  if (const auto *constant = std::get_if<tree::IntConst>(&node.index->node); constant != nullptr && index < count)
    return index;
  if ((is_bounded || node.count > 1) && index >= count) throw Fault{DT_FAULT_BADINDEX, index};
  return index;
}

std::vector<std::byte> Evaluator::read(Space space, uint64_t address, uint64_t size_bytes) {
  std::vector<std::byte> to(size_bytes);
  if (const std::span<const std::byte> own = parts_.memory.at(address, size_bytes); !own.empty()) {
    std::ranges::copy(own, to.begin());
  } else if (size_bytes != 0) {
    parts_.leaves.read(space, address, to);
  }
  return to;
}

std::vector<std::byte> Evaluator::bytes_at(const Place &place, uint64_t off_bytes, uint64_t size_bytes) {
  if (place.address) return read(place.space, *place.address + off_bytes, size_bytes);
  std::vector<std::byte> to(size_bytes);
  if (place.storage == nullptr || off_bytes >= place.storage->bytes.size()) return to;
  const std::span rest = std::span(place.storage->bytes).subspan(off_bytes);
  std::ranges::copy(rest.first(std::min<size_t>(rest.size(), size_bytes)), to.begin());
  return to;
}

uint64_t Evaluator::load(const Place &place, TypeId type) {
  const uint64_t size_bytes = std::clamp<uint64_t>(parts_.types.size_bytes(type), 1, 8);
  const bool is_signed = parts_.types.is_signed(type);
  if (place.bits == 0)
    return narrow(little_endian(bytes_at(place, place.off_bits / 8, size_bytes)), size_bytes, is_signed);
  const uint64_t shift = place.off_bits % 8;
  const std::vector<std::byte> touched = bytes_at(place, place.off_bits / 8, (shift + place.bits + 7) / 8);
  Wide all = 0;
  std::memcpy(&all, touched.data(), touched.size());
  const unsigned unused = 64 - place.bits;
  const uint64_t high = static_cast<uint64_t>(all >> shift) << unused;
  return is_signed ? static_cast<uint64_t>(static_cast<int64_t>(high) >> unused) : high >> unused;
}

MaybeText Evaluator::load_text(const Place &place, TypeId type) {
  const bool is_whole = place.off_bits == 0;
  if (!place.address && place.storage == nullptr && is_whole) return std::nullopt;
  if (!place.address && is_whole && place.storage->is_null) return std::nullopt;
  return text_in(bytes_at(place, place.off_bits / 8, parts_.types.size_bytes(type)));
}

std::vector<std::byte> Evaluator::bytes(const tree::Expr &expr) {
  const TypeTable &types = parts_.types;
  const uint64_t size_bytes = types.size_bytes(expr.type);
  if (types.is_string(expr.type)) {
    const std::string value = certain_text(expr);
    std::vector<std::byte> to(size_bytes);
    std::memcpy(to.data(), value.data(), std::min<size_t>(value.size(), size_bytes - 1));
    return to;
  }
  if (types.is_scalar(expr.type)) return bytes_of_number(number(expr), size_bytes);
  if (is_told(expr)) return told_bytes(expr);
  if (const auto *choice = std::get_if<tree::Conditional>(&expr.node))
    return bytes(condition(*choice->condition) ? *choice->then_value : *choice->else_value);
  if (reads_firing(expr)) return told_bytes(expr);
  const Place where = place(expr);
  return bytes_at(where, where.off_bits / 8, size_bytes);
}

std::span<std::byte> Evaluator::bytes_of(const Target &target, uint64_t off_bytes, uint64_t size_bytes) {
  if (target.address) return parts_.memory.writable(*target.address + off_bytes, size_bytes);
  const std::span<std::byte> all(target.storage->bytes);
  if (off_bytes > all.size() || size_bytes > all.size() - off_bytes) throw Fault{DT_FAULT_BADADDR, off_bytes};
  return all.subspan(off_bytes, size_bytes);
}

void Evaluator::store(const Target &target, TypeId type, uint64_t value) {
  const uint64_t shift = target.bits == 0 ? 0 : target.off_bits % 8;
  const uint64_t size_bytes =
      target.bits == 0 ? std::clamp<uint64_t>(parts_.types.size_bytes(type), 1, 8) : (shift + target.bits + 7) / 8;
  const std::span<std::byte> to = bytes_of(target, target.off_bits / 8, size_bytes);
  Wide all = value;
  if (target.bits != 0) {
    std::memcpy(&all, to.data(), to.size());
    const Wide mask = ((Wide{1} << target.bits) - 1) << shift;
    all = (all & ~mask) | ((Wide{value} << shift) & mask);
  }
  std::memcpy(to.data(), &all, to.size());
}

uint64_t Evaluator::address_of(const tree::Expr &expr) {
  const Place where = place(expr, PlaceUse::kAddress);
  if (where.address) return *where.address + where.off_bits / 8;
  if (where.storage == nullptr) return parts_.memory.address_of_value(bytes(expr));
  const bool is_kept = std::ranges::none_of(temporaries_, [&](const Storage &s) { return &s == where.storage; });
  if (!is_kept) return parts_.memory.address_of_value(where.storage->bytes) + where.off_bits / 8;
  // Variables are there to be written to.
  return parts_.memory.address_of(const_cast<Storage &>(*where.storage)) + where.off_bits / 8;
}

std::string Evaluator::element_key(const tree::ElemRef &ref) {
  const std::vector<TypeId> &types = parts_.unit.variables[ref.var.value].keys;
  std::string key;
  for (size_t i = 0; i < ref.keys.size(); i++) {
    const tree::Expr &part = *ref.keys[i];
    if (parts_.types.is_string(part.type)) {
      key += certain_text(part).substr(0, parts_.types.size_bytes(types[i]) - 1);
      key += '\0';
      continue;
    }
    // A constant may be narrower than the array's keys.
    const std::vector<std::byte> raw = parts_.types.is_scalar(part.type)
                                           ? bytes_of_number(number(part), parts_.types.size_bytes(types[i]))
                                           : bytes(part);
    key.append(reinterpret_cast<const char *>(raw.data()), raw.size());
  }
  return key;
}

}  // namespace dtrace::evaluator
