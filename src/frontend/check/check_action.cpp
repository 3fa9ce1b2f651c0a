// SPDX-License-Identifier: Apache-2.0
// Actions. Each has a function that says what its prototype cannot; those without one have only the prototype.
#include "frontend/check/check_action.h"

#include <algorithm>

#include "frontend/check/check_agg.h"
#include "frontend/check/check_call.h"
#include "frontend/check/check_convert.h"
#include "frontend/check/check_expr.h"
#include "frontend/check/check_format.h"
#include "frontend/check/check_keys.h"
#include "frontend/check/check_order.h"
#include "frontend/check/class_members.h"
#include "frontend/types/types_compat.h"

namespace dtrace::check {
namespace {

using Args = std::vector<const ast::Expr *>;

/// The name that the consumer takes for "restore the standard output".
constexpr std::string_view kFreopenSentinel = ".";

struct ActionInput {
  Builtin builtin;
  const Args &args;
  Span span;
  std::string_view name() const { return row(builtin).name; }
};

using Checked = std::optional<tree::Action>;

tree::Action action_of(const ActionInput &in) {
  tree::Action action;
  action.kind = in.builtin;
  return action;
}

// ---------------------------------------------------------------- trace, print, tracemem

struct ValueTags {
  Tag is_void, is_dynamic, is_aggregation;
};

/// The expression that trace() or print() records; poison after an error.
Operand recorded_value(Context &cx, const ActionInput &in, const ValueTags &tags) {
  Operand operand = check_expr(cx, *in.args[0]);
  if (operand.poison()) return {};
  // A string of the program is shown as one; a pointer to it, by print() only.
  if (in.builtin == Builtin::k_print || !is_scalar(cx, operand))
    if (const std::optional<Operand> text = class_text(cx, operand, operand.span))
      operand = text->poison() ? *text : cx.value(to_string(cx, *text));
  if (operand.poison()) return {};
  if (is_void(cx, operand)) {
    return cx.fail(tags.is_void, operand.span, "{}( ) may not be applied to a void expression", in.name());
  }
  if (operand.kind == Operand::Kind::kAggregation) {
    if (!find_aggregation(cx, operand.name, operand.span)) return {};
    return cx.fail(tags.is_aggregation, operand.span, "{}( ) may not be applied to an aggregation: use printa( )",
                   in.name());
  }
  if (operand.kind == Operand::Kind::kTranslated) {
    return cx.fail(tags.is_dynamic, operand.span, "{}( ) may not be applied to a dynamic expression: \"{}\"", in.name(),
                   cx.type_name(operand.type));
  }
  if (!require_static(cx, operand)) return {};
  if (cx.types.resolved(operand.type).kind == TypeKind::kFunction) return decayed(cx, operand);
  if (!cx.types.is_complete(operand.type)) {
    return cx.fail(Tag::D_OP_INCOMPLETE, operand.span, "{}( ) may not be applied to an incomplete type: \"{}\"",
                   in.name(), cx.type_name(operand.type));
  }
  return operand;
}

Checked check_trace(Context &cx, const ActionInput &in) {
  const Operand operand = recorded_value(cx, in, {Tag::D_TRACE_VOID, Tag::D_TRACE_DYN, Tag::D_TRACE_DYN});
  if (operand.poison()) return std::nullopt;
  tree::Action action = action_of(in);
  action.values = {settled(cx, operand)};
  return action;
}

/// A pointer prints what it points to, anything else itself.
Checked check_print(Context &cx, const ActionInput &in) {
  const Operand operand = recorded_value(cx, in, {Tag::D_PRINT_VOID, Tag::D_PRINT_DYN, Tag::D_PRINT_AGG});
  if (operand.poison()) return std::nullopt;
  tree::Action action = action_of(in);
  action.values = {settled(cx, operand)};
  action.object_type = operand.type;
  if (is_pointer(cx, operand)) {
    action.by_address = true;
    action.object_type = cx.types.complete(cx.types.resolved(operand.type).target);
  }
  action.size_bytes = cx.types.is_complete(action.object_type) ? cx.types.size_bytes(action.object_type) : 0;
  if (action.size_bytes == 0) {
    cx.diags.report(Tag::D_PRINT_SIZE, operand.span, "print( ) argument #1 reference has type '{}' with size 0",
                    cx.type_name(action.object_type));
    return std::nullopt;
  }
  return action;
}

Checked check_tracemem(Context &cx, const ActionInput &in) {
  const Operand given = check_expr(cx, *in.args[0]);
  if (given.poison() ||
      (!given.is_value() && given.kind != Operand::Kind::kAggregation && !require_static(cx, given))) {
    return std::nullopt;
  }
  const Operand address = decayed(cx, given);
  if (!is_scalar(cx, address)) {
    cx.diags.report(Tag::D_TRACEMEM_ADDR, given.span,
                    "tracemem( ) argument #1 must be a pointer or integer, not \"{}\"", cx.describe(given));
    return std::nullopt;
  }
  const Operand size = check_expr(cx, *in.args[1]);
  if (size.poison()) return std::nullopt;
  const std::optional<int64_t> bytes = narrowed_constant(cx, size);
  if (!bytes || *bytes <= 0) {
    cx.diags.report(Tag::D_TRACEMEM_SIZE, size.span,
                    "tracemem( ) argument #2 must be a non-zero positive integral constant expression");
    return std::nullopt;
  }
  tree::Action action = action_of(in);
  action.values = {settled(cx, address)};
  action.size_bytes = static_cast<uint64_t>(*bytes);
  if (in.args.size() > 2) {
    const Operand dynamic = check_expr(cx, *in.args[2]);
    if (dynamic.poison()) return std::nullopt;
    if (!is_scalar(cx, dynamic)) {
      cx.diags.report(Tag::D_TRACEMEM_DYNSIZE, dynamic.span,
                      "tracemem( ) argument #3 must be of scalar type, not \"{}\"", cx.describe(dynamic));
      return std::nullopt;
    }
    action.values.push_back(settled(cx, dynamic));
  }
  return action;
}

// ---------------------------------------------------------------- formats

Checked check_printf(Context &cx, const ActionInput &in) {
  std::optional<FormatString> format = check_format(cx, in.builtin, *in.args[0]);
  if (!format) return std::nullopt;
  std::optional<FormatArguments> arguments = check_format_arguments(cx, in.builtin, *format, in.args, in.span);
  if (!arguments) return std::nullopt;
  tree::Action action = action_of(in);
  action.values = std::move(arguments->values);
  action.value_spans = std::move(arguments->spans);
  action.format = std::move(*format);
  return action;
}

Checked check_freopen(Context &cx, const ActionInput &in) {
  Checked action = check_printf(cx, in);
  if (!action) return std::nullopt;
  if (action->format->conversions.empty() && action->format->tail == kFreopenSentinel) {
    cx.diags.report(Tag::D_FREOPEN_INVALID, in.args[0]->span, "freopen( ) argument #1 cannot be \"{}\"",
                    kFreopenSentinel);
    return std::nullopt;
  }
  return action;
}

/// All aggregations of one printa() have the same keys.
bool check_joined(Context &cx, const std::vector<tree::AggId> &aggregations, Span span) {
  const auto &all = cx.session.unit.aggregations;
  const tree::AggregationInfo &first = all[aggregations.front().value];
  for (const tree::AggId id : aggregations) {
    const tree::AggregationInfo &other = all[id.value];
    if (other.keys.size() != first.keys.size()) {
      cx.diags.report(Tag::D_PRINTA_AGGKEY, span, "printa( ) @{} and @{} have different numbers of keys: {}, {}",
                      first.name, other.name, first.keys.size(), other.keys.size());
      return false;
    }
    for (size_t i = 0; i < first.keys.size(); ++i) {
      const bool text = cx.types.is_string(first.keys[i]) && cx.types.is_string(other.keys[i]);
      if (text || can_pass(cx.types, first.keys[i], other.keys[i])) continue;
      cx.diags.report(Tag::D_PRINTA_AGGPROTO, span,
                      "printa( ) @{}[ ] key #{} is incompatible with @{}:\n\tprototype: {}\n\t argument: {}",
                      other.name, i + 1, first.name, cx.type_name(first.keys[i]), cx.type_name(other.keys[i]));
      return false;
    }
  }
  return true;
}

/// "-value2" behind the aggregations. Errors: D_PRINTA_ORDER.
bool check_order(Context &cx, const std::string &text, tree::Action &action, Span span) {
  action.order = parse_print_order(text);
  if (!action.order) {
    cx.diags.report(Tag::D_PRINTA_ORDER, span,
                    "printa( ) order is \"value\" or \"key\", with a number where there are several and - in front "
                    "for the greatest first, not \"{}\"",
                    text);
    return false;
  }
  const size_t keys = cx.session.unit.aggregations[action.aggregations.front().value].keys.size();
  const size_t count = action.order->by_key ? keys : action.aggregations.size();
  if (action.order->position < count) return true;
  cx.diags.report(Tag::D_PRINTA_ORDER, span, "printa( ) order \"{}\" needs {} {}{}, and there {} {}", text,
                  action.order->position + 1, action.order->by_key ? "key" : "aggregation",
                  action.order->position == 0 ? "" : "s", count == 1 ? "is" : "are", count);
  return false;
}

/// How many entries printa() prints, and in which order: what follows the aggregations. Errors: D_SYNTAX (option
/// strict), D_PRINTA_AGGARG, D_PRINTA_PROTO, D_PRINTA_ORDER.
bool check_selection(Context &cx, const ActionInput &in, size_t next, tree::Action &action) {
  if (next < in.args.size() && cx.options.flag(Opt::strict)) {
    cx.diags.report(Tag::D_SYNTAX, in.args[next]->span,
                    "option strict is set: only this dtrace has a printa( ) with a number of entries or an order");
    return false;
  }
  if (next < in.args.size() && !std::holds_alternative<ast::StrLit>(in.args[next]->node)) {
    const Operand limit = check_value(cx, *in.args[next]);
    if (limit.poison()) return false;
    if (!is_integer(cx, limit)) {
      cx.diags.report(Tag::D_PRINTA_AGGARG, limit.span,
                      "printa( ) argument #{} must be an aggregation or the number of entries, not \"{}\"", next + 1,
                      cx.describe(limit));
      return false;
    }
    action.values = {to_scalar(cx, limit, cx.types.long_type())};
    ++next;
  }
  if (next < in.args.size()) {
    const auto *order = std::get_if<ast::StrLit>(&in.args[next]->node);
    if (order != nullptr && !check_order(cx, order->text, action, in.args[next]->span)) return false;
    next += order != nullptr ? 1 : 0;
  }
  if (next == in.args.size()) return true;
  cx.diags.report(Tag::D_PRINTA_PROTO, in.args[next]->span,
                  "printa( ) takes a format, aggregations, the number of entries and their order, and nothing else");
  return false;
}

/// @a, and @a[keys], which is refused as such.
bool is_agg_expression(const ast::Expr &expr) {
  const auto *index = std::get_if<ast::Index>(&expr.node);
  return std::holds_alternative<ast::AggRef>((index != nullptr ? *index->base : expr).node);
}

Checked check_printa(Context &cx, const ActionInput &in) {
  if (in.args.empty()) {  // the prototype cannot say that something must be there
    report_count(cx, {in.name(), true}, 0, {1, "at least "}, in.span);
    return std::nullopt;
  }
  tree::Action action = action_of(in);
  size_t first = 0;
  if (std::holds_alternative<ast::StrLit>(in.args[0]->node)) {
    action.format = check_format(cx, in.builtin, *in.args[0]);
    if (!action.format) return std::nullopt;
    first = 1;
  }
  if (first == in.args.size()) {
    cx.diags.report(Tag::D_PRINTA_PROTO, in.span, "printa( ) requires at least one aggregation argument");
    return std::nullopt;
  }
  size_t next = first;
  for (; next < in.args.size(); ++next) {
    if (next > first && !is_agg_expression(*in.args[next])) break;
    const auto id = check_agg_argument(cx, in.builtin, *in.args[next], next + 1, Tag::D_PRINTA_AGGARG);
    if (!id) return std::nullopt;
    action.aggregations.push_back(*id);
  }
  if (!check_selection(cx, in, next, action)) return std::nullopt;
  if (!check_joined(cx, action.aggregations, in.span)) return std::nullopt;
  if (action.format && !check_format_aggregation(cx, *action.format, action.aggregations, in.span)) return std::nullopt;
  return action;
}

// ---------------------------------------------------------------- aggregations

struct AggregationTags {
  Builtin builtin;
  Tag not_aggregation;
};
constexpr AggregationTags kAggregationTags[] = {
    {Builtin::k_clear, Tag::D_CLEAR_AGGARG},
    {Builtin::k_trunc, Tag::D_TRUNC_AGGARG},
    {Builtin::k_normalize, Tag::D_NORMALIZE_AGGARG},
    {Builtin::k_denormalize, Tag::D_NORMALIZE_AGGARG},
};

/// clear(@a), trunc(@a [, n]), normalize(@a, f), denormalize(@a)
Checked check_aggregation(Context &cx, const ActionInput &in) {
  const auto *tags = std::find_if(std::begin(kAggregationTags), std::end(kAggregationTags),
                                  [&](const AggregationTags &t) { return t.builtin == in.builtin; });
  const auto id = check_agg_argument(cx, in.builtin, *in.args[0], 1, tags->not_aggregation);
  if (!id) return std::nullopt;
  tree::Action action = action_of(in);
  action.aggregations = {*id};
  if (in.args.size() == 1) return action;
  const Operand number = check_expr(cx, *in.args[1]);
  if (number.poison()) return std::nullopt;
  if (!is_scalar(cx, number)) {
    report_argument(cx, {in.name(), true}, 2, "scalar", number);
    return std::nullopt;
  }
  if (in.builtin == Builtin::k_normalize && narrowed_constant(cx, number) == 0) {
    cx.diags.report(Tag::D_NORMALIZE_ZERO, number.span, "normalize( ) factor may not be zero");
    return std::nullopt;
  }
  action.values = {to_scalar(cx, number, cx.types.long_type())};
  return action;
}

// ---------------------------------------------------------------- the rest

/// stack(), sym(), ... as statements.
Checked check_recorded_call(Context &cx, const ActionInput &in) {
  const Operand value = check_value_call(cx, in.builtin, in.args, in.span);
  if (value.poison()) return std::nullopt;
  tree::Action action = action_of(in);
  action.values = {value.expr};
  return action;
}

Checked check_ordinary(Context &cx, const ActionInput &in) {
  auto values = check_arguments(cx, in.builtin, in.args, in.span);
  if (!values) return std::nullopt;
  tree::Action action = action_of(in);
  action.values = std::move(*values);
  return action;
}

using CheckFn = Checked (*)(Context &, const ActionInput &);
struct ActionRow {
  Builtin builtin;
  CheckFn check;
};
constexpr ActionRow kActions[] = {
    {Builtin::k_trace, check_trace},
    {Builtin::k_print, check_print},
    {Builtin::k_tracemem, check_tracemem},
    {Builtin::k_printf, check_printf},
    {Builtin::k_system, check_printf},
    {Builtin::k_freopen, check_freopen},
    {Builtin::k_printa, check_printa},
    {Builtin::k_clear, check_aggregation},
    {Builtin::k_trunc, check_aggregation},
    {Builtin::k_normalize, check_aggregation},
    {Builtin::k_denormalize, check_aggregation},
};

CheckFn check_of(Builtin builtin) {
  for (const ActionRow &r : kActions) {
    if (r.builtin == builtin) return r.check;
  }
  return row(builtin).kind == BuiltinKind::kValue ? check_recorded_call : check_ordinary;
}

}  // namespace

void check_action(Context &cx, Builtin builtin, const ast::Call &call, Span span, std::vector<tree::Stmt> &out) {
  cx.note(kStableAttributes, row(builtin).name, span);
  if (!check_count(cx, builtin, call.args.size(), span)) return;
  const CheckFn check = check_of(builtin);
  Checked action = check(cx, {builtin, call.args, span});
  if (!action) return;
  if (!action->format && action->aggregations.empty())  // else the values are not the first arguments
    for (size_t i = 0; i < std::min(action->values.size(), call.args.size()); ++i)
      action->value_spans.push_back(call.args[i]->span);
  note_effect(cx, builtin, span);
  out.push_back({span, std::move(*action)});
}

}  // namespace dtrace::check
