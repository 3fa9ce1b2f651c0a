// SPDX-License-Identifier: Apache-2.0
// Formats and their arguments. Size letters do not convert, they only restrict: %ld wants a long. Arrays of char and
// function addresses are turned into what the consumer prints: text and pointers.
#include "frontend/check/check_format.h"

#include <algorithm>

#include "frontend/check/check_computed.h"
#include "frontend/check/check_convert.h"
#include "frontend/check/check_expr.h"
#include "frontend/types/types_compat.h"

namespace dtrace::check {
namespace {

/// True if the type has that size. An undeclared variable has two: the size of its first value, and its own 64 bits.
bool is_sized_integer(const TypeTable &types, TypeId type, uint64_t size_bytes) {
  return types.is_integer(type) &&
         (types.size_bytes(type) == size_bytes || types.size_bytes(types.first_type(type)) == size_bytes);
}

bool is_sized_integer(const TypeTable &types, TypeId type, uint64_t size_bytes, bool is_signed) {
  return is_sized_integer(types, type, size_bytes) && types.is_signed(types.first_type(type)) == is_signed;
}

bool is_text(const TypeTable &types, TypeId type) { return types.is_string(type) || types.is_char_array(type); }

bool is_long_double(const TypeTable &types, TypeId type) {
  const Type &t = types.resolved(type);
  return t.kind == TypeKind::kFloat && t.size_bytes == 16;
}

bool is_address(const TypeTable &types, TypeId type) { return types.is_pointer(type) || types.is_integer(type); }

bool is_wide_text(const TypeTable &types, TypeId type) {
  return types.is_array(type) && is_sized_integer(types, types.resolved(type).target, 4);
}

bool is_symbol(const TypeTable &types, TypeId type) { return types.resolved(type).kind == TypeKind::kSymbol; }

/// What `accepts` wants and what came, as one of printf's three detail lines each.
void report_type(Context &cx, std::string_view name, size_t argument, size_t conversion, const FormatConversion &spec,
                 std::string_view type, Span span, std::string_view what = "argument") {
  cx.diags.report(Tag::D_PRINTF_ARG_TYPE, span,
                  "{}( ) {} #{} is incompatible with conversion #{} prototype:\n"
                  "\tconversion: %{}{}\n\t prototype: {}\n\t{:>10}: {}",
                  name, what, argument, conversion, spec.aggregation ? "@" : "", spec.row->name, spec.row->prototype,
                  what, type);
}

/// What reads the string at an address, which %s does not do.
void suggest_read(Context &cx, const Operand &given, std::string_view text) {
  if (is_integer(cx, given)) {
    cx.diags.advise(fmt::format(
        "a string of the program is read by copyinstr({}), one of the kernel by stringof((char *){})", text, text));
  } else if (is_pointer(cx, given)) {
    const bool is_user = space_of(cx.types, given.type) == Space::kUser;
    cx.diags.suggest(fmt::format("{}({})", is_user ? "copyinstr" : "stringof", text));
  }
}

bool is_floating(Accepts what) { return what == Accepts::kFloating || what == Accepts::kLongDouble; }

/// As accepts(); and for %s an enum, whose values have names, for %f an integer. Not under option strict.
bool accepts_named(const Context &cx, Accepts what, TypeId type) {
  if (accepts(cx.types, what, type)) return true;
  if (cx.options.flag(Opt::strict)) return false;
  if (is_floating(what) && cx.types.is_integer(type)) return true;
  return what == Accepts::kText &&
         cx.types.resolved(cx.types.complete(cx.types.first_type(type))).kind == TypeKind::kEnum;
}

/// One value for a conversion; null after an error.
const tree::Expr *check_value_argument(Context &cx, std::string_view name, const FormatConversion &spec,
                                       size_t conversion, size_t argument, const ast::Expr &expr) {
  const Operand given = check_expr(cx, expr);
  if (given.poison()) return nullptr;
  if (given.kind == Operand::Kind::kAggregation || given.kind == Operand::Kind::kAction) {
    report_type(cx, name, argument, conversion, spec, cx.describe(given), expr.span);
    if (given.kind == Operand::Kind::kAggregation) cx.diags.advise("printa() prints aggregations, with their keys");
    return nullptr;
  }
  // A string of the program's language, as stringof() has it.
  if (spec.row->accepts == Accepts::kText && !cx.options.flag(Opt::strict) && given.is_value())
    if (const std::optional<Operand> text = class_text(cx, given, given.span))
      return text->poison() ? nullptr : to_string(cx, *text);
  if (!require_static(cx, given)) return nullptr;
  if (!accepts_named(cx, spec.row->accepts, given.type)) {
    report_type(cx, name, argument, conversion, spec, cx.type_name(given.type), expr.span);
    if (spec.row->accepts == Accepts::kText) suggest_read(cx, given, cx.input.sources.text(expr.span));
    return nullptr;
  }
  return cx.types.is_char_array(given.type) ? to_string(cx, given) : settled(cx, given);
}

/// Is it computed when it is printed?
bool takes_computed(const Context &cx, const FormatConversion &spec, const ast::Expr &expr) {
  const Accepts what = spec.row->accepts;
  return (is_floating(what) || what == Accepts::kNumber) && !cx.options.flag(Opt::strict) &&
         is_floating_arithmetic(expr);
}

/// "%*.*d": the conversion whose `*` a message is about.
std::string starred(const FormatConversion &spec) {
  const std::string width = spec.width > 0 ? std::to_string(spec.width) : std::string();
  return fmt::format("%{}{}{}{}", spec.aggregation ? "@" : "", spec.dynamic_width ? "*" : width,
                     spec.dynamic_precision ? ".*" : "", spec.row->name);
}

/// The integer for a `*`.
const tree::Expr *check_dynamic(Context &cx, std::string_view name, const FormatConversion &spec, size_t conversion,
                                size_t argument, const ast::Expr &expr) {
  const Operand given = check_value(cx, expr);
  if (given.poison()) return nullptr;
  if (!is_integer(cx, given)) {
    cx.diags.report(Tag::D_PRINTF_DYN_TYPE, expr.span,
                    "{}( ) argument #{} is incompatible with conversion #{} prototype:\n"
                    "\tconversion: {}\n\t prototype: int\n\t  argument: {}",
                    name, argument, conversion, starred(spec), cx.describe(given));
    return nullptr;
  }
  return to_scalar(cx, given, cx.types.int_type());
}

bool is_histogram(Builtin function) { return row(aggregating_function(function)).shown == Shown::kHistogram; }

/// Type that `%@` checks against: what the consumer has after aggregating.
TypeId aggregate_type(Context &cx, Builtin function) {
  return function == Builtin::k_count ? cx.types.ulong_type() : cx.types.long_type();
}

}  // namespace

bool accepts(const TypeTable &types, Accepts what, TypeId type) {
  switch (what) {
    case Accepts::kInteger:
      return types.is_integer(type);
    case Accepts::kSignedChar:
      return is_sized_integer(types, type, 1, true);
    case Accepts::kUnsignedChar:
      return is_sized_integer(types, type, 1, false);
    case Accepts::kAnyChar:
      return is_sized_integer(types, type, 1);
    case Accepts::kShort:
      return is_sized_integer(types, type, 2, true);
    case Accepts::kUnsignedShort:
      return is_sized_integer(types, type, 2, false);
    case Accepts::kAnyShort:
      return is_sized_integer(types, type, 2);
    case Accepts::kLong:
    case Accepts::kLongLong:
      return is_sized_integer(types, type, 8, true);
    case Accepts::kUnsignedLong:
    case Accepts::kUnsignedLongLong:
      return is_sized_integer(types, type, 8, false);
    case Accepts::kAnyLong:
    case Accepts::kAnyLongLong:
    case Accepts::kTime:
      return is_sized_integer(types, type, 8);
    case Accepts::kSmallInteger:
      return types.is_integer(type) && types.size_bytes(types.first_type(type)) <= 4;
    case Accepts::kText:
      return is_text(types, type);
    case Accepts::kWideText:
      return is_wide_text(types, type);
    case Accepts::kWideChar:
      return is_sized_integer(types, type, 4);
    case Accepts::kPointer:
      return is_address(types, type);
    case Accepts::kKernelAddress:
      return is_address(types, type) || (is_symbol(types, type) && types.size_bytes(type) == 8);
    case Accepts::kUserAddress:
      return is_address(types, type) || (is_symbol(types, type) && types.size_bytes(type) == 16);
    case Accepts::kStack:
      return types.resolved(type).kind == TypeKind::kStack;
    case Accepts::kPort:
      return is_sized_integer(types, type, 2);
    case Accepts::kHostText:
      return types.is_string(type);
    case Accepts::kHistogram:
      return false;  // no type is one
    case Accepts::kNumber:
      return types.is_integer(type) || types.resolved(type).kind == TypeKind::kFloat;
    case Accepts::kFloating:
      return types.resolved(type).kind == TypeKind::kFloat;
    case Accepts::kLongDouble:
      return is_long_double(types, type);
  }
  return false;
}

std::optional<FormatString> check_format(Context &cx, Builtin builtin, const ast::Expr &expr) {
  const std::string_view name = row(builtin).name;
  std::optional<std::string> text;
  if (const auto *literal = std::get_if<ast::StrLit>(&expr.node)) {
    text = literal->text.substr(0, literal->text.find('\0'));
  } else {
    const Operand operand = check_expr(cx, expr);
    if (operand.poison()) return std::nullopt;
    const auto *constant = operand.is_value() ? std::get_if<tree::StrConst>(&operand.expr->node) : nullptr;
    if (constant != nullptr) text = constant->text;
  }
  if (!text) {
    cx.diags.report(Tag::D_PRINTF_ARG_FMT, expr.span, "{}( ) format must be a string constant", name);
    if (cx.input.sources.text(expr.span).starts_with('\'')) cx.diags.advise("strings have double quotes");
    return std::nullopt;
  }
  if (text->empty() && builtin == Builtin::k_freopen) return FormatString{};
  FormatError error;
  std::optional<FormatString> format = parse_format(*text, error);
  if (!format) {
    const Tag tag = error.kind == FormatErrorKind::kEmpty ? Tag::D_PRINTF_FMT_EMPTY : Tag::D_SYNTAX;
    cx.diags.report(tag, expr.span, "{}( ) {}", name, error.text());
    return format;
  }
  if (!cx.options.flag(Opt::strict)) return format;
  const auto own = std::ranges::find_if(format->conversions, &FormatConversion::is_own);
  if (own == format->conversions.end()) return format;
  cx.diags.report(Tag::D_SYNTAX, expr.span, "option strict is set: only this dtrace has conversion #{} of {}( )",
                  own - format->conversions.begin() + 1, name);
  return std::nullopt;
}

std::optional<FormatArguments> check_format_arguments(Context &cx, Builtin builtin, FormatString &format,
                                                      const std::vector<const ast::Expr *> &args, Span span) {
  const std::string_view name = row(builtin).name;
  size_t next = 1;  // args[0] is the format
  FormatArguments result;
  const auto add = [&](const tree::Expr *value) {
    result.values.push_back(value);
    result.spans.push_back(args[next]->span);
  };
  for (size_t i = 0; i < format.conversions.size(); ++i) {
    FormatConversion &spec = format.conversions[i];
    if (spec.aggregation) {
      cx.diags.report(Tag::D_PRINTF_AGG_CONV, span, "{}( ) conversion #{} (%@{}) is only for printa( )", name, i + 1,
                      spec.row->name);
      return std::nullopt;
    }
    for (unsigned star = 0; star < spec.dynamic_arguments(); ++star, ++next) {
      if (next >= args.size()) {
        cx.diags.report(Tag::D_PRINTF_DYN_PROTO, span,
                        "{}( ) prototype mismatch: no argument is left for the '*' of conversion #{} (%{})", name,
                        i + 1, spec.row->name);
        return std::nullopt;
      }
      const tree::Expr *value = check_dynamic(cx, name, spec, i + 1, next + 1, *args[next]);
      if (value == nullptr) return std::nullopt;
      add(value);
    }
    if (next >= args.size()) {
      cx.diags.report(Tag::D_PRINTF_ARG_PROTO, span,
                      "{}( ) prototype mismatch: conversion #{} (%{}) is missing a corresponding value argument", name,
                      i + 1, spec.row->name);
      return std::nullopt;
    }
    if (takes_computed(cx, spec, *args[next])) {
      std::optional<Computed> computed = check_computed(cx, *args[next]);
      if (!computed) return std::nullopt;
      spec.computed_text = cx.input.sources.text(args[next]->span);
      spec.computed = std::move(computed->steps);
      std::ranges::for_each(computed->values, add);
      ++next;
      continue;
    }
    const tree::Expr *value = check_value_argument(cx, name, spec, i + 1, next + 1, *args[next]);
    if (value == nullptr) return std::nullopt;
    add(value);
    ++next;
  }
  if (next < args.size()) {
    cx.diags.report(Tag::D_PRINTF_ARG_EXTRA, join(args[next]->span, args.back()->span),
                    "{}( ) prototype mismatch: only {} argument{} required by this format string", name, next - 1,
                    next - 1 == 1 ? "" : "s");
    return std::nullopt;
  }
  return result;
}

bool check_format_aggregation(Context &cx, const FormatString &format, const std::vector<tree::AggId> &aggregations,
                              Span span) {
  constexpr std::string_view kName = "printa";
  const auto &all = cx.session.unit.aggregations;
  const std::vector<TypeId> &keys = all[aggregations.front().value].keys;
  size_t next_key = 0, next_value = 0;
  for (size_t i = 0; i < format.conversions.size(); ++i) {
    const FormatConversion &spec = format.conversions[i];
    for (unsigned star = 0; star < spec.dynamic_arguments(); ++star, ++next_key) {
      if (next_key >= keys.size()) {
        cx.diags.report(Tag::D_PRINTF_DYN_PROTO, span,
                        "{}( ) prototype mismatch: no key is left for the '*' of conversion #{} (%{})", kName, i + 1,
                        spec.row->name);
        return false;
      }
      if (cx.types.is_integer(keys[next_key])) continue;
      cx.diags.report(Tag::D_PRINTF_DYN_TYPE, span,
                      "{}( ) key #{} is incompatible with conversion #{} prototype:\n"
                      "\tconversion: {}\n\t prototype: int\n\t       key: {}",
                      kName, next_key + 1, i + 1, starred(spec), cx.type_name(keys[next_key]));
      return false;
    }
    if (spec.aggregation) {
      // The last aggregation serves all further %@.
      const size_t which = std::min(next_value++, aggregations.size() - 1);
      const Builtin function = all[aggregations[which].value].function;
      if (spec.row->accepts == Accepts::kHistogram && is_histogram(function) && !cx.options.flag(Opt::strict)) continue;
      const TypeId type = aggregate_type(cx, function);
      if (spec.per_second && function != Builtin::k_count && function != Builtin::k_sum) {
        cx.diags.report(Tag::D_PRINTF_AGG_CONV, span,
                        "{}( ) conversion #{} (%@/{}) is a rate, which only count( ) and sum( ) have, not {}( )", kName,
                        i + 1, spec.row->name, row(function).name);
        return false;
      }
      if (is_floating(spec.row->accepts) && !is_histogram(function) && !cx.options.flag(Opt::strict)) continue;
      const bool integral = cx.types.is_integer(type) && accepts(cx.types, spec.row->accepts, type);
      // Any integer conversion prints any function's value; %@llu and %@lld differ only in words.
      if (integral || accepts(cx.types, spec.row->accepts, cx.types.long_type()) ||
          accepts(cx.types, spec.row->accepts, cx.types.ulong_type())) {
        continue;
      }
      report_type(cx, kName, which + 2, i + 1, spec, cx.type_name(type), span);  // the first is the format
      return false;
    }
    if (next_key >= keys.size()) {
      cx.diags.report(Tag::D_PRINTF_ARG_PROTO, span,
                      "{}( ) prototype mismatch: conversion #{} (%{}) is missing a corresponding key", kName, i + 1,
                      spec.row->name);
      return false;
    }
    if (!accepts_named(cx, spec.row->accepts, keys[next_key])) {
      report_type(cx, kName, next_key + 1, i + 1, spec, cx.type_name(keys[next_key]), span, "key");
      return false;
    }
    ++next_key;
  }
  return true;
}

}  // namespace dtrace::check
