// SPDX-License-Identifier: Apache-2.0
#include "frontend/tree/leaves.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "frontend/tree/walk.h"

namespace dtrace::tree {
namespace {

/// Subroutines whose answer is the kernel's or the process's, or that read memory at an address.
bool reads_memory(Builtin subroutine) {
  static constexpr Builtin kReaders[] = {Builtin::k_copyin,        Builtin::k_copyinstr,   Builtin::k_copyinto,
                                         Builtin::k_bcopy,         Builtin::k_memstr,      Builtin::k_d_path,
                                         Builtin::k_progenyof,     Builtin::k_rand,        Builtin::k_mutex_owned,
                                         Builtin::k_mutex_owner,   Builtin::k_rw_iswriter, Builtin::k_rw_read_held,
                                         Builtin::k_rw_write_held, Builtin::k_inet_ntoa,   Builtin::k_inet_ntoa6,
                                         Builtin::k_inet_ntop,     Builtin::k_link_ntop};
  return std::ranges::find(kReaders, subroutine) != std::end(kReaders);
}

constexpr std::string_view kOfLibrary = "__dt_";

class Finder {
 public:
  Finder(const Unit &unit, const TypeTable &types, const Clause &clause)
      : unit_(unit), types_(types), source_(clause.span.source) {}

  /// `span`: of the expression around it that the clause's text has.
  void value(const Expr &expr, Span span) {
    span = own(expr, span);
    if (is_numbered_by_program(expr) || is_copy(expr)) return found(expr, span, true);
    const Uses &uses = uses_of(expr);
    const bool is_alone = !uses.program && uses.is_closed();
    if (is_alone && (is_read(expr) || (!uses.assigned.empty() && !is_within_child(expr))))
      return found(expr, span, false);
    if (!uses.program && !uses.is_closed()) return found(expr, span, true);
    if (is_read(expr) && uses.program) {
      if (const auto *element = std::get_if<Element>(&expr.node); element != nullptr && is_read(*element->base)) {
        // An element that the program chooses: the array as a whole.
        value(*element->index, span);
        return found(*element->base, span, uses_of(*element->base).program);
      }
      if (!is_storage_of_program(expr)) return found(expr, span, true);
    }
    below(expr, span);
  }

  /// Memory is read at a pointer that is no part of an expression.
  void memory(const Expr &pointer, Span span) {
    const Type &type = types_.resolved(pointer.type);
    if (type.kind == TypeKind::kPointer && type.space == Space::kScratch) return value(pointer, span);
    found(pointer, own(pointer, span), true);
  }

  std::vector<LeafUse> take() { return std::move(leaves_); }

 private:
  Span own(const Expr &expr, Span outer) const { return expr.span.source == source_ ? expr.span : outer; }

  void found(const Expr &expr, Span span, bool depends) {
    leaves_.push_back({&expr, identity_of(expr), span, depends});
  }

  std::string identity_of(const Expr &expr) const {
    if (const std::optional<Variable> raw = raw_argument(types_, expr))
      return fmt::format("builtin {} : {}\n", row(*raw).name, row(*raw).type);  // as text_of() writes it
    return text_of(expr, unit_, types_);
  }

  /// Does the expression itself, and not only what is below it, read the firing?
  bool is_read(const Expr &expr) const {
    if (const auto *builtin = std::get_if<BuiltinRef>(&expr.node)) return !is_fact_of_row(builtin->var);
    if (const auto *symbol = std::get_if<SymbolRef>(&expr.node)) return !symbol->is_function;
    if (const auto *member = std::get_if<Member>(&expr.node)) return is_read(*member->base);
    if (const auto *element = std::get_if<Element>(&expr.node))
      return !types_.is_string(element->base->type) && is_read(*element->base);
    if (const auto *convert = std::get_if<Convert>(&expr.node))
      return convert->kind == ConvertKind::kToString && !types_.is_string(convert->operand->type) &&
             (types_.is_array(convert->operand->type) ? is_read(*convert->operand) : !is_zero(*convert->operand));
    if (const auto *call = std::get_if<Call>(&expr.node)) return reads_memory(call->subr);
    return std::holds_alternative<ArgRef>(expr.node) || std::holds_alternative<ThreadPointer>(expr.node) ||
           std::holds_alternative<Deref>(expr.node) || std::holds_alternative<StackValue>(expr.node) ||
           std::holds_alternative<StackDepth>(expr.node) || std::holds_alternative<SymbolValue>(expr.node);
  }

  /// It counts the program's clauses.
  static bool is_numbered_by_program(const Expr &expr) {
    const auto *builtin = std::get_if<BuiltinRef>(&expr.node);
    return builtin != nullptr && builtin->var == Variable::k_epid;
  }

  /// Its value is where the bytes are, which a larger expression reads at once, and this one does not.
  static bool is_copy(const Expr &expr) {
    const auto *call = std::get_if<Call>(&expr.node);
    return call != nullptr && call->subr == Builtin::k_copyin;
  }

  static bool is_zero(const Expr &expr) {
    const auto *constant = std::get_if<IntConst>(&expr.node);
    return constant != nullptr && constant->value == 0;
  }

  /// Memory of the program's own, which an evaluator has.
  bool is_storage_of_program(const Expr &expr) const {
    const Expr *pointer = nullptr;
    if (const auto *deref = std::get_if<Deref>(&expr.node)) pointer = deref->pointer;
    if (const auto *member = std::get_if<Member>(&expr.node)) return is_storage_of_program(*member->base);
    if (const auto *element = std::get_if<Element>(&expr.node)) return is_storage_of_program(*element->base);
    if (const auto *convert = std::get_if<Convert>(&expr.node)) {
      if (types_.is_array(convert->operand->type)) return is_storage_of_program(*convert->operand);
      pointer = convert->operand;
    }
    if (const auto *call = std::get_if<Call>(&expr.node); call != nullptr && call->subr == Builtin::k_memstr)
      pointer = call->args.front();
    if (pointer == nullptr) return false;
    const Type &type = types_.resolved(pointer->type);
    return type.kind == TypeKind::kPointer && type.space == Space::kScratch;
  }

  /// What an expression needs that only a run of the program has. Translators keep what they have found in clause-local
  /// variables of the library: an expression that assigns those that it reads runs by itself.
  struct Uses {
    bool program = false;
    std::set<uint32_t> read, assigned;  ///< the library's variables
    bool is_closed() const { return std::ranges::includes(assigned, read); }
  };

  std::optional<uint32_t> own_of_library(const Expr &expr) const {
    const auto *ref = std::get_if<VarRef>(&expr.node);
    if (ref == nullptr) return std::nullopt;
    const VariableInfo &variable = unit_.variables[ref->var.value];
    if (variable.scope != Scope::kClause || !variable.name.starts_with(kOfLibrary)) return std::nullopt;
    return ref->var.value;
  }

  const Uses &uses_of(const Expr &expr) {
    if (const auto known = uses_.find(&expr); known != uses_.end()) return known->second;
    Uses uses;
    const auto add = [&](const Uses &other) {
      uses.program |= other.program;
      uses.read.insert(other.read.begin(), other.read.end());
      uses.assigned.insert(other.assigned.begin(), other.assigned.end());
    };
    const auto *assignment = std::get_if<Assign>(&expr.node);
    if (const std::optional<uint32_t> variable = own_of_library(expr)) {
      uses.read.insert(*variable);
    } else if (const auto place = assignment != nullptr ? own_of_library(*assignment->place) : std::nullopt) {
      uses.assigned.insert(*place);
      add(uses_of(*assignment->value));
    } else {
      uses.program = is_of_program(expr);
      for_each_child(expr, [&](const Expr &child) { add(uses_of(child)); });
    }
    return uses_.emplace(&expr, std::move(uses)).first->second;
  }

  /// Does one of its parts alone use variables of the library?
  bool is_within_child(const Expr &expr) {
    size_t users = 0;
    for_each_child(expr, [&](const Expr &child) {
      const Uses &uses = uses_of(child);
      users += !uses.read.empty() || !uses.assigned.empty() ? 1 : 0;
    });
    return users == 1 && !std::holds_alternative<Assign>(expr.node);
  }

  void below(const Expr &expr, Span span) {
    if (const auto *convert = std::get_if<Convert>(&expr.node);
        convert != nullptr && convert->kind == ConvertKind::kDecay)
      return address(*convert->operand, span);
    if (const auto *of = std::get_if<AddressOf>(&expr.node)) return address(*of->place, span);
    for_each_child(expr, [&](const Expr &child) { value(child, span); });
  }

  /// Only where it lies is asked for, and not what it holds.
  void address(const Expr &expr, Span span) {
    span = own(expr, span);
    if (const auto *deref = std::get_if<Deref>(&expr.node)) return value(*deref->pointer, span);
    if (const auto *member = std::get_if<Member>(&expr.node)) return address(*member->base, span);
    if (const auto *element = std::get_if<Element>(&expr.node)) {
      address(*element->base, span);
      return value(*element->index, span);
    }
    if (std::holds_alternative<SymbolRef>(expr.node)) return;
    value(expr, span);
  }

  const Unit &unit_;
  const TypeTable &types_;
  const uint32_t source_;
  std::vector<LeafUse> leaves_;
  std::unordered_map<const Expr *, Uses> uses_;
};

void find_in(Finder &finder, const std::vector<Stmt> &body);

struct FindIn {
  Finder &finder;
  const Span span;
  void operator()(const Evaluate &n) const { finder.value(*n.expr, span); }
  void operator()(const AggUpdate &n) const {
    for (size_t i = 0; i < n.keys.size(); i++) finder.value(*n.keys[i], i < n.key_spans.size() ? n.key_spans[i] : span);
    if (n.value != nullptr) finder.value(*n.value, span);
    if (n.increment != nullptr) finder.value(*n.increment, span);
  }
  void operator()(const Action &n) const {
    const bool reads_memory = n.kind == Builtin::k_tracemem || (n.kind == Builtin::k_print && n.by_address);
    for (size_t i = 0; i < n.values.size(); i++) {
      const Span own = i < n.value_spans.size() ? n.value_spans[i] : span;
      if (i == 0 && reads_memory)
        finder.memory(*n.values[i], own);
      else
        finder.value(*n.values[i], own);
    }
  }
  void operator()(const std::unique_ptr<If> &n) const {
    finder.value(*n->condition, span);
    find_in(finder, n->then_body);
    find_in(finder, n->else_body);
  }
  void operator()(const std::unique_ptr<Loop> &n) const {
    find_in(finder, n->start);
    if (n->condition != nullptr) finder.value(*n->condition, span);
    find_in(finder, n->body);
    find_in(finder, n->step);
  }
  void operator()(const Jump &) const {}
  void operator()(const RecordLeaf &n) const { finder.value(*n.leaf, span); }
};

void find_in(Finder &finder, const std::vector<Stmt> &body) {
  for (const Stmt &stmt : body) std::visit(FindIn{finder, stmt.span}, stmt.node);
}

}  // namespace

std::vector<LeafUse> leaves_of(const Unit &unit, const TypeTable &types, const Clause &clause) {
  Finder finder(unit, types, clause);
  if (clause.predicate != nullptr) finder.value(*clause.predicate, clause.predicate->span);
  find_in(finder, clause.body);
  return finder.take();
}

std::optional<Variable> raw_argument(const TypeTable &types, const Expr &expr) {
  constexpr unsigned kRaw = 10;  // arg0 to arg9
  const auto *arg = std::get_if<ArgRef>(&expr.node);
  if (arg == nullptr || arg->is_address || arg->source >= kRaw || !types.is_scalar(expr.type)) return std::nullopt;
  return static_cast<Variable>(static_cast<unsigned>(Variable::k_arg0) + arg->source);
}

bool is_of_program(const Expr &expr) {
  if (std::holds_alternative<VarRef>(expr.node) || std::holds_alternative<ElemRef>(expr.node) ||
      std::holds_alternative<Assign>(expr.node) || std::holds_alternative<CompoundAssign>(expr.node) ||
      std::holds_alternative<IncDec>(expr.node))
    return true;
  const auto *call = std::get_if<Call>(&expr.node);
  return call != nullptr &&
         (call->subr == Builtin::k_alloca || call->subr == Builtin::k_copyinto || call->subr == Builtin::k_bcopy ||
          call->subr == Builtin::k_strtok || call->subr == Builtin::k_speculation ||
          row(call->subr).effect == BuiltinEffect::kDestructive);
}

bool is_fact_of_row(Variable variable) {
  static constexpr Variable kFacts[] = {Variable::k_timestamp, Variable::k_cpu,       Variable::k_pid,
                                        Variable::k_tid,       Variable::k_id,        Variable::k_probeprov,
                                        Variable::k_probemod,  Variable::k_probefunc, Variable::k_probename};
  return std::ranges::find(kFacts, variable) != std::end(kFacts);
}

bool may_be_leaf(const Expr &expr) {
  return !std::holds_alternative<IntConst>(expr.node) && !std::holds_alternative<StrConst>(expr.node) &&
         !std::holds_alternative<VarRef>(expr.node) && !std::holds_alternative<ElemRef>(expr.node) &&
         !std::holds_alternative<BuiltinRef>(expr.node) && !std::holds_alternative<ArgRef>(expr.node) &&
         !std::holds_alternative<ThreadPointer>(expr.node) && !std::holds_alternative<StackValue>(expr.node) &&
         !std::holds_alternative<StackDepth>(expr.node);
}

}  // namespace dtrace::tree
