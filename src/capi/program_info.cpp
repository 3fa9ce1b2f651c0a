// SPDX-License-Identifier: Apache-2.0
#include "capi/program_info.h"

#include <variant>

#include "frontend/lang/stability.h"

namespace dtrace::capi {
namespace {

dtrace_attribute_t shown(const Attributes &attributes) {
  return {static_cast<dtrace_stability_t>(attributes.name), static_cast<dtrace_stability_t>(attributes.data),
          static_cast<dtrace_class_t>(attributes.dependency)};
}
static_assert(static_cast<int>(Stability::kStandard) == DTRACE_STABILITY_STANDARD &&
              static_cast<int>(DependencyClass::kCommon) == DTRACE_CLASS_COMMON);

/// Counts statements; true: some of them record data.
bool count(const std::vector<tree::Stmt> &body, dtrace_proginfo_t &info) {
  bool records = false;
  for (const tree::Stmt &statement : body) {
    if (std::holds_alternative<tree::AggUpdate>(statement.node)) ++info.dpi_aggregates;
    if (const auto *action = std::get_if<tree::Action>(&statement.node)) {
      if (action->kind == Builtin::k_speculate) ++info.dpi_speculations;
      const BuiltinEffect effect = row(action->kind).effect;
      records |= effect == BuiltinEffect::kRecords || effect == BuiltinEffect::kDestructiveRecords;
    }
    if (const auto *branch = std::get_if<std::unique_ptr<tree::If>>(&statement.node)) {
      const bool in_then = count((*branch)->then_body, info), in_else = count((*branch)->else_body, info);
      records |= in_then || in_else;
    }
    if (const auto *loop = std::get_if<std::unique_ptr<tree::Loop>>(&statement.node)) (void)count((*loop)->body, info);
  }
  return records;
}

}  // namespace

dtrace_proginfo_t info_of(const tree::Program &program) {
  dtrace_proginfo_t info{};
  Attributes descriptions = kStrongestAttributes, statements = kStrongestAttributes;
  for (const tree::Clause &clause : program.clauses) {
    descriptions = weaker(descriptions, clause.desc_attributes);
    statements = weaker(statements, clause.statement_attributes);
    if (count(clause.body, info) || clause.default_action) ++info.dpi_recgens;
  }
  info.dpi_descattr = shown(descriptions);
  info.dpi_stmtattr = shown(statements);
  info.dpi_matches = static_cast<unsigned>(program.matched);
  return info;
}

}  // namespace dtrace::capi
