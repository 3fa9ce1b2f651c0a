// SPDX-License-Identifier: Apache-2.0
#include "codegen/planning/walk.h"

#include <type_traits>

namespace dtrace::codegen {
namespace {

using Visit = std::function<void(const tree::Expr &)>;

void visit_all(const std::vector<const tree::Expr *> &list, const Visit &visit) {
  for (const tree::Expr *expr : list) walk(*expr, visit);
}

void visit_maybe(const tree::Expr *expr, const Visit &visit) {
  if (expr != nullptr) walk(*expr, visit);
}

/// The children of each kind of node, one overload a shape.
struct Children {
  const Visit &visit;
  void operator()(const tree::IntConst &) const {}
  void operator()(const tree::StrConst &) const {}
  void operator()(const tree::VarRef &) const {}
  void operator()(const tree::ArgRef &) const {}
  void operator()(const tree::ThreadPointer &) const {}
  void operator()(const tree::SymbolRef &) const {}
  void operator()(const tree::StackValue &) const {}
  void operator()(const tree::ElemRef &n) const { visit_all(n.keys, visit); }
  void operator()(const tree::BuiltinRef &n) const { visit_maybe(n.index, visit); }
  void operator()(const tree::Unary &n) const { walk(*n.operand, visit); }
  void operator()(const tree::Binary &n) const { both(n); }
  void operator()(const tree::StringCompare &n) const { both(n); }
  void operator()(const tree::Logical &n) const { both(n); }
  void operator()(const tree::Comma &n) const { both(n); }
  void operator()(const tree::Conditional &n) const {
    walk(*n.condition, visit);
    walk(*n.then_value, visit);
    walk(*n.else_value, visit);
  }
  void operator()(const tree::Assign &n) const { stored(n); }
  void operator()(const tree::CompoundAssign &n) const { stored(n); }
  void operator()(const tree::IncDec &n) const { walk(*n.place, visit); }
  void operator()(const tree::Deref &n) const { walk(*n.pointer, visit); }
  void operator()(const tree::Member &n) const { walk(*n.base, visit); }
  void operator()(const tree::Element &n) const {
    walk(*n.base, visit);
    walk(*n.index, visit);
  }
  void operator()(const tree::AddressOf &n) const { walk(*n.place, visit); }
  void operator()(const tree::Convert &n) const { walk(*n.operand, visit); }
  void operator()(const tree::Call &n) const { visit_all(n.args, visit); }
  void operator()(const tree::StackDepth &n) const { walk(*n.stack, visit); }
  void operator()(const tree::SymbolValue &n) const { visit_maybe(n.address, visit); }

 private:
  template <typename Node>
  void both(const Node &n) const {
    walk(*n.lhs, visit);
    walk(*n.rhs, visit);
  }
  template <typename Node>
  void stored(const Node &n) const {
    walk(*n.place, visit);
    walk(*n.value, visit);
  }
};

void walk_body(const std::vector<tree::Stmt> &body, const Visit &visit) {
  for (const tree::Stmt &stmt : body) {
    if (auto *evaluate = std::get_if<tree::Evaluate>(&stmt.node)) {
      walk(*evaluate->expr, visit);
    } else if (auto *update = std::get_if<tree::AggUpdate>(&stmt.node)) {
      visit_all(update->keys, visit);
      visit_maybe(update->value, visit);
      visit_maybe(update->increment, visit);
    } else if (auto *action = std::get_if<tree::Action>(&stmt.node)) {
      visit_all(action->values, visit);
    } else if (auto *branch = std::get_if<std::unique_ptr<tree::If>>(&stmt.node)) {
      walk(*(*branch)->condition, visit);
      walk_body((*branch)->then_body, visit);
      walk_body((*branch)->else_body, visit);
    } else if (auto *loop = std::get_if<std::unique_ptr<tree::Loop>>(&stmt.node)) {
      walk_body((*loop)->start, visit);
      visit_maybe((*loop)->condition, visit);
      walk_body((*loop)->body, visit);
      walk_body((*loop)->step, visit);
    }
  }
}

}  // namespace

void walk(const tree::Expr &expr, const Visit &visit) {
  visit(expr);
  std::visit(Children{visit}, expr.node);
}

void walk(const tree::Clause &clause, const Visit &visit) {
  visit_maybe(clause.predicate, visit);
  walk_body(clause.body, visit);
}

void walk(const std::vector<tree::Stmt> &body, const Visit &visit) { walk_body(body, visit); }

void walk_statements(const std::vector<tree::Stmt> &body, const std::function<void(const tree::Stmt &)> &visit) {
  for (const tree::Stmt &stmt : body) {
    visit(stmt);
    if (auto *branch = std::get_if<std::unique_ptr<tree::If>>(&stmt.node)) {
      walk_statements((*branch)->then_body, visit);
      walk_statements((*branch)->else_body, visit);
    } else if (auto *loop = std::get_if<std::unique_ptr<tree::Loop>>(&stmt.node)) {
      walk_statements((*loop)->start, visit);
      walk_statements((*loop)->body, visit);
      walk_statements((*loop)->step, visit);
    }
  }
}

}  // namespace dtrace::codegen
