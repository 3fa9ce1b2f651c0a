// SPDX-License-Identifier: Apache-2.0
// Tuples: keys of associative arrays and aggregations, and the texts of D_PROTO_LEN and D_PROTO_ARG that functions
// share.
#pragma once

#include "frontend/check/check_context.h"

namespace dtrace::check {

/// How messages name what is indexed or called.
struct Callee {
  std::string_view name;     ///< "x", "self->x", "@a", "strlen"
  bool is_function = false;  ///< "( )" and "argument", else "[ ]" and "key"
};

/// How many arguments or keys are wanted: exactly `count`, or with a bound ("at least ", "at most ").
struct Expected {
  size_t count = 0;
  std::string_view bound = "";
};

/// D_PROTO_LEN.
void report_count(Context &cx, const Callee &callee, size_t passed, const Expected &expected, Span span);
/// D_PROTO_ARG; `number` counts from 1.
void report_argument(Context &cx, const Callee &callee, size_t number, std::string_view prototype,
                     const Operand &operand);

/// Types that a first use of an array or aggregation gives to its tuple. `values` also lets stack() and sym() in.
/// Errors: D_KEY_TYPE.
std::optional<std::vector<TypeId>> signature_of(Context &cx, const std::vector<Operand> &keys, bool values);

/// Keys converted to the signature, whose string types grow to hold them, and if `may_widen` its integers too.
/// Errors: D_PROTO_LEN, D_PROTO_ARG, D_KEY_TYPE.
std::optional<std::vector<const tree::Expr *>> convert_keys(Context &cx, const Callee &callee,
                                                            const std::vector<Operand> &keys,
                                                            std::vector<TypeId> &signature, Span span,
                                                            bool values = false, bool may_widen = true);

}  // namespace dtrace::check
