// SPDX-License-Identifier: Apache-2.0
#include "frontend/check/check_own_names.h"

#include "frontend/lang/own_names.h"

namespace dtrace::check {
namespace {

using Names = std::set<std::string, std::less<>>;

void add(Names &names, std::string_view name) {
  if (is_own_name(name)) names.emplace(name);
}

/// x of `x = 1`, `x[pid] += 1`, `x++`.
void add_target(Names &names, const ast::Expr &target) {
  const auto *index = std::get_if<ast::Index>(&target.node);
  const ast::Expr &base = index != nullptr ? *index->base : target;
  if (const auto *ident = std::get_if<ast::Ident>(&base.node)) add(names, ident->name);
}

bool assigns(UnaryOp op) {
  return op == UnaryOp::kPreInc || op == UnaryOp::kPreDec || op == UnaryOp::kPostInc || op == UnaryOp::kPostDec;
}

/// The variable that an expression gives a value; nothing: it is no assignment.
const ast::Expr *target_of(const ast::Expr &expr) {
  const auto *assign = std::get_if<ast::Assign>(&expr.node);
  const auto *unary = std::get_if<ast::Unary>(&expr.node);
  const ast::Expr *target = assign != nullptr                        ? assign->target
                            : unary != nullptr && assigns(unary->op) ? unary->operand
                                                                     : nullptr;
  const auto *index = target != nullptr ? std::get_if<ast::Index>(&target->node) : nullptr;
  return index != nullptr ? index->base : target;
}

}  // namespace

std::optional<Span> assignment_of(const ast::Ast &ast, ast::Storage scope, std::string_view name) {
  for (const ast::Expr &expr : ast.exprs()) {
    const ast::Expr *target = target_of(expr);
    if (target == nullptr) continue;
    const auto *plain = std::get_if<ast::Ident>(&target->node);
    const auto *scoped = std::get_if<ast::ScopedIdent>(&target->node);
    const bool is_it = scope == ast::Storage::kNone
                           ? plain != nullptr && plain->name == name
                           : scoped != nullptr && scoped->scope == scope && scoped->name == name;
    if (is_it) return target->span;
  }
  return std::nullopt;
}

Names redefined_own_names(const ast::Ast &ast) {
  Names names;
  for (const ast::Expr &expr : ast.exprs()) {
    if (const auto *assign = std::get_if<ast::Assign>(&expr.node)) add_target(names, *assign->target);
    const auto *unary = std::get_if<ast::Unary>(&expr.node);
    if (unary != nullptr && assigns(unary->op)) add_target(names, *unary->operand);
  }
  for (const ast::External &external : ast.externals) {
    if (const auto *def = std::get_if<ast::InlineDef>(&external)) add(names, def->declarator.name);
    const auto *declaration = std::get_if<ast::Declaration>(&external);
    if (declaration == nullptr) continue;
    if (declaration->specs.storage.empty())
      for (const ast::Declarator &declarator : declaration->declarators) add(names, declarator.name);
    for (const ast::Specifier &specifier : declaration->specs.specifiers)
      for (const ast::EnumeratorDecl &enumerator : specifier.enumerators) add(names, enumerator.name);
  }
  return names;
}

}  // namespace dtrace::check
