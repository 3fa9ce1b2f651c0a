// SPDX-License-Identifier: Apache-2.0
// args[n]. The probes' argument lists are asked for at the first use in a clause; a clause that does not use args[] may
// match probes of any shapes.
#include "frontend/check/check_args.h"

#include <algorithm>

#include "frontend/check/check_arg_errors.h"
#include "frontend/check/check_convert.h"
#include "frontend/check/check_expr.h"
#include "frontend/check/check_names.h"
#include "frontend/check/translate.h"
#include "frontend/text/hints.h"
#include "frontend/types/types_compat.h"

namespace dtrace::check {

bool same_arguments(const TypeTable &types, const std::vector<ProbeArg> &a, const std::vector<ProbeArg> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const ProbeArg &x, const ProbeArg &y) {
    return x.source == y.source && x.place == y.place && x.space == y.space && x.undefined == y.undefined &&
           same_type(types, x.native, y.native) && same_type(types, x.translated, y.translated);
  });
}

namespace {

/// The one list that all matched probes have.
const std::vector<ProbeArg> *argument_list(Context &cx, Span span) {
  ClauseState &clause = *cx.clause;
  if (clause.args) return &*clause.args;
  std::vector<ProbeArg> list;
  if (clause.probes->empty()) list = cx.input.probes.absent_args(*clause.desc, cx.types);
  bool first = true;
  for (const ProbeId id : *clause.probes) {
    Result<std::vector<ProbeArg>> answer = cx.input.probes.args(id, cx.types);
    if (!answer) {
      cx.diags.report(Tag::D_ARGS_TYPE, span, "failed to resolve types of args[ ] of {}: {}",
                      cx.input.probes.probe(id).text(), answer.error().text());
      return nullptr;
    }
    if (first) {
      list = std::move(*answer);
      first = false;
    } else if (!same_arguments(cx.types, list, *answer)) {
      cx.diags.report(Tag::D_ARGS_MULTI, span,
                      "args[ ] may not be referenced because probe description {} matches an unstable set of probes",
                      clause.desc->text());
      return nullptr;
    } else {
      for (size_t i = 0; i < list.size(); ++i) {
        // Where one probe has the value, it is asked for; the firings of the others are faults.
        if ((*answer)[i].missing.empty() != list[i].missing.empty()) clause.partial_args.insert(i);
        if ((*answer)[i].missing.empty()) list[i].missing.clear();
        if (list[i].name != (*answer)[i].name) list[i].name.clear();  // a name of some of the probes says nothing
      }
    }
  }
  clause.args = std::move(list);
  return &*clause.args;
}

std::optional<uint64_t> argument_number(Context &cx, const std::vector<const ast::Expr *> &keys, Span span) {
  if (keys.size() != 1) {
    cx.diags.report(Tag::D_PROTO_LEN, span, "args[ ] prototype mismatch: {} keys passed, 1 expected", keys.size());
    return std::nullopt;
  }
  const Operand key = check_value(cx, *keys[0]);
  if (key.poison()) return std::nullopt;
  const std::optional<int64_t> number = narrowed_constant(cx, key);
  if (!number) {
    cx.diags.report(Tag::D_PROTO_ARG, key.span,
                    "args[ ] key #1 is incompatible with prototype:\n\tprototype: integer constant\n\t argument: {}",
                    cx.describe(key));
    return std::nullopt;
  }
  return static_cast<uint64_t>(*number);
}

/// What the probe passes, before any translation. Poison: it does not pass all of it.
Operand native_argument(Context &cx, const ProbeArg &arg, uint64_t number, Span span) {
  constexpr uint64_t kWordBytes = 8;
  if (arg.place == ArgPlace::kStack || arg.place == ArgPlace::kPointed) {
    const TypeId pointer = cx.types.pointer_to(arg.native, arg.space);
    const tree::Expr *address = cx.make(pointer, span, tree::ArgRef{arg.source, arg.place == ArgPlace::kStack});
    Operand pointed = cx.value(arg.native, span, tree::Deref{address});
    pointed.space = arg.space;
    return pointed;
  }
  if (arg.place == ArgPlace::kWord && cx.types.is_struct_or_union(arg.native) &&
      cx.types.size_bytes(arg.native) > kWordBytes) {
    return cx.fail(Tag::D_ARGS_TYPE, span, "args[{}] of {} is \"{}\" of {} bytes, but the probe passes one word of {}",
                   number, cx.clause->desc->text(), cx.type_name(arg.native), cx.types.size_bytes(arg.native),
                   kWordBytes);
  }
  return cx.value(arg.native, span, tree::ArgRef{arg.source});
}

}  // namespace

bool check_argument_place(Context &cx, unsigned number, Span span) {
  if (cx.clause == nullptr || cx.clause->probes == nullptr || cx.clause->probes->empty()) return true;
  const bool asks_all = skips_argument_errors(cx);
  bool is_available = false;
  std::string reason;
  for (const ProbeId id : *cx.clause->probes) {
    std::string missing = cx.input.probes.missing_argument(id, number, cx.types);
    is_available |= missing.empty();
    if (is_available && !asks_all) return true;
    if (!missing.empty()) reason = std::move(missing);
  }
  if (is_available) {
    cx.clause->is_partial |= !reason.empty();
    return true;
  }
  cx.diags.report(Tag::D_ARGS_PLACE, span, "the value of arg{} is not available in {}: {}", number,
                  cx.clause->desc->text(), reason);
  return false;
}

namespace {

/// The list for an expression that uses it. Null: said why there is none.
const std::vector<ProbeArg> *used_list(Context &cx, Span span) {
  if (cx.clause != nullptr) return argument_list(cx, span);
  cx.diags.report(Tag::D_ARGS_NONE, span, "args[ ] may not be referenced outside of a probe clause");
  return nullptr;
}

Operand argument(Context &cx, const ProbeArg &arg, uint64_t number, Span span) {
  if (!arg.native || !arg.translated) {
    return cx.fail(Tag::D_ARGS_TYPE, span, "failed to resolve {} type for args[{}]",
                   arg.native ? "translated" : "native", number);
  }
  if (!arg.missing.empty()) {
    return cx.fail(Tag::D_ARGS_PLACE, span, "the value of args[{}] is not available in {}: {}", number,
                   cx.clause->desc->text(), arg.missing);
  }
  cx.clause->is_partial |= cx.clause->partial_args.contains(number);
  if (!check_argument_place(cx, arg.source, span)) return {};
  cx.note(cx.input.probes.attributes(cx.clause->provider).args, "args[ ]", span);
  Operand native = native_argument(cx, arg, number, span);
  if (native.poison()) return {};
  native.lvalue = native.in_variable = native.foreign = true;
  if (!arg.undefined.empty()) native.undefined = &arg;
  if (same_type(cx.types, arg.native, arg.translated)) return native;
  if (passes(cx, native, arg.translated)) {
    Operand result = cx.value(convert(cx, native, arg.translated));
    result.lvalue = result.in_variable = result.foreign = true;
    return result;
  }
  const bool is_pointer = cx.types.is_pointer(arg.translated);
  const TypeId output = is_pointer ? cx.types.resolved(arg.translated).target : arg.translated;
  if (find_translator(cx, arg.native, output) == nullptr) {
    return cx.fail(Tag::D_ARGS_XLATOR, span, "translator for args[{}] from {} to {} is not defined", number,
                   cx.type_name(arg.native), cx.type_name(arg.translated));
  }
  for (const ProbeId id : *cx.clause->probes) {
    const std::string difference = cx.input.probes.layout_difference(id, arg, cx.types);
    if (!difference.empty()) cx.diags.warn(Tag::D_ARGS_XLATOR, span, "args[{}]: {}", number, difference);
  }
  return translate(cx, native, arg.translated, span);
}

}  // namespace

Operand check_args(Context &cx, const std::vector<const ast::Expr *> &keys, Span span) {
  const std::optional<uint64_t> number = argument_number(cx, keys, span);
  if (!number) return {};
  const std::vector<ProbeArg> *list = used_list(cx, span);
  if (list == nullptr) return {};
  if (list->empty() && cx.clause->probes->empty()) {  // option zdefs
    return cx.fail(Tag::D_ARGS_NONE, span,
                   "args[ ] may not be referenced because probe description {} does not match any probes",
                   cx.clause->desc->text());
  }
  if (*number >= list->size()) {
    return cx.fail(Tag::D_ARGS_IDX, span, "index {} is out of range for {} args[ ]", static_cast<int64_t>(*number),
                   cx.clause->desc->text());
  }
  return argument(cx, (*list)[*number], *number, span);
}

bool is_args(Context &cx, const ast::Expr &expr) {
  const auto *ident = std::get_if<ast::Ident>(&expr.node);
  return ident != nullptr && ident->name == "args" && find_binding(cx, ident->name) == nullptr;
}

Operand check_named_argument(Context &cx, const ast::MemberRef &ref, Span span) {
  if (cx.options.flag(Opt::strict)) {
    Operand result = cx.fail(Tag::D_IDENT_BADREF, ref.base->span, "array args may not be referenced as scalar");
    cx.diags.advise("option strict is set: arguments have numbers only, args[0], args[1]");
    return result;
  }
  const std::vector<ProbeArg> *list = used_list(cx, span);
  if (list == nullptr) return {};
  std::vector<std::string_view> names;
  for (const ProbeArg &arg : *list) {
    if (arg.name == ref.name) return argument(cx, arg, static_cast<uint64_t>(&arg - list->data()), span);
    if (!arg.name.empty()) names.emplace_back(arg.name);
  }
  if (names.empty()) {
    Operand result =
        cx.fail(Tag::D_ARGS_NAME, ref.name_span, "no names are known for the arguments of {}", cx.clause->desc->text());
    if (!list->empty()) cx.diags.advise("they have numbers: args[0], args[1]; dtrace -lv shows them");
    return result;
  }
  Operand result = cx.fail(Tag::D_ARGS_NAME, ref.name_span, "no argument of {} is called {}: {}",
                           cx.clause->desc->text(), ref.name, fmt::join(names, ", "));
  cx.diags.suggest(nearest_name(ref.name, names));
  return result;
}

bool is_locals(Context &cx, const ast::Expr &expr) {
  const auto *ident = std::get_if<ast::Ident>(&expr.node);
  return ident != nullptr && find_binding(cx, ident->name) == nullptr && find_defined(cx, ident->name) == nullptr &&
         find_builtin_variable(cx, ident->name) == Variable::k_locals;
}

Operand check_local(Context &cx, const ast::MemberRef &ref, Span span) {
  if (cx.clause == nullptr || cx.clause->probes == nullptr)
    return cx.fail(Tag::D_LOCALS_NONE, span, "locals may not be referenced outside of a probe clause");
  std::optional<ProbeArg> local;
  for (const ProbeId id : *cx.clause->probes) {
    Result<ProbeArg> answer = cx.input.probes.local(id, ref.name, cx.types);
    if (!answer) {
      return cx.fail(tag_of(answer.error().tag(), Tag::D_LOCALS_NONE), span, "failed to resolve locals->{} of {}: {}",
                     ref.name, cx.input.probes.probe(id).text(), answer.error().text());
    }
    if (local && !same_arguments(cx.types, {*local}, {*answer})) {
      return cx.fail(Tag::D_LOCALS_MULTI, span,
                     "failed to resolve locals->{} of {}: the variables of that name at its probes differ", ref.name,
                     cx.clause->desc->text());
    }
    // Where one probe has the value, it is asked for; the firings of the others are faults.
    if (local) cx.clause->is_partial |= local->missing.empty() != answer->missing.empty();
    if (!local || !local->missing.empty()) local = std::move(*answer);
  }
  if (!local) {
    return cx.fail(Tag::D_LOCALS_NONE, span, "failed to resolve locals->{} of {}: it matches no probes yet", ref.name,
                   cx.clause->desc->text());
  }
  if (!local->missing.empty()) {
    return cx.fail(Tag::D_LOCALS_PLACE, span, "the value of locals->{} is not available in {}: {}", ref.name,
                   cx.clause->desc->text(), local->missing);
  }
  cx.note(cx.input.probes.attributes(cx.clause->provider).args, "locals", span);
  Operand result = native_argument(cx, *local, 0, span);
  if (!result.poison()) result.lvalue = result.in_variable = result.foreign = true;
  return result;
}

Operand undefined_argument_member(Context &cx, const Operand &base, Span span) {
  const ProbeArg &arg = *base.undefined;
  if (report_library_failure(cx, arg.undefined.substr(0, arg.undefined.find(" *")))) return {};
  return cx.fail(
      Tag::D_ARGS_TYPE, span,
      "args[{}] of {} is declared {}, a type that no D library defines: -L names a folder with one that does",
      &arg - cx.clause->args->data(), cx.clause->desc->text(), arg.undefined);
}

}  // namespace dtrace::check
