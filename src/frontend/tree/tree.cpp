// SPDX-License-Identifier: Apache-2.0
// Text form of the typed tree: one node a line, children indented by two, the type after a colon. Golden tests compare
// it, so names of nodes here are as fixed as a file format. Shared nodes are printed wherever they occur.
#include "frontend/tree/tree.h"

#include <fmt/format.h>

#include "frontend/lang/operators.h"
#include "frontend/lang/stability.h"
#include "frontend/text/lexer_literal.h"

namespace dtrace::tree {
namespace {

template <typename... Fns>
struct Overloaded : Fns... {
  using Fns::operator()...;
};

std::string_view scope_prefix(Scope scope) {
  switch (scope) {
    case Scope::kThread:
      return "self->";
    case Scope::kClause:
      return "this->";
    case Scope::kGlobal:
      break;
  }
  return "";
}

std::string_view convert_name(ConvertKind kind) {
  switch (kind) {
    case ConvertKind::kInteger:
      return "integer";
    case ConvertKind::kDecay:
      return "decay";
    case ConvertKind::kToString:
      return "to-string";
    case ConvertKind::kStringAddress:
      return "string-address";
    case ConvertKind::kVoid:
      return "void";
  }
  return "";
}

std::string_view increment_name(const IncDec &e) {
  if (e.postfix) return e.delta < 0 ? "post-decrement" : "post-increment";
  return e.delta < 0 ? "pre-decrement" : "pre-increment";
}

class Dumper {
 public:
  /// `is_identity`: equal texts are to mean equal expressions.
  Dumper(const Unit &unit, const TypeTable &types, bool is_identity = false)
      : unit_(unit), types_(types), is_identity_(is_identity) {}

  std::string take() { return std::move(out_); }

  void variables() {
    for (const VariableInfo &v : unit_.variables) {
      line("variable {}{}{} : {}", scope_prefix(v.scope), v.name, keys_text(v.keys), type_text(v.type));
    }
    for (const AggregationInfo &a : unit_.aggregations) {
      line("aggregation @{}{} = {}{}", a.name, keys_text(a.keys), row(a.function).name, parameters_text(a));
    }
    for (const ProviderInfo &p : unit_.providers) provider(p);
  }

  void program(const Program &p) {
    line("program \"{}\" matched {}{}", p.name, p.matched, p.destructive ? " destructive" : "");
    const Indent indent(*this);
    for (const Clause &c : p.clauses) clause(c);
  }

  void expr(const Expr &e) {
    std::visit(Overloaded{
                   [&](const IntConst &n) { head(e, "int {}", int_text(e.type, n.value)); },
                   [&](const StrConst &n) { head(e, "string {}", quoted(n.text)); },
                   [&](const VarRef &n) { head(e, "var {}", variable_text(n.var)); },
                   [&](const ElemRef &n) {
                     head(e, "element-of {}", variable_text(n.var));
                     children(n.keys);
                   },
                   [&](const BuiltinRef &n) {
                     head(e, "builtin {}", row(n.var).name);
                     if (n.index != nullptr) children({n.index});
                   },
                   [&](const ArgRef &n) { head(e, "arg {}{}", n.source, n.is_address ? " on stack" : ""); },
                   [&](const ThreadPointer &) { head(e, "thread pointer"); },
                   [&](const SymbolRef &n) {
                     // The types of a function's parameters change nothing.
                     if (n.is_function && is_identity_) return line("function {}`{}", n.module, n.name);
                     head(e, "symbol {}`{}{}", n.module, n.name, n.cpu_offsets != 0 ? " of this CPU" : "");
                   },
                   [&](const Unary &n) {
                     head(e, "unary {}", spelling(n.op));
                     children({n.operand});
                   },
                   [&](const Binary &n) {
                     head(e, "binary {}", spelling(n.op));
                     children({n.lhs, n.rhs});
                   },
                   [&](const StringCompare &n) {
                     head(e, "string-compare {}", spelling(n.op));
                     children({n.lhs, n.rhs});
                   },
                   [&](const Logical &n) {
                     head(e, "logical {}", spelling(n.op));
                     children({n.lhs, n.rhs});
                   },
                   [&](const Conditional &n) {
                     head(e, "conditional");
                     children({n.condition, n.then_value, n.else_value});
                   },
                   [&](const Comma &n) {
                     head(e, "comma");
                     children({n.lhs, n.rhs});
                   },
                   [&](const Assign &n) {
                     head(e, "assign");
                     children({n.place, n.value});
                   },
                   [&](const CompoundAssign &n) {
                     head(e, "assign {}= in {}", spelling(n.op), type_text(n.operation_type));
                     children({n.place, n.value});
                   },
                   [&](const IncDec &n) {
                     head(e, "{} by {}", increment_name(n), n.delta < 0 ? -n.delta : n.delta);
                     children({n.place});
                   },
                   [&](const Deref &n) {
                     head(e, "deref");
                     children({n.pointer});
                   },
                   [&](const Member &n) {
                     if (n.bits != 0) {
                       head(e, "member at bit {} width {}", n.off_bits, n.bits);
                     } else {
                       head(e, "member at {}", n.off_bits / 8);
                     }
                     children({n.base});
                   },
                   [&](const Element &n) {
                     head(e, "element of {}", n.count);
                     children({n.base, n.index});
                   },
                   [&](const AddressOf &n) {
                     head(e, "address-of");
                     children({n.place});
                   },
                   [&](const Convert &n) {
                     head(e, "convert {}", convert_name(n.kind));
                     children({n.operand});
                   },
                   [&](const Call &n) {
                     head(e, "call {}", row(n.subr).name);
                     children(n.args);
                   },
                   [&](const StackValue &n) {
                     head(e, "{} frames {}{}", row(n.kind).name, n.frames,
                          n.strsize != 0 ? fmt::format(" strsize {}", n.strsize) : "");
                   },
                   [&](const StackDepth &n) {
                     head(e, "depth");
                     children({n.stack});
                   },
                   [&](const SymbolValue &n) {
                     head(e, "{}", row(n.kind).name);
                     children({n.address});
                   },
               },
               e.node);
  }

 private:
  class Indent {
   public:
    explicit Indent(Dumper &dumper) : dumper_(dumper) { dumper_.depth_++; }
    ~Indent() { dumper_.depth_--; }
    Indent(const Indent &) = delete;
    Indent &operator=(const Indent &) = delete;

   private:
    Dumper &dumper_;
  };

  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args &&...args) {
    out_.append(2 * depth_, ' ');
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  /// A node's own line: what it is and its type.
  template <typename... Args>
  void head(const Expr &e, fmt::format_string<Args...> format, Args &&...args) {
    line("{} : {}", fmt::format(format, std::forward<Args>(args)...), type_text(e.type));
  }

  void children(const std::vector<const Expr *> &exprs) {
    const Indent indent(*this);
    for (const Expr *e : exprs) expr(*e);
  }

  /// Strings show the bytes they need if that is less than strsize; pointers their space.
  std::string type_text(TypeId type) const {
    std::string text = types_.name(type);
    const Type &t = types_.resolved(type);
    if (t.kind == TypeKind::kString && t.size_bytes != types_.strsize()) text += fmt::format("({})", t.size_bytes);
    if (t.kind == TypeKind::kPointer && t.space == Space::kScratch) text += " scratch";
    return text;
  }

  std::string int_text(TypeId type, uint64_t value) const {
    return types_.is_signed(type) || !types_.is_integer(type) ? std::to_string(static_cast<int64_t>(value))
                                                              : std::to_string(value);
  }

  std::string variable_text(VarId var) const {
    const VariableInfo &v = unit_.variables[var.value];
    return fmt::format("{}{}", scope_prefix(v.scope), v.name);
  }

  std::string keys_text(const std::vector<TypeId> &keys) const {
    if (keys.empty()) return "";
    std::string text = "[";
    for (size_t i = 0; i < keys.size(); ++i) text += (i == 0 ? "" : ", ") + type_text(keys[i]);
    return text + "]";
  }

  static std::string parameters_text(const AggregationInfo &a) {
    if (a.function == Builtin::k_lquantize) {
      return fmt::format("({}, {}, {})", a.params.linear.base, a.params.linear.limit, a.params.linear.step);
    }
    if (a.function == Builtin::k_llquantize) {
      const LlquantizeParams &p = a.params.log_linear;
      return fmt::format("({}, {}, {}, {})", p.factor, p.low, p.high, p.steps);
    }
    return "";
  }

  void provider(const ProviderInfo &p) {
    line("provider {}", p.name);
    const Indent indent(*this);
    for (const ProviderInfo::Probe &probe : p.probes) {
      std::string text;
      for (const ProviderInfo::Param &param : probe.native) text += fmt::format(" {},", type_text(param.type));
      if (probe.has_translated) {
        text += " :";
        for (const ProviderInfo::Param &param : probe.translated) {
          text += fmt::format(" {} from {},", type_text(param.type), param.source);
        }
      }
      if (text.ends_with(',')) text.pop_back();
      line("probe {}{}", probe.name, text);
    }
  }

  void clause(const Clause &c) {
    line("clause {} probes {}{}", c.desc.text(), c.probes.size(), c.default_action ? " default" : "");
    const Indent indent(*this);
    line("attributes {} of description {}", dtrace::text(c.statement_attributes), dtrace::text(c.desc_attributes));
    if (c.predicate != nullptr) {
      line("predicate");
      children({c.predicate});
    }
    for (const Stmt &s : c.body) stmt(s);
  }

  void stmt(const Stmt &s) {
    std::visit(Overloaded{
                   [&](const Evaluate &n) {
                     line("evaluate");
                     children({n.expr});
                   },
                   [&](const AggUpdate &n) { update(n); },
                   [&](const Action &n) { action(n); },
                   [&](const std::unique_ptr<If> &n) { branch(*n); },
                   [&](const std::unique_ptr<Loop> &n) { loop(*n); },
                   [&](const Jump &n) { line("{}", n.is_break ? "break" : "continue"); },
                   [&](const RecordLeaf &n) {
                     line("record leaf");
                     children({n.leaf});
                   },
               },
               s.node);
  }

  void update(const AggUpdate &n) {
    const AggregationInfo &a = unit_.aggregations[n.aggregation.value];
    line("aggregate @{} = {}", a.name, row(a.function).name);
    const Indent indent(*this);
    group("keys", n.keys);
    if (n.value != nullptr) group("value", {n.value});
    if (n.increment != nullptr) group("increment", {n.increment});
  }

  void action(const Action &n) {
    std::string text(row(n.kind).name);
    for (const AggId id : n.aggregations) text += " @" + unit_.aggregations[id.value].name;
    if (n.format) text += fmt::format(" format {}", n.format->conversions.size());
    if (n.size_bytes != 0) text += fmt::format(" size {}", n.size_bytes);
    if (n.object_type) text += fmt::format(" {}object {}", n.by_address ? "pointed " : "", type_text(n.object_type));
    line("action {}", text);
    children(n.values);
  }

  void branch(const If &n) {
    line("if");
    children({n.condition});
    block("then", n.then_body);
    if (!n.else_body.empty()) block("else", n.else_body);
  }

  void loop(const Loop &n) {
    line("loop");
    if (!n.start.empty()) block("start", n.start);
    if (n.condition != nullptr) children({n.condition});
    block("body", n.body);
    if (!n.step.empty()) block("step", n.step);
  }

  void block(std::string_view name, const std::vector<Stmt> &body) {
    line("{}", name);
    const Indent indent(*this);
    for (const Stmt &s : body) stmt(s);
  }

  void group(std::string_view name, const std::vector<const Expr *> &exprs) {
    if (exprs.empty()) return;
    line("{}", name);
    children(exprs);
  }

  const Unit &unit_;
  const TypeTable &types_;
  const bool is_identity_;
  std::string out_;
  size_t depth_ = 0;
};

}  // namespace

std::string dump(const Unit &unit, const TypeTable &types) {
  Dumper dumper(unit, types);
  dumper.variables();
  for (const Program &p : unit.programs) dumper.program(p);
  return dumper.take();
}

std::string text_of(const Expr &expr, const Unit &unit, const TypeTable &types) {
  Dumper dumper(unit, types, true);
  dumper.expr(expr);
  return dumper.take();
}

}  // namespace dtrace::tree
