// SPDX-License-Identifier: Apache-2.0
// The tree as text, one node a line: what it is, where it is, what it holds; children are indented. Golden tests
// compare it.
#include <fmt/format.h>

#include <iterator>
#include <string>

#include "frontend/syntax/ast.h"
#include "frontend/syntax/ast_text.h"
#include "frontend/types/types.h"

namespace dtrace::ast {

namespace {

class Dumper {
 public:
  explicit Dumper(const Sources &sources) : sources_(sources) {}
  std::string take() { return std::move(out_); }

  void operator()(const Clause &clause);
  void operator()(const Declaration &declaration);
  void operator()(const InlineDef &def);
  void operator()(const TranslatorDef &def);
  void operator()(const ProviderDef &def);
  void operator()(const Pragma &pragma);

 private:
  /// Indents what is printed while it lives.
  struct Indent {
    explicit Indent(Dumper &dumper) : dumper_(dumper) { ++dumper_.depth_; }
    ~Indent() { --dumper_.depth_; }
    Indent(const Indent &) = delete;
    Indent &operator=(const Indent &) = delete;
    Dumper &dumper_;
  };

  void line(std::string_view what) { fmt::format_to(std::back_inserter(out_), "{:{}}{}\n", "", depth_ * 2, what); }
  template <typename... Args>
  void line(std::string_view what, Span span, fmt::format_string<Args...> format, Args &&...args) {
    Position position = sources_.position(span);
    std::string rest = fmt::format(format, std::forward<Args>(args)...);
    line(fmt::format("{} {}:{}{}{}", what, position.line, position.column, rest.empty() ? "" : " ", rest));
  }

  void statements(std::string_view title, const std::vector<const Stmt *> &list);
  void statement(const Stmt &stmt);
  void specs(const DeclSpecs &specs);
  void declarator(const Declarator &declarator);
  void type(const TypeName &type);
  void params(std::string_view title, const std::vector<Param> &params, bool variadic);
  void child(const Expr *expr);
  void expr(const Expr &expr);

  const Sources &sources_;
  std::string out_;
  int depth_ = 0;
};

void Dumper::operator()(const Clause &clause) {
  line("clause", clause.span, "");
  Indent indent(*this);
  for (const ProbeSpec &probe : clause.probes) line("probe", probe.span, "{}{}", probe.id ? "id " : "", text(probe));
  if (clause.predicate != nullptr) {
    line("predicate");
    child(clause.predicate);
  }
  if (clause.has_body) {
    statements("body", clause.body);
  } else {
    line("default-action");
  }
}

void Dumper::statements(std::string_view title, const std::vector<const Stmt *> &list) {
  line(title);
  Indent indent(*this);
  for (const Stmt *stmt : list) statement(*stmt);
}

void Dumper::statement(const Stmt &stmt) {
  if (const auto *value = std::get_if<const Expr *>(&stmt.node)) {
    line("statement", stmt.span, "");
    return child(*value);
  }
  if (const auto *jump = std::get_if<Jump>(&stmt.node))
    return line(jump->is_break ? "break" : "continue", stmt.span, "");
  if (const auto *loop = std::get_if<Loop>(&stmt.node)) {
    line("loop", stmt.span, "");
    Indent indent(*this);
    for (const auto &[name, part] :
         {std::pair("start", loop->start), std::pair("condition", loop->condition), std::pair("step", loop->step)}) {
      if (part == nullptr) continue;
      line(name);
      child(part);
    }
    return statements("body", loop->body);
  }
  const If &node = std::get<If>(stmt.node);
  line("if", stmt.span, "");
  child(node.condition);
  Indent indent(*this);
  statements("then", node.then_body);
  if (!node.else_body.empty()) statements("else", node.else_body);
}

void Dumper::operator()(const Declaration &declaration) {
  line("declaration", declaration.span, "");
  Indent indent(*this);
  specs(declaration.specs);
  for (const Declarator &d : declaration.declarators) declarator(d);
}

void Dumper::operator()(const InlineDef &def) {
  line("inline", def.span, "");
  Indent indent(*this);
  specs(def.specs);
  declarator(def.declarator);
  line("value");
  child(def.value);
}

void Dumper::operator()(const TranslatorDef &def) {
  line("translator", def.span, "{}", def.param);
  Indent indent(*this);
  for (const std::string_view name : def.classes) line("class", def.classes_span, "{}", name);
  if (def.output != nullptr) type(*def.output);
  if (def.input != nullptr) type(*def.input);
  for (const TranslatorDef::MemberDef &member : def.members) {
    line("member", member.span, "{}", member.name);
    child(member.value);
  }
}

void Dumper::operator()(const ProviderDef &def) {
  line("provider", def.span, "{}", def.name);
  Indent indent(*this);
  for (const ProviderDef::ProbeDecl &probe : def.probes) {
    line("probe", probe.span, "{}", probe.name);
    Indent deeper(*this);
    params("native", probe.native, probe.native_variadic);
    if (probe.has_translated) params("translated", probe.translated, probe.translated_variadic);
  }
}

void Dumper::operator()(const Pragma &pragma) {
  constexpr std::string_view kKinds[] = {"attributes", "binding", "depends_on"};
  line("pragma", pragma.span, "{} {}", kKinds[static_cast<size_t>(pragma.kind)], fmt::join(pragma.words, " "));
}

void Dumper::specs(const DeclSpecs &specs) {
  line("specs", specs.span, "{}", text(specs));
  Indent indent(*this);
  for (const Specifier &specifier : specs.specifiers) {
    for (const MemberDecl &member : specifier.members) {
      line("member", member.span, "");
      Indent deeper(*this);
      this->specs(member.specs);
      declarator(member.declarator);
      if (member.has_width) line("width");
      if (member.width != nullptr) child(member.width);
    }
    for (const EnumeratorDecl &enumerator : specifier.enumerators) {
      line("enumerator", enumerator.span, "{}", enumerator.name);
      if (enumerator.value != nullptr) child(enumerator.value);
    }
  }
}

void Dumper::declarator(const Declarator &declarator) {
  line("declarator", declarator.span, "{}", declarator.name);
  Indent indent(*this);
  for (const Derivation &derivation : declarator.derivations) {
    switch (derivation.kind) {
      case Derivation::Kind::kPointer: {
        uint8_t bits = derivation.qualifiers;
        line("pointer", derivation.span, "{}{}{}{}", bits & kConst ? "c" : "", bits & kVolatile ? "v" : "",
             bits & kRestrict ? "r" : "", bits & kUserland ? "u" : "");
        break;
      }
      case Derivation::Kind::kArray:
        line("array", derivation.span, "");
        if (derivation.count != nullptr) child(derivation.count);
        break;
      case Derivation::Kind::kTuple:
        params("tuple", derivation.params, derivation.variadic);
        break;
      case Derivation::Kind::kFunction:
        params("function", derivation.params, derivation.variadic);
        break;
    }
  }
}

void Dumper::params(std::string_view title, const std::vector<Param> &params, bool variadic) {
  line(variadic ? std::string(title) + " variadic" : title);
  Indent indent(*this);
  for (const Param &param : params) {
    line("param", param.span, "");
    Indent deeper(*this);
    specs(param.specs);
    declarator(param.declarator);
  }
}

void Dumper::type(const TypeName &type) {
  line("type", type.span, "");
  Indent indent(*this);
  specs(type.specs);
  if (!type.declarator.derivations.empty()) declarator(type.declarator);
}

void Dumper::child(const Expr *expr) {
  Indent indent(*this);
  this->expr(*expr);
}

template <typename... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};

void Dumper::expr(const Expr &expr) {
  Span at = expr.span;
  auto type_child = [&](const TypeName *t) {
    Indent indent(*this);
    type(*t);
  };
  auto children = [&](const std::vector<const Expr *> &list) {
    for (const Expr *e : list) child(e);
  };
  std::visit(Overloaded{
                 [&](const IntLit &n) { line(n.character ? "char" : "int", at, "{}", text(expr)); },
                 [&](const FloatLit &) { line("float", at, "{}", text(expr)); },
                 [&](const StrLit &) { line("string", at, "{}", text(expr)); },
                 [&](const Ident &n) { line("ident", at, "{}", n.name); },
                 [&](const ScopedIdent &) { line("scoped", at, "{}", text(expr)); },
                 [&](const AggRef &) { line("aggregation", at, "{}", text(expr)); },
                 [&](const Unary &n) {
                   bool post = n.op == UnaryOp::kPostInc || n.op == UnaryOp::kPostDec;
                   line(post ? "postfix" : "unary", at, "{}", spelling(n.op));
                   child(n.operand);
                 },
                 [&](const Binary &n) {
                   line("binary", at, "{}", spelling(n.op));
                   child(n.lhs);
                   child(n.rhs);
                 },
                 [&](const Conditional &n) {
                   line("conditional", at, "");
                   child(n.condition);
                   child(n.then_value);
                   child(n.else_value);
                 },
                 [&](const Assign &n) {
                   line("assign", at, "{}=", n.op ? spelling(*n.op) : "");
                   child(n.target);
                   child(n.value);
                 },
                 [&](const Comma &n) {
                   line("comma", at, "");
                   child(n.lhs);
                   child(n.rhs);
                 },
                 [&](const Call &n) {
                   line("call", at, "");
                   child(n.callee);
                   children(n.args);
                 },
                 [&](const Index &n) {
                   line("index", at, "");
                   child(n.base);
                   children(n.keys);
                 },
                 [&](const MemberRef &n) {
                   line("member", at, "{}{}", n.arrow ? "->" : ".", n.name);
                   child(n.base);
                 },
                 [&](const Cast &n) {
                   line("cast", at, "");
                   type_child(n.type);
                   child(n.operand);
                 },
                 [&](const SizeofExpr &n) {
                   line("sizeof", at, "");
                   child(n.operand);
                 },
                 [&](const SizeofType &n) {
                   line("sizeof", at, "");
                   type_child(n.type);
                 },
                 [&](const Stringof &n) {
                   line("stringof", at, "");
                   child(n.operand);
                 },
                 [&](const Offsetof &n) {
                   line("offsetof", at, "{}", n.member);
                   type_child(n.type);
                 },
                 [&](const Xlate &n) {
                   line("xlate", at, "");
                   type_child(n.type);
                   child(n.operand);
                 },
             },
             expr.node);
}

}  // namespace

std::string dump(const Ast &ast, const Sources &sources) {
  Dumper dumper(sources);
  for (const External &external : ast.externals) std::visit(dumper, external);
  return dumper.take();
}

}  // namespace dtrace::ast
