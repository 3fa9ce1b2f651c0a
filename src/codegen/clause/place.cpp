// SPDX-License-Identifier: Apache-2.0
// Places: storage that expressions denote, and how it is loaded and stored.
#include "codegen/clause/clause.h"

#include <algorithm>
#include <cassert>

#include "codegen/planning/direct_member.h"

namespace dtrace::codegen {
namespace {

/// The storage unit that holds a bit-field, relative to the start of the aggregate.
struct FieldUnit {
  uint64_t off_bytes;
  uint32_t size_bytes;
  uint32_t shift;
};

FieldUnit unit_of(uint64_t off_bits, uint32_t bits, uint64_t type_bytes) {
  // The unit of the declared type, as the ABI has it; a packed field that crosses it takes the smallest that covers it.
  for (uint32_t size = static_cast<uint32_t>(std::clamp<uint64_t>(type_bytes, 1, 8)); size <= 8; size *= 2) {
    const uint64_t begin = off_bits / (8 * size) * size;
    const uint64_t shift = off_bits - begin * 8;
    if (shift + bits <= size * 8) return {begin, size, static_cast<uint32_t>(shift)};
  }
  return {off_bits / 8, 8, static_cast<uint32_t>(off_bits % 8)};
}

}  // namespace

/// The symbol's address; for a per-CPU variable, the address of this CPU's copy.
llvm::Value *ClauseEmitter::symbol_address(const tree::SymbolRef &symbol) {
  if (symbol.cpu_offsets == 0) return constant(symbol.address);
  constexpr uint64_t kOffsetBytes = 8;
  llvm::Value *index = b_.CreateMul(b_.CreateZExt(cpu(), object_.i64()), constant(kOffsetBytes));
  llvm::Value *offset = read_scalar(Space::kKernel, b_.CreateAdd(index, constant(symbol.cpu_offsets)), 8, false);
  return b_.CreateAdd(offset, constant(symbol.address));
}

Place ClauseEmitter::place(const tree::Expr &expr, Access access) {
  set_position(expr);
  if (auto *ref = std::get_if<tree::VarRef>(&expr.node)) return variable(ref->var, access);
  if (auto *ref = std::get_if<tree::ElemRef>(&expr.node)) return element(*ref, access);
  if (auto *symbol = std::get_if<tree::SymbolRef>(&expr.node)) {
    Place where;
    where.kind = Place::Kind::kAddress;
    where.address = symbol_address(*symbol);
    return where;
  }
  if (auto *deref = std::get_if<tree::Deref>(&expr.node)) {
    Place where;
    where.kind = Place::Kind::kAddress;
    where.address = scalar(*deref->pointer);
    where.space = space_of(deref->pointer->type);
    return where;
  }
  if (auto *member = std::get_if<tree::Member>(&expr.node)) {
    Place where = place(*member->base, access);
    where.off_bits += member->off_bits;
    where.bits = member->bits;
    where.presence.reset();
    where.null_flag.reset();
    return where;
  }
  if (auto *element = std::get_if<tree::Element>(&expr.node)) return indexed(*element, expr.type, access);
  if (auto *assignment = std::get_if<tree::Assign>(&expr.node)) {
    evaluate(expr);
    return place(*assignment->place, Access::kRead);
  }
  if (auto *comma = std::get_if<tree::Comma>(&expr.node)) {
    evaluate(*comma->lhs);
    return place(*comma->rhs, access);
  }
  if (auto *convert = std::get_if<tree::Convert>(&expr.node);
      convert != nullptr && !compilation_.types.is_scalar(expr.type))
    return place(*convert->operand, access);

  if (auto *arg = std::get_if<tree::ArgRef>(&expr.node))
    return argument_place(arg->source, compilation_.types.size_bytes(expr.type));

  // A value without storage: build it in scratch memory. bytes_into() builds these two kinds, and calls `place()` for
  // all others.
  assert(std::holds_alternative<tree::Conditional>(expr.node) || std::holds_alternative<tree::StackValue>(expr.node));
  const auto size_bytes = static_cast<uint32_t>(compilation_.types.size_bytes(expr.type));
  Memory memory = scratch(size_bytes);
  bytes_into(expr, memory.pointer, size_bytes);
  Place where;
  where.pointer = memory.pointer;
  return where;
}

Space ClauseEmitter::space_of(TypeId type) const {
  if (compilation_.types.is_userland(type)) return Space::kUser;
  const Type &t = compilation_.types.resolved(type);
  return t.kind == TypeKind::kPointer ? t.space : Space::kKernel;
}

Place ClauseEmitter::character(const tree::Element &node) {
  EmittedText value = text(*node.base);
  auto *number = std::get_if<tree::IntConst>(&node.index->node);
  llvm::Value *index = number != nullptr ? constant(number->value) : opaque(scalar(*node.index));
  require_not_null(value, index);
  Memory memory = bytes_of(value);
  Place where;
  if (number != nullptr) {
    // Behind the memory that the text was given there is nothing to read.
    const bool is_there = number->value < memory.size_bytes;
    where.pointer = is_there ? at(memory.pointer, number->value) : object_.zeros(1);
    return where;
  }
  // Memory at an offset that varies: not on the stack.
  if (value.kind == EmittedText::Kind::kComm) memory = {slot_text(value).pointer, kCommBytes, std::nullopt};
  fault_if(b_.CreateICmpUGE(index, constant(node.count)), DT_FAULT_BADINDEX, index);
  // The sum is made behind the test: one that LLVM made before it would have no bound for the verifier.
  llvm::Value *pointer = memory.pointer;
  where.pointer = choose(
      b_.CreateICmpULT(index, constant(memory.size_bytes)), object_.pointer(),
      [&]() -> llvm::Value * { return b_.CreateGEP(object_.i8(), pointer, opaque(index)); },
      [&]() -> llvm::Value * { return object_.zeros(1); });
  return where;
}

Place ClauseEmitter::indexed(const tree::Element &node, TypeId type, Access access) {
  if (compilation_.types.is_string(node.base->type)) return character(node);
  const uint64_t element_bytes = std::max<uint64_t>(compilation_.types.size_bytes(type), 1);
  Place where = place(*node.base, access);
  if (auto *number = std::get_if<tree::IntConst>(&node.index->node);
      number != nullptr && number->value < std::max<uint64_t>(node.count, 1)) {
    where.off_bits += number->value * element_bytes * 8;
    return where;
  }
  llvm::Value *index = scalar(*node.index);
  const bool memory = where.kind == Place::Kind::kMemory;
  if (node.count > 1 || memory) {
    index = opaque(index);
    fault_if(b_.CreateICmpUGE(index, constant(std::max<uint64_t>(node.count, 1))), DT_FAULT_BADINDEX, index);
  }
  llvm::Value *offset = b_.CreateMul(index, constant(element_bytes));
  if (memory) {
    // The constant part first: the verifier wants one variable offset, bounded by the test above.
    where.pointer = b_.CreateGEP(object_.i8(), at(where.pointer, where.off_bits / 8), offset);
    where.off_bits = 0;
  } else {
    where.address = b_.CreateAdd(where.address, offset);
  }
  return where;
}

// ---------------------------------------------------------------- loads

/// The structure that a member is read from without a check, because the kernel vouches for the pointer
/// (direct_member.h); null: it is no such member. A tracepoint may pass NULL, and so may be what is on the way.
llvm::Value *ClauseEmitter::structure_of(const DirectMember &member) {
  if (member.argument && !has_typed_arguments()) return nullptr;
  const auto must_be_there = [&](llvm::Value *pointer) {
    fault_if(b_.CreateIsNull(pointer), DT_FAULT_BADADDR, constant(0));
    return pointer;
  };
  llvm::Value *structure =
      member.argument ? must_be_there(typed_pointer(frame_.context, uint64_t{*member.argument} * 8)) : task();
  for (const uint64_t off_bytes : member.pointers) structure = must_be_there(typed_pointer(structure, off_bytes));
  return structure;
}

llvm::Value *ClauseEmitter::member_of_kernel(const tree::Expr &expr) {
  const std::optional<DirectMember> member = direct_member(compilation_.types, expr, {derivation(), in_derivation_});
  if (!member || compilation_.types.resolved(expr.type).kind == TypeKind::kPointer) return nullptr;
  set_position(expr);
  llvm::Value *structure = structure_of(*member);
  if (structure == nullptr) return nullptr;
  return typed_load(structure, member->off_bytes, compilation_.types.size_bytes(expr.type),
                    compilation_.types.is_signed(expr.type));
}

llvm::Value *ClauseEmitter::compare_member_with_null(const tree::Expr &expr) {
  const tree::Expr *pointer = compared_with_null(compilation_.types, expr);
  if (pointer == nullptr) return nullptr;
  const std::optional<DirectMember> member =
      direct_member(compilation_.types, *pointer, {derivation(), in_derivation_});
  if (!member) return nullptr;
  set_position(expr);
  llvm::Value *structure = structure_of(*member);
  if (structure == nullptr) return nullptr;
  llvm::Value *is_null = b_.CreateIsNull(typed_pointer(structure, member->off_bytes));
  return std::get<tree::Binary>(expr.node).op == BinaryOp::kEq ? is_null : b_.CreateNot(is_null);
}

llvm::Value *ClauseEmitter::load(const Place &place, TypeId type) {
  const TypeTable &types = compilation_.types;
  const uint64_t type_bytes = std::max<uint64_t>(types.size_bytes(type), 1);
  const bool is_signed = types.is_signed(type);
  const FieldUnit unit =
      place.bits != 0 ? unit_of(place.off_bits, place.bits, type_bytes)
                      : FieldUnit{place.off_bits / 8, static_cast<uint32_t>(std::min<uint64_t>(type_bytes, 8)), 0};
  llvm::Value *value = nullptr;
  const bool widen_signed = is_signed && place.bits == 0;
  if (place.kind == Place::Kind::kMemory) {
    llvm::Value *raw = b_.CreateAlignedLoad(object_.integer(unit.size_bytes), at(place.pointer, unit.off_bytes),
                                            llvm::Align(unit.size_bytes));
    value = widen_signed ? b_.CreateSExt(raw, object_.i64()) : b_.CreateZExt(raw, object_.i64());
  } else {
    value =
        read_scalar(place.space, b_.CreateAdd(place.address, constant(unit.off_bytes)), unit.size_bytes, widen_signed);
  }
  if (place.bits == 0) return value;
  // Up to the top, then down again: that extends it by its own sign.
  value = b_.CreateShl(value, uint64_t{64} - unit.shift - place.bits);
  return is_signed ? b_.CreateAShr(value, uint64_t{64} - place.bits) : b_.CreateLShr(value, uint64_t{64} - place.bits);
}

void ClauseEmitter::load_bytes(const Place &place, llvm::Value *to, uint32_t size_bytes, uint32_t align) {
  if (place.kind == Place::Kind::kMemory) {
    copy(to, at(place.pointer, place.off_bits / 8), size_bytes,
         std::min<uint32_t>(align, place.off_bits / 8 % 8 == 0 ? 8 : 1));
  } else {
    read(place.space, to, size_bytes, b_.CreateAdd(place.address, constant(place.off_bits / 8)));
  }
}

EmittedText ClauseEmitter::load_text(const Place &place, TypeId type) {
  EmittedText value;
  value.kind = EmittedText::Kind::kMemory;
  value.size_bytes = static_cast<uint32_t>(compilation_.types.size_bytes(type));
  if (place.kind == Place::Kind::kAddress) {
    // A string member reached through a pointer to scratch, of a D structure.
    Memory memory = scratch(value.size_bytes);
    read(place.space, memory.pointer, value.size_bytes, b_.CreateAdd(place.address, constant(place.off_bits / 8)));
    value.pointer = memory.pointer;
    value.slot_offset = memory.slot_offset;
    return value;
  }
  value.pointer = at(place.pointer, place.off_bits / 8);
  if (place.presence) {
    llvm::Value *set = b_.CreateLoad(object_.i8(), at(place.storage, *place.presence));
    value.is_null = b_.CreateICmpEQ(set, llvm::ConstantInt::get(object_.i8(), 0));
  } else if (place.null_flag) {
    llvm::Value *flag = b_.CreateLoad(object_.i8(), at(place.storage, *place.null_flag));
    value.is_null = b_.CreateICmpNE(flag, llvm::ConstantInt::get(object_.i8(), 0));
  } else if (place.array && place.missing != nullptr && place.off_bits == 0) {
    value.is_null = place.missing;
  }
  return value;
}

// ---------------------------------------------------------------- stores

void ClauseEmitter::when_there(const Place &place, const std::function<void()> &store) {
  if (place.missing == nullptr) return store();
  when(b_.CreateNot(place.missing), store);
}

void ClauseEmitter::store(const Place &place, TypeId type, llvm::Value *value) {
  const uint64_t type_bytes = std::max<uint64_t>(compilation_.types.size_bytes(type), 1);
  const FieldUnit unit =
      place.bits != 0 ? unit_of(place.off_bits, place.bits, type_bytes)
                      : FieldUnit{place.off_bits / 8, static_cast<uint32_t>(std::min<uint64_t>(type_bytes, 8)), 0};
  when_there(place, [&] {
    llvm::Value *pointer = place.kind == Place::Kind::kMemory
                               ? at(place.pointer, unit.off_bytes)
                               : writable(b_.CreateAdd(place.address, constant(unit.off_bytes)),
                                          constant(unit.size_bytes), unit.size_bytes);
    llvm::IntegerType *raw_type = object_.integer(unit.size_bytes);
    llvm::Value *raw = value;
    if (place.bits != 0) {
      const uint64_t ones = place.bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << place.bits) - 1;
      llvm::Value *before = b_.CreateZExt(b_.CreateAlignedLoad(raw_type, pointer, llvm::Align(1)), object_.i64());
      llvm::Value *kept = b_.CreateAnd(before, ~(ones << unit.shift));
      raw = b_.CreateOr(kept, b_.CreateShl(b_.CreateAnd(value, ones), uint64_t{unit.shift}));
    }
    b_.CreateAlignedStore(b_.CreateTrunc(raw, raw_type), pointer, llvm::Align(unit.size_bytes));
  });
}

void ClauseEmitter::bytes_into(const tree::Expr &expr, llvm::Value *to, uint32_t size_bytes, uint32_t align) {
  set_position(expr);
  if (auto *conditional = std::get_if<tree::Conditional>(&expr.node)) {
    choose(
        condition(*conditional->condition), object_.i64(),
        [&]() -> llvm::Value * {
          bytes_into(*conditional->then_value, to, size_bytes, align);
          return constant(0);
        },
        [&]() -> llvm::Value * {
          bytes_into(*conditional->else_value, to, size_bytes, align);
          return constant(0);
        });
    return;
  }
  if (std::holds_alternative<tree::StackValue>(expr.node)) {
    ValuePlan plan = plan_typed(compilation_.input, expr.type);
    plan.size_bytes = size_bytes;
    store_stack(to, plan, expr);
    return;
  }
  if (auto *arg = std::get_if<tree::ArgRef>(&expr.node);
      arg != nullptr && compilation_.types.resolved(expr.type).kind == TypeKind::kFloat) {
    // A floating-point argument is the bits of a double (operand.cpp).
    b_.CreateAlignedStore(argument(arg->source), to, llvm::Align(std::min<uint32_t>(align, 8)));
    return;
  }
  load_bytes(place(expr, Access::kRead), to, size_bytes, align);
}

}  // namespace dtrace::codegen
