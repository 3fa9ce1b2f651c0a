// SPDX-License-Identifier: Apache-2.0
// Format strings against the types of what they print: printf(), system(), freopen(), printa().
#pragma once

#include "frontend/check/check_context.h"

namespace dtrace::check {

/// The first argument of a printf-like function: a string constant, parsed.
/// Errors: D_PRINTF_ARG_FMT, D_PRINTF_FMT_EMPTY, D_SYNTAX. freopen("") is allowed: it restores the output.
std::optional<FormatString> check_format(Context &cx, Builtin builtin, const ast::Expr &expr);

/// Values for the record, and for each the argument that wants it.
struct FormatArguments {
  std::vector<const tree::Expr *> values;
  std::vector<Span> spans;
};

/// Arguments of printf(), system(), freopen() after the format. What is computed when it is printed becomes steps of
/// its conversion. Errors: D_PRINTF_ARG_PROTO, D_PRINTF_ARG_EXTRA, D_PRINTF_ARG_TYPE, D_PRINTF_DYN_*,
/// D_PRINTF_AGG_CONV.
std::optional<FormatArguments> check_format_arguments(Context &cx, Builtin builtin, FormatString &format,
                                                      const std::vector<const ast::Expr *> &args, Span span);

/// printa()'s format against the keys and values of its aggregations. Errors: as above; keys may be left unused.
bool check_format_aggregation(Context &cx, const FormatString &format, const std::vector<tree::AggId> &aggregations,
                              Span span);

/// Does a value of `type` suit a conversion?
bool accepts(const TypeTable &types, Accepts what, TypeId type);

}  // namespace dtrace::check
