// SPDX-License-Identifier: Apache-2.0
// Strings.
#include <algorithm>

#include "evaluator/call.h"
#include "evaluator/evaluator.h"
#include "frontend/check/fold.h"

namespace dtrace::evaluator {

std::string Evaluator::fitted(std::string text, uint64_t size_bytes) {
  if (text.size() < size_bytes) return text;
  if (size_bytes == parts_.types.strsize()) parts_.lose(Cause::kStringCut);
  text.resize(size_bytes - 1);
  return text;
}

MaybeText Evaluator::text(const tree::Expr &expr) {
  if (const auto *literal = std::get_if<tree::StrConst>(&expr.node)) return literal->text;
  if (std::holds_alternative<tree::IntConst>(expr.node)) return std::nullopt;
  if (reads_firing(expr) || is_told(expr)) return parts_.leaves.text(expr);
  if (const auto *call = std::get_if<tree::Call>(&expr.node)) return Call(*this, *call, expr).text();
  if (const auto *assignment = std::get_if<tree::Assign>(&expr.node)) return assign_text(*assignment, expr.type);
  if (const auto *comma = std::get_if<tree::Comma>(&expr.node)) {
    evaluate(*comma->lhs);
    return text(*comma->rhs);
  }
  if (const auto *choice = std::get_if<tree::Conditional>(&expr.node)) {
    MaybeText chosen = text(condition(*choice->condition) ? *choice->then_value : *choice->else_value);
    const uint64_t size_bytes = parts_.types.size_bytes(expr.type);
    if (chosen && chosen->size() >= size_bytes) chosen->resize(size_bytes - 1);
    return chosen;
  }
  if (const auto *convert = std::get_if<tree::Convert>(&expr.node)) return converted_text(*convert, expr.type);
  return load_text(place(expr), expr.type);
}

std::string Evaluator::certain_text(const tree::Expr &expr) {
  MaybeText value = text(expr);
  if (!value) throw Fault{DT_FAULT_BADADDR};
  return *std::move(value);
}

MaybeText Evaluator::converted_text(const tree::Convert &node, TypeId type) {
  const tree::Expr &operand = *node.operand;
  const TypeTable &types = parts_.types;
  if (types.is_string(operand.type) || node.kind != tree::ConvertKind::kToString) return text(operand);
  const uint64_t size_bytes = types.size_bytes(type);
  if (types.is_array(operand.type)) {
    const std::vector<std::byte> array = bytes(operand);
    std::string value(reinterpret_cast<const char *>(array.data()), array.size());
    value.resize(std::min(value.find('\0'), value.size()));
    return size_bytes <= array.size() ? fitted(std::move(value), size_bytes) : value;
  }
  if (const auto *zero = std::get_if<tree::IntConst>(&operand.node); zero != nullptr && zero->value == 0)
    return std::nullopt;
  const uint64_t address = number(operand);
  if (parts_.memory.has(address)) return fitted(std::string(parts_.memory.text_at(address, size_bytes)), size_bytes);
  return fitted(parts_.leaves.read_text(space_of(operand.type), address, size_bytes), size_bytes);
}

uint64_t Evaluator::text_address(const tree::Expr &expr) {
  if (const auto *literal = std::get_if<tree::StrConst>(&expr.node))
    return parts_.memory.address_of_literal(literal->text);
  const MaybeText value = text(expr);
  if (!value) return 0;
  const std::span<const std::byte> with_nul = std::as_bytes(std::span(value->c_str(), value->size() + 1));
  return parts_.memory.address_of_value({with_nul.begin(), with_nul.end()});
}

/// A string's character; behind its end there are zeros.
uint64_t Evaluator::character(const tree::Element &node) {
  const MaybeText value = text(*node.base);
  const uint64_t index = number(*node.index);
  if (!value) throw Fault{DT_FAULT_BADADDR, index};
  if (!std::holds_alternative<tree::IntConst>(node.index->node) && index >= node.count)
    throw Fault{DT_FAULT_BADINDEX, index};
  return index < value->size() ? normalised(static_cast<unsigned char>((*value)[index]), parts_.types.char_type()) : 0;
}

namespace {

/// The constant 0 that stands for NULL in a comparison with a string.
bool is_null_constant(const tree::Expr &expr) {
  if (const auto *constant = std::get_if<tree::IntConst>(&expr.node)) return constant->value == 0;
  const auto *convert = std::get_if<tree::Convert>(&expr.node);
  return convert != nullptr && is_null_constant(*convert->operand);
}

}  // namespace

bool Evaluator::compare_texts(const tree::StringCompare &node) {
  const bool left_null = is_null_constant(*node.lhs);
  if ((node.op == BinaryOp::kEq || node.op == BinaryOp::kNe) && (left_null || is_null_constant(*node.rhs))) {
    const bool is_null = !text(left_null ? *node.rhs : *node.lhs);
    return is_null == (node.op == BinaryOp::kEq);
  }
  // Where both are strings, NULL is as good as "".
  const MaybeText lhs = text(*node.lhs), rhs = text(*node.rhs);
  const int order = lhs.value_or("").compare(rhs.value_or(""));
  return fold(node.op, static_cast<uint64_t>(int64_t{order}), 0, true).value_or(0) != 0;
}

}  // namespace dtrace::evaluator
