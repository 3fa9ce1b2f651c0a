// SPDX-License-Identifier: Apache-2.0
// The context-dependent lexer: blanks, CLAUSE state and EXPR state. Longest match wins everywhere, so `int*` in CLAUSE
// state is one probe specifier until it is found to begin with a type.
#include "frontend/syntax/lexer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/printable.h"
#include "frontend/text/lexer_literal.h"
#include "frontend/text/type_name.h"

namespace dtrace {

namespace {

struct Keyword {
  std::string_view word;
  Tok kind;
  bool starts_declaration;  ///< recognised in CLAUSE state
};

// Sorted. The spellings with underscores are what C headers write under -C.
constexpr auto kKeywords = std::to_array<Keyword>({
    {"_Bool", Tok::kBool, true},
    {"__const", Tok::kConst, true},
    {"__const__", Tok::kConst, true},
    {"__inline", Tok::kInline, true},
    {"__inline__", Tok::kInline, true},
    {"__restrict", Tok::kRestrict, true},
    {"__restrict__", Tok::kRestrict, true},
    {"__signed", Tok::kSigned, true},
    {"__signed__", Tok::kSigned, true},
    {"__volatile", Tok::kVolatile, true},
    {"__volatile__", Tok::kVolatile, true},
    {"auto", Tok::kAuto, true},
    {"break", Tok::kBreak, false},
    {"case", Tok::kReserved, false},
    {"char", Tok::kChar, true},
    {"const", Tok::kConst, true},
    {"continue", Tok::kContinue, false},
    {"counter", Tok::kReserved, true},
    {"default", Tok::kReserved, false},
    {"do", Tok::kReserved, false},
    {"double", Tok::kDouble, true},
    {"else", Tok::kElse, false},
    {"enum", Tok::kEnum, true},
    {"extern", Tok::kExtern, true},
    {"float", Tok::kFloat, true},
    {"for", Tok::kFor, false},
    {"goto", Tok::kReserved, false},
    {"if", Tok::kIf, false},
    {"import", Tok::kReserved, false},
    {"inline", Tok::kInline, true},
    {"int", Tok::kInt, true},
    {"long", Tok::kLong, true},
    {"offsetof", Tok::kOffsetof, false},
    {"probe", Tok::kProbe, false},
    {"provider", Tok::kProvider, true},
    {"register", Tok::kRegister, true},
    {"restrict", Tok::kRestrict, true},
    {"return", Tok::kReserved, false},
    {"self", Tok::kSelf, true},
    {"short", Tok::kShort, true},
    {"signed", Tok::kSigned, true},
    {"sizeof", Tok::kSizeof, false},
    {"static", Tok::kStatic, true},
    {"string", Tok::kStringType, true},
    {"stringof", Tok::kStringof, false},
    {"struct", Tok::kStruct, true},
    {"switch", Tok::kReserved, false},
    {"this", Tok::kThis, true},
    {"translator", Tok::kTranslator, true},
    {"typedef", Tok::kTypedef, true},
    {"union", Tok::kUnion, true},
    {"unsigned", Tok::kUnsigned, true},
    {"userland", Tok::kUserland, true},
    {"void", Tok::kVoid, true},
    {"volatile", Tok::kVolatile, true},
    {"while", Tok::kWhile, false},
    {"xlate", Tok::kXlate, false},
});
static_assert(std::ranges::is_sorted(kKeywords, {}, &Keyword::word));

const Keyword *find_keyword(std::string_view word) {
  const auto *found = std::ranges::lower_bound(kKeywords, word, {}, &Keyword::word);
  return found != kKeywords.end() && found->word == word ? found : nullptr;
}

struct Punctuator {
  std::string_view text;
  Tok kind;
};

// Longest first among those that begin alike. Not here: `/` and the brackets, which need more than a look.
constexpr Punctuator kPunctuators[] = {
    {"...", Tok::kEllipsis}, {"<<=", Tok::kShlAssign}, {">>=", Tok::kShrAssign}, {"->", Tok::kArrow},
    {"<<", Tok::kShl},       {">>", Tok::kShr},        {"<=", Tok::kLe},         {">=", Tok::kGe},
    {"==", Tok::kEqEq},      {"!=", Tok::kNotEq},      {"&&", Tok::kAndAnd},     {"||", Tok::kOrOr},
    {"^^", Tok::kXorXor},    {"++", Tok::kPlusPlus},   {"--", Tok::kMinusMinus}, {"+=", Tok::kAddAssign},
    {"-=", Tok::kSubAssign}, {"*=", Tok::kMulAssign},  {"%=", Tok::kModAssign},  {"&=", Tok::kAndAssign},
    {"^=", Tok::kXorAssign}, {"|=", Tok::kOrAssign},   {"(", Tok::kLParen},      {"[", Tok::kLBracket},
    {"{", Tok::kLBrace},     {";", Tok::kSemicolon},   {",", Tok::kComma},       {".", Tok::kDot},
    {"?", Tok::kQuestion},   {":", Tok::kColon},       {"+", Tok::kPlus},        {"-", Tok::kMinus},
    {"*", Tok::kStar},       {"%", Tok::kPercent},     {"&", Tok::kAmp},         {"|", Tok::kPipe},
    {"^", Tok::kCaret},      {"~", Tok::kTilde},       {"!", Tok::kBang},        {"<", Tok::kLt},
    {">", Tok::kGt},         {"=", Tok::kAssign},
};

bool is_spec_start(char c) {
  return is_word_start(c) || std::string_view("-$:.?*\\[]!").find(c) != std::string_view::npos;
}
bool is_spec_char(char c) { return is_spec_start(c) || is_digit(c) || c == '`'; }

constexpr size_t kMaxPathBytes = 4096;

/// Length of the path that is the module of pid*:/usr/bin/bash:readline:entry, if the `/` at `at` begins one; else 0. A
/// `/` elsewhere begins a predicate, as it does where no colon ends what would be a path: "pid1:/x/ {".
size_t path_of_module(std::string_view text, size_t begin, size_t at) {
  const std::string_view before = text.substr(begin, at - begin);
  if (at >= text.size() || text[at] != '/' || !before.starts_with("pid") || before.find(':') + 1 != before.size())
    return 0;
  size_t end = at;
  while (end < text.size() && text[end] != ':' &&
         (is_spec_char(text[end]) || std::string_view("/+@%~=").find(text[end]) != std::string_view::npos))
    ++end;
  return end < text.size() && text[end] == ':' ? end - at : 0;
}

bool is_word_or_quote(char c) { return is_word(c) || c == '`'; }

/// GNU C decorations that headers hold: `__extension__` and attributes with their parentheses are blanks to us.
bool is_gnu_decoration(std::string_view word) {
  return word == "__extension__" || word == "__attribute__" || word == "__attribute" || word == "__asm__" ||
         word == "__asm";
}

/// End of the word that begins at `at`.
size_t word_end(std::string_view text, size_t at) {
  while (at < text.size() && is_word_or_quote(text[at])) ++at;
  return at;
}

/// A module name with dots (`libc.so.1`) that ends in a backquote, from `at`: its end before the backquote, or npos.
size_t dotted_module_end(std::string_view text, size_t at) {
  constexpr size_t kLongestModule = 255;
  size_t limit = std::min(text.size(), at + kLongestModule);
  bool dotted = false;
  while (at < limit && (text[at] == '.' || is_word(text[at]))) {
    if (text[at] == '.' && (at + 1 == limit || !is_word(text[at + 1]))) return std::string_view::npos;
    dotted |= text[at] == '.';
    ++at;
  }
  return dotted && at < limit && text[at] == '`' ? at : std::string_view::npos;
}

}  // namespace

bool is_type_word(Tok kind) {
  constexpr Tok kWords[] = {Tok::kBool,  Tok::kChar,   Tok::kDouble,     Tok::kFloat,    Tok::kInt,      Tok::kLong,
                            Tok::kShort, Tok::kSigned, Tok::kStringType, Tok::kUnsigned, Tok::kUserland, Tok::kVoid};
  return std::ranges::find(kWords, kind) != std::end(kWords);
}

Tok keyword(std::string_view word) {
  const Keyword *found = find_keyword(word);
  return found != nullptr ? found->kind : Tok::kIdent;
}

Lexer::Lexer(const ParseInput &input, Sources &sources, Diagnostics &diags, ast::Ast &ast, MacroExpander &macros,
             std::function<bool(std::string_view)> is_type)
    : input_(input),
      diags_(diags),
      ast_(ast),
      macros_(macros),
      control_(input, sources, diags, ast),
      is_type_(std::move(is_type)),
      text_(std::as_const(sources)[input.source].text) {}

Span Lexer::span(size_t begin, size_t end) const {
  return Span{input_.source, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
}

/// The token that ends at the current position.
Token Lexer::token(Tok kind, size_t begin) {
  Token result;
  result.kind = kind;
  result.span = span(begin, at_);
  result.text = text_.substr(begin, at_ - begin);
  return result;
}

Token Lexer::error(Tag tag, size_t begin, size_t end, std::string message) {
  if (!muted_) diags_.add(tag, span(begin, end), std::move(message));
  Token result;
  result.kind = Tok::kError;
  result.span = span(begin, end);
  return result;
}

// ---------------------------------------------------------------- blanks

bool Lexer::first_on_line(size_t at) const {
  while (at > 0 && is_blank(text_[at - 1])) --at;
  return at == 0 || text_[at - 1] == '\n';
}

std::optional<Token> Lexer::skip_comment() {
  size_t begin = at_;
  size_t close = text_.find("*/", at_ + 2);
  if (close == std::string_view::npos) {
    at_ = text_.size();
    return error(Tag::D_SYNTAX, begin, begin + 2, "syntax error near end of input: comment is not closed");
  }
  at_ = close + 2;
  size_t nested = text_.substr(0, close).find("/*", begin + 2);
  // In "/*/" the slash belongs to the closing mark of an outer comment, not to an opening one.
  if (nested != std::string_view::npos && nested + 1 < close)
    return error(Tag::D_SYNTAX, nested, nested + 2, "\"/*\" inside a comment");
  return std::nullopt;
}

std::optional<Token> Lexer::control_line() {
  size_t begin = at_;
  size_t end = text_.find('\n', at_);
  if (text_.substr(at_, 2) == "#!") {
    at_ = std::min(end, text_.size());
    return std::nullopt;
  }
  if (end == std::string_view::npos) {
    at_ = text_.size();
    return error(Tag::D_SYNTAX, at_, at_, "syntax error near end of input: control line is not ended by a newline");
  }
  at_ = end;
  if (end > begin && text_[end - 1] == '\r') --end;
  control_.handle(span(begin, end));
  return std::nullopt;
}

/// Moves to the next character that belongs to a token. A token is returned only for an error.
std::optional<Token> Lexer::skip_blank() {
  while (at_ < text_.size()) {
    std::string_view two = text_.substr(at_, 2);
    if (is_blank(two[0]) || two[0] == '\n') {
      ++at_;
    } else if (two == "\\\n") {
      at_ += 2;
    } else if (text_.substr(at_, 3) == "\\\r\n") {
      at_ += 3;
    } else if (two == "//") {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (two == "/*") {
      if (auto failed = skip_comment()) return failed;
    } else if (two[0] == '#' && first_on_line(at_)) {
      if (auto failed = control_line()) return failed;
    } else {
      break;
    }
  }
  return std::nullopt;
}

size_t Lexer::skip_quietly(size_t at) const {
  while (at < text_.size()) {
    std::string_view two = text_.substr(at, 2);
    if (is_blank(two[0]) || two[0] == '\n') {
      ++at;
    } else if (two == "\\\n") {
      at += 2;
    } else if (two == "//" || (two[0] == '#' && first_on_line(at))) {
      at = std::min(text_.find('\n', at), text_.size());
    } else if (two == "/*") {
      size_t close = text_.find("*/", at + 2);
      at = close == std::string_view::npos ? text_.size() : close + 2;
    } else {
      break;
    }
  }
  return at;
}

/// If the word [begin, end) is a GNU decoration: where it ends with its parentheses. Otherwise `begin`.
size_t Lexer::skip_extension(size_t begin, size_t end) const {
  std::string_view word = text_.substr(begin, end - begin);
  if (after_member_operator_ || !is_gnu_decoration(word)) return begin;
  size_t at = skip_quietly(end);
  if (word == "__extension__" || at == text_.size() || text_[at] != '(') return end;
  constexpr size_t kLongest = 4096;
  int open = 0;
  for (size_t limit = std::min(text_.size(), at + kLongest); at < limit; ++at) {
    if (text_[at] == '(') ++open;
    if (text_[at] == ')' && --open == 0) return at + 1;
  }
  return end;
}

// ---------------------------------------------------------------- CLAUSE state

Token Lexer::next() {
  Token result;
  for (;;) {
    if (auto failed = skip_blank()) {
      after_member_operator_ = false;
      return *failed;
    }
    if (at_ < text_.size() && is_word_start(text_[at_])) {
      size_t begin = at_;
      at_ = skip_extension(at_, word_end(text_, at_));
      if (at_ != begin) continue;
    }
    break;
  }
  if (at_ == text_.size()) {
    result = token(Tok::kEnd, at_);
  } else {
    result = state_ == State::kClause ? clause_token() : expr_token();
  }
  after_member_operator_ = result.kind == Tok::kDot || result.kind == Tok::kArrow;
  return result;
}

Token Lexer::clause_token() {
  size_t begin = at_;
  char c = text_[at_];
  if (is_spec_start(c)) return probe_spec(begin);
  if (size_t length = scan_integer(text_.substr(at_)); length > 0) {
    at_ += length;
    return token(Tok::kInteger, begin);
  }
  constexpr std::string_view kLegal = "/,{};()";
  if (kLegal.find(c) == std::string_view::npos) return bad_character();
  if (c == '/') {
    ++at_;
    return token(Tok::kSlash, begin);
  }
  return punctuator();
}

/// A specifier, or, if its text turns out to be one, a keyword or type that begins a declaration: then EXPR state is
/// entered. `@` is only in the function of a source line: pid1:a.out:main.c@12:line.
Token Lexer::probe_spec(size_t begin) {
  while (at_ < text_.size() && text_.substr(at_, 2) != "\\\n") {
    const bool is_line = text_[at_] == '@' && text_.substr(begin, at_ - begin).find(':') != std::string_view::npos;
    const size_t path =
        is_line || is_spec_char(text_[at_]) ? 1 : path_of_module(text_.substr(0, at_ + kMaxPathBytes), begin, at_);
    if (path == 0) break;
    at_ += path;
  }
  std::string_view text = text_.substr(begin, at_ - begin);
  auto declaration = [&](Tok kind, size_t length) {
    at_ = begin + length;
    state_ = State::kExpr;
    return token(kind, begin);
  };
  if (const Keyword *found = find_keyword(text); found != nullptr && found->starts_declaration) {
    return declaration(found->kind, text.size());
  }
  if (input_.command_line || input_.pspec || text.find(':') != std::string_view::npos)
    return token(Tok::kProbeSpec, begin);
  size_t star = text.find('*');
  std::string_view head = text.substr(0, star);
  if (!is_identifier(head)) return token(Tok::kProbeSpec, begin);
  if (const Keyword *found = find_keyword(head); found != nullptr && found->starts_declaration) {
    return declaration(found->kind, head.size());
  }
  // What follows settles most cases without a search for a type: only a specifier goes before these.
  size_t after = skip_quietly(at_);
  bool specifier = after == text_.size() || std::string_view("{/,").find(text_[after]) != std::string_view::npos;
  if (specifier || !is_type_(head)) return token(Tok::kProbeSpec, begin);
  return declaration(Tok::kTypeName, head.size());
}

// ---------------------------------------------------------------- EXPR state

Token Lexer::expr_token() {
  char c = text_[at_];
  if (auto found = word()) return *found;
  if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
  switch (c) {
    case '"':
      return string();
    case '\'':
      return character();
    case '$':
      return macro();
    case '/':
      return slash();
    default:
      return punctuator();
  }
}

/// Identifier, keyword or aggregation, if one begins here.
std::optional<Token> Lexer::word() {
  size_t begin = at_;
  bool aggregation = text_[at_] == '@';
  if (aggregation) {
    ++at_;
    while (at_ < text_.size() && is_word(text_[at_]) && (at_ > begin + 1 || !is_digit(text_[at_]))) ++at_;
    Token result = token(Tok::kAggregation, begin);
    result.text = at_ == begin + 1 ? "_" : result.text.substr(1);
    return result;
  }
  size_t end = word_end(text_, at_);
  if (end == at_) return std::nullopt;
  if (!after_member_operator_) {
    if (size_t dotted = dotted_module_end(text_, at_); dotted != std::string_view::npos) end = word_end(text_, dotted);
  }
  std::string_view text = text_.substr(at_, end - at_);
  // A module's name may begin with a digit (8250`x), and only then is the word no number.
  bool module_with_digit = is_digit(text[0]) && text.find('`') != std::string_view::npos;
  if (is_digit(text[0]) && !module_with_digit) return std::nullopt;
  // D has no operator of two colons: they are part of a name, of a type or an enumerator of C++ or Rust.
  const bool may_be_scoped = !after_member_operator_ && keyword(text) == Tok::kIdent;
  while (may_be_scoped && text_.substr(end).starts_with("::") && end + 2 < text_.size() &&
         is_word_start(text_[end + 2]))
    end = word_end(text_, end + 2);
  text = text_.substr(at_, end - at_);
  at_ = end;
  Tok kind = after_member_operator_ ? Tok::kIdent : keyword(text);
  if (kind == Tok::kReserved && text == "return") {
    size_t after = skip_quietly(at_);
    if (after < text_.size() && text_[after] == '(') kind = Tok::kIdent;  // the action return()
  }
  return token(kind, begin);
}

void Lexer::take_template_arguments(Token &name) {
  const size_t length = template_arguments_length(text_.substr(at_));
  if (length == 0) return;
  at_ += length;
  name.span.end = static_cast<uint32_t>(at_);
  name.text = text_.substr(name.span.begin, at_ - name.span.begin);
}

Token Lexer::number() {
  size_t begin = at_;
  std::string_view rest = text_.substr(at_);
  if (size_t length = scan_float(rest); length > 0) {
    at_ += length;
    Token result = token(Tok::kFloating, begin);
    result.floating = parse_float(result.text);
    return result;
  }
  at_ += scan_integer(rest);
  Token result = token(Tok::kInteger, begin);
  IntegerValue parsed = parse_integer(result.text);
  result.number = parsed.literal;
  switch (parsed.status) {
    case IntegerValue::Status::kOk:
      return result;
    case IntegerValue::Status::kOverflow:
      return error(Tag::D_INT_OFLOW, begin, at_, fmt::format("integer constant {} overflows 64 bits", result.text));
    case IntegerValue::Status::kNoType:
      return error(Tag::D_INT_OFLOW, begin, at_,
                   fmt::format("integer constant {} cannot be represented in any type", result.text));
    case IntegerValue::Status::kBadDigit:
      break;
  }
  size_t digit = begin + parsed.bad_digit;
  return error(Tag::D_INT_DIGIT, digit, digit + 1,
               fmt::format("octal constant {} contains invalid digit {}", result.text, text_[digit]));
}

Token Lexer::string() {
  size_t begin = at_++;
  while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
    if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
    ++at_;
  }
  if (at_ >= text_.size()) {
    at_ = text_.size();
    return error(Tag::D_SYNTAX, begin, at_, "syntax error near end of input: string is not closed");
  }
  if (text_[at_] == '\n') return error(Tag::D_STR_NL, begin, at_, "newline in string literal");
  ++at_;
  Token result = token(Tok::kString, begin);
  std::string_view body = result.text.substr(1, result.text.size() - 2);
  result.text = body.find('\\') == std::string_view::npos ? body : ast_.intern(unescape(body));
  return result;
}

Token Lexer::character() {
  size_t begin = at_++;
  while (at_ < text_.size() && text_[at_] != '\'' && text_[at_] != '\n') {
    if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
    ++at_;
  }
  if (at_ >= text_.size()) {
    at_ = text_.size();
    return error(Tag::D_SYNTAX, begin, at_, "syntax error near end of input: character constant is not closed");
  }
  if (text_[at_] == '\n') return error(Tag::D_CHR_NL, begin, at_, "newline in character constant");
  ++at_;
  Token result = token(Tok::kInteger, begin);
  std::string bytes = unescape(result.text.substr(1, result.text.size() - 2));
  if (bytes.empty()) return error(Tag::D_CHR_NULL, begin, at_, "empty character constant");
  if (bytes.size() > 8) {
    return error(Tag::D_CHR_OFLOW, begin, at_, "character constant is too long: it may hold 8 bytes at most");
  }
  result.number.value = character_value(bytes);
  result.number.character = true;
  return result;
}

Token Lexer::macro() {
  size_t begin = at_++;
  if (at_ < text_.size() && text_[at_] == '$') ++at_;
  size_t name = at_;
  bool numeric = at_ < text_.size() && is_digit(text_[at_]);
  while (at_ < text_.size() && (numeric ? is_digit(text_[at_]) : is_word(text_[at_]))) ++at_;
  if (at_ == name) return error(Tag::D_SYNTAX, begin, at_, "syntax error near \"$\"");
  Diagnostics unheard;
  std::optional<MacroValue> value =
      macros_.expand(text_.substr(begin, at_ - begin), span(begin, at_), muted_ ? unheard : diags_);
  Token result = token(Tok::kError, begin);
  if (!value) return result;
  switch (value->kind) {
    case MacroValue::Kind::kInteger:
      result.kind = Tok::kInteger;
      result.number = value->number;
      result.negative = value->negative;
      break;
    case MacroValue::Kind::kIdentifier:
      result.text = ast_.intern(value->text);
      result.kind = is_type_word(keyword(result.text)) && !after_member_operator_ ? keyword(result.text) : Tok::kIdent;
      break;
    case MacroValue::Kind::kString:
      result.kind = Tok::kString;
      result.text = ast_.intern(value->text);
      break;
  }
  return result;
}

/// Division, or the end of a predicate: the next character tells. Comments are blanks here.
Token Lexer::slash() {
  size_t begin = at_++;
  if (at_ < text_.size() && text_[at_] == '=') {
    ++at_;
    return token(Tok::kDivAssign, begin);
  }
  size_t after = skip_quietly(at_);
  if (after < text_.size() && std::string_view(";{/").find(text_[after]) == std::string_view::npos) {
    return token(Tok::kSlash, begin);
  }
  if (parens_ > 0) return error(Tag::D_SYNTAX, begin, at_, "closing ) expected in predicate before /");
  if (brackets_ > 0) return error(Tag::D_SYNTAX, begin, at_, "closing ] expected in predicate before /");
  return token(Tok::kPredicateEnd, begin);
}

Token Lexer::closer(Tok kind, int &open) {
  size_t begin = at_++;
  if (open == 0) return error(Tag::D_SYNTAX, begin, at_, fmt::format("extra {} in input stream", text_[begin]));
  --open;
  return token(kind, begin);
}

Token Lexer::punctuator() {
  switch (text_[at_]) {
    case ')':
      return closer(Tok::kRParen, parens_);
    case ']':
      return closer(Tok::kRBracket, brackets_);
    case '}':
      return closer(Tok::kRBrace, braces_);
    default:
      break;
  }
  std::string_view rest = text_.substr(at_);
  for (const Punctuator &p : kPunctuators) {
    if (!rest.starts_with(p.text)) continue;
    size_t begin = at_;
    at_ += p.text.size();
    if (p.kind == Tok::kLParen) ++parens_;
    if (p.kind == Tok::kLBracket) ++brackets_;
    if (p.kind == Tok::kLBrace) ++braces_;
    return token(p.kind, begin);
  }
  return bad_character();
}

Token Lexer::bad_character() {
  size_t begin = at_++;
  auto byte = static_cast<unsigned char>(text_[begin]);
  // A whole UTF-8 sequence is one character to the reader.
  if (byte >= 0xc0) {
    while (at_ < text_.size() && at_ < begin + 4 && (static_cast<unsigned char>(text_[at_]) & 0xc0) == 0x80) ++at_;
  }
  const std::string name = printable(text_.substr(begin, at_ - begin));
  return error(Tag::D_SYNTAX, begin, at_, fmt::format("syntax error near \"{}\"", name));
}

}  // namespace dtrace
