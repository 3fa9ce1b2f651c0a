// SPDX-License-Identifier: Apache-2.0
// Numbers: one function a kind of node.
#include <cassert>

#include "evaluator/call.h"
#include "evaluator/evaluator.h"
#include "frontend/check/fold.h"
#include "frontend/types/types_compat.h"

namespace dtrace::evaluator {

uint64_t Evaluator::normalised(uint64_t value, TypeId type) const {
  if (parts_.types.resolved(type).is_bool) return value != 0;
  const uint64_t size_bytes = parts_.types.size_bytes(type);
  return size_bytes == 0 ? value : narrow(value, size_bytes, parts_.types.is_signed(type));
}

uint64_t Evaluator::wrapped(uint64_t value, TypeId type) const {
  return wraps(parts_.types, type) ? normalised(value, type) : value;
}

uint64_t Evaluator::binary(BinaryOp op, uint64_t lhs, uint64_t rhs, TypeId type) const {
  const std::optional<uint64_t> result = fold(op, lhs, rhs, computes_signed(parts_.types, type));
  if (!result) throw Fault{DT_FAULT_DIVZERO};
  return *result;
}

struct NumberOf {
  Evaluator &e;
  const tree::Expr &expr;

  uint64_t operator()(const tree::IntConst &n) const { return n.value; }
  uint64_t operator()(const tree::StrConst &) const { return e.text_address(expr); }
  uint64_t operator()(const tree::VarRef &) const { return loaded(); }
  uint64_t operator()(const tree::ElemRef &) const { return loaded(); }
  uint64_t operator()(const tree::Deref &) const { return loaded(); }
  uint64_t operator()(const tree::Member &) const { return loaded(); }
  uint64_t operator()(const tree::Element &) const { return loaded(); }
  uint64_t operator()(const tree::SymbolRef &n) const { return n.is_function ? n.address : loaded(); }
  uint64_t operator()(const tree::BuiltinRef &) const { return told(); }
  uint64_t operator()(const tree::ArgRef &) const { return told(); }
  uint64_t operator()(const tree::ThreadPointer &) const { return told(); }

  uint64_t operator()(const tree::Unary &n) const {
    if (n.op == UnaryOp::kNot) return !e.condition(*n.operand);
    return e.wrapped(fold(n.op, e.number(*n.operand)), expr.type);
  }
  uint64_t operator()(const tree::Binary &n) const {
    const uint64_t lhs = e.number(*n.lhs);
    const uint64_t rhs = e.number(*n.rhs);
    const bool compares = is_comparison(n.op);
    const uint64_t result = e.binary(n.op, lhs, rhs, compares ? n.lhs->type : expr.type);
    return compares ? result : e.wrapped(result, expr.type);
  }
  uint64_t operator()(const tree::StringCompare &n) const { return e.compare_texts(n); }
  uint64_t operator()(const tree::Logical &n) const {
    const bool lhs = e.condition(*n.lhs);
    if (n.op == BinaryOp::kLogXor) return lhs != e.condition(*n.rhs);
    return n.op == BinaryOp::kLogAnd ? lhs && e.condition(*n.rhs) : lhs || e.condition(*n.rhs);
  }
  uint64_t operator()(const tree::Conditional &n) const {
    return e.wrapped(e.number(e.condition(*n.condition) ? *n.then_value : *n.else_value), expr.type);
  }
  uint64_t operator()(const tree::Comma &n) const {
    e.evaluate(*n.lhs);
    return e.number(*n.rhs);
  }
  uint64_t operator()(const tree::Assign &n) const { return e.assign(n, expr.type); }
  uint64_t operator()(const tree::CompoundAssign &n) const {
    const uint64_t operand = e.number(*n.value);
    return e.update(*n.place, expr.type, false, [&](uint64_t old) {
      const uint64_t value = e.binary(n.op, e.wrapped(old, n.operation_type), operand, n.operation_type);
      return e.normalised(e.wrapped(value, n.operation_type), expr.type);
    });
  }
  uint64_t operator()(const tree::IncDec &n) const {
    return e.update(*n.place, expr.type, n.postfix,
                    [&](uint64_t old) { return e.normalised(old + static_cast<uint64_t>(n.delta), expr.type); });
  }
  uint64_t operator()(const tree::AddressOf &n) const { return e.address_of(*n.place); }
  uint64_t operator()(const tree::Convert &n) const {
    switch (n.kind) {
      case tree::ConvertKind::kInteger:
        return e.normalised(e.number(*n.operand), expr.type);
      case tree::ConvertKind::kDecay:
        return e.address_of(*n.operand);
      case tree::ConvertKind::kVoid:
        e.evaluate(*n.operand);
        return 0;
      case tree::ConvertKind::kToString:
      case tree::ConvertKind::kStringAddress:
        return e.text_address(*n.operand);
    }
    return 0;
  }
  uint64_t operator()(const tree::Call &n) const {
    if (e.parts_.types.is_string(expr.type)) return e.text_address(expr);
    return e.normalised(Call(e, n, expr).number(), expr.type);
  }
  uint64_t operator()(const tree::StackValue &) const { return 0; }
  uint64_t operator()(const tree::StackDepth &) const { return told(); }
  uint64_t operator()(const tree::SymbolValue &n) const {
    return e.is_told(expr) ? e.parts_.leaves.number(expr) : e.number(*n.address);
  }

 private:
  uint64_t told() const {
    if (!e.parts_.types.is_scalar(expr.type)) return loaded();
    return e.normalised(e.parts_.leaves.number(expr), expr.type);
  }
  uint64_t loaded() const {
    // A string or an array used as a number is its address; a structure has none to give.
    if (e.parts_.types.is_string(expr.type)) return e.text_address(expr);
    if (!e.parts_.types.is_scalar(expr.type)) return e.address_of(expr);
    if (const auto *node = std::get_if<tree::Element>(&expr.node);
        node != nullptr && e.parts_.types.is_string(node->base->type))
      return e.character(*node);
    return e.load(e.place(expr), expr.type);
  }
};

uint64_t Evaluator::number(const tree::Expr &expr) {
  if (parts_.types.is_scalar(expr.type) && is_told(expr)) return normalised(parts_.leaves.number(expr), expr.type);
  return std::visit(NumberOf{*this, expr}, expr.node);
}

bool Evaluator::condition(const tree::Expr &expr) { return number(expr) != 0; }

void Evaluator::evaluate(const tree::Expr &expr) {
  const TypeTable &types = parts_.types;
  if (types.is_string(expr.type)) {
    text(expr);
  } else if (const auto *assignment = std::get_if<tree::Assign>(&expr.node);
             assignment != nullptr && !types.is_scalar(expr.type)) {
    assign_bytes(*assignment, expr.type);
  } else if (types.is_scalar(expr.type) || types.is_void(expr.type)) {
    number(expr);
  }
}

bool reads_firing(const tree::Expr &expr) {
  return std::holds_alternative<tree::BuiltinRef>(expr.node) || std::holds_alternative<tree::ArgRef>(expr.node) ||
         std::holds_alternative<tree::ThreadPointer>(expr.node) ||
         std::holds_alternative<tree::StackValue>(expr.node) || std::holds_alternative<tree::StackDepth>(expr.node);
}

}  // namespace dtrace::evaluator
