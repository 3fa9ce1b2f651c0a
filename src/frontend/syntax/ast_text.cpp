// SPDX-License-Identifier: Apache-2.0
// One-line D text of tree nodes. Types come out in C's declarator syntax, so pointers to arrays and functions need
// parentheses.
#include "frontend/syntax/ast_text.h"

#include <fmt/format.h>

#include <string>

#include "frontend/types/types.h"

namespace dtrace::ast {

namespace {

std::string_view keyword(SpecifierKind kind) {
  constexpr std::string_view kWords[] = {"void",     "char",     "short",  "int",      "long",   "float", "double",
                                         "signed",   "unsigned", "_Bool",  "userland", "string", "const", "volatile",
                                         "restrict", "",         "struct", "union",    "enum"};
  static_assert(std::size(kWords) == static_cast<size_t>(SpecifierKind::kEnum) + 1);
  return kWords[static_cast<size_t>(kind)];
}

void append_word(std::string &out, std::string_view word) {
  if (!out.empty() && !word.empty()) out += ' ';
  out += word;
}

std::string qualifier_text(uint8_t bits) {
  std::string out;
  if (bits & kConst) append_word(out, "const");
  if (bits & kVolatile) append_word(out, "volatile");
  if (bits & kRestrict) append_word(out, "restrict");
  if (bits & kUserland) append_word(out, "userland");
  return out;
}

std::string parameter_text(const Derivation &derivation) {
  std::string out;
  for (const Param &param : derivation.params) {
    if (!out.empty()) out += ", ";
    out += text(param.specs, param.declarator);
  }
  if (derivation.variadic) out += out.empty() ? "..." : ", ...";
  return out;
}

std::string declarator_text(const Declarator &declarator) {
  std::string out(declarator.name);
  bool pointer = false;
  for (const Derivation &derivation : declarator.derivations) {
    if (derivation.kind == Derivation::Kind::kPointer) {
      std::string qualifiers = qualifier_text(derivation.qualifiers);
      if (!qualifiers.empty() && !out.empty()) qualifiers += ' ';
      out = "*" + qualifiers + out;
      pointer = true;
      continue;
    }
    if (pointer) out = "(" + out + ")";
    pointer = false;
    switch (derivation.kind) {
      case Derivation::Kind::kArray:
        out += derivation.count != nullptr ? "[" + text(*derivation.count) + "]" : "[]";
        break;
      case Derivation::Kind::kTuple:
        out += "[" + parameter_text(derivation) + "]";
        break;
      default:
        out += "(" + parameter_text(derivation) + ")";
        break;
    }
  }
  return out;
}

std::string list_text(const std::vector<const Expr *> &list) {
  std::string out;
  for (const Expr *expr : list) {
    if (!out.empty()) out += ", ";
    out += text(*expr);
  }
  return out;
}

struct ExprText {
  std::string operator()(const IntLit &n) const {
    std::string out = fmt::to_string(n.value);
    if (n.is_unsigned) out += 'u';
    return out.append(n.longs, 'l');
  }
  std::string operator()(const FloatLit &n) const { return fmt::format("{:g}", n.value); }
  std::string operator()(const StrLit &n) const { return quoted(n.text); }
  std::string operator()(const Ident &n) const { return std::string(n.name); }
  std::string operator()(const ScopedIdent &n) const { return fmt::format("{}->{}", spelling(n.scope), n.name); }
  std::string operator()(const AggRef &n) const { return fmt::format("@{}", n.name); }
  std::string operator()(const Unary &n) const {
    bool post = n.op == UnaryOp::kPostInc || n.op == UnaryOp::kPostDec;
    return post ? fmt::format("({}{})", text(*n.operand), spelling(n.op))
                : fmt::format("({}{})", spelling(n.op), text(*n.operand));
  }
  std::string operator()(const Binary &n) const {
    return fmt::format("({} {} {})", text(*n.lhs), spelling(n.op), text(*n.rhs));
  }
  std::string operator()(const Conditional &n) const {
    return fmt::format("({} ? {} : {})", text(*n.condition), text(*n.then_value), text(*n.else_value));
  }
  std::string operator()(const Assign &n) const {
    return fmt::format("({} {}= {})", text(*n.target), n.op ? spelling(*n.op) : "", text(*n.value));
  }
  std::string operator()(const Comma &n) const { return fmt::format("({}, {})", text(*n.lhs), text(*n.rhs)); }
  std::string operator()(const Call &n) const { return fmt::format("{}({})", text(*n.callee), list_text(n.args)); }
  std::string operator()(const Index &n) const { return fmt::format("{}[{}]", text(*n.base), list_text(n.keys)); }
  std::string operator()(const MemberRef &n) const {
    return fmt::format("{}{}{}", text(*n.base), n.arrow ? "->" : ".", n.name);
  }
  std::string operator()(const Cast &n) const { return fmt::format("(({}){})", text(*n.type), text(*n.operand)); }
  std::string operator()(const SizeofExpr &n) const { return fmt::format("(sizeof {})", text(*n.operand)); }
  std::string operator()(const SizeofType &n) const { return fmt::format("sizeof ({})", text(*n.type)); }
  std::string operator()(const Stringof &n) const { return fmt::format("(stringof {})", text(*n.operand)); }
  std::string operator()(const Offsetof &n) const { return fmt::format("offsetof({}, {})", text(*n.type), n.member); }
  std::string operator()(const Xlate &n) const {
    return fmt::format("xlate <{}>({})", text(*n.type), text(*n.operand));
  }
};

}  // namespace

std::string_view spelling(Storage storage) {
  constexpr std::string_view kWords[] = {"", "extern", "typedef", "self", "this", "auto", "register", "static"};
  static_assert(std::size(kWords) == static_cast<size_t>(Storage::kStatic) + 1);
  return kWords[static_cast<size_t>(storage)];
}

std::string text(const Specifier &specifier) {
  std::string out(keyword(specifier.kind));
  append_word(out, specifier.name);
  if (specifier.has_body) out += " { ... }";
  return out;
}

std::string text(const DeclSpecs &specs) {
  std::string out;
  for (const auto &[storage, span] : specs.storage) append_word(out, spelling(storage));
  for (const Specifier &specifier : specs.specifiers) append_word(out, text(specifier));
  return out;
}

std::string text(const DeclSpecs &specs, const Declarator &declarator) {
  std::string out = text(specs);
  append_word(out, declarator_text(declarator));
  return out;
}

std::string text(const TypeName &type) { return text(type.specs, type.declarator); }

std::string text(const Expr &expr) { return std::visit(ExprText{}, expr.node); }

std::string text(const ProbeSpec &probe) {
  if (probe.id) return fmt::to_string(*probe.id);
  return fmt::format("{}:{}:{}:{}", probe.provider, probe.module, probe.function, probe.name);
}

}  // namespace dtrace::ast
