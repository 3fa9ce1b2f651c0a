// SPDX-License-Identifier: Apache-2.0
// Program structure: externals, clauses, statements, and recovery from errors.
#include "frontend/syntax/parser.h"

#include <utility>

#include "frontend/syntax/parser_impl.h"
#include "frontend/syntax/probe_spec.h"
#include "frontend/text/hints.h"
#include "frontend/text/lexer_literal.h"

namespace dtrace {

namespace {

constexpr size_t kMaxErrors = 20;
constexpr uint32_t kMaxNesting = 512;  // the parser's own recursion
constexpr uint32_t kMaxHeight = 1024;  // the recursion of later walks through the tree

}  // namespace

std::unique_ptr<ast::Ast> parse(const ParseInput &input, Sources &sources, Diagnostics &diags) {
  auto tree = std::make_unique<ast::Ast>();
  tree->source = input.source;
  Parser(input, sources, diags, *tree).program();
  return tree;
}

Parser::Parser(const ParseInput &input, Sources &sources, Diagnostics &diags, ast::Ast &ast)
    : input_(input),
      sources_(sources),
      diags_(diags),
      ast_(ast),
      macros_(input.macros),
      lexer_(input, sources, diags, ast, macros_, [this](std::string_view name) { return is_type(name); }) {}

void Parser::program() {
  size_t errors_before = diags_.list().size();
  auto errors = [&] { return diags_.list().size() - errors_before; };
  advance();
  bool empty = true;
  while (!is(Tok::kEnd) && errors() < kMaxErrors) {
    uint32_t begin = tok_.span.begin;
    size_t known_errors = diags_.list().size();
    bool foreign = lexer_.in_system_header();
    empty = false;
    first_external_ = ast_.externals.size();
    external();
    if (!panicking()) continue;
    // System headers hold C that is not D: what we do not understand there is left out.
    if (foreign) diags_.truncate(known_errors);
    recover_external(bad_.span.begin != begin);
  }
  if (errors() > 0) return;
  if (empty && !input_.allow_empty) {
    diags_.report(Tag::D_EMPTY, lexer_.end_of_text(), "empty D program translation unit");
    return;
  }
  macros_.check_used(lexer_.end_of_text(), diags_);
}

// ---------------------------------------------------------------- tokens and errors

bool Parser::accept(Tok kind) {
  if (!is(kind)) return false;
  last_end_ = tok_.span.end;
  advance();
  return true;
}

bool Parser::expect(Tok kind) {
  if (accept(kind)) return true;
  fail();
  return false;
}

void Parser::panic() {
  bad_ = tok_;
  tok_.kind = Tok::kPanic;
}

void Parser::fail() {
  if (panicking()) return;
  bool silent = is(Tok::kError) || (is(Tok::kEnd) && at_end_after_error_);
  if (!silent && is(Tok::kEnd)) {
    diags_.report(Tag::D_SYNTAX, tok_.span, "syntax error near end of input");
  } else if (!silent) {
    const std::string_view whole = sources_.text(tok_.span);
    std::string_view text = whole;
    if (is(Tok::kString) && text.size() >= 2 && text[0] == '"') text = text.substr(1, text.size() - 2);
    diags_.report(Tag::D_SYNTAX, tok_.span, "syntax error near \"{}\"", text);
    advise_syntax(whole);
  }
  panic();
}

void Parser::fail(Tag tag, Span span, std::string message) {
  if (panicking()) return;
  if (!is(Tok::kError)) diags_.add(tag, span, std::move(message));
  panic();
}

Parser::Nesting::Nesting(Parser &parser) : parser_(parser), ok_(++parser.nesting_ <= kMaxNesting) {
  if (!ok_) parser_.fail(Tag::D_SYNTAX, parser_.tok_.span, "program is nested too deeply");
}

bool Parser::height_allowed(uint32_t child_height, Span span) {
  if (child_height < kMaxHeight) return true;
  fail(Tag::D_SYNTAX, span, "expression is nested too deeply");
  return false;
}

Span Parser::since(Span begin) const {
  return Span{begin.source, begin.begin, last_end_ > begin.begin ? last_end_ : begin.end};
}

// ---------------------------------------------------------------- recovery

/// Takes up the token at which the error was found.
void Parser::resume() {
  tok_ = bad_;
  in_clause_ = in_prototype_ = in_members_ = in_class_translator_ = false;
  locals_.clear();
}

/// Goes on after the `;` or `}` that ends the external. If not even its first token was good, only that one is dropped.
void Parser::recover_external(bool consumed) {
  resume();
  lexer_.forget_parentheses();
  if (!consumed && lexer_.state() == Lexer::State::kClause && lexer_.braces() == 0) {
    advance();
    return;
  }
  lexer_.set_state(Lexer::State::kExpr);
  lexer_.set_muted(true);
  for (;; advance()) {
    if (is(Tok::kEnd)) break;
    if (lexer_.braces() == 0 && (is(Tok::kSemicolon) || is(Tok::kRBrace))) break;
  }
  bool after_brace = is(Tok::kRBrace);
  lexer_.set_muted(false);
  lexer_.forget_parentheses();
  if (is(Tok::kEnd)) return;
  lexer_.set_state(Lexer::State::kClause);
  advance();
  if (after_brace && is(Tok::kSemicolon)) advance();
}

/// Goes on after the next `;` of the statement list that has `braces` open braces, or at its `}`.
void Parser::recover_statement(int braces) {
  resume();
  in_clause_ = true;
  lexer_.set_muted(true);
  while (!is(Tok::kEnd) && lexer_.braces() >= braces && !(is(Tok::kSemicolon) && lexer_.braces() == braces)) {
    advance();
    lexer_.forget_parentheses();
  }
  lexer_.set_muted(false);
  lexer_.forget_parentheses();
  at_end_after_error_ |= is(Tok::kEnd);
  if (is(Tok::kSemicolon)) advance();
}

void Parser::add(ast::External node) {
  if (panicking()) return;
  ast_.externals.insert(ast_.externals.begin() + static_cast<std::ptrdiff_t>(first_external_), std::move(node));
}

void Parser::finish_external(Tok last) {
  if (!is(last)) {
    fail();
    return;
  }
  lexer_.set_state(Lexer::State::kClause);
  accept(last);
}

// ---------------------------------------------------------------- externals

void Parser::external() {
  switch (tok_.kind) {
    case Tok::kProbeSpec:
    case Tok::kInteger:
      return clause();
    case Tok::kInline:
      return inline_definition();
    case Tok::kTranslator:
      return translator_definition();
    case Tok::kProvider:
      return provider_definition();
    default:
      // Only a keyword or a type has put the lexer into EXPR state.
      return lexer_.state() == Lexer::State::kExpr ? declaration() : fail();
  }
}

void Parser::clause() {
  ast::Clause clause;
  Span begin = tok_.span;
  probe_list(clause);
  if (panicking()) return;
  bool has_predicate = is(Tok::kSlash);
  if (has_predicate) {
    predicate(clause);
    if (panicking()) return suggest_probe(begin);
  }
  if (is(Tok::kLBrace)) {
    clause.has_body = true;
    in_clause_ = true;
    lexer_.set_state(Lexer::State::kExpr);
    accept(Tok::kLBrace);
    statements(clause.body);
    in_clause_ = false;
    clause.span = join(begin, tok_.span);
    finish_external(Tok::kRBrace);
  } else if (has_predicate) {
    fail(Tag::D_SYNTAX, clause.predicate != nullptr ? clause.predicate->span : tok_.span,
         "actions expected after predicate");
  } else {
    clause.span = since(begin);
    if (!input_.command_line && !is(Tok::kError)) {
      // What follows may well begin another external: no token is dropped.
      diags_.report(Tag::D_SYNTAX, clause.span, "predicate and/or actions expected after probe description");
      return;
    }
    if (is(Tok::kError)) return panic();
  }
  add(std::move(clause));
}

void Parser::probe_list(ast::Clause &clause) {
  do {
    ProbeField field = std::exchange(first_spec_, false) ? input_.field : ProbeField::kName;
    std::optional<ast::ProbeSpec> spec;
    if (is(Tok::kProbeSpec) && tok_.text.find("$target") != std::string_view::npos && macros_.nr_targets() > 1) {
      // One description for each of the processes.
      for (size_t i = 0; i < macros_.nr_targets(); ++i) {
        macros_.choose_target(i);
        if ((spec = parse_probe_spec(tok_.text, tok_.span, field, macros_, diags_))) clause.probes.push_back(*spec);
      }
      macros_.choose_target(0);
      spec.reset();
    } else if (is(Tok::kProbeSpec)) {
      spec = parse_probe_spec(tok_.text, tok_.span, field, macros_, diags_);
    } else if (is(Tok::kInteger)) {
      spec = parse_probe_id(tok_.text, tok_.span, field, diags_);
    } else {
      return fail();
    }
    if (spec) clause.probes.push_back(std::move(*spec));
    accept(tok_.kind);
  } while (accept(Tok::kComma));
}

/// "uprobe:/bin/bash:readline" ends at its first slash, where a predicate seems to begin.
void Parser::suggest_probe(Span begin) {
  if (diags_.ok()) return;
  const std::string_view rest = std::string_view(sources_[begin.source].text).substr(begin.begin);
  const std::string_view word = rest.substr(0, rest.find_first_of(" \t\n{,"));
  if (word.find(":/") != std::string_view::npos) diags_.suggest(hint_for_probe(word));
}

void Parser::predicate(ast::Clause &clause) {
  in_clause_ = true;
  lexer_.set_state(Lexer::State::kExpr);
  accept(Tok::kSlash);
  clause.predicate = expression().expr;
  expect(Tok::kPredicateEnd);
  in_clause_ = false;
}

// ---------------------------------------------------------------- statements

void Parser::statements(std::vector<const ast::Stmt *> &out) {
  while (!is(Tok::kRBrace) && !is(Tok::kEnd) && !panicking()) {
    int braces = lexer_.braces() - (is(Tok::kLBrace) ? 1 : 0);
    statement(out);
    if (panicking()) recover_statement(braces);
  }
}

void Parser::statement(std::vector<const ast::Stmt *> &out) {
  if (accept(Tok::kSemicolon)) return;
  if (is(Tok::kIf)) return conditional_statement(out);
  if (is(Tok::kFor) || is(Tok::kWhile)) return loop_statement(out);
  if (is(Tok::kBreak) || is(Tok::kContinue)) return jump_statement(out);
  Span begin = tok_.span;
  statement_ = begin.begin;
  const ast::Expr *value = expression().expr;
  Span whole = since(begin);
  wants_semicolon_ = true;
  if (!is(Tok::kRBrace)) expect(Tok::kSemicolon);
  wants_semicolon_ = false;
  statement_.reset();
  if (!panicking()) out.push_back(ast_.stmt(ast::Stmt{whole, value}));
}

void Parser::conditional_statement(std::vector<const ast::Stmt *> &out) {
  Nesting nesting(*this);
  if (!nesting) return;
  Span begin = tok_.span;
  ast::If node;
  accept(Tok::kIf);
  expect(Tok::kLParen);
  node.condition = expression().expr;
  expect(Tok::kRParen);
  statement_or_block(node.then_body);
  if (accept(Tok::kElse)) statement_or_block(node.else_body);
  if (!panicking()) out.push_back(ast_.stmt(ast::Stmt{since(begin), std::move(node)}));
}

void Parser::loop_statement(std::vector<const ast::Stmt *> &out) {
  Nesting nesting(*this);
  if (!nesting) return;
  Span begin = tok_.span;
  statement_ = begin.begin;
  ast::Loop node;
  if (accept(Tok::kFor)) {
    expect(Tok::kLParen);
    if (!is(Tok::kSemicolon)) node.start = expression().expr;
    expect(Tok::kSemicolon);
    if (!is(Tok::kSemicolon)) node.condition = expression().expr;
    expect(Tok::kSemicolon);
    if (!is(Tok::kRParen)) node.step = expression().expr;
  } else {
    accept(Tok::kWhile);
    expect(Tok::kLParen);
    node.condition = expression().expr;
  }
  expect(Tok::kRParen);
  statement_or_block(node.body);
  if (!panicking()) out.push_back(ast_.stmt(ast::Stmt{since(begin), std::move(node)}));
}

void Parser::jump_statement(std::vector<const ast::Stmt *> &out) {
  Span begin = tok_.span;
  const bool is_break = accept(Tok::kBreak);
  if (!is_break) accept(Tok::kContinue);
  Span whole = since(begin);
  if (!is(Tok::kRBrace)) expect(Tok::kSemicolon);
  if (!panicking()) out.push_back(ast_.stmt(ast::Stmt{whole, ast::Jump{is_break}}));
}

void Parser::statement_or_block(std::vector<const ast::Stmt *> &out) {
  if (panicking()) return;
  if (!accept(Tok::kLBrace)) return statement(out);
  statements(out);
  expect(Tok::kRBrace);
}

// ---------------------------------------------------------------- names

bool Parser::is_type(std::string_view name) const {
  if (name.empty() || name[0] == '`' || locals_.contains(name) || globals_.contains(name)) return false;
  if (types_.contains(name)) return true;
  if (input_.oracle.is_global && input_.oracle.is_global(name)) return false;
  return input_.oracle.is_type && input_.oracle.is_type(name);
}

bool Parser::names_type() {
  if (is(Tok::kTypeName)) return true;
  if (!is(Tok::kIdent) || !is_type(tok_.text)) return false;
  if (!in_clause_) return true;
  std::string_view rest = lexer_.rest();
  bool assigned = rest.starts_with("++") || rest.starts_with("--") || rest.starts_with("[") ||
                  (rest.starts_with("=") && !rest.starts_with("=="));
  if (assigned) globals_.insert(tok_.text);
  return !assigned;
}

}  // namespace dtrace
