// SPDX-License-Identifier: Apache-2.0
// What the parts of the checker (check_*.cpp, translate.cpp) share, and nobody else: the session, which lives as long
// as the Checker, and the context of one text being checked.
//
// A context is made per Checker::check() and on top of each other: resolving a name may check a D library file in the
// middle of a program's clause. Nothing of a text may therefore live in the session except what it defines.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/check/check.h"
#include "frontend/check/prototype.h"
#include "frontend/lang/stability.h"

namespace dtrace::check {

struct Inline;
struct Translator;

/// The result of checking an expression. Only kValue has a node; D allows the other kinds in few contexts.
struct Operand {
  enum class Kind : uint8_t {
    kPoison,  ///< an error was reported: keep silent
    kValue,
    kTranslated,     ///< result of xlate before a member is taken; type is the output type or a pointer to it
    kAggregation,    ///< @a
    kAction,         ///< call of an action or aggregating function, not checked further
    kUntypedSymbol,  ///< `sym without type information: only & and casts may use it
  };
  Kind kind = Kind::kPoison;
  TypeId type;
  Span span;
  const tree::Expr *expr = nullptr;

  // Places.
  bool lvalue = false;
  bool writable = false;
  bool foreign = false;          ///< reached from what D does not own (a built-in variable, args[], a kernel symbol)
  bool in_variable = false;      ///< a D variable or part of one: has no address
  Space space = Space::kKernel;  ///< memory that the lvalue is in

  const Translator *translator = nullptr;  ///< kTranslated
  const Operand *input = nullptr;          ///< kTranslated: what is translated; owned by the session
  const ProbeArg *undefined = nullptr;     ///< args[n] as it is passed, because its declared type is not defined
  std::string_view name;                   ///< kAggregation: of the aggregation; kAction: of the function

  bool poison() const { return kind == Kind::kPoison; }
  bool is_value() const { return kind == Kind::kValue; }
};

/// Names that hide globals while the body of an inline or a translator's member is checked.
struct Bindings {
  std::vector<std::pair<std::string_view, Operand>> names;
  TypeId class_type;  ///< in a class translator: parameters of that class's template are types
};

/// What a plain identifier means.
struct Global {
  enum class Kind : uint8_t { kVariable, kInline, kConstant };
  Kind kind = Kind::kVariable;
  uint32_t index = 0;  ///< VarId, or index into Session::inlines or ::constants
  uint32_t text = 0;   ///< number of the text that defined it
  Span span;
  std::optional<Attributes> attributes;  ///< by pragma
};

struct Constant {
  TypeId type;
  int64_t value = 0;
};

/// `inline`: expanded at each use. `value` is checked anew each time, so the Ast must live.
struct Inline {
  const ast::InlineDef *def = nullptr;
  bool is_library = false;
  bool typed = false;  ///< `type` and `params` are known
  TypeId type;
  std::vector<std::pair<std::string_view, TypeId>> params;  ///< of an inline array
  bool expanding = false;                                   ///< to refuse recursion
  std::optional<Constant> constant;                         ///< its value, once known to be an integer constant
};

struct Translator {
  const ast::TranslatorDef *def = nullptr;
  bool is_library = false;
  TypeId input, output;  ///< output: the struct or union, resolved
};

/// Members of classes of user programs, by patterns of their names.
struct ClassTranslator {
  const ast::TranslatorDef *def = nullptr;
  bool is_library = false;
  std::vector<std::string> classes;  ///< the patterns, canonical
};

/// `extern` declaration of a kernel symbol's type.
struct Extern {
  TypeId type;
  Span span;
};

/// Why a declaration of a library file failed, kept for programs that use its name.
struct Failure {
  Diagnostic diagnostic;
};

/// What the session keeps of a variable beside tree::VariableInfo.
struct VariableState {
  Span span;
  TypeId declared_type;      ///< before it was found to hold scratch pointers
  bool is_declared = false;  ///< not made by its first assignment
};

class Session {
 public:
  explicit Session(tree::Unit &unit_) : unit(unit_) {}

  tree::Unit &unit;
  std::unordered_map<std::string, Global> globals;
  std::unordered_map<std::string, Global> kernel_enumerators;  ///< those used so far; any definition of the name wins
  std::unordered_map<std::string, tree::VarId> thread_names;   ///< self->
  std::unordered_map<std::string, tree::AggId> aggregations;
  std::vector<VariableState> variables;  ///< parallel to unit.variables
  std::deque<Inline> inlines;
  std::deque<Constant> constants;
  std::deque<Translator> translators;
  std::deque<ClassTranslator> class_translators;
  std::set<std::string, std::less<>> known_classes;  ///< whose translators libraries were asked for
  std::unordered_map<std::string, Extern> externs;
  std::unordered_map<std::string, Failure> failures;  ///< by name, "struct name" or "translator type"
  std::optional<Diagnostic> parse_failure;            ///< first syntax error of the library loaded last
  std::map<std::string, ProviderAttributes, std::less<>> provider_attributes;  ///< by pragmas
  std::deque<Operand> operands;                                                ///< inputs of translated operands
  std::map<Builtin, Prototype> prototypes;
  std::function<bool(std::string_view)> library_fallback;
  std::function<bool(std::string_view, std::string_view)> translator_fallback;
  std::function<bool(std::string_view)> class_fallback;
  /// Names of this DTrace's own that a program has taken for its variables (lang/own_names.h).
  std::set<std::string, std::less<>> own_names;
  uint32_t texts = 0;  ///< number of texts begun
  bool has_too_many_variables = false;
};

/// State of the clause being checked. Absent in declarations.
struct ClauseState {
  const ProbeDesc *desc = nullptr;
  const std::vector<ProbeId> *probes = nullptr;
  std::string provider;                       ///< of all the probes; empty if there are several
  std::optional<std::vector<ProbeArg>> args;  ///< asked when first used
  std::optional<UserScope *> user_scope;      ///< likewise: of all the probes; null if there are several or none
  std::set<uint64_t> partial_args;            ///< of `args`: those whose values some of the probes lack
  bool is_partial = false;                    ///< an argument that was used is missing in some of the probes
  bool speculates = false, commits = false, records = false, aggregates = false;  ///< order rules, 7.6
  unsigned loops = 0;                                                             ///< around the statement
};

/// Option argerrors=skip: a description whose clause is left out for some or all of its probes.
struct LeftOut {
  Span span;  ///< of the description
  std::string desc;
  size_t nr_probes = 0, nr_matched = 0;
  std::string reason;      ///< of the first probe
  Diagnostic first_error;  ///< likewise; without a message if another clause that is left out is the reason
};

class Context {
 public:
  Context(Session &session_, const CheckInput &input_, Diagnostics &diags_, uint32_t text_)
      : session(session_), input(input_), types(input_.types), options(input_.options), diags(diags_), text(text_) {}

  Session &session;
  const CheckInput &input;
  TypeTable &types;
  const Options &options;
  Diagnostics &diags;
  const uint32_t text;                                        ///< number of the text
  std::unordered_map<std::string, tree::VarId> clause_names;  ///< this->
  ClauseState *clause = nullptr;
  const Bindings *bindings = nullptr;
  Attributes attributes = kStrongestAttributes;  ///< weakest seen in the statement being checked
  bool destructive = false;                      ///< a destructive function was used
  bool variables_retyped = false;                ///< some variable was found to hold scratch pointers
  /// Aggregations that actions named before any clause assigned them: a later clause may.
  std::vector<std::string> awaited_aggregations;
  /// A variable was used, under an operator such as `!`, before any clause assigned it: a later clause may.
  bool has_awaited_variables = false;
  bool are_assignments_known = false;  ///< a pass has seen all assignments
  /// "x", "self->x", "@x": what a statement with an error would have made. Uses of these are not reported as well.
  std::set<std::string, std::less<>> failed_names;
  /// Option argerrors=skip: those of the failed names that clauses would have made that are left out.
  std::set<std::string, std::less<>> left_out_names;
  std::string used_left_out;      ///< one of these that was used since this was cleared
  std::vector<LeftOut> left_out;  ///< in this pass
  /// Names of declarations that failed, and the errors. Declarations are checked once, even if clauses are checked
  /// several times.
  std::set<std::string, std::less<>> failed_definitions;
  std::vector<Diagnostic> definition_errors;
  unsigned expansion_depth = 0;
  std::vector<TypeId> open_tags;  ///< structs whose bodies are being checked

  template <typename Node>
  const tree::Expr *make(TypeId type, Span span, Node node) {
    return &session.unit.exprs.emplace_back(tree::Expr{type, span, std::move(node)});
  }

  /// Reports and gives poison.
  template <typename... Args>
  Operand fail(Tag tag, Span span, fmt::format_string<Args...> format, Args &&...args) {
    diags.report(tag, span, format, std::forward<Args>(args)...);
    return Operand{};
  }

  /// An rvalue.
  template <typename Node>
  Operand value(TypeId type, Span span, Node node) {
    return value(make(type, span, std::move(node)));
  }
  Operand value(const tree::Expr *expr) const;
  Operand integer(TypeId type, Span span, uint64_t number) { return value(type, span, tree::IntConst{number}); }

  const Operand *keep(const Operand &operand) { return &session.operands.emplace_back(operand); }

  /// Did a definition of `name` fail, so that this use of it is not reported as well?
  bool has_failed(std::string_view name) {
    if (!failed_names.contains(name)) return false;
    if (left_out_names.contains(name)) used_left_out = name;
    return true;
  }

  /// Something of these attributes, called `name`, is used here. Errors: D_ATTR_MIN.
  void note(const Attributes &used, std::string_view name, Span span);
  /// The same for a type: kernel types are private.
  void note_type(TypeId type, Span span);

  /// The user program's file that all probes of the clause are in. Null: there is none, or what is checked was not
  /// written in the clause (a translator's or inline's body).
  UserScope *user_scope();
  /// Why names of the clause's program have no types; empty: they have, or there is no program.
  std::string user_scope_failure();

  /// For messages: what stack() gives is a stack.
  std::string type_name(TypeId type) const {
    return type && types.resolved(type).kind == TypeKind::kStack ? "stack" : types.name(type);
  }
  /// "int", "aggregation", "void": for argument lines of messages.
  std::string describe(const Operand &operand) const;
};

/// Sets a variable for a scope: the clause, the bindings, the attributes.
template <typename T>
class Restore {
 public:
  explicit Restore(T &variable) : variable_(variable), saved_(variable) {}
  Restore(T &variable, T value) : variable_(variable), saved_(variable) { variable = value; }
  ~Restore() { variable_ = saved_; }
  Restore(const Restore &) = delete;
  Restore &operator=(const Restore &) = delete;

 private:
  T &variable_;
  T saved_;
};

}  // namespace dtrace::check
