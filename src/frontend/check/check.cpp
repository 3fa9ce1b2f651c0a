// SPDX-License-Identifier: Apache-2.0
// Checks one text, from its first external declaration to its last. Errors in a program are reported at once; errors in
// a library are kept, and reported to programs that use the name.
//
// Clauses may be checked more than once: a variable that is found to hold scratch pointers (alloca, copyin) changes its
// type, and clauses before that point must see it. Declarations are made in the first pass only.
#include "frontend/check/check.h"

#include <algorithm>

#include "frontend/check/check_arg_errors.h"
#include "frontend/check/check_clause.h"
#include "frontend/check/check_context.h"
#include "frontend/check/check_define.h"
#include "frontend/check/check_names.h"
#include "frontend/check/check_own_names.h"
#include "frontend/check/class_members.h"
#include "frontend/check/translate.h"

namespace dtrace {

using namespace check;

struct Checker::Impl {
  explicit Impl(tree::Unit &unit) : session(unit) {}

  void predefine(TypeTable &types);
  bool check_program(const CheckInput &input, Diagnostics &diags, tree::Program &program);
  void check_library(const CheckInput &input);

  Session session;
  bool predefined = false;
};

namespace {

/// A clause's variables may change types only so often: each pass settles at least one.
constexpr unsigned kMaxPasses = 32;

/// The name shown in "description 'X' matched": the script's path, or a command-line text up to its body.
std::string program_name(const Source &source) {
  if (source.kind != SourceKind::kString) return source.name;
  return source.name.substr(0, source.name.find_first_of("{/;"));
}

std::string_view tag_word(ast::SpecifierKind kind) {
  switch (kind) {
    case ast::SpecifierKind::kStruct:
      return "struct ";
    case ast::SpecifierKind::kUnion:
      return "union ";
    case ast::SpecifierKind::kEnum:
      return "enum ";
    default:
      return "";
  }
}

/// "struct psinfo" or "psinfo_t" of a type name.
std::string written_name(const ast::DeclSpecs &specs) {
  for (const ast::Specifier &s : specs.specifiers) {
    if (!s.name.empty()) return std::string(tag_word(s.kind)) + std::string(s.name);
  }
  return {};
}

/// Names that a declaration would have defined.
struct NamesOf {
  std::vector<std::string> operator()(const ast::Clause &) const { return {}; }
  std::vector<std::string> operator()(const ast::Pragma &) const { return {}; }
  std::vector<std::string> operator()(const ast::ProviderDef &def) const {
    return {"provider " + std::string(def.name)};
  }
  std::vector<std::string> operator()(const ast::InlineDef &def) const { return {std::string(def.declarator.name)}; }
  std::vector<std::string> operator()(const ast::TranslatorDef &def) const {
    if (def.output == nullptr) return {};
    return {"translator " + written_name(def.output->specs)};
  }
  std::vector<std::string> operator()(const ast::Declaration &declaration) const {
    std::vector<std::string> names;
    for (const ast::Declarator &declarator : declaration.declarators) names.emplace_back(declarator.name);
    for (const ast::Specifier &s : declaration.specs.specifiers) {
      if (!s.has_body) continue;
      if (!s.name.empty()) names.push_back(std::string(tag_word(s.kind)) + std::string(s.name));
      for (const ast::EnumeratorDecl &enumerator : s.enumerators) names.emplace_back(enumerator.name);
    }
    return names;
  }
};

void define_external(Context &cx, const ast::External &external) {
  if (const auto *declaration = std::get_if<ast::Declaration>(&external)) {
    define(cx, *declaration);
  } else if (const auto *def = std::get_if<ast::InlineDef>(&external)) {
    define_inline(cx, *def);
  } else if (const auto *def = std::get_if<ast::TranslatorDef>(&external)) {
    if (def->classes.empty())
      define_translator(cx, *def);
    else
      define_class_translator(cx, *def);
  } else if (const auto *def = std::get_if<ast::ProviderDef>(&external)) {
    define_provider(cx, *def);
  }
}

/// Uses of what a declaration with an error would have defined are not reported as well.
void note_failure(Context &cx, const ast::External &external) {
  for (const std::string &name : std::visit(NamesOf{}, external))
    for (const ast::Storage scope : {ast::Storage::kNone, ast::Storage::kSelf, ast::Storage::kThis})
      cx.failed_definitions.insert(spelling(scope, name));
  cx.failed_names.insert(cx.failed_definitions.begin(), cx.failed_definitions.end());
}

/// From here on this DTrace's own names that the program defines are the program's.
void take_own_names(Session &session, const ast::Ast &ast) {
  for (const std::string &name : redefined_own_names(ast)) {
    session.own_names.insert(name);
    const auto known = session.globals.find(name);
    const bool is_library_inline = known != session.globals.end() && known->second.kind == Global::Kind::kInline &&
                                   session.inlines[known->second.index].is_library;
    if (is_library_inline) session.globals.erase(known);
  }
}

/// All externals in order; later passes look at clauses only.
void check_externals(Context &cx, bool first_pass, std::vector<NamePragma> &waiting, tree::Program &program) {
  for (const ast::External &external : cx.input.ast.externals) {
    if (const auto *clause = std::get_if<ast::Clause>(&external)) {
      check_clause(cx, *clause, program);
    } else if (const auto *pragma = std::get_if<ast::Pragma>(&external); pragma != nullptr && first_pass) {
      check_pragma(cx, *pragma, waiting);
    } else if (first_pass) {
      const size_t before = cx.diags.list().size();
      define_external(cx, external);
      if (cx.diags.list().size() > before) note_failure(cx, external);
      cx.definition_errors.insert(cx.definition_errors.end(), cx.diags.list().begin() + static_cast<ptrdiff_t>(before),
                                  cx.diags.list().end());
    }
    if (!waiting.empty()) apply_waiting(cx, waiting);
  }
}

/// Did a clause further down assign an aggregation that an action had asked for? Then another pass finds it.
bool found_later(const Context &cx) {
  return std::any_of(cx.awaited_aggregations.begin(), cx.awaited_aggregations.end(),
                     [&](const std::string &name) { return cx.session.aggregations.contains(name); });
}

}  // namespace

void Checker::Impl::predefine(TypeTable &types) {
  if (predefined) return;
  predefined = true;
  Global null;
  null.kind = Global::Kind::kConstant;
  null.index = static_cast<uint32_t>(session.constants.size());
  session.constants.push_back({types.long_type(), 0});
  session.globals.emplace("NULL", null);
}

bool Checker::Impl::check_program(const CheckInput &input, Diagnostics &diags, tree::Program &program) {
  const auto strsize = static_cast<uint64_t>(input.options.number(Opt::strsize));
  if (strsize != 0 && input.types.strsize() != strsize) input.types.set_strsize(strsize);
  input.types.set_stack_frames(
      static_cast<uint64_t>(std::clamp<int64_t>(input.options.number(Opt::maxframes), 1, 1024)));

  const size_t before = diags.list().size();
  const std::string &floor = input.options.string(Opt::amin);
  if (input.options.is_set(Opt::amin) && !parse_attributes(floor)) {
    diags.report(Tag::D_PRAGMA_OPTSET, Span{input.ast.source, 0, 0}, "failed to set option 'amin' to '{}': {}", floor,
                 text(OptionError::kBadValue));
    return false;
  }
  take_own_names(session, input.ast);
  Context cx(session, input, diags, ++session.texts);
  std::vector<NamePragma> waiting;
  for (unsigned pass = 0; pass < kMaxPasses; ++pass) {
    program = tree::Program{};
    cx.variables_retyped = false;
    cx.awaited_aggregations.clear();
    cx.has_awaited_variables = false;
    cx.left_out.clear();
    cx.left_out_names.clear();
    if (pass > 0) cx.failed_names = cx.failed_definitions;
    check_externals(cx, pass == 0, waiting, program);
    const bool is_repeated = found_later(cx) || (cx.has_awaited_variables && diags.list().size() == before);
    if (cx.has_awaited_variables) cx.are_assignments_known = true;
    if (is_repeated) {
      diags.truncate(before);
      for (const Diagnostic &error : cx.definition_errors) diags.add(error);
      continue;
    }
    if (!cx.variables_retyped || diags.list().size() > before) break;
  }
  report_unused(cx, waiting);
  report_left_out(cx, program);
  program.destructive = cx.destructive;
  if (input.ast.source < input.sources.size()) {
    const Source &source = input.sources[input.ast.source];
    program.name = program_name(source);
    program.is_script = source.kind != SourceKind::kString;
  }
  return diags.list().size() == before;
}

void Checker::Impl::check_library(const CheckInput &input) {
  const uint32_t text = ++session.texts;
  std::vector<NamePragma> waiting;
  Diagnostics ignored;
  Context pragmas(session, input, ignored, text);
  for (const ast::External &external : input.ast.externals) {
    if (const auto *pragma = std::get_if<ast::Pragma>(&external)) {
      if (check_pragma(pragmas, *pragma, waiting) == PragmaOutcome::kSkipText) return;
      continue;
    }
    Diagnostics own;
    Context cx(session, input, own, text);
    if (const auto *clause = std::get_if<ast::Clause>(&external)) {
      own.report(Tag::D_PRAGMA_SCOPE, clause->span, "D library may not contain probe clauses");
    } else {
      define_external(cx, external);
    }
    if (!waiting.empty()) apply_waiting(cx, waiting);
    if (own.ok()) continue;
    for (std::string &name : std::visit(NamesOf{}, external)) {
      if (!name.empty()) session.failures.try_emplace(std::move(name), Failure{own.list().front()});
    }
  }
}

Checker::Checker(tree::Unit &unit) : impl_(std::make_unique<Impl>(unit)) {}
Checker::~Checker() = default;

std::optional<tree::Program> Checker::check(const CheckInput &input, Diagnostics &diags) {
  impl_->predefine(input.types);
  tree::Program program;
  if (input.is_library) {
    if (!diags.ok()) impl_->session.parse_failure = diags.list().front();
    impl_->check_library(input);
  } else if (!impl_->check_program(input, diags, program)) {
    return std::nullopt;
  }
  return program;
}

bool Checker::is_global(std::string_view name) const {
  return name == "NULL" || find_variable(name) || find_builtin(name) ||
         impl_->session.globals.contains(std::string(name));
}

void Checker::set_library_fallback(std::function<bool(std::string_view)> fallback) {
  impl_->session.library_fallback = std::move(fallback);
}

void Checker::set_class_fallback(std::function<bool(std::string_view)> fallback) {
  impl_->session.class_fallback = std::move(fallback);
}

void Checker::set_translator_fallback(std::function<bool(std::string_view, std::string_view)> fallback) {
  impl_->session.translator_fallback = std::move(fallback);
}

}  // namespace dtrace
