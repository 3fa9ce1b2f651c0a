// SPDX-License-Identifier: Apache-2.0
// Clauses. Types are inferred from the statements first, then the predicate; if the statements use a name that only the
// predicate defines, the other way round (the D language reference, 3.1).
#include "frontend/check/check_clause.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "frontend/check/check_action.h"
#include "frontend/check/check_agg.h"
#include "frontend/check/check_arg_errors.h"
#include "frontend/check/check_call.h"
#include "frontend/check/check_convert.h"
#include "frontend/check/check_expr.h"
#include "frontend/check/check_probe_hint.h"
#include "frontend/text/glob.h"

namespace dtrace::check {
namespace {

void check_statements(Context &cx, const std::vector<const ast::Stmt *> &body, std::vector<tree::Stmt> &out);

/// An expression for its effect.
void check_effect(Context &cx, const ast::Expr &expr, Span span, std::vector<tree::Stmt> &out) {
  const Operand operand = check_expr(cx, expr);
  if (operand.kind == Operand::Kind::kAggregation) {
    cx.diags.report(Tag::D_AGG_NULL, span, "expression has null effect: @{} is not assigned an aggregating function",
                    operand.name);
    return;
  }
  if (!require_static(cx, operand)) return;
  out.push_back({span, tree::Evaluate{settled(cx, operand)}});
}

/// The action that an expression calls as a statement; none if it calls none.
std::optional<Builtin> called_action(const ast::Expr &expr) {
  const auto *call = std::get_if<ast::Call>(&expr.node);
  const auto *callee = call != nullptr ? std::get_if<ast::Ident>(&call->callee->node) : nullptr;
  const std::optional<Builtin> builtin = callee != nullptr ? find_builtin(callee->name) : std::nullopt;
  if (!builtin || row(*builtin).effect == BuiltinEffect::kUnsupported) return std::nullopt;
  const BuiltinKind kind = row(*builtin).kind;
  return kind == BuiltinKind::kAct || kind == BuiltinKind::kValue ? builtin : std::nullopt;
}

bool updates_aggregation(const ast::Expr &expr) {
  const auto *assign = std::get_if<ast::Assign>(&expr.node);
  return assign != nullptr && is_aggregation_place(*assign->target);
}

/// Whether an expression does more as a statement than to have a value: `self->x ? printf("x") : 1`.
bool has_action(const ast::Expr &expr) {
  if (const auto *chosen = std::get_if<ast::Conditional>(&expr.node)) {
    return has_action(*chosen->then_value) || has_action(*chosen->else_value);
  }
  return called_action(expr).has_value() || updates_aggregation(expr);
}

/// What follows a choice has both branches before it.
void merge(ClauseState &state, const ClauseState &branch) {
  state.speculates |= branch.speculates;
  state.commits |= branch.commits;
  state.records |= branch.records;
  state.aggregates |= branch.aggregates;
  state.is_partial |= branch.is_partial;
}

/// A branch that a constant condition excludes: its aggregations and variables are declared, as others may read them.
/// Its errors do not count, because programs choose by an inline or by $1 what fits the machine.
void check_excluded(Context &cx, const auto &check) {
  const ClauseState before = *cx.clause;
  const size_t nr_errors = cx.diags.list().size();
  std::vector<tree::Stmt> ignored;
  check(ignored);
  cx.diags.truncate(nr_errors);
  *cx.clause = before;
}

/// Statements of which one branch or the other is done. `check_then` and `check_else` check them into the body that
/// they are given.
void check_choice(Context &cx, const Operand &condition, Span span, const auto &check_then, const auto &check_else,
                  std::vector<tree::Stmt> &out) {
  if (const std::optional<uint64_t> known = constant_of(cx, condition)) {
    if (*known != 0) {
      check_then(out);
      check_excluded(cx, check_else);
    } else {
      check_else(out);
      check_excluded(cx, check_then);
    }
    return;
  }
  auto made = std::make_unique<tree::If>();
  const ClauseState before = *cx.clause;
  check_then(made->then_body);
  const ClauseState after_then = *cx.clause;
  std::optional<std::vector<ProbeArg>> args = cx.clause->args;
  *cx.clause = before;
  cx.clause->args = std::move(args);
  cx.clause->partial_args = after_then.partial_args;
  check_else(made->else_body);
  merge(*cx.clause, after_then);
  if (condition.poison() || !is_scalar(cx, condition)) return;
  made->condition = condition_of(cx, condition);
  out.push_back({span, std::move(made)});
}

void check_expression(Context &cx, const ast::Expr &expr, Span span, std::vector<tree::Stmt> &out);

/// `condition ? action : action` does what if and else do.
void check_conditional_statement(Context &cx, const ast::Conditional &ast, Span span, std::vector<tree::Stmt> &out) {
  const Operand condition = check_value(cx, *ast.condition);
  if (!condition.poison() && !is_scalar(cx, condition)) {
    cx.diags.report(Tag::D_OP_SCALAR, condition.span, "operator ?: condition must be of scalar type, not \"{}\"",
                    cx.describe(condition));
  }
  auto arm = [&cx](const ast::Expr &expr) {
    return [&cx, &expr](std::vector<tree::Stmt> &body) { check_expression(cx, expr, expr.span, body); };
  };
  check_choice(cx, condition, span, arm(*ast.then_value), arm(*ast.else_value), out);
}

void check_expression(Context &cx, const ast::Expr &expr, Span span, std::vector<tree::Stmt> &out) {
  if (updates_aggregation(expr)) return check_agg_update(cx, std::get<ast::Assign>(expr.node), span, out);
  if (const std::optional<Builtin> action = called_action(expr)) {
    return check_action(cx, *action, std::get<ast::Call>(expr.node), span, out);
  }
  const auto *chosen = std::get_if<ast::Conditional>(&expr.node);
  if (chosen != nullptr && has_action(expr)) return check_conditional_statement(cx, *chosen, span, out);
  check_effect(cx, expr, span, out);
}

void check_if(Context &cx, const ast::If &ast, Span span, std::vector<tree::Stmt> &out) {
  const Operand condition = check_value(cx, *ast.condition);
  if (!condition.poison() && !is_scalar(cx, condition)) {
    cx.diags.report(Tag::D_PRED_SCALAR, condition.span, "condition of if must be of scalar type, not \"{}\"",
                    cx.describe(condition));
  }
  auto branch = [&cx](const std::vector<const ast::Stmt *> &statements) {
    return [&cx, &statements](std::vector<tree::Stmt> &body) { check_statements(cx, statements, body); };
  };
  check_choice(cx, condition, span, branch(ast.then_body), branch(ast.else_body), out);
}

void check_loop(Context &cx, const ast::Loop &ast, Span span, std::vector<tree::Stmt> &out) {
  if (cx.options.flag(Opt::strict))
    cx.diags.report(Tag::D_SYNTAX, span, "option strict is set: only this dtrace has loops");
  auto made = std::make_unique<tree::Loop>();
  if (ast.start != nullptr) check_expression(cx, *ast.start, ast.start->span, made->start);
  ++cx.clause->loops;
  Operand condition;
  if (ast.condition != nullptr) {
    condition = check_value(cx, *ast.condition);
    if (!condition.poison() && !is_scalar(cx, condition)) {
      cx.diags.report(Tag::D_PRED_SCALAR, condition.span, "condition of a loop must be of scalar type, not \"{}\"",
                      cx.describe(condition));
    }
  }
  check_statements(cx, ast.body, made->body);
  if (ast.step != nullptr) check_expression(cx, *ast.step, ast.step->span, made->step);
  --cx.clause->loops;
  if (ast.condition != nullptr) {
    if (condition.poison() || !is_scalar(cx, condition)) return;
    made->condition = condition_of(cx, condition);
  }
  out.push_back({span, std::move(made)});
}

void check_jump(Context &cx, const ast::Jump &ast, Span span, std::vector<tree::Stmt> &out) {
  if (cx.clause->loops == 0) {
    cx.diags.report(Tag::D_SYNTAX, span, "{} is not within a loop", ast.is_break ? "break" : "continue");
    return;
  }
  out.push_back({span, tree::Jump{ast.is_break}});
}

void check_statements(Context &cx, const std::vector<const ast::Stmt *> &body, std::vector<tree::Stmt> &out) {
  for (const ast::Stmt *stmt : body) {
    if (const auto *expr = std::get_if<const ast::Expr *>(&stmt->node)) {
      if (*expr != nullptr) check_expression(cx, **expr, stmt->span, out);
    } else if (const auto *choice = std::get_if<ast::If>(&stmt->node)) {
      check_if(cx, *choice, stmt->span, out);
    } else if (const auto *loop = std::get_if<ast::Loop>(&stmt->node)) {
      check_loop(cx, *loop, stmt->span, out);
    } else {
      check_jump(cx, std::get<ast::Jump>(stmt->node), stmt->span, out);
    }
  }
}

void check_predicate(Context &cx, const ast::Expr &expr, tree::Clause &out) {
  cx.diags.set_region(Region::kPredicate);
  const Operand operand = check_expr(cx, expr);
  if (operand.poison()) return;
  if (!is_scalar(cx, operand)) {
    cx.diags.report(Tag::D_PRED_SCALAR, expr.span, "predicate result must be of scalar type, not \"{}\"",
                    cx.describe(operand));
    return;
  }
  out.predicate = condition_of(cx, operand);
}

void check_body(Context &cx, const ast::Clause &ast, tree::Clause &out) {
  cx.diags.set_region(Region::kActions);
  out.body.clear();
  check_statements(cx, ast.body, out.body);
}

bool lacks_a_name(const Diagnostics &diags, size_t from) {
  const auto &list = diags.list();
  return std::any_of(list.begin() + static_cast<ptrdiff_t>(from), list.end(),
                     [](const Diagnostic &d) { return d.tag == Tag::D_IDENT_UNDEF || d.tag == Tag::D_VAR_UNDEF; });
}

bool has_statements(const std::vector<const ast::Stmt *> &body) {
  return std::any_of(body.begin(), body.end(), [](const ast::Stmt *stmt) {
    const auto *expr = std::get_if<const ast::Expr *>(&stmt->node);
    return expr == nullptr || *expr != nullptr;
  });
}

/// Is the clause speculate() and nothing else?
bool only_speculates(const std::vector<tree::Stmt> &body) {
  if (body.size() != 1) return false;
  const auto *action = std::get_if<tree::Action>(&body.front().node);
  return action != nullptr && action->kind == Builtin::k_speculate;
}

/// The provider whose attributes count: a description without one may match the probes of only one ("BEGIN").
std::string provider_of(Context &cx, const tree::Clause &clause) {
  if (!clause.desc.provider.empty() || clause.probes.empty()) return clause.desc.provider;
  const std::string &first = cx.input.probes.probe(clause.probes.front()).provider;
  const bool is_only = std::all_of(clause.probes.begin(), clause.probes.end(),
                                   [&](ProbeId id) { return cx.input.probes.probe(id).provider == first; });
  return is_only ? first : std::string();
}

/// What a clause's statements and predicate asked for.
struct Contents {
  bool depends_on_probes = false;  ///< the types of their arguments were asked for, or names of their program
  bool is_partial = false;         ///< some of the probes lack the value of an argument that is used
  std::vector<ProbeArg> args;      ///< if it asked for them
};

/// Statements and predicate of a clause whose probes are known.
Contents check_contents(Context &cx, const ast::Clause &ast, tree::Clause &out) {
  const Region outer = cx.diags.region();
  const size_t before = cx.diags.list().size();
  const std::set<std::string, std::less<>> failed_before = cx.failed_names;
  ClauseState state;
  state.desc = &out.desc;
  state.probes = &out.probes;
  state.provider = provider_of(cx, out);
  const Restore<ClauseState *> clause(cx.clause, &state);
  cx.types.set_user_scope([&cx](std::string_view module) -> UserTypes * {
    UserScope *scope = cx.user_scope();
    const Result<UserTypes *> found = scope != nullptr ? scope->types(module) : Result<UserTypes *>(nullptr);
    return found ? *found : nullptr;
  });
  check_body(cx, ast, out);
  if (ast.predicate != nullptr) {
    if (lacks_a_name(cx.diags, before)) {
      cx.diags.truncate(before);
      cx.failed_names = failed_before;
      check_predicate(cx, *ast.predicate, out);
      std::optional<std::vector<ProbeArg>> args = std::move(state.args);
      std::string provider = std::move(state.provider);
      std::set<uint64_t> partial_args = std::move(state.partial_args);
      const std::optional<UserScope *> user_scope = state.user_scope;
      state = ClauseState{};
      state.desc = &out.desc;
      state.probes = &out.probes;
      state.provider = std::move(provider);
      state.args = std::move(args);
      state.partial_args = std::move(partial_args);
      state.user_scope = user_scope;
      check_body(cx, ast, out);
    } else {
      check_predicate(cx, *ast.predicate, out);
    }
  }
  cx.types.set_user_scope({});
  cx.diags.set_region(outer);
  out.default_action = !has_statements(ast.body) || only_speculates(out.body);
  const bool depends = state.args.has_value() || state.user_scope.value_or(nullptr) != nullptr;
  return {depends, state.is_partial, std::move(state.args).value_or(std::vector<ProbeArg>())};
}

/// A description whose only function exists and cannot be probed.
struct Refused {
  Span span;
  std::string why;
};

/// Tags of errors that name what does not exist, where a process was found: -Z allows that.
bool is_absence(std::string_view tag) { return tag == "D_PROC_FUNC" || tag == "D_PDESC_ZERO"; }

/// The probes of a description. Nothing after an error. Errors: D_PDESC_ZERO, D_PDESC_INVAL.
std::optional<std::vector<ProbeId>> match(Context &cx, const ast::ProbeSpec &spec, bool has_body, ProbeDesc &desc,
                                          std::vector<Refused> &refused) {
  if (spec.id) {
    const std::optional<ProbeId> id = cx.input.probes.by_number(*spec.id);
    if (!id) {
      cx.diags.report(Tag::D_PDESC_INVAL, spec.span, "invalid probe description \"{}\": Unknown probe identifier",
                      *spec.id);
      return std::nullopt;
    }
    const Probe &probe = cx.input.probes.probe(*id);
    desc = {probe.provider, probe.module, probe.function, probe.name};
    return std::vector<ProbeId>{*id};
  }
  desc = {spec.provider, spec.module, spec.function, spec.name};
  Result<std::vector<ProbeId>> found = cx.input.probes.match(desc);
  if (!found) {
    const Error &error = found.error();
    const bool is_lack = tag_of(error.tag(), Tag::D_PDESC_INVAL) == Tag::D_KERN_LACKS;
    if (is_lack && has_body && cx.options.flag(Opt::zdefs)) {  // without a body it is to be listed
      cx.diags.warn(Tag::D_KERN_LACKS, spec.span, "{}; nothing is traced there", error.text());
      return std::vector<ProbeId>{};
    }
    if (is_absence(error.tag()) && cx.options.flag(Opt::zdefs)) return std::vector<ProbeId>{};
    if (tag_of(error.tag(), Tag::D_PDESC_INVAL) == Tag::D_PROC_CREATEFAIL)
      refused.push_back({spec.span, error.text()});
    else if (error.tag().empty())
      cx.diags.report(Tag::D_PDESC_INVAL, spec.span, "invalid probe description \"{}\": {}", desc.text(), error.text());
    else
      cx.diags.add(tag_of(error.tag(), Tag::D_PDESC_INVAL), spec.span, error.text());
    return std::nullopt;
  }
  if (found->empty() && !cx.options.flag(Opt::zdefs)) {
    cx.diags.report(Tag::D_PDESC_ZERO, spec.span, "probe description {} does not match any probes", desc.text());
    if (cx.diags.shows_last()) suggest_probe(cx, cx.input.sources.text(spec.span), desc);
    return std::nullopt;
  }
  return std::move(*found);
}

/// Attributes of the clause's description. If it names no provider: the weakest of the providers whose probes it
/// matches.
Attributes attributes_of_description(Context &cx, const tree::Clause &clause) {
  const ProbeDesc &desc = clause.desc;
  const bool is_open = desc.provider.empty() || is_glob(desc.provider);
  if (!is_open || clause.probes.empty()) return description_attributes(desc, cx.input.probes.attributes(desc.provider));
  Attributes result = kStrongestAttributes;
  ProbeDesc named = desc;
  for (const ProbeId id : clause.probes) {
    const std::string &provider = cx.input.probes.probe(id).provider;
    if (provider == named.provider) continue;
    named.provider = provider;
    result = weaker(result, description_attributes(named, cx.input.probes.attributes(provider)));
  }
  return result;
}

/// Is the description's function another name of that of the probe, as fork1 is of vfork?
bool is_alias(const Context &cx, const ProbeDesc &desc, ProbeId id) {
  return !desc.function.empty() && !is_glob(desc.function) && cx.input.probes.probe(id).function != desc.function;
}

/// Leaves out of the probes of a description in a clause's list those that it has by another name only, where the list
/// has them by their own name, or earlier: on Solaris the names were different calls.
void drop_aliases(Context &cx, const ast::Clause &ast, const ast::ProbeSpec &spec, const ProbeDesc &desc,
                  std::span<const tree::Clause> earlier, std::vector<ProbeId> &probes) {
  if (ast.probes.size() == 1 || spec.id) return;
  std::erase_if(probes, [&](ProbeId id) {
    if (!is_alias(cx, desc, id)) return false;
    const auto has_it = [id](const tree::Clause &clause) {
      return std::ranges::find(clause.probes, id) != clause.probes.end();
    };
    if (std::ranges::any_of(earlier, has_it)) return true;
    return std::any_of(&spec + 1, ast.probes.data() + ast.probes.size(), [&](const ast::ProbeSpec &later) {
      const ProbeDesc other{later.provider, later.module, later.function, later.name};
      if (later.id ? *later.id != id.value : is_alias(cx, other, id)) return false;
      const Result<std::vector<ProbeId>> found = cx.input.probes.match(other);
      return found && std::ranges::find(*found, id) != found->end();
    });
  });
}

/// Appends the clause to `out`; with option argerrors=skip for those of its probes that have what it asks for. Whether
/// what it means is independent of its probes.
bool check_contents_where_possible(Context &cx, const ast::Clause &ast, tree::Clause clause,
                                   std::vector<tree::Clause> &out) {
  Attempt attempt(cx);
  const Contents contents = check_contents(cx, ast, clause);
  clause.statement_attributes = cx.attributes;
  const bool is_divided = skips_argument_errors(cx) && (attempt.has_failed() || contents.is_partial);
  if (!is_divided) {
    out.push_back(std::move(clause));
    return !contents.depends_on_probes;
  }
  attempt.undo();
  const auto check = [&](tree::Clause &part) {
    std::vector<ProbeArg> args = check_contents(cx, ast, part).args;
    part.statement_attributes = cx.attributes;
    return args;
  };
  check_each_probe(cx, clause, check, out);
  return false;
}

}  // namespace

void check_clause(Context &cx, const ast::Clause &ast, tree::Program &program) {
  bool last_is_general = false;
  std::vector<Refused> refused;
  const size_t clauses_before = program.clauses.size();
  for (const ast::ProbeSpec &spec : ast.probes) {
    tree::Clause clause;
    clause.span = ast.span;
    clause.desc_span = spec.span;
    std::optional<std::vector<ProbeId>> probes = match(cx, spec, ast.has_body, clause.desc, refused);
    if (!probes) {  // its other errors are reported as well, except those of the arguments
      const size_t before = cx.diags.list().size();
      check_contents(cx, ast, clause);
      cx.diags.drop_if(before, [](const Diagnostic &d) { return tag_name(d.tag).starts_with("D_ARGS_"); });
      continue;
    }
    clause.probes = std::move(*probes);
    const bool is_matched = !clause.probes.empty();
    drop_aliases(cx, ast, spec, clause.desc, std::span(program.clauses).subspan(clauses_before), clause.probes);
    if (is_matched && clause.probes.empty()) continue;
    clause.desc_attributes = attributes_of_description(cx, clause);
    cx.attributes = kStrongestAttributes;
    cx.note(clause.desc_attributes, clause.desc.text(), spec.span);
    const size_t first = program.clauses.size();
    const bool general = check_contents_where_possible(cx, ast, std::move(clause), program.clauses);
    for (size_t i = first; i < program.clauses.size(); ++i) {
      program.clauses[i].same_as_last = general && last_is_general;
      program.matched += program.clauses[i].probes.size();
    }
    last_is_general = general;
  }
  // A refused probe of a list is only a warning if others are traced, as with a glob.
  for (const Refused &one : refused) {
    if (program.clauses.size() > clauses_before)
      cx.diags.warn(Tag::D_PROC_CREATEFAIL, one.span, "{}; the other probes of the list are traced", one.why);
    else
      cx.diags.add(Tag::D_PROC_CREATEFAIL, one.span, one.why);
  }
}

}  // namespace dtrace::check
