// SPDX-License-Identifier: Apache-2.0
// Tuples. Char arrays become strings, so that equal texts are equal keys whatever follows their NUL.
#include "frontend/check/check_keys.h"

#include "frontend/check/check_convert.h"
#include "frontend/check/fold.h"
#include "frontend/types/types_compat.h"

namespace dtrace::check {
namespace {

bool is_symbol(const Operand &operand) {
  return operand.is_value() && std::holds_alternative<tree::SymbolValue>(operand.expr->node);
}

/// Errors: D_KEY_TYPE; D_CG_EXPR for sym() and its like where they are not allowed.
bool is_key(Context &cx, const Operand &key, size_t number, bool values) {
  if (key.poison()) return false;
  if (is_symbol(key)) return values || require_static(cx, key);
  const bool dynamic = !key.is_value() && key.kind != Operand::Kind::kUntypedSymbol;
  if (dynamic || is_void(cx, key)) {
    cx.diags.report(Tag::D_KEY_TYPE, key.span, "expression of type \"{}\" may not be used as key #{}", cx.describe(key),
                    number);
    return false;
  }
  if (!require_static(cx, key)) return false;
  if (!cx.types.is_complete(decayed(cx, key).type)) {
    cx.diags.report(Tag::D_KEY_TYPE, key.span, "expression of incomplete type \"{}\" may not be used as key #{}",
                    cx.describe(key), number);
    return false;
  }
  return true;
}

bool is_narrow_constant(const Context &cx, const Operand &key, TypeId signature) {
  const std::optional<int64_t> value = narrowed_constant(cx, key);
  const Type &type = cx.types.resolved(signature);
  return value &&
         narrow(static_cast<uint64_t>(*value), type.size_bytes, type.is_signed) == static_cast<uint64_t>(*value);
}

/// Would the key lose bits in a tuple of an undeclared array?
bool is_wider(const Context &cx, const Operand &key, TypeId signature) {
  return is_integer(cx, key) && cx.types.is_integer(signature) &&
         cx.types.size_bytes(key.type) > cx.types.size_bytes(signature) && !is_narrow_constant(cx, key, signature);
}

TypeId key_type(Context &cx, const Operand &key) {
  if (cx.types.is_char_array(key.type)) return to_string(cx, key)->type;
  if (cx.types.resolved(key.type).kind == TypeKind::kFunction) return decayed(cx, key).type;
  return unqualified(cx.types, key.type);
}

}  // namespace

void report_count(Context &cx, const Callee &callee, size_t passed, const Expected &expected, Span span) {
  const std::string_view what = callee.is_function ? "arg" : "key";
  cx.diags.report(Tag::D_PROTO_LEN, span, "{}{} prototype mismatch: {} {}{} passed, {}{} expected", callee.name,
                  callee.is_function ? "( )" : "[ ]", passed, what, passed == 1 ? "" : "s", expected.bound,
                  expected.count);
}

void report_argument(Context &cx, const Callee &callee, size_t number, std::string_view prototype,
                     const Operand &operand) {
  cx.diags.report(Tag::D_PROTO_ARG, operand.span,
                  "{}{} {} #{} is incompatible with prototype:\n\tprototype: {}\n\t argument: {}", callee.name,
                  callee.is_function ? "( )" : "[ ]", callee.is_function ? "argument" : "key", number, prototype,
                  cx.describe(operand));
}

std::optional<std::vector<TypeId>> signature_of(Context &cx, const std::vector<Operand> &keys, bool values) {
  std::vector<TypeId> signature;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (!is_key(cx, keys[i], i + 1, values)) return std::nullopt;
    signature.push_back(key_type(cx, keys[i]));
  }
  return signature;
}

std::optional<std::vector<const tree::Expr *>> convert_keys(Context &cx, const Callee &callee,
                                                            const std::vector<Operand> &keys,
                                                            std::vector<TypeId> &signature, Span span, bool values,
                                                            bool may_widen) {
  if (keys.size() != signature.size()) {
    for (const Operand &key : keys) {
      if (key.poison()) return std::nullopt;
    }
    report_count(cx, callee, keys.size(), {signature.size()}, span);
    return std::nullopt;
  }
  std::vector<const tree::Expr *> result;
  for (size_t i = 0; i < keys.size(); ++i) {
    const Operand &key = keys[i];
    if (!is_key(cx, key, i + 1, values)) return std::nullopt;
    if (!passes(cx, key, signature[i])) {
      report_argument(cx, callee, i + 1, cx.type_name(signature[i]), key);
      return std::nullopt;
    }
    if (may_widen && is_wider(cx, key, signature[i])) signature[i] = cx.types.held(signature[i]);
    const tree::Expr *converted = convert(cx, key, signature[i]);
    if (cx.types.is_string(signature[i]) && cx.types.size_bytes(converted->type) > cx.types.size_bytes(signature[i])) {
      signature[i] = converted->type;
    }
    result.push_back(converted);
  }
  return result;
}

}  // namespace dtrace::check
