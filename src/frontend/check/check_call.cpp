// SPDX-License-Identifier: Apache-2.0
// Calls. String parameters receive strings: a char pointer or array is read before the call, so that subroutines know
// one kind of text. Other pointers keep their own space.
#include "frontend/check/check_call.h"

#include <algorithm>

#include "frontend/check/check_convert.h"
#include "frontend/check/check_expr.h"
#include "frontend/check/check_keys.h"
#include "frontend/check/check_names.h"
#include "frontend/check/check_order.h"
#include "frontend/check/check_stack.h"
#include "frontend/check/check_unsupported.h"
#include "frontend/text/hints.h"
#include "frontend/types/types_compat.h"

namespace dtrace::check {
namespace {

using Kind = PrototypeParam::Kind;

bool is_text_param(const Context &cx, const PrototypeParam &param) {
  return param.kind == Kind::kTyped && (cx.types.is_char_pointer(param.type) || cx.types.is_string(param.type));
}

/// A pointer argument may point into any space: the subroutine reads where it points.
bool fits_any_space(Context &cx, const Operand &operand, TypeId to) {
  if (!operand.is_value() || !cx.types.is_pointer(to)) return false;
  if (passes(cx, operand, to)) return true;
  const Operand pointer = decayed(cx, operand);
  if (!is_pointer(cx, pointer)) return false;
  return pointers_fit(cx.types, with_space(cx.types, to, space_of(cx.types, pointer.type)), pointer.type) ==
         PointerFit::kFits;
}

/// Where an address in the program is wanted as a number, what points there will do.
bool is_user_address(Context &cx, const PrototypeParam &param, const Operand &operand) {
  return operand.is_value() && param.text == "uintptr_t" && is_pointer(cx, operand) &&
         space_of(cx.types, operand.type) == Space::kUser;
}

/// One argument for one parameter; null after an error.
const tree::Expr *check_argument(Context &cx, Builtin builtin, const PrototypeParam &param, size_t number,
                                 const Operand &operand) {
  const Callee callee{row(builtin).name, true};
  if (operand.poison()) return nullptr;
  if (operand.kind == Operand::Kind::kTranslated || operand.kind == Operand::Kind::kUntypedSymbol) {
    require_static(cx, operand);
    return nullptr;
  }
  if (param.kind != Kind::kTyped) {
    if (operand.is_value()) return require_static(cx, operand) ? settled(cx, operand) : nullptr;
    report_argument(cx, callee, number, param.text, operand);
    return nullptr;
  }
  const bool is_text = is_text_param(cx, param);
  const bool fits = passes(cx, operand, is_text ? cx.types.string_type() : param.type) ||
                    (!is_text && fits_any_space(cx, operand, param.type)) || is_user_address(cx, param, operand) ||
                    (is_text && operand.is_value() && cx.types.is_string_like(operand.type));
  if (!fits) {
    report_argument(cx, callee, number, param.text, operand);
    return nullptr;
  }
  if (!require_static(cx, operand)) return nullptr;
  return is_text ? to_string(cx, operand) : convert(cx, operand, param.type);
}

/// Bytes that a subroutine's string result needs at most, its NUL included; 0 if nothing is known.
uint64_t result_bytes(Context &cx, Builtin builtin, const std::vector<const tree::Expr *> &args) {
  constexpr uint64_t kIpv4Bytes = 16, kIpv6Bytes = 46, kDecimalBytes = 21;
  auto bytes = [&](size_t i) { return cx.types.size_bytes(args[i]->type); };
  switch (builtin) {
    case Builtin::k_inet_ntoa:
      return kIpv4Bytes;
    case Builtin::k_inet_ntoa6:
    case Builtin::k_inet_ntop:
      return kIpv6Bytes;
    case Builtin::k_lltostr:
      return args.size() == 1 ? kDecimalBytes : 0;
    case Builtin::k_copyinstr: {
      const auto *most = args.size() == 2 ? std::get_if<tree::IntConst>(&args[1]->node) : nullptr;
      return most != nullptr && most->value < cx.types.strsize() ? most->value + 1 : 0;
    }
    case Builtin::k_memstr: {
      const auto *size = std::get_if<tree::IntConst>(&args[2]->node);
      return size != nullptr && size->value < cx.types.strsize() ? std::max<uint64_t>(size->value, 1) : 0;
    }
    case Builtin::k_strjoin:
      return bytes(0) + bytes(1) - 1;
    case Builtin::k_basename:
    case Builtin::k_dirname:
      return std::max<uint64_t>(bytes(0), 2);  // "" gives "."
    case Builtin::k_strchr:
    case Builtin::k_strrchr:
    case Builtin::k_strstr:
    case Builtin::k_substr:
    case Builtin::k_tolower:
    case Builtin::k_toupper:
      return bytes(0);
    default:
      return 0;
  }
}

TypeId result_type(Context &cx, Builtin builtin, const std::vector<const tree::Expr *> &args) {
  const TypeId type = prototype_of(cx, builtin).result;
  if (cx.types.is_string(type)) {
    const uint64_t bytes = result_bytes(cx, builtin, args);
    return bytes == 0 ? type : string_type(cx.types, bytes);
  }
  const bool in_scratch = row(builtin).effect == BuiltinEffect::kScratch;
  return in_scratch ? with_space(cx.types, type, Space::kScratch) : type;
}

/// Whether the arguments of an action or aggregating function fit its prototype, where it may not be called at all:
/// what is wrong in them is the likelier mistake.
bool fits_prototype(Context &cx, Builtin builtin, const std::vector<const ast::Expr *> &args, Span span) {
  if (!check_count(cx, builtin, args.size(), span)) return false;
  const Prototype &prototype = prototype_of(cx, builtin);
  for (size_t i = 0; i < args.size(); ++i) {
    const Operand operand = check_expr(cx, *args[i]);
    if (operand.poison()) return false;
    const bool is_typed = i < prototype.params.size() && prototype.params[i].kind == Kind::kTyped;
    if (is_typed && check_argument(cx, builtin, prototype.params[i], i + 1, operand) == nullptr) return false;
  }
  return true;
}

/// What an address is plainly the address of, if that is neither alloca()ed nor a D variable; else empty. Where other
/// addresses lead is seen when they are written to.
std::string_view plain_foreign_memory(const tree::Expr *address) {
  if (const auto *convert = std::get_if<tree::Convert>(&address->node)) {
    if (convert->kind == tree::ConvertKind::kStringAddress) return "a string";
    const bool is_address = convert->kind == tree::ConvertKind::kInteger || convert->kind == tree::ConvertKind::kDecay;
    return is_address ? plain_foreign_memory(convert->operand) : std::string_view();
  }
  if (const auto *sum = std::get_if<tree::Binary>(&address->node)) return plain_foreign_memory(sum->lhs);
  if (const auto *of = std::get_if<tree::AddressOf>(&address->node)) return plain_foreign_memory(of->place);
  if (const auto *member = std::get_if<tree::Member>(&address->node)) return plain_foreign_memory(member->base);
  if (const auto *element = std::get_if<tree::Element>(&address->node)) return plain_foreign_memory(element->base);
  return std::holds_alternative<tree::SymbolRef>(address->node) ? "a variable of the kernel" : "";
}

/// Which argument of a subroutine is the address that it writes to, from 0.
std::optional<size_t> destination_of(Builtin builtin) {
  if (builtin == Builtin::k_bcopy) return 1;
  if (builtin == Builtin::k_copyinto) return 2;
  return std::nullopt;
}

bool check_destination(Context &cx, Builtin builtin, const std::vector<const tree::Expr *> &args) {
  const std::optional<size_t> number = destination_of(builtin);
  if (!number) return true;
  const std::string_view memory = plain_foreign_memory(args[*number]);
  if (memory.empty()) return true;
  cx.diags.report(Tag::D_PROTO_ARG, args[*number]->span,
                  "{}( ) argument #{} is the address of {}: only memory of alloca( ) can be written to",
                  row(builtin).name, *number + 1, memory);
  return false;
}

Operand check_subroutine(Context &cx, Builtin builtin, const std::vector<const ast::Expr *> &args, Span span) {
  std::optional<std::vector<const tree::Expr *>> converted = check_arguments(cx, builtin, args, span);
  if (!converted) return {};
  if (builtin == Builtin::k_alloca) {
    const auto *size = std::get_if<tree::IntConst>(&converted->front()->node);
    const uint64_t most = static_cast<uint64_t>(cx.options.number(Opt::scratchsize));
    if (size != nullptr && size->value > most) {
      return cx.fail(Tag::D_ALLOCA_SIZE, span, "alloca( ) size {} is larger than scratchsize {}", size->value, most);
    }
  }
  if (!check_destination(cx, builtin, *converted)) return {};
  const BuiltinEffect effect = row(builtin).effect;
  if (effect == BuiltinEffect::kDestructive) note_effect(cx, builtin, span);
  const TypeId type = result_type(cx, builtin, *converted);
  return cx.value(type, span, tree::Call{builtin, std::move(*converted)});
}

}  // namespace

const Prototype &prototype_of(Context &cx, Builtin builtin) {
  const auto known = cx.session.prototypes.find(builtin);
  if (known != cx.session.prototypes.end()) return known->second;
  return cx.session.prototypes.emplace(builtin, parse_prototype(row(builtin), cx.types)).first->second;
}

bool check_count(Context &cx, Builtin builtin, size_t passed, Span span) {
  const Prototype &prototype = prototype_of(cx, builtin);
  const size_t required = prototype.required();
  if (passed >= required && (prototype.variadic || passed <= prototype.params.size())) return true;
  const size_t most = prototype.params.size();
  const Expected expected = passed > most
                                ? Expected{most, required != most ? "at most " : ""}
                                : Expected{required, prototype.variadic || required != most ? "at least " : ""};
  report_count(cx, {row(builtin).name, true}, passed, expected, span);
  return false;
}

std::optional<std::vector<const tree::Expr *>> check_arguments(Context &cx, Builtin builtin,
                                                               const std::vector<const ast::Expr *> &args, Span span) {
  if (!check_count(cx, builtin, args.size(), span)) return std::nullopt;
  const Prototype &prototype = prototype_of(cx, builtin);
  std::vector<const tree::Expr *> result;
  for (size_t i = 0; i < args.size(); ++i) {
    const Operand operand = check_expr(cx, *args[i]);
    const tree::Expr *converted = check_argument(cx, builtin, prototype.params[i], i + 1, operand);
    if (converted == nullptr) return std::nullopt;
    result.push_back(converted);
  }
  return result;
}

bool joins(const Context &cx, const Operand &lhs, const Operand &rhs) {
  return !cx.options.flag(Opt::strict) && lhs.is_value() && rhs.is_value() && cx.types.is_string_like(lhs.type) &&
         cx.types.is_string_like(rhs.type) && (cx.types.is_string(lhs.type) || cx.types.is_string(rhs.type));
}

Operand join(Context &cx, const Operand &lhs, const Operand &rhs, Span span) {
  std::vector<const tree::Expr *> texts{to_string(cx, lhs), to_string(cx, rhs)};
  const TypeId type = result_type(cx, Builtin::k_strjoin, texts);
  return cx.value(type, span, tree::Call{Builtin::k_strjoin, std::move(texts)});
}

Operand check_value_call(Context &cx, Builtin builtin, const std::vector<const ast::Expr *> &args, Span span) {
  const bool is_stack = builtin == Builtin::k_stack || builtin == Builtin::k_ustack || builtin == Builtin::k_jstack;
  if (is_stack) return check_count(cx, builtin, args.size(), span) ? check_stack(cx, builtin, args, span) : Operand{};
  const std::optional<std::vector<const tree::Expr *>> converted = check_arguments(cx, builtin, args, span);
  if (!converted) return {};
  return cx.value(prototype_of(cx, builtin).result, span, tree::SymbolValue{builtin, converted->front()});
}

std::optional<Builtin> resolve_function(Context &cx, const ast::Call &call, Span span) {
  const ast::Expr &callee = *call.callee;
  const auto *ident = std::get_if<ast::Ident>(&callee.node);
  if (ident == nullptr) {
    cx.diags.report(Tag::D_FUNC_IDENT, callee.span, "function designator is not of function type");
    return std::nullopt;
  }
  const std::optional<Builtin> builtin = find_builtin(ident->name);
  if (builtin) {
    if (row(*builtin).effect != BuiltinEffect::kUnsupported) return builtin;
    check_unsupported(cx, *builtin, call, span);
    return std::nullopt;
  }
  const bool is_symbol = ident->name.find('`') != std::string_view::npos;
  const bool is_name = is_symbol || find_binding(cx, ident->name) != nullptr ||
                       find_builtin_variable(cx, ident->name) || find_global(cx, ident->name) != nullptr;
  if (is_name) {
    cx.diags.report(Tag::D_FUNC_IDKIND, callee.span, "{} '{}' may not be referenced as a function",
                    is_symbol ? "symbol" : "variable", ident->name);
  } else {
    cx.diags.report(Tag::D_FUNC_UNDEF, callee.span, "undefined function name: {}", ident->name);
    if (!cx.diags.shows_last()) return std::nullopt;
    std::vector<std::string_view> names;
#define BUILTIN(name, kind, prototype, effect) names.emplace_back(#name);
#include "frontend/lang/builtins.def"
    cx.diags.suggest(hint_for_word(ident->name), nearest_name(ident->name, names));
  }
  return std::nullopt;
}

Operand check_call(Context &cx, const ast::Call &call, Span span) {
  const std::optional<Builtin> builtin = resolve_function(cx, call, span);
  if (!builtin) return {};
  cx.note(kStableAttributes, row(*builtin).name, span);
  switch (row(*builtin).kind) {
    case BuiltinKind::kSubr:
      return check_subroutine(cx, *builtin, call.args, span);
    case BuiltinKind::kValue:
      return check_value_call(cx, *builtin, call.args, span);
    case BuiltinKind::kAct:
    case BuiltinKind::kAgg:
      if (!fits_prototype(cx, *builtin, call.args, span)) return {};
      break;
  }
  Operand action;
  action.kind = Operand::Kind::kAction;
  action.span = span;
  action.name = row(*builtin).name;
  return action;
}

}  // namespace dtrace::check
