// SPDX-License-Identifier: Apache-2.0
// Strings. Evaluating one yields an EmittedText and copies as little as it can; the bytes are made where they are
// wanted: in the record, the key or the variable.
#include "codegen/clause/clause.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>

#include "codegen/clause/builtin_values.h"
#include "frontend/lang/probe_part.h"

namespace dtrace::codegen {
namespace {

constexpr uint64_t kWholeArrayBytes = 64;  // arrays up to so large are read in one go, not up to their NUL

EmittedText null_text(ClauseEmitter &e) {
  EmittedText value;
  value.is_null = llvm::ConstantInt::getTrue(e.object().context());
  return value;
}

}  // namespace

// ---------------------------------------------------------------- evaluation

EmittedText ClauseEmitter::text(const tree::Expr &expr, const Memory *into) {
  set_position(expr);
  const TypeTable &types = compilation_.types;
  if (auto *literal = std::get_if<tree::StrConst>(&expr.node)) {
    EmittedText value;
    value.literal = literal->text;
    return value;
  }
  if (std::holds_alternative<tree::IntConst>(expr.node)) return null_text(*this);
  if (auto *builtin = std::get_if<tree::BuiltinRef>(&expr.node)) return emit_text_variable(*this, *builtin);
  if (auto *arg = std::get_if<tree::ArgRef>(&expr.node)) return argument_text(arg->source, into);
  if (auto *call = std::get_if<tree::Call>(&expr.node)) return compilation_.subroutines.text(*this, *call, expr, into);
  if (auto *assignment = std::get_if<tree::Assign>(&expr.node)) return assign_text(*assignment, expr.type);
  if (auto *comma = std::get_if<tree::Comma>(&expr.node)) {
    evaluate(*comma->lhs);
    return text(*comma->rhs, into);
  }
  if (auto *conditional = std::get_if<tree::Conditional>(&expr.node))
    return conditional_text(*conditional, expr.type, into);
  if (auto *convert = std::get_if<tree::Convert>(&expr.node)) {
    const tree::Expr &operand = *convert->operand;
    if (types.is_string(operand.type)) return text(operand, into);
    if (convert->kind == tree::ConvertKind::kToString) {
      const auto size_bytes = static_cast<uint32_t>(types.size_bytes(expr.type));
      if (types.is_array(operand.type)) return array_text(operand, size_bytes, into);
      if (auto *zero = std::get_if<tree::IntConst>(&operand.node); zero != nullptr && zero->value == 0)
        return null_text(*this);
      llvm::Value *address = scalar(operand);
      set_position(expr);
      if (types.is_integer(operand.type)) return read_text_anywhere(address, size_bytes, into);
      return read_text(space_of(operand.type), address, size_bytes, into);
    }
    return text(operand, into);
  }
  return load_text(place(expr, Access::kRead), expr.type);
}

EmittedText ClauseEmitter::array_text(const tree::Expr &array, uint32_t size_bytes, const Memory *into) {
  const uint64_t count = compilation_.types.size_bytes(array.type);
  Place where = place(array, Access::kRead);
  if (where.kind == Place::Kind::kMemory && size_bytes <= count) {
    // In our own memory, but not surely with a NUL: read it as a string like any other.
    return read_text(Space::kKernel, at(where.pointer, where.off_bits / 8), size_bytes, into);
  }
  if (where.kind == Place::Kind::kAddress && (size_bytes <= count || count > kWholeArrayBytes)) {
    llvm::Value *address = b_.CreateAdd(where.address, constant(where.off_bits / 8));
    return read_text(where.space, address, static_cast<uint32_t>(std::min<uint64_t>(size_bytes, count + 1)), into);
  }
  Memory memory = target(into, static_cast<uint32_t>(count + 1));
  load_bytes(where, memory.pointer, static_cast<uint32_t>(count), 1);
  b_.CreateStore(llvm::ConstantInt::get(object_.i8(), 0), at(memory.pointer, count));
  EmittedText value;
  value.kind = EmittedText::Kind::kMemory;
  value.pointer = memory.pointer;
  value.size_bytes = static_cast<uint32_t>(count + 1);
  value.slot_offset = memory.slot_offset;
  return value;
}

EmittedText ClauseEmitter::conditional_text(const tree::Conditional &node, TypeId type, const Memory *into) {
  const auto size_bytes = static_cast<uint32_t>(compilation_.types.size_bytes(type));
  Memory memory = target(into, size_bytes);
  auto arm = [&](const tree::Expr &expr) -> llvm::Value * {
    EmittedText value = text(expr, &memory);
    if (value.pointer != memory.pointer) copy_text_or_empty(memory.pointer, size_bytes, value);
    return value.is_null != nullptr ? value.is_null : llvm::ConstantInt::getFalse(object_.context());
  };
  llvm::Value *is_null = choose(
      condition(*node.condition), object_.i1(), [&] { return arm(*node.then_value); },
      [&] { return arm(*node.else_value); });
  EmittedText value;
  value.kind = EmittedText::Kind::kMemory;
  value.pointer = memory.pointer;
  value.size_bytes = size_bytes;
  value.slot_offset = memory.slot_offset;
  auto *phi = llvm::cast<llvm::PHINode>(is_null);
  const bool never = std::all_of(phi->incoming_values().begin(), phi->incoming_values().end(), [](llvm::Value *v) {
    auto *number = llvm::dyn_cast<llvm::ConstantInt>(v);
    return number != nullptr && number->isZero();
  });
  if (!never) value.is_null = is_null;
  return value;
}

// ---------------------------------------------------------------- copying

void ClauseEmitter::store_text(llvm::Value *to, uint32_t size_bytes, const tree::Expr &expr, bool pad, uint32_t align) {
  const Memory wanted{to, size_bytes, std::nullopt};
  // The kernel reads a program's string whole words at a time and leaves what is behind its end as it was, or zero.
  const auto *call = std::get_if<tree::Call>(&expr.node);
  const bool in_place = pad && call != nullptr && call->subr == Builtin::k_copyinstr;
  if (in_place) zero(to, size_bytes, align);
  EmittedText value = text(expr, !pad || in_place ? &wanted : nullptr);
  set_position(expr);
  require_not_null(value);
  if (value.pointer == to) return;
  copy_text(to, size_bytes, value, pad, align);
}

}  // namespace dtrace::codegen
