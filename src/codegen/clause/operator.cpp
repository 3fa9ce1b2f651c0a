// SPDX-License-Identifier: Apache-2.0
// Arithmetic on 64-bit values. The caller narrows the result.
#include "codegen/clause/clause.h"
#include "frontend/types/types_compat.h"

namespace dtrace::codegen {

llvm::Value *ClauseEmitter::binary(BinaryOp op, llvm::Value *lhs, llvm::Value *rhs, TypeId type) {
  const bool is_signed = computes_signed(compilation_.types, type);
  switch (op) {
    case BinaryOp::kMul:
      return b_.CreateMul(lhs, rhs);
    case BinaryOp::kDiv:
    case BinaryOp::kMod: {
      fault_if(b_.CreateICmpEQ(rhs, constant(0)), DT_FAULT_DIVZERO);
      const bool is_div = op == BinaryOp::kDiv;
      // BPF before v4 divides unsigned only; the library fixes the signs, and INT64_MIN / -1 wraps.
      if (is_signed) return library(is_div ? "dt_divide" : "dt_modulo", {lhs, rhs});
      return is_div ? b_.CreateUDiv(lhs, rhs) : b_.CreateURem(lhs, rhs);
    }
    case BinaryOp::kAdd:
      return b_.CreateAdd(lhs, rhs);
    case BinaryOp::kSub:
      return b_.CreateSub(lhs, rhs);
    case BinaryOp::kShl:
      return b_.CreateShl(lhs, b_.CreateAnd(rhs, uint64_t{63}));
    case BinaryOp::kShr: {
      llvm::Value *count = b_.CreateAnd(rhs, uint64_t{63});
      return is_signed ? b_.CreateAShr(lhs, count) : b_.CreateLShr(lhs, count);
    }
    case BinaryOp::kAnd:
      return b_.CreateAnd(lhs, rhs);
    case BinaryOp::kXor:
      return b_.CreateXor(lhs, rhs);
    case BinaryOp::kOr:
      return b_.CreateOr(lhs, rhs);
    default:
      assert(false && "not arithmetic");
      return lhs;
  }
}

namespace {

/// The constant 0 that stands for NULL in a comparison with a string.
bool is_null_constant(const tree::Expr &expr) {
  if (auto *number = std::get_if<tree::IntConst>(&expr.node)) return number->value == 0;
  if (auto *convert = std::get_if<tree::Convert>(&expr.node)) return is_null_constant(*convert->operand);
  return false;
}

}  // namespace

llvm::Value *ClauseEmitter::compare_texts(const tree::StringCompare &node) {
  const bool left_null = is_null_constant(*node.lhs), right_null = is_null_constant(*node.rhs);
  const bool equality = node.op == BinaryOp::kEq || node.op == BinaryOp::kNe;
  if (equality && (left_null || right_null)) {
    EmittedText value = text(left_null ? *node.rhs : *node.lhs);
    llvm::Value *is_null = value.is_null != nullptr ? value.is_null : llvm::ConstantInt::getFalse(object_.context());
    return node.op == BinaryOp::kEq ? is_null : b_.CreateNot(is_null);
  }
  EmittedText lhs = text(*node.lhs);
  EmittedText rhs = text(*node.rhs);
  return compare_values(node.op, lhs, rhs);
}

}  // namespace dtrace::codegen
