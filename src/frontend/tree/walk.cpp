// SPDX-License-Identifier: Apache-2.0
#include "frontend/tree/walk.h"

#include <type_traits>

namespace dtrace::tree {
namespace {

using Visit = std::function<void(const Expr &)>;

void visit_all(const std::vector<const Expr *> &list, const Visit &visit) {
  for (const Expr *expr : list) visit(*expr);
}

void visit_maybe(const Expr *expr, const Visit &visit) {
  if (expr != nullptr) visit(*expr);
}

/// The children of each kind of node, one overload a shape.
struct Children {
  const Visit &visit;
  void operator()(const IntConst &) const {}
  void operator()(const StrConst &) const {}
  void operator()(const VarRef &) const {}
  void operator()(const ArgRef &) const {}
  void operator()(const ThreadPointer &) const {}
  void operator()(const SymbolRef &) const {}
  void operator()(const StackValue &) const {}
  void operator()(const ElemRef &n) const { visit_all(n.keys, visit); }
  void operator()(const BuiltinRef &n) const { visit_maybe(n.index, visit); }
  void operator()(const Unary &n) const { visit(*n.operand); }
  void operator()(const Binary &n) const { both(n); }
  void operator()(const StringCompare &n) const { both(n); }
  void operator()(const Logical &n) const { both(n); }
  void operator()(const Comma &n) const { both(n); }
  void operator()(const Conditional &n) const {
    visit(*n.condition);
    visit(*n.then_value);
    visit(*n.else_value);
  }
  void operator()(const Assign &n) const { stored(n); }
  void operator()(const CompoundAssign &n) const { stored(n); }
  void operator()(const IncDec &n) const { visit(*n.place); }
  void operator()(const Deref &n) const { visit(*n.pointer); }
  void operator()(const Member &n) const { visit(*n.base); }
  void operator()(const Element &n) const {
    visit(*n.base);
    visit(*n.index);
  }
  void operator()(const AddressOf &n) const { visit(*n.place); }
  void operator()(const Convert &n) const { visit(*n.operand); }
  void operator()(const Call &n) const { visit_all(n.args, visit); }
  void operator()(const StackDepth &n) const { visit(*n.stack); }
  void operator()(const SymbolValue &n) const { visit_maybe(n.address, visit); }

 private:
  template <typename Node>
  void both(const Node &n) const {
    visit(*n.lhs);
    visit(*n.rhs);
  }
  template <typename Node>
  void stored(const Node &n) const {
    visit(*n.place);
    visit(*n.value);
  }
};

void walk_all(const std::vector<const Expr *> &list, const Visit &visit) {
  for (const Expr *expr : list) walk(*expr, visit);
}

void walk_maybe(const Expr *expr, const Visit &visit) {
  if (expr != nullptr) walk(*expr, visit);
}

void walk_body(const std::vector<Stmt> &body, const Visit &visit) {
  for (const Stmt &stmt : body) {
    if (auto *evaluate = std::get_if<Evaluate>(&stmt.node)) {
      walk(*evaluate->expr, visit);
    } else if (auto *update = std::get_if<AggUpdate>(&stmt.node)) {
      walk_all(update->keys, visit);
      walk_maybe(update->value, visit);
      walk_maybe(update->increment, visit);
    } else if (auto *action = std::get_if<Action>(&stmt.node)) {
      walk_all(action->values, visit);
    } else if (auto *branch = std::get_if<std::unique_ptr<If>>(&stmt.node)) {
      walk(*(*branch)->condition, visit);
      walk_body((*branch)->then_body, visit);
      walk_body((*branch)->else_body, visit);
    } else if (auto *loop = std::get_if<std::unique_ptr<Loop>>(&stmt.node)) {
      walk_body((*loop)->start, visit);
      walk_maybe((*loop)->condition, visit);
      walk_body((*loop)->body, visit);
      walk_body((*loop)->step, visit);
    } else if (auto *record = std::get_if<RecordLeaf>(&stmt.node)) {
      walk(*record->leaf, visit);
    }
  }
}

}  // namespace

void for_each_child(const Expr &expr, const Visit &visit) { std::visit(Children{visit}, expr.node); }

void walk(const Expr &expr, const Visit &visit) {
  visit(expr);
  for_each_child(expr, [&](const Expr &child) { walk(child, visit); });
}

void walk(const Clause &clause, const Visit &visit) {
  walk_maybe(clause.predicate, visit);
  walk_body(clause.body, visit);
}

void walk(const std::vector<Stmt> &body, const Visit &visit) { walk_body(body, visit); }

void walk_statements(const std::vector<Stmt> &body, const std::function<void(const Stmt &)> &visit) {
  for (const Stmt &stmt : body) {
    visit(stmt);
    if (auto *branch = std::get_if<std::unique_ptr<If>>(&stmt.node)) {
      walk_statements((*branch)->then_body, visit);
      walk_statements((*branch)->else_body, visit);
    } else if (auto *loop = std::get_if<std::unique_ptr<Loop>>(&stmt.node)) {
      walk_statements((*loop)->start, visit);
      walk_statements((*loop)->body, visit);
      walk_statements((*loop)->step, visit);
    }
  }
}

}  // namespace dtrace::tree
