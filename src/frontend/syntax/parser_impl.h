// SPDX-License-Identifier: Apache-2.0
// The recursive-descent parser behind parse(): one token in hand, no look-ahead token (the lexer's state would be
// wrong).
//
// Errors: fail() reports once and puts the token kPanic in hand. It matches nothing, so every production unwinds by
// itself, with null nodes that never reach the tree; the loops over statements and externals then recover.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/syntax/lexer.h"

namespace dtrace {

class Parser {
 public:
  Parser(const ParseInput &input, Sources &sources, Diagnostics &diags, ast::Ast &ast);
  void program();

 private:
  /// An expression while it is parsed. `height` bounds the recursion of later walks through the tree.
  struct Value {
    const ast::Expr *expr = nullptr;  ///< null after an error
    uint32_t height = 0;
    bool unary = false;  ///< may stand left of an assignment operator
  };

  /// Counts nesting; false means "too deep", already reported.
  class Nesting {
   public:
    explicit Nesting(Parser &parser);
    ~Nesting() { --parser_.nesting_; }
    Nesting(const Nesting &) = delete;
    Nesting &operator=(const Nesting &) = delete;
    explicit operator bool() const { return ok_; }

   private:
    Parser &parser_;
    bool ok_;
  };

  // --- tokens and errors (parser.cpp)
  void advance() { tok_ = lexer_.next(); }
  bool is(Tok kind) const { return tok_.kind == kind; }
  bool accept(Tok kind);
  bool expect(Tok kind);
  void fail();                                ///< syntax error near the token in hand
  void advise_syntax(std::string_view text);  // parser_advice.cpp
  void fail(Tag tag, Span span, std::string message);
  void panic();
  bool panicking() const { return tok_.kind == Tok::kPanic; }
  void resume();
  void recover_external(bool consumed);
  void recover_statement(int braces);
  /// Takes `last`, the final token of an external; what follows is lexed in CLAUSE state.
  void finish_external(Tok last);
  /// Puts the external into the tree, before the pragmas that were met while its end was looked for.
  void add(ast::External node);

  // --- externals (parser.cpp)
  void external();
  void clause();
  void probe_list(ast::Clause &clause);
  void suggest_probe(Span begin);
  void predicate(ast::Clause &clause);
  void statements(std::vector<const ast::Stmt *> &out);
  void statement(std::vector<const ast::Stmt *> &out);
  void conditional_statement(std::vector<const ast::Stmt *> &out);
  void loop_statement(std::vector<const ast::Stmt *> &out);
  void jump_statement(std::vector<const ast::Stmt *> &out);
  void statement_or_block(std::vector<const ast::Stmt *> &out);

  // --- declarations (parser_decl.cpp)
  enum class Naming : uint8_t { kNamed, kAbstract, kEither };
  void declaration();
  void inline_definition();
  void translator_definition();
  void provider_definition();
  ast::ProviderDef::ProbeDecl probe_declaration();
  ast::DeclSpecs decl_specs(bool storage_allowed);
  bool decl_spec(ast::DeclSpecs &specs, bool storage_allowed, bool &has_type);
  ast::Specifier struct_specifier();
  ast::Specifier enum_specifier();
  void member_declaration(std::vector<ast::MemberDecl> &members);
  ast::Declarator declarator(Naming naming);
  void declarator_tail(ast::Declarator &out, Naming naming);
  void direct_declarator(ast::Declarator &out, Naming naming);
  void array_suffix(ast::Declarator &out);
  void function_suffix(ast::Declarator &out);
  void parameters(std::vector<ast::Param> &params, bool &variadic, Tok close);
  uint8_t qualifiers();
  /// A type, and the greatest height of the expressions in it.
  struct TypeValue {
    const ast::TypeName *type = nullptr;
    uint32_t height = 0;
  };
  TypeValue type_name();
  const ast::Expr *constant();
  bool starts_type();
  bool starts_unknown_type();
  bool names_user_type();
  void note_user_type();
  /// In clauses, and in translators of classes.
  bool knows_user_types() const { return in_clause_ || in_class_translator_; }
  static bool is_scoped_name(std::string_view name) { return name.find("::") != std::string_view::npos; }
  bool is_word_as_name() const;
  void skip_function_body();
  void note_name(const ast::DeclSpecs &specs, const ast::Declarator &declarator);

  // --- expressions (parser_expr.cpp)
  Value expression();
  Value assignment();
  Value assigned(Value target);
  Value conditional();
  Value binary(int lowest_level);
  Value cast();
  Value unary();
  Value prefix(UnaryOp op, bool of_cast);
  Value size_of();
  Value string_of();
  Value postfix();
  Value postfix_tail(Value value);
  Value primary();
  Value parenthesised();
  Value scoped_variable();
  Value integer();
  Value identifier();
  Value offset_of();
  Value xlate();
  Value member(Value base, bool arrow);
  /// Comma-separated assignment expressions up to `close`, which is taken. Returns the greatest height.
  uint32_t list(std::vector<const ast::Expr *> &out, Tok close);
  std::string_view member_name(Span *name_span);

  template <typename T>
  Value make(Span span, T node, uint32_t child_height, bool unary = false) {
    if (panicking() || !height_allowed(child_height, span)) return {};
    return Value{ast_.expr(span, std::move(node)), child_height + 1, unary};
  }
  bool height_allowed(uint32_t child_height, Span span);
  Span span_of(Value value) const { return value.expr != nullptr ? value.expr->span : tok_.span; }
  /// From `begin` to the end of the last token taken.
  Span since(Span begin) const;

  bool is_type(std::string_view name) const;
  /// Is the identifier in hand a type here? In a clause, one that is assigned to or indexed is an identifier, and stays
  /// one.
  bool names_type();

  const ParseInput &input_;
  Sources &sources_;
  Diagnostics &diags_;
  ast::Ast &ast_;
  MacroExpander macros_;
  Lexer lexer_;
  Token tok_;                          ///< in hand
  Token bad_;                          ///< in hand when the error was found
  uint32_t last_end_ = 0;              ///< end of the last token taken
  std::optional<uint32_t> statement_;  ///< where the statement in hand begins, for advice
  bool wants_semicolon_ = false;       ///< only the end of the statement in hand is missing
  size_t first_external_ = 0;          ///< where in the tree the external being parsed belongs
  uint32_t nesting_ = 0;
  uint32_t type_height_ = 0;  ///< greatest height of the constants in the type being parsed
  bool in_clause_ = false;
  bool in_class_translator_ = false;
  bool in_prototype_ = false;  ///< parameters of a provider's probe: unknown words are opaque types
  bool in_members_ = false;    ///< struct members: D's own words may be names
  bool at_end_after_error_ = false;
  bool first_spec_ = true;  ///< no probe description of this text was parsed yet

  std::set<std::string_view> types_;    ///< typedef names of this text
  std::set<std::string_view> globals_;  ///< global names that this text declares or assigns
  std::set<std::string_view> locals_;   ///< parameters of the inline or translator being parsed
};

}  // namespace dtrace
