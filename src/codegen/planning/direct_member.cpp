// SPDX-License-Identifier: Apache-2.0
#include "codegen/planning/direct_member.h"

#include <algorithm>
#include <set>

#include "frontend/tree/walk.h"

namespace dtrace::codegen {
namespace {

/// What is behind the members of `expr`: the pointer, and how far from there. Null: something else, or a bit-field.
const tree::Expr *pointer_of(const tree::Expr &expr, uint64_t &off_bits) {
  const tree::Expr *base = &expr;
  off_bits = 0;
  while (const auto *member = std::get_if<tree::Member>(&base->node)) {
    if (member->bits != 0) return nullptr;
    off_bits += member->off_bits;
    base = member->base;
  }
  if (base == &expr) return nullptr;
  const auto *deref = std::get_if<tree::Deref>(&base->node);
  return deref == nullptr ? nullptr : deref->pointer;
}

bool is_number(const TypeTable &types, TypeId type) {
  const Type &t = types.resolved(type);
  const uint64_t size_bytes = types.size_bytes(type);
  return (t.kind == TypeKind::kInt || t.kind == TypeKind::kEnum) &&
         (size_bytes == 1 || size_bytes == 2 || size_bytes == 4 || size_bytes == 8);
}

bool points_to_kernel(const TypeTable &types, TypeId type) {
  const Type &t = types.resolved(type);
  return t.kind == TypeKind::kPointer && t.space == Space::kKernel && !types.is_userland(type);
}

/// Whether the kernel's verifier may take the member at `off_bits` for another one that lies there.
bool is_in_union(const TypeTable &types, TypeId aggregate, uint64_t off_bits) {
  const Type &t = types.resolved(aggregate);
  if (t.kind == TypeKind::kUnion) return true;
  if (t.kind == TypeKind::kArray) {
    const uint64_t bits = std::max<uint64_t>(types.size_bytes(t.target), 1) * 8;
    return is_in_union(types, t.target, off_bits % bits);
  }
  if (t.kind != TypeKind::kStruct) return false;
  for (const Member &member : types.members(aggregate)) {
    const uint64_t bits = types.size_bytes(member.type) * 8;
    if (member.bits == 0 && off_bits >= member.off_bits && off_bits < member.off_bits + bits)
      return is_in_union(types, member.type, off_bits - member.off_bits);
  }
  return false;
}

/// A member behind a pointer to a structure of the kernel's.
bool is_plain(const TypeTable &types, TypeId pointer, uint64_t off_bits) {
  return points_to_kernel(types, pointer) && !is_in_union(types, types.resolved(pointer).target, off_bits);
}

const tree::ArgRef *argument_in(const tree::Expr &expr) {
  const auto *arg = std::get_if<tree::ArgRef>(&expr.node);
  return arg != nullptr && !arg->is_address ? arg : nullptr;
}

const tree::Expr *derived(const tree::Derivation *derivation, unsigned source) {
  return derivation != nullptr && source < derivation->args.size() ? derivation->args[source] : nullptr;
}

/// The argument at the beginning of a chain of members.
const tree::Expr *beginning_of(const tree::Expr &expr) {
  uint64_t off_bits = 0;
  const tree::Expr *pointer = pointer_of(expr, off_bits);
  while (pointer != nullptr && std::holds_alternative<tree::Member>(pointer->node))
    pointer = pointer_of(*pointer, off_bits);
  return pointer;
}

/// Whether the kernel takes a typed program that loads such an argument: not one of a pointer to a pointer, to a
/// function or to a structure that it does not describe.
bool can_be_loaded(const TypeTable &types, TypeId type) {
  if (is_number(types, type)) return true;
  if (!points_to_kernel(types, type)) return false;
  const Type &target = types.resolved(types.resolved(type).target);
  if (target.kind == TypeKind::kStruct || target.kind == TypeKind::kUnion)
    return types.size_bytes(types.resolved(type).target) != 0;
  return target.kind == TypeKind::kVoid || target.kind == TypeKind::kInt;
}

/// Looks through what a program evaluates.
struct Uses {
  const TypeTable &types;
  std::set<const tree::Expr *> direct = {};  ///< arguments whose members are read
  std::set<unsigned> arguments = {};         ///< of the tracepoint: those
  bool any_other = false;                    ///< an argument that a typed program may not load

  /// Parents before children.
  void look(const tree::Expr &expr, Standing standing) {
    const tree::Expr *compared = compared_with_null(types, expr);
    const tree::Expr &read = compared != nullptr ? *compared : expr;
    if (const std::optional<DirectMember> member = direct_member(types, read, standing); member && member->argument)
      if (compared != nullptr || is_number(types, expr.type)) {
        direct.insert(beginning_of(read));
        arguments.insert(*member->argument);
      }
    const auto *variable = std::get_if<tree::BuiltinRef>(&expr.node);
    if (variable != nullptr && variable->var >= Variable::k_arg0 && variable->var <= Variable::k_arg9)
      look_at(static_cast<unsigned>(variable->var) - static_cast<unsigned>(Variable::k_arg0), standing, false);
    const auto *arg = std::get_if<tree::ArgRef>(&expr.node);
    if (arg != nullptr && !direct.contains(&expr))
      look_at(arg->source, standing, !arg->is_address && can_be_loaded(types, expr.type));
  }
  /// `can_be_loaded` is about the argument of the hook itself. The types of arg0 to arg9 are not known.
  void look_at(unsigned source, Standing standing, bool can_be_loaded) {
    if (standing.derivation == nullptr || standing.in_derivation)
      any_other |= !can_be_loaded;
    else if (const tree::Expr *passed = derived(standing.derivation, source))
      walk(*passed, [this, standing](const tree::Expr &expr) { look(expr, {standing.derivation, true}); });
  }
};

}  // namespace

std::optional<DirectMember> direct_member(const TypeTable &types, const tree::Expr &expr, Standing standing) {
  const bool is_pointer = points_to_kernel(types, expr.type);
  if (!is_pointer && !is_number(types, expr.type)) return std::nullopt;
  DirectMember member;
  uint64_t off_bits = 0;
  const tree::Expr *pointer = pointer_of(expr, off_bits);
  if (pointer == nullptr || off_bits % (types.size_bytes(expr.type) * 8) != 0) return std::nullopt;
  if (!is_plain(types, pointer->type, off_bits)) return std::nullopt;
  member.off_bytes = off_bits / 8;
  while (standing.in_derivation && std::holds_alternative<tree::Member>(pointer->node)) {
    pointer = pointer_of(*pointer, off_bits);
    if (pointer == nullptr || !is_plain(types, pointer->type, off_bits)) return std::nullopt;
    member.pointers.insert(member.pointers.begin(), off_bits / 8);
  }
  const auto *variable = std::get_if<tree::BuiltinRef>(&pointer->node);
  if (variable != nullptr && variable->var == Variable::k_curthread) return member;
  const tree::ArgRef *arg = argument_in(*pointer);
  if (arg == nullptr) return std::nullopt;
  if (standing.derivation != nullptr && !standing.in_derivation) {
    const tree::Expr *passed = derived(standing.derivation, arg->source);
    // A conversion in the derivation may name another structure than the tracepoint's BTF does.
    if (passed == nullptr || !points_to_kernel(types, passed->type)) return std::nullopt;
    arg = argument_in(*passed);
    if (arg == nullptr) return std::nullopt;
  }
  member.argument = arg->source;
  return member;
}

const tree::Expr *compared_with_null(const TypeTable &types, const tree::Expr &expr) {
  const auto *binary = std::get_if<tree::Binary>(&expr.node);
  if (binary == nullptr || (binary->op != BinaryOp::kEq && binary->op != BinaryOp::kNe)) return nullptr;
  const tree::Expr *null = binary->rhs;
  while (const auto *convert = std::get_if<tree::Convert>(&null->node)) null = convert->operand;
  const auto *number = std::get_if<tree::IntConst>(&null->node);
  const bool is_null = number != nullptr && number->value == 0 && points_to_kernel(types, binary->lhs->type);
  return is_null ? binary->lhs : nullptr;
}

bool gains_by_types(const CompileInput &input, const Layout &layout, const ProgramLayout &program) {
  const tree::Derivation *derivation = input.unit.derivation(program.prototype.hook.derivation);
  Uses uses{input.types};
  if (derivation != nullptr && derivation->condition != nullptr)
    walk(*derivation->condition, [&](const tree::Expr &expr) { uses.look(expr, {derivation, true}); });
  for (const uint32_t index : program.clauses)
    walk(*layout.clauses[index].clause, [&](const tree::Expr &expr) { uses.look(expr, {derivation, false}); });
  const auto *raw = program.prototype.hook.as<RawTracepointHook>();
  return !uses.direct.empty() && !uses.any_other && std::ranges::all_of(uses.arguments, [&](unsigned argument) {
    return input.host.is_typed_pointer(*raw, argument);
  });
}

}  // namespace dtrace::codegen
