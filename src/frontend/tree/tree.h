// SPDX-License-Identifier: Apache-2.0
// The typed tree: a checked D program with every name bound, every conversion explicit, inlines and translators
// expanded, constants folded and formats parsed. The code generator needs nothing else; it makes no D error.
//
// Lvalues. VarRef, ElemRef, Deref, SymbolRef, Member and Element denote storage. Used as a value they mean "load it" by
// the node's type; Assign, CompoundAssign, IncDec and AddressOf take them as lvalues. An array- or struct-typed lvalue
// is used as a value only under Convert, Member, Element, AddressOf, trace(), print(), as a key, and in assignment of a
// whole struct.
//
// What a reader would get wrong:
// - Nodes form a graph, not a tree: an expansion of an inline or translator shares its arguments' nodes.
// - Strings: an expression's type may be TypeTable::string_of(n), a string known to need only n bytes; different string
// types
//   convert to one another without a node, by copy up to the NUL, cut to the size of the destination. IntConst 0 of
//   string type is the NULL string. `s == NULL` is Binary kEq/kNe of a string and an IntConst 0 of type `void *`: is
//   there a string?
// - Storing 0 frees: Assign to a thread-local or an ElemRef whose value is IntConst 0 of the lvalue's type, even if
//   that is a struct.
// - Pointers into Space::kScratch may also hold a kernel address or 0 (a variable that is given both): tell them apart
// at run
//   time. A pointer found in user memory points into user memory, and its type says so.
// - Conversions between integers of equal size and sign (enum, typedef) make no node. Converting to _Bool means `!= 0`.
// - Arithmetic, ?: and the comma give 64 bits, which may be more than the node's type has (types_compat.h, wraps), and
//   operands narrower than the operation are not converted. A Convert says where a value is narrowed.
// - Function addresses are AddressOf(SymbolRef); `sym without type is AddressOf(SymbolRef of type void) or a SymbolRef
// that has
//   the type it was cast to.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "frontend/lang/aggregating.h"
#include "frontend/lang/builtins.h"
#include "frontend/lang/operators.h"
#include "frontend/lang/print_order.h"
#include "frontend/lang/probe.h"
#include "frontend/lang/scope.h"
#include "frontend/text/format_string.h"
#include "frontend/text/source.h"
#include "frontend/types/types.h"

namespace dtrace::tree {

struct Expr;

struct VarId {
  uint32_t value = 0;
  friend bool operator==(VarId, VarId) = default;
};
struct AggId {
  uint32_t value = 0;
  friend bool operator==(AggId, AggId) = default;
};

/// A D variable. Scalars (any type incl. string, struct, array) have no keys.
struct VariableInfo {
  std::string name;
  Scope scope = Scope::kGlobal;
  TypeId type;
  std::vector<TypeId> keys;  ///< associative array: types of the tuple
  bool is_associative() const { return !keys.empty(); }
};

struct AggregationInfo {
  std::string name;  ///< "_" for @
  Builtin function = Builtin::k_count;
  std::vector<TypeId> keys;
  std::vector<const Expr *> key_samples;  ///< keys of its first use: tells stack() from ustack(), sym() from func()
  AggregatingParams params;
  Span first_use;
};

// ---------------------------------------------------------------- expressions

struct IntConst {
  uint64_t value = 0;
};  ///< sign-extended to 64 bits by its type
struct StrConst {
  std::string text;
};
struct VarRef {
  VarId var;
};
struct ElemRef {
  VarId var;
  std::vector<const Expr *> keys;
};  ///< keys already converted to the signature's types
struct BuiltinRef {
  Variable var;
  const Expr *index = nullptr;
};  ///< index: uregs[n], not args[]; of ipl the kernel's preemption count, if it has a symbol for it
struct ArgRef {
  unsigned source = 0;
  bool is_address = false;
};  ///< args[n] before translation: raw argument number `source`, typed; a struct of more than 8 bytes goes on in the
    ///< next. is_address: not its value but where on the stack it lies, as a pointer
struct ThreadPointer {};  ///< what thread-local variables of the user program are counted from
struct SymbolRef {
  std::string module, name;
  uint64_t address = 0;
  bool is_function = false;
  uint64_t cpu_offsets = 0;  ///< per CPU: address of the table of offsets (SymbolSource::Found)
};
struct Unary {
  UnaryOp op;
  const Expr *operand;
};  ///< minus, complement, not only
struct Binary {
  BinaryOp op;
  const Expr *lhs, *rhs;
};  ///< arithmetic, shifts, comparisons of scalars; both operands have the
    ///< type the operation is done in (shift: lhs). Pointer +/- integer is
    ///< already scaled, in bytes; pointer difference already divided
struct StringCompare {
  BinaryOp op;
  const Expr *lhs, *rhs;
};
struct Logical {
  BinaryOp op;
  const Expr *lhs, *rhs;
};  ///< && || ^^
struct Conditional {
  const Expr *condition, *then_value, *else_value;
};
struct Comma {
  const Expr *lhs, *rhs;
};
struct Assign {
  const Expr *place;
  const Expr *value;
};  ///< value converted to the lvalue's type, which is the node's, too
struct CompoundAssign {
  BinaryOp op;
  const Expr *place;
  const Expr *value;
  TypeId operation_type;
};
struct IncDec {
  const Expr *place;
  int64_t delta = 1;
  bool postfix = false;
};  ///< delta scaled for pointers
struct Deref {
  const Expr *pointer;
};
struct Member {
  const Expr *base;
  uint64_t off_bits = 0;
  uint32_t bits = 0;
};  ///< base: struct/union lvalue or value
struct Element {
  const Expr *base;
  const Expr *index;
  uint64_t count = 0;
};  ///< base: array lvalue, or a string; count > 1: bounds-checked at run time
struct AddressOf {
  const Expr *place;
};
enum class ConvertKind : uint8_t {
  kInteger,   ///< narrow or widen to the node's integer type (also enum, pointer <-> integer, pointer <-> pointer)
  kDecay,     ///< array lvalue -> pointer to its first element
  kToString,  ///< char pointer, char array or integer address -> string read at that address (space by operand type)
  kStringAddress,  ///< string value -> char pointer (address of its bytes)
  kVoid,
};
struct Convert {
  ConvertKind kind;
  const Expr *operand;
};
struct Call {
  Builtin subr;
  std::vector<const Expr *> args;
};  ///< subroutines; `const char *` parameters get
    ///< strings (or NULL), pointers keep their space
struct StackValue {
  Builtin kind;
  uint32_t frames = 0;
  uint32_t strsize = 0;
  bool is_asked = false;  ///< the number of frames is the program's or the user's, not ours
};  ///< stack, ustack, jstack
struct StackDepth {
  const Expr *stack;
};  ///< frames of a dt_stack_t
struct SymbolValue {
  Builtin kind;
  const Expr *address;
};  ///< sym ... uaddr

struct Expr {
  TypeId type;
  Span span;
  std::variant<IntConst, StrConst, VarRef, ElemRef, BuiltinRef, ArgRef, ThreadPointer, SymbolRef, Unary, Binary,
               StringCompare, Logical, Conditional, Comma, Assign, CompoundAssign, IncDec, Deref, Member, Element,
               AddressOf, Convert, Call, StackValue, StackDepth, SymbolValue>
      node;
};

// ---------------------------------------------------------------- statements

/// An expression for its effect.
struct Evaluate {
  const Expr *expr;
};

struct AggUpdate {
  AggId aggregation;
  std::vector<const Expr *> keys;
  std::vector<Span> key_spans;      ///< where the clause has them; those of `keys` may be in a translator or an inline
  const Expr *value = nullptr;      ///< null for count()
  const Expr *increment = nullptr;  ///< quantize family's optional increment
};

/// An action; everything that the consumer must know lies here and in its ActionPlan (plan/plan.h). stack() and
/// sym() as statements have their StackValue or SymbolValue in values[0]; tracemem its address and perhaps the run-time
/// size; trunc, normalize and setopt their arguments after the aggregation; printf-like ones the arguments after the
/// format, `*` first.
struct Action {
  Builtin kind;
  std::vector<const Expr *> values;    ///< evaluated in the probe, in order; recorded if the consumer needs them
  std::vector<Span> value_spans;       ///< as AggUpdate::key_spans, of those that the clause has as arguments
  std::vector<AggId> aggregations;     ///< printa, clear, trunc, normalize, denormalize
  std::optional<FormatString> format;  ///< printf, printa with format, system, freopen
  uint64_t size_bytes = 0;             ///< tracemem: n; print: size of the object
  TypeId object_type;                  ///< print: type of what is dumped
  bool by_address = false;             ///< print(pointer): values[0] is the address of the object
  std::optional<PrintOrder> order{};   ///< printa; values[0], if there is one, says how many entries are printed
};

/// Ends the innermost loop, or its round.
struct Jump {
  bool is_break = true;
};

/// The value of a leaf (leaves.h) or the fault of reading it, which ends nothing. No D text has it: clauses of a
/// recording do.
struct RecordLeaf {
  const Expr *leaf = nullptr;
};

struct If;
struct Loop;
struct Stmt {
  Span span;
  std::variant<Evaluate, AggUpdate, Action, std::unique_ptr<If>, std::unique_ptr<Loop>, Jump, RecordLeaf> node;
};
struct If {
  const Expr *condition;
  std::vector<Stmt> then_body, else_body;
};
/// `start`, then rounds of `body` and `step` while `condition` is true, and not more than option looplimit of them.
/// Nothing in it makes a part of the record.
struct Loop {
  const Expr *condition = nullptr;  ///< null: always true
  std::vector<Stmt> start, body, step;
};

// ---------------------------------------------------------------- program

/// One clause for one probe description (a comma list makes one Clause per description).
struct Clause {
  Span span;
  Span desc_span;
  ProbeDesc desc;
  std::vector<ProbeId> probes;  ///< ascending, not empty unless -Z
  const Expr *predicate = nullptr;
  std::vector<Stmt> body;
  bool default_action = false;  ///< a row without data: the body is empty, or speculate() alone
  bool records_firing = false;  ///< of a recording: a row of leaves for each firing, also of one that exit() ends
  /// The clause before this one is of the same text, and nothing in either depends on what its description matches.
  bool same_as_last = false;
  Attributes statement_attributes, desc_attributes;
};

/// The outcome of checking one program text; several texts of one command share a Session's variables and aggregations.
struct Program {
  std::string name;  ///< "BEGIN" part of -n text, or the script's path: for the "matched" notice
  bool is_script = false;
  std::vector<Clause> clauses;
  size_t matched = 0;        ///< probes matched, counted per clause and description
  bool destructive = false;  ///< uses a destructive action
};

/// A `provider` definition, for `dtrace -h` and `-G`.
struct ProviderInfo {
  struct Param {
    std::string name;  ///< may be empty
    TypeId type;
    unsigned source = 0;  ///< translated: which native argument it comes from
  };
  struct Probe {
    std::string name;         ///< on the wire: `-` for `__`
    std::string source_name;  ///< as written
    Span span;
    std::vector<Param> native;
    std::vector<Param> translated;  ///< what args[] are; equals native unless has_translated
    bool has_translated = false;
  };
  std::string name;
  Span span;
  std::vector<Probe> probes;
  std::optional<ProviderAttributes> attributes;  ///< by pragmas
};

/// What the compiler keeps of a probe that a D clause defines (ProbeOrigin): expressions over the arguments of the
/// probe that it is derived from.
struct Derivation {
  const Expr *condition = nullptr;  ///< null: all of its firings
  std::vector<const Expr *> args;   ///< arg0...; scalars and strings
};

/// What all program texts of one command share, in order of definition. Owns the typed nodes.
struct Unit {
  std::vector<VariableInfo> variables;
  std::vector<AggregationInfo> aggregations;
  std::vector<ProviderInfo> providers;
  std::deque<Expr> exprs;
  std::vector<Program> programs;
  std::vector<Derivation> derivations;  ///< number n at n - 1

  /// nullptr: `number` is 0.
  const Derivation *derivation(uint32_t number) const { return number == 0 ? nullptr : &derivations.at(number - 1); }
};

/// Text form for `--stop-after=check --dump`.
std::string dump(const Unit &unit, const TypeTable &types);
/// The same of an expression alone, a line for each node.
std::string text_of(const Expr &expr, const Unit &unit, const TypeTable &types);

}  // namespace dtrace::tree
