// SPDX-License-Identifier: Apache-2.0
// Scalar expressions: one function a kind of node, and the conversions between D's integer types.
#include "codegen/clause/builtin_values.h"
#include "codegen/clause/clause.h"
#include "frontend/types/types_compat.h"

namespace dtrace::codegen {

// ---------------------------------------------------------------- types of values

llvm::Value *ClauseEmitter::normalise(llvm::Value *value, TypeId type) {
  const Type &t = compilation_.types.resolved(type);
  if (t.is_bool) return boolean(b_.CreateICmpNE(value, constant(0)));
  const uint64_t size_bytes = compilation_.types.size_bytes(type);
  if (size_bytes == 0 || size_bytes >= 8) return value;
  llvm::Value *low = b_.CreateTrunc(value, object_.integer(size_bytes));
  return compilation_.types.is_signed(type) ? b_.CreateSExt(low, object_.i64()) : b_.CreateZExt(low, object_.i64());
}

llvm::Value *ClauseEmitter::wrapped(llvm::Value *value, TypeId type) {
  return wraps(compilation_.types, type) ? normalise(value, type) : value;
}

// ---------------------------------------------------------------- nodes

namespace {

/// The value of each kind of node that can be a scalar.
struct ScalarOf {
  ClauseEmitter &e;
  const tree::Expr &expr;

  Builder &b() const { return e.builder(); }

  llvm::Value *operator()(const tree::IntConst &n) const { return e.constant(n.value); }
  llvm::Value *operator()(const tree::StrConst &) const { return address_of_text(); }
  llvm::Value *operator()(const tree::VarRef &) const { return loaded(); }
  llvm::Value *operator()(const tree::ElemRef &) const { return loaded(); }
  llvm::Value *operator()(const tree::Deref &) const { return loaded(); }
  llvm::Value *operator()(const tree::Member &) const { return loaded(); }
  llvm::Value *operator()(const tree::Element &) const { return loaded(); }
  llvm::Value *operator()(const tree::SymbolRef &n) const { return n.is_function ? e.constant(n.address) : loaded(); }
  llvm::Value *operator()(const tree::BuiltinRef &n) const { return e.normalise(emit_variable(e, n), expr.type); }
  llvm::Value *operator()(const tree::ArgRef &n) const { return argument(n); }
  llvm::Value *operator()(const tree::ThreadPointer &) const { return e.thread_pointer(); }

  llvm::Value *operator()(const tree::Unary &n) const {
    switch (n.op) {
      case UnaryOp::kNot:
        return e.boolean(b().CreateNot(e.condition(*n.operand)));
      case UnaryOp::kMinus:
        return e.wrapped(b().CreateNeg(e.scalar(*n.operand)), expr.type);
      case UnaryOp::kComplement:
        return e.wrapped(b().CreateNot(e.scalar(*n.operand)), expr.type);
      default:
        return e.scalar(*n.operand);
    }
  }
  llvm::Value *operator()(const tree::Binary &n) const {
    if (llvm::Value *answer = e.compare_member_with_null(expr)) return e.boolean(answer);
    llvm::Value *lhs = e.scalar(*n.lhs);
    llvm::Value *rhs = e.scalar(*n.rhs);
    e.set_position(expr);
    if (is_comparison(n.op))
      return e.boolean(e.compare(n.op, lhs, rhs, computes_signed(e.compilation().types, n.lhs->type)));
    return e.wrapped(e.binary(n.op, lhs, rhs, expr.type), expr.type);
  }
  llvm::Value *operator()(const tree::StringCompare &) const { return e.boolean(e.condition(expr)); }
  llvm::Value *operator()(const tree::Logical &) const { return e.boolean(e.condition(expr)); }
  llvm::Value *operator()(const tree::Conditional &n) const {
    return e.choose(
        e.condition(*n.condition), e.object().i64(), [&] { return e.wrapped(e.scalar(*n.then_value), expr.type); },
        [&] { return e.wrapped(e.scalar(*n.else_value), expr.type); });
  }
  llvm::Value *operator()(const tree::Comma &n) const {
    e.evaluate(*n.lhs);
    return e.scalar(*n.rhs);
  }
  llvm::Value *operator()(const tree::Assign &n) const { return e.assign(n, expr.type); }
  llvm::Value *operator()(const tree::CompoundAssign &n) const {
    llvm::Value *operand = e.scalar(*n.value);
    return e.update(*n.place, expr.type, false, [&](llvm::Value *old) {
      llvm::Value *value = e.binary(n.op, e.wrapped(old, n.operation_type), operand, n.operation_type);
      return e.normalise(e.wrapped(value, n.operation_type), expr.type);
    });
  }
  llvm::Value *operator()(const tree::IncDec &n) const {
    return e.update(*n.place, expr.type, n.postfix, [&](llvm::Value *old) {
      return e.normalise(b().CreateAdd(old, e.constant(static_cast<uint64_t>(n.delta))), expr.type);
    });
  }
  llvm::Value *operator()(const tree::AddressOf &n) const { return e.address_of(*n.place); }
  llvm::Value *operator()(const tree::Convert &n) const {
    switch (n.kind) {
      case tree::ConvertKind::kInteger:
        return e.normalise(e.scalar(*n.operand), expr.type);
      case tree::ConvertKind::kDecay:
        return e.address_of(*n.operand);
      case tree::ConvertKind::kVoid:
        e.evaluate(*n.operand);
        return e.constant(0);
      default:
        return e.text_address(*n.operand);
    }
  }
  llvm::Value *operator()(const tree::Call &n) const {
    return e.normalise(e.compilation().subroutines.scalar(e, n, expr), expr.type);
  }
  llvm::Value *operator()(const tree::StackValue &) const { return e.constant(0); }
  llvm::Value *operator()(const tree::StackDepth &n) const { return e.depth_of(*n.stack); }
  llvm::Value *operator()(const tree::SymbolValue &n) const { return e.scalar(*n.address); }

 private:
  llvm::Value *argument(const tree::ArgRef &n) const {
    if (n.is_address) return e.stack_argument_address(n.source);
    const TypeTable &types = e.compilation().types;
    if (!types.is_scalar(expr.type)) return loaded();
    const bool is_pointer = types.resolved(expr.type).kind == TypeKind::kPointer;
    return e.normalise(is_pointer ? e.pointer_argument(n.source) : e.argument(n.source), expr.type);
  }
  llvm::Value *loaded() const {
    const TypeTable &types = e.compilation().types;
    if (llvm::Value *member = e.member_of_kernel(expr)) return member;
    // A string or an array used as a number is its address; a struct has none to give.
    if (types.is_string(expr.type)) return e.text_address(expr);
    if (!types.is_scalar(expr.type)) return e.address_of(expr);
    Place place = e.place(expr, Access::kRead);
    e.set_position(expr);
    return e.load(place, expr.type);
  }
  llvm::Value *address_of_text() const { return e.text_address(expr); }
};

}  // namespace

llvm::Value *ClauseEmitter::scalar(const tree::Expr &expr) {
  set_position(expr);
  TemporaryScope scope(*this);
  return std::visit(ScalarOf{*this, expr}, expr.node);
}

llvm::Value *ClauseEmitter::condition(const tree::Expr &expr) {
  set_position(expr);
  TemporaryScope scope(*this);
  if (auto *logical = std::get_if<tree::Logical>(&expr.node)) {
    if (logical->op == BinaryOp::kLogXor) {
      llvm::Value *lhs = condition(*logical->lhs);
      return b_.CreateXor(lhs, condition(*logical->rhs));
    }
    const bool is_and = logical->op == BinaryOp::kLogAnd;
    llvm::Value *lhs = condition(*logical->lhs);
    auto rhs = [&]() -> llvm::Value * { return condition(*logical->rhs); };
    auto settled = [&]() -> llvm::Value * { return llvm::ConstantInt::getBool(object_.context(), !is_and); };
    return is_and ? choose(lhs, object_.i1(), rhs, settled) : choose(lhs, object_.i1(), settled, rhs);
  }
  if (auto *comparison = std::get_if<tree::StringCompare>(&expr.node)) return compare_texts(*comparison);
  if (auto *binary = std::get_if<tree::Binary>(&expr.node); binary != nullptr && is_comparison(binary->op)) {
    if (llvm::Value *answer = compare_member_with_null(expr)) return answer;
    llvm::Value *lhs = scalar(*binary->lhs);
    llvm::Value *rhs = scalar(*binary->rhs);
    return compare(binary->op, lhs, rhs, computes_signed(compilation_.types, binary->lhs->type));
  }
  if (auto *unary = std::get_if<tree::Unary>(&expr.node); unary != nullptr && unary->op == UnaryOp::kNot)
    return b_.CreateNot(condition(*unary->operand));
  return b_.CreateICmpNE(scalar(expr), constant(0));
}

void ClauseEmitter::evaluate(const tree::Expr &expr) {
  set_position(expr);
  const TypeTable &types = compilation_.types;
  auto *assignment = std::get_if<tree::Assign>(&expr.node);
  if (types.is_string(expr.type)) {
    if (assignment != nullptr) {
      assign_text(*assignment, expr.type);
    } else {
      text(expr);
    }
  } else if (assignment != nullptr && !types.is_scalar(expr.type)) {
    assign_bytes(*assignment, expr.type);
  } else if (types.is_scalar(expr.type) || types.is_void(expr.type)) {
    scalar(expr);
  }
}

// ---------------------------------------------------------------- addresses

llvm::Value *ClauseEmitter::address_of(const tree::Expr &expr) {
  Place where = place(expr, Access::kRead);
  if (where.kind == Place::Kind::kAddress) return b_.CreateAdd(where.address, constant(where.off_bits / 8));
  return to_number(at(where.pointer, where.off_bits / 8));
}

llvm::Value *ClauseEmitter::text_address(const tree::Expr &expr) {
  EmittedText value = text(expr);
  Memory memory = bytes_or_null(value);
  llvm::Value *address = nullptr;
  if (memory.slot_offset) {
    address = slot_address(*memory.slot_offset);
  } else {
    address = to_number(memory.pointer);
  }
  return value.is_null != nullptr ? b_.CreateSelect(value.is_null, constant(0), address) : address;
}

}  // namespace dtrace::codegen
