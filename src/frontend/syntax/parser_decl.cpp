// SPDX-License-Identifier: Apache-2.0
// Declarations. Grammar only: which specifiers go together, what may be void and so on is the checker's; here are
// reported the errors that leave no tree to check.
#include <algorithm>
#include <utility>

#include "frontend/syntax/parser_impl.h"
#include "frontend/types/types.h"

namespace dtrace {

namespace {

constexpr size_t kMaxDerivations = 256;

struct StorageWord {
  Tok token;
  ast::Storage storage;
};
constexpr StorageWord kStorage[] = {
    {Tok::kExtern, ast::Storage::kExtern}, {Tok::kTypedef, ast::Storage::kTypedef},
    {Tok::kSelf, ast::Storage::kSelf},     {Tok::kThis, ast::Storage::kThis},
    {Tok::kAuto, ast::Storage::kAuto},     {Tok::kRegister, ast::Storage::kRegister},
    {Tok::kStatic, ast::Storage::kStatic},
};

struct SpecifierWord {
  Tok token;
  ast::SpecifierKind kind;
  bool is_type;  ///< false: an identifier after it may still be the type
};
constexpr SpecifierWord kSpecifiers[] = {
    {Tok::kVoid, ast::SpecifierKind::kVoid, true},          {Tok::kChar, ast::SpecifierKind::kChar, true},
    {Tok::kShort, ast::SpecifierKind::kShort, true},        {Tok::kInt, ast::SpecifierKind::kInt, true},
    {Tok::kLong, ast::SpecifierKind::kLong, true},          {Tok::kFloat, ast::SpecifierKind::kFloat, true},
    {Tok::kDouble, ast::SpecifierKind::kDouble, true},      {Tok::kSigned, ast::SpecifierKind::kSigned, true},
    {Tok::kUnsigned, ast::SpecifierKind::kUnsigned, true},  {Tok::kBool, ast::SpecifierKind::kBool, true},
    {Tok::kUserland, ast::SpecifierKind::kUserland, false}, {Tok::kStringType, ast::SpecifierKind::kString, true},
    {Tok::kConst, ast::SpecifierKind::kConst, false},       {Tok::kVolatile, ast::SpecifierKind::kVolatile, false},
    {Tok::kRestrict, ast::SpecifierKind::kRestrict, false},
};

struct QualifierWord {
  Tok token;
  Qualifiers bit;
};
constexpr QualifierWord kQualifiers[] = {
    {Tok::kConst, kConst}, {Tok::kVolatile, kVolatile}, {Tok::kRestrict, kRestrict}, {Tok::kUserland, kUserland}};

template <typename Table>
const auto *row_of(const Table &table, Tok token) {
  const auto *found =
      std::find_if(std::begin(table), std::end(table), [&](const auto &row) { return row.token == token; });
  return found != std::end(table) ? found : nullptr;
}

bool has_storage(const ast::DeclSpecs &specs, ast::Storage storage) {
  return std::ranges::any_of(specs.storage, [&](const auto &s) { return s.first == storage; });
}

}  // namespace

// ---------------------------------------------------------------- externals

void Parser::note_name(const ast::DeclSpecs &specs, const ast::Declarator &declarator) {
  if (panicking() || declarator.name.empty()) return;
  if (has_storage(specs, ast::Storage::kTypedef)) {
    types_.insert(declarator.name);
  } else if (!has_storage(specs, ast::Storage::kSelf) && !has_storage(specs, ast::Storage::kThis)) {
    globals_.insert(declarator.name);
  }
}

void Parser::declaration() {
  Span begin = tok_.span;
  ast::Declaration node;
  node.specs = decl_specs(true);
  if (!is(Tok::kSemicolon) && !panicking()) {
    do {
      node.declarators.push_back(declarator(Naming::kNamed));
      note_name(node.specs, node.declarators.back());
    } while (accept(Tok::kComma));
  }
  node.span = since(begin);
  if (is(Tok::kLBrace) && lexer_.in_include()) {
    skip_function_body();
  } else {
    finish_external(Tok::kSemicolon);
  }
  add(std::move(node));
}

/// A C header's inline function: what it computes is nothing to us, its prototype is kept.
void Parser::skip_function_body() {
  lexer_.set_muted(true);
  while (!is(Tok::kEnd) && !(is(Tok::kRBrace) && lexer_.braces() == 0)) advance();
  lexer_.set_muted(false);
  lexer_.forget_parentheses();
  finish_external(Tok::kRBrace);
}

void Parser::inline_definition() {
  Span begin = tok_.span;
  accept(Tok::kInline);
  ast::InlineDef node{};
  node.specs = decl_specs(true);
  if (panicking()) return;
  node.declarator = declarator(Naming::kEither);
  if (lexer_.in_include() && !is(Tok::kAssign)) {
    // `inline int f(void) { ... }` of a header.
    node.span = since(begin);
    is(Tok::kLBrace) ? skip_function_body() : finish_external(Tok::kSemicolon);
    return;
  }
  for (const ast::Derivation &derivation : node.declarator.derivations) {
    for (const ast::Param &param : derivation.params) locals_.insert(param.declarator.name);
  }
  expect(Tok::kAssign);
  node.value = assignment().expr;
  locals_.clear();
  node.span = since(begin);
  note_name(node.specs, node.declarator);
  finish_external(Tok::kSemicolon);
  add(std::move(node));
}

void Parser::translator_definition() {
  Span begin = tok_.span;
  accept(Tok::kTranslator);
  ast::TranslatorDef node{};
  if (!is(Tok::kLt)) node.output = type_name().type;
  expect(Tok::kLt);
  if (node.output != nullptr) {
    node.input = type_name().type;
  } else {
    do {
      node.classes.push_back(tok_.text);
      node.classes_span = join(node.classes.size() == 1 ? tok_.span : node.classes_span, tok_.span);
      expect(Tok::kString);
    } while (accept(Tok::kComma));
    in_class_translator_ = true;
  }
  node.param = tok_.text;
  expect(Tok::kIdent);
  expect(Tok::kGt);
  expect(Tok::kLBrace);
  if (panicking()) return;
  locals_.insert(node.param);
  while (!is(Tok::kRBrace) && !panicking()) {
    ast::TranslatorDef::MemberDef member{};
    Span member_begin = tok_.span;
    member.name = member_name(&member.span);
    expect(Tok::kAssign);
    member.value = assignment().expr;
    member.span = since(member_begin);
    expect(Tok::kSemicolon);
    node.members.push_back(member);
  }
  locals_.clear();
  in_class_translator_ = false;
  expect(Tok::kRBrace);
  node.span = since(begin);
  finish_external(Tok::kSemicolon);
  add(std::move(node));
}

void Parser::provider_definition() {
  Span begin = tok_.span;
  accept(Tok::kProvider);
  ast::ProviderDef node;
  node.name = member_name(&node.name_span);
  expect(Tok::kLBrace);
  while (!is(Tok::kRBrace) && !panicking()) node.probes.push_back(probe_declaration());
  if (panicking()) return;
  expect(Tok::kRBrace);
  node.span = since(begin);
  // Build systems leave the `;` out: the reader of `dtrace -h` and `-G` (usdt/definition_file.h) does not want it.
  finish_external(Tok::kSemicolon);
  add(std::move(node));
}

ast::ProviderDef::ProbeDecl Parser::probe_declaration() {
  ast::ProviderDef::ProbeDecl node;
  expect(Tok::kProbe);
  node.name = member_name(&node.span);
  in_prototype_ = true;
  expect(Tok::kLParen);
  parameters(node.native, node.native_variadic, Tok::kRParen);
  if (accept(Tok::kColon)) {
    node.has_translated = true;
    expect(Tok::kLParen);
    parameters(node.translated, node.translated_variadic, Tok::kRParen);
  }
  in_prototype_ = false;
  expect(Tok::kSemicolon);
  return node;
}

// ---------------------------------------------------------------- specifiers

bool Parser::starts_type() {
  return row_of(kSpecifiers, tok_.kind) != nullptr || is(Tok::kStruct) || is(Tok::kUnion) || is(Tok::kEnum) ||
         names_type();
}

/// May the keyword in hand be a member's or parameter's name here? What follows must be able to follow a name.
bool Parser::is_word_as_name() const {
  if (!(in_prototype_ || in_members_) || !is_keyword(tok_.kind)) return false;
  constexpr Tok kNames[] = {Tok::kStringType, Tok::kSelf,     Tok::kThis,     Tok::kProbe,
                            Tok::kProvider,   Tok::kStringof, Tok::kUserland, Tok::kXlate,
                            Tok::kTranslator, Tok::kInline,   Tok::kReserved};
  if (std::ranges::find(kNames, tok_.kind) == std::end(kNames)) return false;
  std::string_view rest = lexer_.rest();
  return !rest.empty() && std::string_view(",)[;:").find(rest[0]) != std::string_view::npos;
}

ast::DeclSpecs Parser::decl_specs(bool storage_allowed) {
  ast::DeclSpecs specs;
  Span begin = tok_.span;
  bool has_type = false;
  while (decl_spec(specs, storage_allowed, has_type)) {
  }
  if (specs.storage.empty() && specs.specifiers.empty()) fail();
  specs.span = since(begin);
  return specs;
}

/// Takes one word of the specifiers; false if the word in hand is none.
bool Parser::decl_spec(ast::DeclSpecs &specs, bool storage_allowed, bool &has_type) {
  if (has_type && is_word_as_name()) return false;
  if (const StorageWord *word = row_of(kStorage, tok_.kind); word != nullptr && storage_allowed) {
    specs.storage.emplace_back(word->storage, tok_.span);
    accept(tok_.kind);
    return true;
  }
  if (const SpecifierWord *word = row_of(kSpecifiers, tok_.kind)) {
    specs.specifiers.push_back(ast::Specifier{word->kind, tok_.span, {}, false, {}, {}});
    has_type |= word->is_type;
    accept(tok_.kind);
    return true;
  }
  if (is(Tok::kStruct) || is(Tok::kUnion) || is(Tok::kEnum)) {
    specs.specifiers.push_back(is(Tok::kEnum) ? enum_specifier() : struct_specifier());
    has_type = true;
    return !panicking();
  }
  if (is(Tok::kInline) && !specs.storage.empty() && lexer_.in_include()) {
    accept(Tok::kInline);  // `static inline` of a header
    return true;
  }
  bool is_name = !has_type && (names_type() || (is(Tok::kIdent) && in_prototype_) || names_user_type());
  if (!is_name) return false;
  specs.specifiers.push_back(ast::Specifier{ast::SpecifierKind::kTypeName, tok_.span, tok_.text, false, {}, {}});
  has_type = true;
  accept(tok_.kind);
  return true;
}

ast::Specifier Parser::struct_specifier() {
  Nesting nesting(*this);
  if (!nesting) return {};
  Span begin = tok_.span;
  ast::Specifier node{
      is(Tok::kStruct) ? ast::SpecifierKind::kStruct : ast::SpecifierKind::kUnion, begin, {}, false, {}, {}};
  accept(tok_.kind);
  if (is(Tok::kIdent)) {
    if (knows_user_types()) lexer_.take_template_arguments(tok_);
    node.name = tok_.text;
    accept(Tok::kIdent);
    node.span = since(begin);
    if (!is(Tok::kLBrace)) return node;
  }
  expect(Tok::kLBrace);
  node.has_body = true;
  bool outer = std::exchange(in_members_, true);
  do {
    member_declaration(node.members);
  } while (!is(Tok::kRBrace) && !panicking());
  in_members_ = outer;
  expect(Tok::kRBrace);
  node.span = since(begin);
  return node;
}

void Parser::member_declaration(std::vector<ast::MemberDecl> &members) {
  Span begin = tok_.span;
  ast::DeclSpecs specs = decl_specs(false);
  do {
    if (panicking()) return;
    ast::MemberDecl member;
    member.specs = specs;
    bool anonymous = is(Tok::kSemicolon) || is(Tok::kColon);
    if (!anonymous) member.declarator = declarator(Naming::kNamed);
    if (anonymous) member.declarator.span = specs.span;
    if (accept(Tok::kColon)) {
      member.has_width = true;
      member.width = constant();
    }
    member.span = since(begin);
    members.push_back(std::move(member));
  } while (accept(Tok::kComma));
  expect(Tok::kSemicolon);
}

ast::Specifier Parser::enum_specifier() {
  Span begin = tok_.span;
  ast::Specifier node{ast::SpecifierKind::kEnum, begin, {}, false, {}, {}};
  accept(Tok::kEnum);
  if (is(Tok::kIdent)) {
    node.name = tok_.text;
    accept(Tok::kIdent);
    node.span = since(begin);
    if (!is(Tok::kLBrace)) return node;
  }
  expect(Tok::kLBrace);
  node.has_body = true;
  do {
    ast::EnumeratorDecl enumerator;
    enumerator.name = tok_.text;
    enumerator.span = tok_.span;
    expect(Tok::kIdent);
    if (accept(Tok::kAssign)) enumerator.value = constant();
    if (panicking()) return node;
    globals_.insert(enumerator.name);
    node.enumerators.push_back(enumerator);
  } while (accept(Tok::kComma) && !is(Tok::kRBrace));
  expect(Tok::kRBrace);
  node.span = since(begin);
  return node;
}

// ---------------------------------------------------------------- declarators

/// A constant expression within a declaration.
const ast::Expr *Parser::constant() {
  Value value = conditional();
  type_height_ = std::max(type_height_, value.height);
  return value.expr;
}

Parser::TypeValue Parser::type_name() {
  ast::TypeName node;
  Span begin = tok_.span;
  uint32_t outer_height = std::exchange(type_height_, 0);
  node.specs = decl_specs(false);
  if (panicking()) return {};
  node.declarator = declarator(Naming::kAbstract);
  node.span = since(begin);
  uint32_t height = type_height_;
  type_height_ = std::max(outer_height, height);
  return {ast_.type_name(std::move(node)), height};
}

uint8_t Parser::qualifiers() {
  uint8_t bits = 0;
  while (const QualifierWord *word = row_of(kQualifiers, tok_.kind)) {
    if (is_word_as_name()) break;
    bits |= word->bit;
    accept(tok_.kind);
  }
  return bits;
}

ast::Declarator Parser::declarator(Naming naming) {
  ast::Declarator node;
  Span begin = tok_.span;
  declarator_tail(node, naming);
  if (node.name.empty()) node.span = since(begin);
  if (!node.name.empty() && is(Tok::kIdent)) {
    fail(Tag::D_DECL_IDENT, tok_.span,
         fmt::format("a declarator may hold one identifier only: {} follows {}", tok_.text, node.name));
  }
  return node;
}

/// Appends what `out` is, read from its name outwards: `*a[3]` is array, then pointer.
void Parser::declarator_tail(ast::Declarator &out, Naming naming) {
  Nesting nesting(*this);
  if (!nesting) return;
  std::vector<ast::Derivation> pointers;
  while (is(Tok::kStar)) {
    ast::Derivation pointer{};
    Span begin = tok_.span;
    accept(Tok::kStar);
    pointer.kind = ast::Derivation::Kind::kPointer;
    pointer.qualifiers = qualifiers();
    pointer.span = since(begin);
    pointers.push_back(std::move(pointer));
  }
  direct_declarator(out, naming);
  while (!panicking() && (is(Tok::kLBracket) || is(Tok::kLParen))) {
    is(Tok::kLBracket) ? array_suffix(out) : function_suffix(out);
  }
  std::move(pointers.rbegin(), pointers.rend(), std::back_inserter(out.derivations));
  if (out.derivations.size() > kMaxDerivations) fail(Tag::D_SYNTAX, out.span, "declarator is nested too deeply");
}

void Parser::direct_declarator(ast::Declarator &out, Naming naming) {
  if (naming != Naming::kAbstract && (is(Tok::kIdent) || is_word_as_name())) {
    out.name = tok_.text;
    out.span = tok_.span;
    accept(tok_.kind);
    return;
  }
  if (!is(Tok::kLParen)) {
    if (naming == Naming::kNamed) fail();
    return;
  }
  Span begin = tok_.span;
  accept(Tok::kLParen);
  bool is_parameters =
      naming != Naming::kNamed && (is(Tok::kRParen) || is(Tok::kEllipsis) || is(Tok::kRegister) || starts_type());
  if (!is_parameters) {
    declarator_tail(out, naming);
    expect(Tok::kRParen);
    return;
  }
  ast::Derivation function{};
  function.kind = ast::Derivation::Kind::kFunction;
  parameters(function.params, function.variadic, Tok::kRParen);
  function.span = since(begin);
  out.derivations.push_back(std::move(function));
}

void Parser::array_suffix(ast::Declarator &out) {
  Span begin = tok_.span;
  ast::Derivation node{};
  node.kind = ast::Derivation::Kind::kArray;
  accept(Tok::kLBracket);
  if (!accept(Tok::kRBracket)) {
    // A storage class is an error that the checker names; `self->` and `this->` begin an expression.
    const bool scopes_name = (is(Tok::kSelf) || is(Tok::kThis)) && lexer_.rest().starts_with("->");
    const bool storage = row_of(kStorage, tok_.kind) != nullptr && !scopes_name;
    if (storage || is(Tok::kEllipsis) || starts_type()) {
      node.kind = ast::Derivation::Kind::kTuple;
      parameters(node.params, node.variadic, Tok::kRBracket);
    } else {
      node.count = constant();
      expect(Tok::kRBracket);
    }
  }
  node.span = since(begin);
  out.derivations.push_back(std::move(node));
}

void Parser::function_suffix(ast::Declarator &out) {
  Span begin = tok_.span;
  ast::Derivation node{};
  node.kind = ast::Derivation::Kind::kFunction;
  accept(Tok::kLParen);
  parameters(node.params, node.variadic, Tok::kRParen);
  node.span = since(begin);
  out.derivations.push_back(std::move(node));
}

/// After the opening parenthesis or bracket, up to and with `close`.
void Parser::parameters(std::vector<ast::Param> &params, bool &variadic, Tok close) {
  Nesting nesting(*this);
  if (!nesting || accept(close)) return;
  do {
    if (accept(Tok::kEllipsis)) {
      variadic = true;
      break;
    }
    if (is(Tok::kIdent) && !in_prototype_ && !names_type()) {
      fail(Tag::D_DECL_IDENT, tok_.span, fmt::format("old-style declaration, or unknown type: {}", tok_.text));
    }
    if (panicking()) return;
    ast::Param param;
    Span begin = tok_.span;
    param.specs = decl_specs(true);
    if (!panicking()) param.declarator = declarator(Naming::kEither);
    param.span = since(begin);
    params.push_back(std::move(param));
  } while (accept(Tok::kComma));
  expect(close);
}

}  // namespace dtrace
