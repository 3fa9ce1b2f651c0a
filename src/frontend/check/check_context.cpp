// SPDX-License-Identifier: Apache-2.0
// Small services of the context: rvalues, attributes, type words for messages.
#include "frontend/check/check_context.h"

#include <algorithm>

namespace dtrace::check {
namespace {

bool is_own_module(std::string_view module) { return module.empty() || module == "D" || module == "C"; }

}  // namespace

Operand Context::value(const tree::Expr *expr) const {
  Operand result;
  result.kind = Operand::Kind::kValue;
  result.type = expr->type;
  result.span = expr->span;
  result.expr = expr;
  return result;
}

void Context::note(const Attributes &used, std::string_view name, Span span) {
  attributes = weaker(attributes, used);
  if (!options.is_set(Opt::amin)) return;
  const std::optional<Attributes> floor = parse_attributes(options.string(Opt::amin));
  if (!floor || reaches(used, *floor)) return;
  diags.report(Tag::D_ATTR_MIN, span, "attributes for {} ({}) are less than predefined minimum", name,
               dtrace::text(used));
}

void Context::note_type(TypeId type, Span span) {
  TypeId at = type;
  for (;;) {
    const Type &t = types[at];
    if (!is_own_module(t.module)) return note(kKernelAttributes, types.name(type), span);
    if (!t.target || t.kind == TypeKind::kFunction) return;
    at = t.target;
  }
}

UserScope *Context::user_scope() {
  if (clause == nullptr || clause->probes == nullptr || bindings != nullptr) return nullptr;
  if (clause->user_scope) return *clause->user_scope;
  UserScope *scope = clause->probes->empty() ? nullptr : input.probes.user_scope(clause->probes->front());
  const auto differs = [&](ProbeId id) { return input.probes.user_scope(id) != scope; };
  if (scope != nullptr && std::ranges::any_of(*clause->probes, differs)) scope = nullptr;
  return *(clause->user_scope = scope);
}

std::string Context::user_scope_failure() {
  UserScope *scope = user_scope();
  if (scope == nullptr) return {};
  const Result<UserTypes *> found = scope->types({});
  return found ? std::string() : found.error().text();
}

std::string Context::describe(const Operand &operand) const {
  switch (operand.kind) {
    case Operand::Kind::kAggregation:
      return "aggregation";
    case Operand::Kind::kAction:
      return "void";
    case Operand::Kind::kUntypedSymbol:
      return "(unknown)";
    default:
      return type_name(operand.type);
  }
}

}  // namespace dtrace::check
