// SPDX-License-Identifier: Apache-2.0
// Places: members, elements, what pointers point to, and addresses of them. args[n], uregs[n] and regs[n] look like
// elements and are resolved here.
#include <algorithm>

#include "frontend/check/check_args.h"
#include "frontend/check/check_convert.h"
#include "frontend/check/check_expr.h"
#include "frontend/check/check_keys.h"
#include "frontend/check/check_names.h"
#include "frontend/check/check_stack.h"
#include "frontend/check/class_members.h"
#include "frontend/check/translate.h"
#include "frontend/text/hints.h"
#include "frontend/types/types_compat.h"

namespace dtrace::check {
namespace {

/// A part of `base`, which is an lvalue if `base` is one.
Operand part_of(Context &cx, const Operand &base, const tree::Expr *expr) {
  Operand result = cx.value(expr);
  result.lvalue = base.lvalue;
  result.writable = base.writable;
  result.foreign = base.foreign;
  result.in_variable = base.in_variable;
  result.space = base.space;
  return result;
}

/// Names of members, those of unnamed ones in it too.
void collect_members(Context &cx, TypeId type, std::vector<std::string_view> &names, unsigned depth) {
  constexpr unsigned kMaxDepth = 8;
  if (depth > kMaxDepth) return;
  for (const Member &member : cx.types.members(type)) {
    if (!member.name.empty())
      names.emplace_back(member.name);
    else
      collect_members(cx, member.type, names, depth + 1);
  }
}

Operand member_of(Context &cx, const Operand &base, const ast::MemberRef &ref, Span span) {
  const std::optional<FoundMember> found = cx.types.find_member(base.type, ref.name);
  if (!found) {
    if (const std::optional<Operand> member = class_member(cx, base, ref.name, span)) return *member;
    std::vector<std::string_view> names;
    collect_members(cx, base.type, names, 0);
    collect_class_members(cx, base.type, names);
    return unknown_member(cx, base.type, ref.name, names, ref.name_span);
  }
  cx.note_type(cx.types.resolve(cx.types.complete(base.type)), ref.name_span);
  const TypeId type = loaded_from(cx.types, found->member.type, base.space);
  return part_of(cx, base, cx.make(type, span, tree::Member{base.expr, found->off_bits, found->member.bits}));
}

/// The structure behind a pointer, for access to a member.
Operand pointed_place(Context &cx, const Operand &pointer, TypeId type) {
  Operand pointed = cx.value(type, pointer.span, tree::Deref{pointer.expr});
  pointed.lvalue = true;
  pointed.writable = !pointer.foreign;
  pointed.foreign = pointer.foreign;
  pointed.space = space_of(cx.types, pointer.type);
  return pointed;
}

Operand element_of(Context &cx, const Operand &array, const Operand &index, Span span) {
  const Type type = cx.types.resolved(array.type);
  const std::optional<uint64_t> constant = constant_of(cx, index);
  if (constant && type.count > 1 && *constant >= type.count) {
    return cx.fail(Tag::D_ARR_BOUNDS, index.span, "index outside array bounds: {}, max is {}",
                   static_cast<int64_t>(*constant), type.count - 1);
  }
  const TypeId element = loaded_from(cx.types, type.target, array.space);
  const tree::Expr *at = to_scalar(cx, index, cx.types.long_type());
  return part_of(cx, array, cx.make(element, span, tree::Element{array.expr, at, type.count}));
}

/// A byte of a string, which has strsize of them whatever is known of its text.
Operand character_of(Context &cx, const Operand &text, const Operand &index, Span span) {
  const uint64_t count = cx.types.strsize();
  const std::optional<uint64_t> constant = constant_of(cx, index);
  if (constant && *constant >= count) {
    return cx.fail(Tag::D_ARR_BOUNDS, index.span, "index outside array bounds: {}, max is {}",
                   static_cast<int64_t>(*constant), count - 1);
  }
  const tree::Expr *at = to_scalar(cx, index, cx.types.long_type());
  Operand result = cx.value(cx.types.char_type(), span, tree::Element{text.expr, at, count});
  result.lvalue = true;
  const bool is_variable =
      std::holds_alternative<tree::VarRef>(text.expr->node) || std::holds_alternative<tree::ElemRef>(text.expr->node);
  result.writable = is_variable && text.writable;
  result.space = Space::kScratch;
  return result;
}

/// The one subscript of a scalar array, pointer or string.
std::optional<Operand> single_subscript(Context &cx, const ast::Index &index, const Operand &base) {
  if (index.keys.size() != 1) {
    cx.diags.report(Tag::D_ARR_BADREF, join(index.keys.front()->span, index.keys.back()->span),
                    "cannot access \"{}\" as an associative array", cx.describe(base));
    return std::nullopt;
  }
  const Operand key = check_value(cx, *index.keys[0]);
  if (key.poison()) return std::nullopt;
  if (!is_integer(cx, key)) {
    cx.diags.report(Tag::D_OP_INCOMPAT, key.span, "array subscript must be an integer, not \"{}\"", cx.describe(key));
    return std::nullopt;
  }
  return key;
}

/// Subscript of a value: a C array, a pointer or a string.
Operand subscript(Context &cx, const ast::Index &index, const Operand &base, std::string_view variable, Span span) {
  if (base.poison() || !require_static(cx, base)) return {};
  if (!base.is_value() || !pointee(cx.types, base.type)) {
    if (!variable.empty()) {
      return cx.fail(Tag::D_IDENT_BADREF, base.span, "scalar {} may not be referenced as array", variable);
    }
    return cx.fail(Tag::D_DEREF_NONPTR, base.span, "cannot dereference a value of type \"{}\"", cx.describe(base));
  }
  const std::optional<Operand> key = single_subscript(cx, index, base);
  if (!key) return {};
  if (is_array(cx, base) && base.lvalue) return element_of(cx, base, *key, span);
  if (cx.types.is_string(base.type)) return character_of(cx, base, *key, span);
  const Operand pointer = decayed(cx, base);
  if (cx.types.is_void(*pointee(cx.types, pointer.type))) {
    return cx.fail(Tag::D_DEREF_VOID, span, "cannot dereference pointer to void");
  }
  return check_deref(cx, offset_pointer(cx, pointer, *key, false, span), span);
}

/// uregs[n] or regs[n].
Operand check_registers(Context &cx, const ast::Index &index, Variable array, std::string_view name, Span span) {
  if (index.keys.size() != 1) {
    return cx.fail(Tag::D_PROTO_LEN, span, "{}[ ] prototype mismatch: {} keys passed, 1 expected", name,
                   index.keys.size());
  }
  const Operand key = check_value(cx, *index.keys[0]);
  if (key.poison()) return {};
  if (!is_integer(cx, key)) {
    return cx.fail(Tag::D_PROTO_ARG, key.span,
                   "{}[ ] key #1 is incompatible with prototype:\n\tprototype: int\n\t argument: {}", name,
                   cx.describe(key));
  }
  const std::optional<int64_t> constant = narrowed_constant(cx, key);
  const bool is_above = constant && array == Variable::k_uregs && *constant >= 0 &&
                        static_cast<uint64_t>(*constant) >= cx.input.nr_registers;
  if (constant && (*constant < 0 || is_above)) {
    Operand result = cx.fail(Tag::D_REGS_IDX, key.span, "index {} is out of range for array {}", *constant, name);
    if (is_above) cx.diags.advise(fmt::format("the last one is {}[{}]", name, cx.input.nr_registers - 1));
    return result;
  }
  return builtin_variable(cx, array, to_scalar(cx, key, cx.types.long_type()), span);
}

/// name[keys] where `name` is a plain identifier.
Operand check_named(Context &cx, const ast::Index &index, std::string_view name, Span name_span, Span span) {
  const bool is_symbol = name.find('`') != std::string_view::npos;
  if (find_binding(cx, name) == nullptr && !is_symbol) {
    if (const Global *global = find_global(cx, name)) {
      if (global->kind == Global::Kind::kVariable) {
        const tree::VarId var{global->index};
        if (global->attributes) cx.note(*global->attributes, name, name_span);
        if (cx.session.unit.variables[var.value].is_associative()) {
          return element_place(cx, var, check_all(cx, index.keys), name, span);
        }
      } else if (global->kind == Global::Kind::kInline) {
        Inline &def = cx.session.inlines[global->index];
        if (is_inline_array(def)) return expand_inline(cx, def, check_all(cx, index.keys), span, global->attributes);
      }
    } else if (name == "args") {
      return check_args(cx, index.keys, span);
    } else if (name == "uregs") {
      return check_registers(cx, index, Variable::k_uregs, name, span);
    } else if (name == "regs" && find_builtin_variable(cx, name)) {
      return check_registers(cx, index, Variable::k_regs, name, span);
    } else if (!find_builtin_variable(cx, name) && !find_builtin(name)) {
      if (report_library_failure(cx, std::string(name))) return {};
      return unassigned(cx, ast::Storage::kNone, name, true, name_span);
    }
  }
  return subscript(cx, index, check_identifier(cx, name, name_span), name, span);
}

Operand check_scoped_index(Context &cx, const ast::Index &index, const ast::ScopedIdent &ident, Span span) {
  const std::string text = spelling(ident.scope, ident.name);
  const std::optional<tree::VarId> var = find_variable(cx, ident.scope, ident.name);
  const bool is_local = ident.scope == ast::Storage::kThis;
  if (!var) {
    if (is_local) {
      if (cx.has_failed(text)) return {};  // an error in its assignment was reported
      return cx.fail(Tag::D_ARR_LOCAL, index.base->span, "local variables may not be associative arrays: {}", text);
    }
    return unassigned(cx, ident.scope, ident.name, true, index.base->span);
  }
  if (cx.session.unit.variables[var->value].is_associative()) {
    return element_place(cx, *var, check_all(cx, index.keys), text, span);
  }
  const Operand base = variable_place(cx, *var, index.base->span);
  if (is_local && !pointee(cx.types, base.type)) {
    return cx.fail(Tag::D_ARR_LOCAL, index.base->span, "local variables may not be associative arrays: {}", text);
  }
  return subscript(cx, index, base, text, span);
}

/// The variable of the kernel, as a program writes it, that has this address and no type.
std::string untyped_symbol(const tree::Expr *address) {
  const auto *of = std::get_if<tree::AddressOf>(&address->node);
  const auto *symbol = of != nullptr ? std::get_if<tree::SymbolRef>(&of->place->node) : nullptr;
  return symbol != nullptr ? '`' + symbol->name : std::string();
}

}  // namespace

Operand unknown_member(Context &cx, TypeId type, std::string_view name, std::span<const std::string_view> names,
                       Span span) {
  Operand result = cx.fail(Tag::D_TYPE_MEMBER, span, "{} is not a member of {}", name, cx.type_name(type));
  if (cx.diags.shows_last()) cx.diags.suggest(nearest_name(name, names));
  return result;
}

std::vector<Operand> check_all(Context &cx, const std::vector<const ast::Expr *> &exprs) {
  std::vector<Operand> result;
  result.reserve(exprs.size());
  for (const ast::Expr *expr : exprs) result.push_back(check_expr(cx, *expr));
  return result;
}

Operand element_place(Context &cx, tree::VarId var, const std::vector<Operand> &keys, std::string_view spelling,
                      Span span) {
  const std::optional<std::vector<const tree::Expr *>> converted =
      convert_keys(cx, {spelling, false}, keys, cx.session.unit.variables[var.value].keys, span, false,
                   !cx.session.variables[var.value].is_declared);
  if (!converted) return {};
  Operand result = cx.value(cx.session.unit.variables[var.value].type, span, tree::ElemRef{var, *converted});
  result.lvalue = result.writable = result.in_variable = true;
  result.space = Space::kScratch;
  return result;
}

Operand check_index(Context &cx, const ast::Index &index, Span span) {
  if (std::holds_alternative<ast::AggRef>(index.base->node)) {
    Operand result = check_expr(cx, *index.base);
    result.span = span;
    return result;
  }
  if (const auto *ident = std::get_if<ast::Ident>(&index.base->node)) {
    return check_named(cx, index, ident->name, index.base->span, span);
  }
  if (const auto *ident = std::get_if<ast::ScopedIdent>(&index.base->node)) {
    return check_scoped_index(cx, index, *ident, span);
  }
  const Operand base = check_expr(cx, *index.base);
  if (base.kind == Operand::Kind::kAggregation) {
    return cx.fail(Tag::D_AGG_MDIM, span, "improper use of aggregation: @{} may not be subscripted twice", base.name);
  }
  return subscript(cx, index, base, {}, span);
}

Operand check_member(Context &cx, const ast::MemberRef &ref, Span span) {
  if (is_args(cx, *ref.base)) return check_named_argument(cx, ref, span);
  if (is_locals(cx, *ref.base)) return check_local(cx, ref, span);
  Operand base = check_expr(cx, *ref.base);
  if (base.poison()) return {};
  if (base.undefined != nullptr) return undefined_argument_member(cx, base, span);
  if (base.kind == Operand::Kind::kTranslated && cx.types.is_pointer(base.type) == ref.arrow) {
    return translated_member(cx, base, ref.name, span);
  }
  if (base.kind == Operand::Kind::kAction || base.kind == Operand::Kind::kUntypedSymbol) {
    require_static(cx, base);
    return {};
  }
  const bool is_stack = base.is_value() && cx.types.resolved(base.type).kind == TypeKind::kStack;
  if (is_stack && !ref.arrow) return stack_member(cx, base, ref, span);
  if (ref.arrow) {
    base = decayed(cx, base);
    if (!is_pointer(cx, base)) {
      return cx.fail(Tag::D_OP_PTR, span, "operator -> must be applied to a pointer, not \"{}\"", cx.describe(base));
    }
  }
  TypeId container = ref.arrow ? cx.types.resolved(base.type).target : base.type;
  if (container) container = cx.types.complete(container);
  if (container && cx.types.resolved(container).kind == TypeKind::kForward) {
    // Where the program says of a class only that it exists, a translator may know more.
    if (const std::optional<Operand> member =
            class_member(cx, ref.arrow ? pointed_place(cx, base, container) : base, ref.name, span))
      return *member;
    if (report_library_failure(cx, cx.type_name(cx.types.resolve(container)))) return {};
    return cx.fail(Tag::D_OP_INCOMPLETE, span,
                   "operator {} cannot be applied to a forward declaration: no {} definition is available",
                   ref.arrow ? "->" : ".", cx.type_name(container));
  }
  const bool is_record =
      base.kind != Operand::Kind::kAggregation && container && cx.types.is_struct_or_union(container);
  if (!is_record || base.kind == Operand::Kind::kTranslated) {
    Operand failure = cx.fail(Tag::D_OP_SOU, span, "operator {} must be applied to {}a struct or union, not \"{}\"",
                              ref.arrow ? "->" : ".", ref.arrow ? "a pointer to " : "", cx.describe(base));
    const TypeId target = !ref.arrow && is_pointer(cx, base) ? cx.types.resolved(base.type).target : TypeId{};
    if (target && cx.types.is_struct_or_union(cx.types.complete(target)))
      cx.diags.suggest(fmt::format("{}->{}", cx.input.sources.text(ref.base->span), ref.name));
    return failure;
  }
  if (!ref.arrow) return member_of(cx, base, ref, span);

  return member_of(cx, pointed_place(cx, base, container), ref, span);
}

Operand check_deref(Context &cx, const Operand &operand, Span span) {
  if (operand.poison()) return {};
  if (operand.kind == Operand::Kind::kTranslated && cx.types.is_pointer(operand.type)) {
    Operand result = operand;
    result.type = cx.types.resolved(operand.type).target;
    result.span = span;
    return result;
  }
  if (!require_static(cx, operand)) return {};
  if (is_array(cx, operand) && operand.lvalue) {
    return element_of(cx, operand, cx.integer(cx.types.long_type(), span, 0), span);
  }
  const bool is_text = operand.is_value() && cx.types.is_string(operand.type);
  const Operand pointer = is_text ? string_address(cx, operand) : decayed(cx, operand);
  if (!is_pointer(cx, pointer)) {
    return cx.fail(Tag::D_DEREF_NONPTR, span, "cannot dereference a value of type \"{}\"", cx.describe(operand));
  }
  const TypeId target = cx.types.complete(cx.types.resolved(pointer.type).target);
  if (cx.types.is_void(target)) {
    Operand result = cx.fail(Tag::D_DEREF_VOID, span, "cannot dereference pointer to void");
    if (const std::string name = untyped_symbol(pointer.expr); !name.empty())
      cx.diags.advise(fmt::format("nothing is known of the type of {0}: cast its address, *(int *)&{0}", name));
    return result;
  }
  if (cx.types.resolved(target).kind == TypeKind::kFunction) {
    return cx.fail(Tag::D_DEREF_FUNC, span, "cannot dereference pointer to function");
  }
  const Space space = space_of(cx.types, pointer.type);
  Operand result = cx.value(loaded_from(cx.types, target, space), span, tree::Deref{pointer.expr});
  result.lvalue = true;
  result.writable = !pointer.foreign;
  result.foreign = pointer.foreign;
  result.space = space;
  return result;
}

Operand check_address(Context &cx, const Operand &operand, Span span) {
  if (operand.poison()) return {};
  const bool is_dynamic = operand.kind == Operand::Kind::kTranslated || operand.kind == Operand::Kind::kAggregation;
  if (is_dynamic) return cx.fail(Tag::D_ADDROF_VAR, span, "cannot take address of dynamic variable");
  if (operand.kind == Operand::Kind::kUntypedSymbol) {
    return cx.value(cx.types.pointer_to(cx.types.void_type()), span, tree::AddressOf{operand.expr});
  }
  if (!require_static(cx, operand)) return {};
  if (!operand.lvalue) {
    return cx.fail(Tag::D_ADDROF_LVAL, span,
                   "unacceptable operand for unary & operator: it is a value that has no address in memory");
  }
  // An element of a variable's array: what the array decays to, some elements further.
  const auto *element = std::get_if<tree::Element>(&operand.expr->node);
  const bool is_neighbour = element != nullptr && cx.types.is_array(element->base->type) && operand.writable;
  if (operand.in_variable && !is_neighbour)
    return cx.fail(Tag::D_ADDROF_VAR, span, "cannot take address of dynamic variable");
  if (is_bitfield(operand)) return cx.fail(Tag::D_ADDROF_BITFIELD, span, "cannot take address of bit-field");
  const TypeId type = cx.types.pointer_to(operand.type, operand.space);
  if (const auto *deref = std::get_if<tree::Deref>(&operand.expr->node)) {  // &*p is p
    Operand pointer = cx.value(deref->pointer);
    pointer.span = span;
    pointer.foreign = operand.foreign;
    return pointer;
  }
  Operand address = cx.value(type, span, tree::AddressOf{operand.expr});
  address.foreign = operand.foreign;
  return address;
}

}  // namespace dtrace::check
