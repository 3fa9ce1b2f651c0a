// SPDX-License-Identifier: Apache-2.0
// Aggregations. An aggregation is defined by its first assignment: function, parameters, key types; every later one
// must agree. Parameters of lquantize() and llquantize() are constants and belong to the definition.
#include "frontend/check/check_agg.h"

#include <limits>
#include <tuple>

#include "frontend/check/check_call.h"
#include "frontend/check/check_convert.h"
#include "frontend/check/check_expr.h"
#include "frontend/check/check_keys.h"
#include "frontend/check/check_order.h"
#include "frontend/lang/aggregating.h"

namespace dtrace::check {
namespace {

/// @a or @a[keys]; null keys: none.
struct AggTarget {
  std::string_view name;
  const std::vector<const ast::Expr *> *keys = nullptr;
  Span span;
};

/// Errors: D_AGG_MDIM.
std::optional<AggTarget> target_of(Context &cx, const ast::Expr &expr) {
  AggTarget target;
  target.span = expr.span;
  const ast::Expr *base = &expr;
  if (const auto *index = std::get_if<ast::Index>(&expr.node)) {
    target.keys = &index->keys;
    base = index->base;
  }
  const auto *ref = std::get_if<ast::AggRef>(&base->node);
  if (ref == nullptr) {
    cx.diags.report(Tag::D_AGG_MDIM, expr.span, "improper use of aggregation: it may not be subscripted twice");
    return std::nullopt;
  }
  target.name = ref->name;
  return target;
}

/// Argument `i`, which must be an integer constant; nothing after an error.
std::optional<int64_t> constant_param(Context &cx, const std::vector<const ast::Expr *> &args, size_t i, Tag tag,
                                      Builtin builtin, std::string_view what) {
  const Operand operand = check_expr(cx, *args[i]);
  if (operand.poison()) return std::nullopt;
  const std::optional<int64_t> value = narrowed_constant(cx, operand);
  if (!value) {
    cx.diags.report(tag, args[i]->span, "{}( ) argument #{} ({}) must be an integer constant", row(builtin).name, i + 1,
                    what);
  }
  return value;
}

bool fits_int32(int64_t value) {
  return value >= std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max();
}

/// lquantize(x, base, limit [, step [, incr]])
bool check_linear(Context &cx, const std::vector<const ast::Expr *> &args, LquantizeParams &params) {
  constexpr Builtin kSelf = Builtin::k_lquantize;
  constexpr int64_t kMaxLevels = std::numeric_limits<uint16_t>::max();
  const auto base = constant_param(cx, args, 1, Tag::D_LQUANT_BASETYPE, kSelf, "base");
  if (!base) return false;
  if (!fits_int32(*base)) {
    cx.diags.report(Tag::D_LQUANT_BASEVAL, args[1]->span,
                    "lquantize( ) argument #2 (base) must be a 32-bit quantity: {}", *base);
    return false;
  }
  const auto limit = constant_param(cx, args, 2, Tag::D_LQUANT_LIMTYPE, kSelf, "limit");
  if (!limit) return false;
  if (!fits_int32(*limit)) {
    cx.diags.report(Tag::D_LQUANT_LIMVAL, args[2]->span,
                    "lquantize( ) argument #3 (limit) must be a 32-bit quantity: {}", *limit);
    return false;
  }
  if (*limit < *base) {
    cx.diags.report(Tag::D_LQUANT_MISMATCH, args[2]->span,
                    "lquantize( ) base (argument #2) must be less than limit (argument #3): {}, {}", *base, *limit);
    return false;
  }
  int64_t step = 1;
  if (args.size() > 3) {
    const auto given = constant_param(cx, args, 3, Tag::D_LQUANT_STEPTYPE, kSelf, "step");
    if (!given) return false;
    if (*given <= 0) {
      cx.diags.report(Tag::D_LQUANT_STEPTYPE, args[3]->span,
                      "lquantize( ) argument #4 (step) must be a positive integer constant: {}", *given);
      return false;
    }
    step = *given;
  }
  const Span span = args[args.size() > 3 ? 3 : 2]->span;
  if (step > kMaxLevels) {
    cx.diags.report(Tag::D_LQUANT_STEPVAL, span, "lquantize( ) argument #4 (step) must be a 16-bit quantity: {}", step);
    return false;
  }
  const int64_t levels = (*limit - *base) / step;
  if (levels == 0) {
    cx.diags.report(Tag::D_LQUANT_STEPLARGE, span,
                    "lquantize( ) step (argument #4) too large: must have at least one quantization level");
    return false;
  }
  if (levels > kMaxLevels) {
    cx.diags.report(
        Tag::D_LQUANT_STEPSMALL, span,
        "lquantize( ) step (argument #4) too small: number of quantization levels must be a 16-bit quantity: {}",
        levels);
    return false;
  }
  params = {static_cast<int32_t>(*base), static_cast<int32_t>(*limit), static_cast<uint32_t>(step)};
  return true;
}

struct LogParam {
  std::string_view what;
  Tag type_tag, value_tag;
};
constexpr LogParam kLogParams[] = {
    {"factor", Tag::D_LLQUANT_FACTORTYPE, Tag::D_LLQUANT_FACTORVAL},
    {"low magnitude", Tag::D_LLQUANT_LMAGTYPE, Tag::D_LLQUANT_LMAGVAL},
    {"high magnitude", Tag::D_LLQUANT_HMAGTYPE, Tag::D_LLQUANT_HMAGVAL},
    {"number of steps", Tag::D_LLQUANT_STEPTYPE, Tag::D_LLQUANT_STEPVAL},
};

/// factor^(high + 1) fits 63 bits, as bucket bounds are signed.
bool magnitude_fits(int64_t factor, int64_t high) {
  int64_t bound = 1;
  for (int64_t i = 0; i <= high; ++i) {
    if (__builtin_mul_overflow(bound, factor, &bound)) return false;
  }
  return true;
}

/// Bucket bounds are whole numbers at each magnitude: fewer steps than the factor divide it; more are a multiple of it
/// and divide its least power that is not below them. (80 steps of factor 10 would be 12.5 apart from 100 to 1000.)
bool steps_fit(int64_t factor, int64_t steps) {
  if (steps < factor) return factor % steps == 0;
  int64_t power = factor;
  while (power < steps) power *= factor;  // both are 16-bit quantities
  return steps % factor == 0 && power % steps == 0;
}

/// llquantize(x, factor, low, high, steps [, incr])
bool check_log_linear(Context &cx, const std::vector<const ast::Expr *> &args, LlquantizeParams &params) {
  int64_t values[4];
  for (size_t i = 0; i < 4; ++i) {
    const auto value =
        constant_param(cx, args, i + 1, kLogParams[i].type_tag, Builtin::k_llquantize, kLogParams[i].what);
    if (!value) return false;
    if (*value < 0 || *value > std::numeric_limits<uint16_t>::max()) {
      cx.diags.report(kLogParams[i].value_tag, args[i + 1]->span,
                      "llquantize( ) argument #{} ({}) must be an unsigned 16-bit quantity: {}", i + 2,
                      kLogParams[i].what, *value);
      return false;
    }
    values[i] = *value;
  }
  const auto [factor, low, high, steps] = std::tie(values[0], values[1], values[2], values[3]);
  if (factor < 2) {
    cx.diags.report(Tag::D_LLQUANT_FACTORVAL, args[1]->span,
                    "llquantize( ) argument #2 (factor) must be two or more: {}", factor);
  } else if (high < low) {
    cx.diags.report(
        Tag::D_LLQUANT_HMAGVAL, args[3]->span,
        "llquantize( ) high magnitude (argument #4) must not be less than low magnitude (argument #3): {}, {}", high,
        low);
  } else if (!magnitude_fits(factor, high)) {
    cx.diags.report(Tag::D_LLQUANT_HMAGVAL, args[3]->span,
                    "llquantize( ) factor ({}) raised to the high magnitude ({}) overflows 64 bits", factor, high);
  } else if (steps < 1 || !steps_fit(factor, steps)) {
    cx.diags.report(
        Tag::D_LLQUANT_STEPVAL, args[4]->span,
        "llquantize( ) steps (argument #5) must evenly divide the factor ({0}), or be a multiple of it that "
        "evenly divides the next power of {0}: {1}",
        factor, steps);
  } else {
    params = {static_cast<uint16_t>(factor), static_cast<uint16_t>(low), static_cast<uint16_t>(high),
              static_cast<uint16_t>(steps)};
    return true;
  }
  return false;
}

std::string position_text(const Context &cx, Span span) {
  if (span.source >= cx.input.sources.size()) return {};
  const Position position = cx.input.sources.position(span);
  const bool other = cx.input.sources[span.source].kind == SourceKind::kLibrary;
  return other ? fmt::format("\"{}\", line {}", position.file, position.line) : fmt::format("line {}", position.line);
}

template <typename T>
bool check_match(Context &cx, Tag tag, std::string_view function, std::string_view what, T expected, T found,
                 Span span) {
  if (expected == found) return true;
  cx.diags.report(tag, span, "{}( ) {} does not match previous definition: expected {}, found {}", function, what,
                  expected, found);
  return false;
}

/// A later use of an aggregation against its definition.
bool check_same(Context &cx, const tree::AggregationInfo &info, Builtin function, const AggregatingParams &params,
                Span span) {
  if (info.function != function) {
    cx.diags.report(Tag::D_AGG_REDEF, span,
                    "aggregation redefined: @{}\n\t current: @{} = {}( )\n\tprevious: @{} = {}( ) : {}", info.name,
                    info.name, row(function).name, info.name, row(info.function).name,
                    position_text(cx, info.first_use));
    return false;
  }
  if (function == Builtin::k_lquantize) {
    const LquantizeParams &was = info.params.linear, &is = params.linear;
    return check_match(cx, Tag::D_LQUANT_MATCHBASE, "lquantize", "base (argument #2)", was.base, is.base, span) &&
           check_match(cx, Tag::D_LQUANT_MATCHLIM, "lquantize", "limit (argument #3)", was.limit, is.limit, span) &&
           check_match(cx, Tag::D_LQUANT_MATCHSTEP, "lquantize", "step (argument #4)", was.step, is.step, span);
  }
  if (function == Builtin::k_llquantize) {
    const LlquantizeParams &was = info.params.log_linear, &is = params.log_linear;
    return check_match(cx, Tag::D_LLQUANT_MATCHFACTOR, "llquantize", "factor (argument #2)", was.factor, is.factor,
                       span) &&
           check_match(cx, Tag::D_LLQUANT_MATCHLMAG, "llquantize", "low magnitude (argument #3)", was.low, is.low,
                       span) &&
           check_match(cx, Tag::D_LLQUANT_MATCHHMAG, "llquantize", "high magnitude (argument #4)", was.high, is.high,
                       span) &&
           check_match(cx, Tag::D_LLQUANT_MATCHSTEPS, "llquantize", "steps (argument #5)", was.steps, is.steps, span);
  }
  return true;
}

/// The value aggregated, as a 64-bit integer. Errors: D_AGG_SCALAR.
const tree::Expr *check_aggregated(Context &cx, Builtin function, const ast::Expr &expr) {
  const Operand operand = check_expr(cx, expr);
  if (operand.poison()) return nullptr;
  if (operand.is_value() && !require_static(cx, operand)) return nullptr;
  const Operand value = decayed(cx, operand);
  if (!is_scalar(cx, value)) {
    if (operand.kind == Operand::Kind::kTranslated || operand.kind == Operand::Kind::kUntypedSymbol) {
      require_static(cx, operand);
      return nullptr;
    }
    cx.diags.report(Tag::D_AGG_SCALAR, expr.span, "{}( ) argument #1 must be of scalar type, not \"{}\"",
                    row(function).name, cx.describe(operand));
    return nullptr;
  }
  return to_scalar(cx, value, cx.types.long_type());
}

const tree::Expr *check_step(Context &cx, Builtin function, const ast::Expr &expr, size_t position) {
  const Operand operand = check_expr(cx, expr);
  if (operand.poison()) return nullptr;
  if (!is_scalar(cx, operand)) {
    report_argument(cx, {row(function).name, true}, position + 1, "increment value", operand);
    return nullptr;
  }
  return to_scalar(cx, operand, cx.types.long_type());
}

/// The aggregation of a target, defined now if it is new. Errors: D_AGG_REDEF, D_*QUANT_MATCH*, D_PROTO_*, D_KEY_TYPE.
std::optional<tree::AggId> resolve_aggregation(Context &cx, const AggTarget &target, Builtin function,
                                               const AggregatingParams &params, const std::vector<Operand> &keys,
                                               std::vector<const tree::Expr *> &converted, Span span) {
  auto &all = cx.session.unit.aggregations;
  const std::string name = "@" + std::string(target.name);
  const auto known = cx.session.aggregations.find(std::string(target.name));
  if (known != cx.session.aggregations.end()) {
    tree::AggregationInfo &info = all[known->second.value];
    if (!check_same(cx, info, function, params, span)) return std::nullopt;
    auto result = convert_keys(cx, {name, false}, keys, info.keys, target.span, true);
    if (!result) return std::nullopt;
    converted = std::move(*result);
    return known->second;
  }
  std::optional<std::vector<TypeId>> signature = signature_of(cx, keys, true);
  if (!signature) return std::nullopt;
  auto result = convert_keys(cx, {name, false}, keys, *signature, target.span, true);
  if (!result) return std::nullopt;
  converted = std::move(*result);
  tree::AggregationInfo info;
  info.name = target.name;
  info.function = function;
  info.keys = std::move(*signature);
  info.key_samples = converted;
  info.params = params;
  info.first_use = span;
  const tree::AggId id{static_cast<uint32_t>(all.size())};
  all.push_back(std::move(info));
  cx.session.aggregations.emplace(target.name, id);
  return id;
}

}  // namespace

bool is_aggregation_place(const ast::Expr &expr) {
  if (std::holds_alternative<ast::AggRef>(expr.node)) return true;
  const auto *index = std::get_if<ast::Index>(&expr.node);
  return index != nullptr && is_aggregation_place(*index->base);
}

namespace {

void check_update(Context &cx, const ast::Assign &assign, const AggTarget &target, Span span,
                  std::vector<tree::Stmt> &out) {
  const auto *call = assign.op ? nullptr : std::get_if<ast::Call>(&assign.value->node);
  const auto *callee = call != nullptr ? std::get_if<ast::Ident>(&call->callee->node) : nullptr;
  const std::optional<Builtin> function = callee != nullptr ? find_builtin(callee->name) : std::nullopt;
  if (!function || row(*function).kind != BuiltinKind::kAgg) {
    if (check_expr(cx, *assign.value).poison())
      return;  // what is wrong with it is said rather than that it is no function
    cx.diags.report(Tag::D_AGG_FUNC, assign.value->span,
                    "aggregation @{} must be assigned an aggregating function: @{} = function( )", target.name,
                    target.name);
    if (assign.op == BinaryOp::kAdd)
      cx.diags.suggest(fmt::format("{} = sum({})", cx.input.sources.text(assign.target->span),
                                   cx.input.sources.text(assign.value->span)));
    return;
  }
  static const std::vector<const ast::Expr *> kNoKeys;
  const std::vector<Operand> keys = check_all(cx, target.keys != nullptr ? *target.keys : kNoKeys);
  if (!check_count(cx, *function, call->args.size(), assign.value->span)) return;

  AggregatingParams params;
  if (*function == Builtin::k_lquantize && !check_linear(cx, call->args, params.linear)) return;
  if (*function == Builtin::k_llquantize && !check_log_linear(cx, call->args, params.log_linear)) return;
  tree::AggUpdate update;
  if (!call->args.empty()) {
    update.value = check_aggregated(cx, *function, *call->args[0]);
    if (update.value == nullptr) return;
  }
  const size_t increment = row(aggregating_function(*function)).increment;
  if (increment != 0 && call->args.size() > increment) {
    update.increment = check_step(cx, *function, *call->args[increment], increment);
    if (update.increment == nullptr) return;
  }
  const auto id = resolve_aggregation(cx, target, *function, params, keys, update.keys, span);
  if (!id) return;
  for (const ast::Expr *key : target.keys != nullptr ? *target.keys : kNoKeys) update.key_spans.push_back(key->span);
  update.aggregation = *id;
  note_aggregation(cx, span);
  out.push_back({span, std::move(update)});
}

}  // namespace

void check_agg_update(Context &cx, const ast::Assign &assign, Span span, std::vector<tree::Stmt> &out) {
  const std::optional<AggTarget> target = target_of(cx, *assign.target);
  if (!target) return;
  check_update(cx, assign, *target, span, out);
  // One that would have been made is not reported as unknown later.
  if (!cx.session.aggregations.contains(std::string(target->name)))
    cx.failed_names.insert(fmt::format("@{}", target->name));
}

std::optional<tree::AggId> check_agg_argument(Context &cx, Builtin builtin, const ast::Expr &expr, size_t number,
                                              Tag not_aggregation) {
  const auto *ref = std::get_if<ast::AggRef>(&expr.node);
  if (ref == nullptr) {
    const Operand operand = check_expr(cx, expr);
    if (operand.poison()) return std::nullopt;
    cx.diags.report(not_aggregation, expr.span,
                    "{}( ) argument #{} is incompatible with prototype:\n\tprototype: aggregation\n\t argument: {}",
                    row(builtin).name, number,
                    operand.kind == Operand::Kind::kAggregation ? "aggregation element" : cx.describe(operand));
    return std::nullopt;
  }
  return find_aggregation(cx, ref->name, expr.span);
}

std::optional<tree::AggId> find_aggregation(Context &cx, std::string_view name, Span span) {
  const auto known = cx.session.aggregations.find(std::string(name));
  if (known != cx.session.aggregations.end()) return known->second;
  if (cx.has_failed(fmt::format("@{}", name))) {
    if (!cx.used_left_out.empty()) cx.awaited_aggregations.emplace_back(name);
    return std::nullopt;
  }
  cx.diags.report(Tag::D_IDENT_UNDEF, span, "failed to resolve @{}: Unknown variable name", name);
  cx.awaited_aggregations.emplace_back(name);
  return std::nullopt;
}

}  // namespace dtrace::check
