// SPDX-License-Identifier: Apache-2.0
#include "codegen/planning/quantities.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <variant>

#include "frontend/tree/walk.h"

namespace dtrace::codegen {
namespace {

/// What a value is, by what it was computed from.
struct Dimension {
  enum class Kind : uint8_t {
    kUnseen,   // of a variable without a value so far
    kZero,     // may be of any other
    kInstant,  // a clock's time
    kTime,     // `step` nanoseconds each
    kBytes,    // `step` bytes each
    kPlain,
  };
  Kind kind = Kind::kUnseen;
  int64_t step = 1;
  friend bool operator==(const Dimension &, const Dimension &) = default;
  bool is_amount() const { return kind == Kind::kTime || kind == Kind::kBytes; }
  bool says_nothing() const { return kind == Kind::kUnseen || kind == Kind::kZero; }
};

constexpr Dimension kPlain{Dimension::Kind::kPlain, 1};
constexpr Dimension kBytes{Dimension::Kind::kBytes, 1};
constexpr int64_t kMaxStep = 1'000'000'000'000'000;  // no unit is larger
// A chain of variables that get their values from one another is not followed further.
constexpr unsigned kMaxRounds = 8;

/// The dimension of a value that may be either.
Dimension joined(Dimension a, Dimension b) {
  if (a.kind == Dimension::Kind::kUnseen || (a.kind == Dimension::Kind::kZero && !b.says_nothing())) return b;
  if (b.says_nothing() || a == b) return a;
  return kPlain;
}

std::optional<int64_t> constant(const tree::Expr &expr) {
  if (const auto *number = std::get_if<tree::IntConst>(&expr.node)) return static_cast<int64_t>(number->value);
  const auto *convert = std::get_if<tree::Convert>(&expr.node);
  return convert != nullptr && convert->kind == tree::ConvertKind::kInteger ? constant(*convert->operand)
                                                                            : std::nullopt;
}

Dimension difference(Dimension a, Dimension b) {
  using Kind = Dimension::Kind;
  if (b.kind == Kind::kZero || a.kind == Kind::kUnseen) return a;
  if (a.kind == Kind::kInstant && b.kind == Kind::kInstant) return {Kind::kTime, 1};
  if (b.kind == Kind::kUnseen) return b;
  if (a.kind == Kind::kInstant && b == Dimension{Kind::kTime, 1}) return a;
  return a == b && a.is_amount() ? a : kPlain;
}

Dimension sum(Dimension a, Dimension b) {
  using Kind = Dimension::Kind;
  if (a.says_nothing()) return b;
  if (b.says_nothing()) return a;
  const Dimension nanoseconds{Kind::kTime, 1};
  if ((a.kind == Kind::kInstant && b == nanoseconds) || (b.kind == Kind::kInstant && a == nanoseconds))
    return {Kind::kInstant, 1};
  return a == b && a.is_amount() ? a : kPlain;
}

/// In units that are `by` times as large.
Dimension divided(Dimension a, std::optional<int64_t> by) {
  if (!a.is_amount()) return a.says_nothing() ? a : kPlain;
  if (!by || *by <= 0 || *by > kMaxStep / a.step) return kPlain;
  a.step *= *by;
  return a;
}

Dimension multiplied(Dimension a, std::optional<int64_t> by) {
  if (!a.is_amount()) return a.says_nothing() ? a : kPlain;
  if (!by || *by <= 0 || a.step % *by != 0) return kPlain;
  a.step /= *by;
  return a;
}

/// Calls that return how many bytes they have moved.
bool moves_bytes(std::string_view call) {
  constexpr std::string_view kCalls[] = {"read",
                                         "write",
                                         "pread",
                                         "pwrite",
                                         "pread64",
                                         "pwrite64",
                                         "readv",
                                         "writev",
                                         "preadv",
                                         "pwritev",
                                         "preadv2",
                                         "pwritev2",
                                         "recvfrom",
                                         "sendto",
                                         "recvmsg",
                                         "sendmsg",
                                         "sendfile",
                                         "splice",
                                         "tee",
                                         "vmsplice",
                                         "sendfile64",
                                         "getrandom",
                                         "copy_file_range",
                                         "process_vm_readv",
                                         "process_vm_writev"};
  return std::ranges::find(kCalls, call) != std::end(kCalls);
}

/// Calls whose third argument is how many bytes they are to move at most.
bool takes_bytes(std::string_view call) {
  constexpr std::string_view kCalls[] = {"read",    "write",    "pread",    "pwrite",
                                         "pread64", "pwrite64", "recvfrom", "sendto"};
  return std::ranges::find(kCalls, call) != std::end(kCalls);
}

class Inference {
 public:
  Inference(const CompileInput &input, const std::vector<ClauseLayout> &clauses) : input_(input), clauses_(clauses) {
    variables_.resize(input.unit.variables.size());
    for (unsigned round = 0; round < kMaxRounds && has_changed_; ++round) {
      has_changed_ = false;
      for (const ClauseLayout &layout : clauses_) {
        clause_ = layout.clause;
        walk(*clause_, [this](const tree::Expr &expr) { note(expr); });
      }
      clause_ = nullptr;
      for (const tree::Derivation &derivation : input.unit.derivations) {
        if (derivation.condition != nullptr)
          walk(*derivation.condition, [this](const tree::Expr &expr) { note(expr); });
        for (const tree::Expr *arg : derivation.args) walk(*arg, [this](const tree::Expr &expr) { note(expr); });
      }
    }
    if (has_changed_) std::ranges::fill(variables_, kPlain);
  }

  Dimension of_update(const tree::Clause &clause, const tree::Expr &value) {
    clause_ = &clause;
    return of(value);
  }

 private:
  using Kind = Dimension::Kind;

  Dimension *variable(const tree::Expr &place) {
    if (const auto *scalar = std::get_if<tree::VarRef>(&place.node)) return &variables_[scalar->var.value];
    if (const auto *element = std::get_if<tree::ElemRef>(&place.node)) return &variables_[element->var.value];
    return nullptr;
  }

  void set(const tree::Expr &place, Dimension value) {
    Dimension *known = variable(place);
    if (known == nullptr) return;
    const Dimension now = joined(*known, value);
    has_changed_ |= now != *known;
    *known = now;
  }

  void note(const tree::Expr &expr) {
    if (const auto *assign = std::get_if<tree::Assign>(&expr.node))
      set(*assign->place, of(*assign->value));
    else if (std::holds_alternative<tree::CompoundAssign>(expr.node))
      set(*std::get<tree::CompoundAssign>(expr.node).place, of(expr));
    else if (const auto *step = std::get_if<tree::IncDec>(&expr.node))
      set(*step->place, kPlain);
  }

  Dimension of(const tree::Expr &expr) {
    if (is_bytes(expr.type)) return kBytes;
    return std::visit([&](const auto &node) { return of(expr, node); }, expr.node);
  }

  bool is_bytes(TypeId type) const {
    return type && input_.types[type].kind == TypeKind::kTypedef && input_.types[type].name == "__dt_bytes_t";
  }

  Dimension of(const tree::Expr &, const auto &) { return kPlain; }
  Dimension of(const tree::Expr &, const tree::IntConst &number) {
    return number.value == 0 ? Dimension{Kind::kZero, 1} : kPlain;
  }
  Dimension of(const tree::Expr &expr, const tree::VarRef &) { return *variable(expr); }
  Dimension of(const tree::Expr &expr, const tree::ElemRef &) { return *variable(expr); }
  Dimension of(const tree::Expr &, const tree::BuiltinRef &builtin) {
    switch (builtin.var) {
      case Variable::k_timestamp:
      case Variable::k_vtimestamp:
      case Variable::k_walltimestamp:
        return {Kind::kInstant, 1};
      default:
        break;
    }
    const bool is_argument = builtin.var >= Variable::k_arg0 && builtin.var <= Variable::k_arg9;
    return is_argument ? argument(static_cast<unsigned>(builtin.var) - static_cast<unsigned>(Variable::k_arg0))
                       : kPlain;
  }
  Dimension of(const tree::Expr &, const tree::ArgRef &arg) { return arg.is_address ? kPlain : argument(arg.source); }
  Dimension of(const tree::Expr &, const tree::Unary &unary) {
    return unary.op == UnaryOp::kMinus ? of(*unary.operand) : kPlain;
  }
  Dimension of(const tree::Expr &, const tree::Binary &binary) {
    return combined(binary.op, of(*binary.lhs), of(*binary.rhs), constant(*binary.lhs), constant(*binary.rhs));
  }
  Dimension of(const tree::Expr &, const tree::Conditional &chosen) {
    return joined(of(*chosen.then_value), of(*chosen.else_value));
  }
  Dimension of(const tree::Expr &, const tree::Comma &comma) { return of(*comma.rhs); }
  Dimension of(const tree::Expr &, const tree::Assign &assign) { return of(*assign.value); }
  Dimension of(const tree::Expr &, const tree::CompoundAssign &assign) {
    return combined(assign.op, of(*assign.place), of(*assign.value), std::nullopt, constant(*assign.value));
  }
  Dimension of(const tree::Expr &, const tree::Convert &convert) {
    return convert.kind == tree::ConvertKind::kInteger ? of(*convert.operand) : kPlain;
  }

  static Dimension combined(BinaryOp op, Dimension a, Dimension b, std::optional<int64_t> a_constant,
                            std::optional<int64_t> b_constant) {
    constexpr int64_t kMaxShift = 40;
    switch (op) {
      case BinaryOp::kSub:
        return difference(a, b);
      case BinaryOp::kAdd:
        return sum(a, b);
      case BinaryOp::kMul:
        return a_constant ? multiplied(b, a_constant) : multiplied(a, b_constant);
      case BinaryOp::kDiv:
        return divided(a, b_constant);
      case BinaryOp::kShr:
        return divided(a, b_constant && *b_constant >= 0 && *b_constant < kMaxShift
                              ? std::optional(int64_t{1} << *b_constant)
                              : std::nullopt);
      default:
        return kPlain;
    }
  }

  /// arg`number` of the clause's probes.
  Dimension argument(unsigned number) {
    if (clause_ == nullptr || clause_->probes.empty()) return kPlain;
    Dimension all;
    // A library's expressions use arguments of the probe that theirs is made of.
    const tree::Clause *const clause = std::exchange(clause_, nullptr);
    for (const ProbeId id : clause->probes) {
      all = joined(all, argument_of(id, number));
      if (all == kPlain) break;
    }
    clause_ = clause;
    return all;
  }

  Dimension argument_of(ProbeId id, unsigned number) {
    const Probe &probe = input_.host.probe(id);
    if (probe.provider == "syscall") {
      const bool is_result = probe.name == "return" && number <= 1 && moves_bytes(probe.function);
      const bool is_size = probe.name == "entry" && number == 2 && takes_bytes(probe.function);
      return is_result || is_size ? kBytes : kPlain;
    }
    const ProbeHook &hook = input_.host.hook(id);
    Dimension all = derived(hook, number);
    for (const ProbeHook &also : hook.also) all = joined(all, derived(also, number));
    return all;
  }

  /// As the clause that defines the probe has it.
  Dimension derived(const ProbeHook &hook, unsigned number) {
    const tree::Derivation *derivation = input_.unit.derivation(hook.hook.derivation);
    return derivation != nullptr && number < derivation->args.size() ? of(*derivation->args[number]) : kPlain;
  }

  const CompileInput &input_;
  const std::vector<ClauseLayout> &clauses_;
  std::vector<Dimension> variables_;
  const tree::Clause *clause_ = nullptr;  // whose expressions are looked at
  bool has_changed_ = true;
};

Quantity quantity_of(Dimension value) {
  switch (value.kind) {
    case Dimension::Kind::kTime:
      return {Quantity::Kind::kTime, value.step};
    case Dimension::Kind::kBytes:
      return {Quantity::Kind::kBytes, value.step};
    default:
      return {};
  }
}

bool is_sampling(const CompileInput &input, const tree::Clause &clause) {
  return !clause.probes.empty() && std::ranges::all_of(clause.probes, [&](ProbeId id) {
    const Probe &probe = input.host.probe(id);
    return probe.provider == "profile" && probe.name.starts_with("profile-");
  });
}

}  // namespace

std::vector<Quantity> quantities(const CompileInput &input, const std::vector<ClauseLayout> &clauses) {
  std::vector<std::optional<Quantity>> found(input.unit.aggregations.size());
  Inference inference(input, clauses);
  for (const ClauseLayout &layout : clauses) {
    walk_statements(layout.clause->body, [&](const tree::Stmt &stmt) {
      const auto *update = std::get_if<tree::AggUpdate>(&stmt.node);
      if (update == nullptr) return;
      Quantity quantity;
      if (update->value != nullptr)
        quantity = quantity_of(inference.of_update(*layout.clause, *update->value));
      else if (is_sampling(input, *layout.clause))
        quantity = {Quantity::Kind::kSamples, 1};
      std::optional<Quantity> &known = found[update->aggregation.value];
      known = !known || *known == quantity ? quantity : Quantity();
    });
  }
  std::vector<Quantity> all;
  for (const std::optional<Quantity> &quantity : found) all.push_back(quantity.value_or(Quantity()));
  return all;
}

}  // namespace dtrace::codegen
