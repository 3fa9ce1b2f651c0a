// SPDX-License-Identifier: Apache-2.0
// The layout of a whole compilation: clauses, programs, variables. Records are planned in plan_record.cpp, keys in
// plan_key.cpp. Pure: same input, same layout.
#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "bpf/dt_abi.h"
#include "codegen/planning/direct_member.h"
#include "codegen/planning/layout.h"
#include "frontend/lang/builtins.h"
#include "frontend/text/glob.h"
#include "frontend/tree/walk.h"
#include "plan/kernel_feature.h"

namespace dtrace::codegen {
namespace {

// What the kernel allocates in one piece: for an element of a hash table, and for what a task has of a map.
constexpr uint32_t kRingHeadBytes = 8;  // what the kernel puts before each record

std::string identifier_of(std::string_view text) {
  std::string name;
  for (char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

/// Short and unique: the kernel cuts names at 15 characters.
std::string program_name(const Hook &hook, size_t index) {
  const std::string text = hook.is<PerfClockHook>() ? "clock" : hook.text();
  std::string_view target = text;
  if (size_t colon = target.rfind(':'); colon != std::string_view::npos) target.remove_prefix(colon + 1);
  const std::string number = "_" + std::to_string(index);
  return identifier_of(target.substr(0, 15 - number.size())) + number;
}

Result<Unit> collect_clauses(const CompileInput &input, Layout &layout) {
  for (const tree::Program &program : input.unit.programs) {
    for (const tree::Clause &clause : program.clauses) {
      ClauseLayout &entry = layout.clauses.emplace_back();
      entry.clause = &clause;
      if (Result<Unit> checked = check_clause_limits(input, clause); !checked) return checked;
      const auto index = static_cast<uint32_t>(layout.clauses.size() - 1);
      Result<ClausePlan> plan = plan_clause(input, entry, index, program.name);
      if (!plan) return std::move(plan.error());
      layout.plan.clauses.push_back(std::move(*plan));
      layout.plan.clauses.back().desc = clause.desc;
    }
  }
  return ok();
}

/// Finds or makes the program of a probe that has none yet. Wildcards bring long runs of equal hooks, so the last one
/// is tried first.
ProgramLayout &program_of(Layout &layout, const ProbeHook &wanted, ProgramLayout *last) {
  const Hook &hook = wanted.hook;
  const auto serves = [&](const ProgramLayout &program) {
    const ProgramPlan &plan = layout.plan.programs[program.plan];
    // A kSingle program can report one probe only (tick-10hz and tick-100ms share a hook).
    return plan.hook == hook && (hook.selector != Selector::kSingle || plan.probes.empty());
  };
  if (last != nullptr && serves(*last)) return *last;
  for (ProgramLayout &program : layout.programs)
    if (serves(program)) return program;
  ProgramPlan plan;
  plan.hook = hook;
  plan.function = program_name(hook, layout.plan.programs.size());
  ProgramLayout program;
  program.plan = static_cast<uint32_t>(layout.plan.programs.size());
  program.prototype = wanted;
  program.prototype.sites.clear();
  layout.plan.programs.push_back(std::move(plan));
  layout.programs.push_back(std::move(program));
  return layout.programs.back();
}

/// Whether the clause asks where exactly its probe fires, and with what in the registers.
bool asks_for_place(const tree::Clause &clause) {
  bool asks = false;
  walk(clause, [&](const tree::Expr &expr) {
    if (const auto *stack = std::get_if<tree::StackValue>(&expr.node)) asks |= stack->kind != Builtin::k_stack;
    // args[0] of a return is arg0.
    if (const auto *argument = std::get_if<tree::ArgRef>(&expr.node)) asks |= argument->source == 0;
    const auto *variable = std::get_if<tree::BuiltinRef>(&expr.node);
    if (variable == nullptr) return;
    switch (variable->var) {
      case Variable::k_arg0:
      case Variable::k_caller:
      case Variable::k_ucaller:
      case Variable::k_uregs:
      case Variable::k_regs:
      case Variable::k_ustackdepth:
        asks = true;
        break;
      default:
        break;
    }
  });
  return asks;
}

bool asks_for_registers(const tree::Clause &clause) {
  bool asks = false;
  walk(clause, [&](const tree::Expr &expr) {
    const auto *variable = std::get_if<tree::BuiltinRef>(&expr.node);
    asks |= variable != nullptr && variable->var == Variable::k_regs;
  });
  return asks;
}

void find_exact(Layout &layout) {
  for (const ClauseLayout &clause : layout.clauses)
    if (asks_for_place(*clause.clause))
      for (ProbeId id : clause.clause->probes) layout.exact.insert(id.value);
}

const ProbeHook &hook_for(const CompileInput &input, const Layout &layout, ProbeId id) {
  if (const auto known = layout.instead.find(id.value); known != layout.instead.end()) return *known->second;
  const ProbeHook &hook = input.host.hook(id);
  return hook.cheaper != nullptr && !layout.exact.contains(id.value) ? *hook.cheaper : hook;
}

void insert_ascending(std::vector<uint32_t> &list, uint32_t value) {
  const auto place = std::lower_bound(list.begin(), list.end(), value);
  if (place == list.end() || *place != value) list.insert(place, value);
}

/// The clause whose code serves for clause `index`. A list of descriptions makes a clause of each: one code is enough
/// for all of them, unless two match the same probe, or their probes are not all known yet.
uint32_t code_of(const Layout &layout, uint32_t index, bool grows) {
  if (grows || !layout.clauses[index].clause->same_as_last) return index;
  uint32_t first = index;
  while (first > 0 && layout.clauses[first].clause->same_as_last && !layout.plan.clauses[first - 1].may_grow) first--;
  const auto runs_first = [&](ProbeId id) {
    const auto *known = layout.where.find(id.value);
    if (known == nullptr) return false;
    const ProgramLayout &program = layout.programs[known->first];
    const std::vector<uint32_t> &set = program.sets[program.set_of_probe[known->second]];
    return std::binary_search(set.begin(), set.end(), first);
  };
  const std::vector<ProbeId> &probes = layout.clauses[index].clause->probes;
  return std::any_of(probes.begin(), probes.end(), runs_first) ? index : first;
}

/// Whether a predicate is 0 by its constants alone, as that of an option that is off: nothing before the constant has
/// effects.
bool is_off(const tree::Expr &expr) {
  const auto *number = std::get_if<tree::IntConst>(&expr.node);
  if (number != nullptr) return number->value == 0;
  const auto *logical = std::get_if<tree::Logical>(&expr.node);
  if (logical == nullptr || logical->op != BinaryOp::kLogAnd) return false;
  return is_off(*logical->lhs) || (std::holds_alternative<tree::IntConst>(logical->lhs->node) && is_off(*logical->rhs));
}

/// Adds the probe to a program. Returns the index of the program, and the index of the probe in it.
std::pair<uint32_t, uint32_t> place_probe(Layout &layout, ProbeId id, const ProbeHook &hook, ProgramLayout *last) {
  ProgramLayout &program = program_of(layout, hook, last);
  const auto place = static_cast<uint32_t>(program.set_of_probe.size());
  layout.plan.programs[program.plan].probes.push_back(id);
  program.set_of_probe.push_back(0);
  program.hooks.push_back(&hook);
  return {static_cast<uint32_t>(&program - layout.programs.data()), place};
}

/// Gives probes of one program one more clause. Those of one description have the same ones before and after it,
/// mostly.
class Joining {
 public:
  explicit Joining(uint32_t clause) : clause_(clause) {}

  void join(ProgramLayout &program, uint32_t place_of_probe) {
    uint32_t &set = program.set_of_probe[place_of_probe];
    if (set != before_) {
      before_ = set;
      std::vector<uint32_t> clauses = program.sets[set];
      insert_ascending(clauses, clause_);
      const auto [known, is_new] =
          program.set_by_clauses.try_emplace(std::move(clauses), static_cast<uint32_t>(program.sets.size()));
      if (is_new) program.sets.push_back(known->first);
      after_ = known->second;
    }
    set = after_;
  }

 private:
  uint32_t clause_;
  uint32_t before_ = UINT32_MAX, after_ = 0;
};

void collect_programs(const CompileInput &input, Layout &layout) {
  layout.programs.reserve(64);
  for (uint32_t clause = 0; clause < layout.clauses.size(); clause++) {
    // A clause that can never run costs its probes nothing.
    if (never_runs(*layout.clauses[clause].clause)) continue;
    const std::vector<ProbeHook> later = input.host.later(layout.clauses[clause].clause->desc);
    const uint32_t index = code_of(layout, clause, !later.empty());
    std::optional<uint32_t> last;
    std::map<uint32_t, Joining> joinings;  // by program
    Joining *joining = nullptr;            // of `last`
    const auto join = [&](const std::pair<uint32_t, uint32_t> &where) {
      const auto [program, place] = where;
      if (last != program) {
        last = program;
        joining = &joinings.try_emplace(program, index).first->second;
        insert_ascending(layout.programs[program].clauses, index);
      }
      joining->join(layout.programs[program], place);
    };
    for (ProbeId id : layout.clauses[clause].clause->probes) {
      const ProbeHook &hook = hook_for(input, layout, id);
      if (hook.hook.is<NeverHook>()) {
        layout.error_clauses.push_back(clause);
        layout.error_probe = id;
        continue;
      }
      const std::pair<uint32_t, uint32_t> *known = layout.where.find(id.value);
      if (known == nullptr) {
        const auto placed = place_probe(layout, id, hook, last ? &layout.programs[*last] : nullptr);
        known = layout.where.try_emplace(id.value, placed).first;
      }
      join(*known);
      for (size_t i = 0; i < hook.also.size(); i++) {
        auto [elsewhere, is_new] = layout.where_also.try_emplace({id.value, i});
        if (is_new) elsewhere->second = place_probe(layout, id, hook.also[i], nullptr);
        join(elsewhere->second);
      }
    }
    for (const ProbeHook &hook : later) {
      ProgramLayout &program = program_of(layout, hook, nullptr);
      program.may_grow = layout.plan.clauses[index].may_grow = true;
      insert_ascending(program.clauses, index);
    }
  }
}

/// A trampoline, which the function calls, costs less than a breakpoint. It misses no return; a kretprobe does if the
/// kernel has no room to remember the call. If one function has no trampoline, all get single kprobes, because they
/// share a program.
void choose_trampoline(const CompileInput &input, const Layout &layout, const ProgramLayout &program,
                       ProgramPlan &plan) {
  // There are no registers in it.
  for (const uint32_t clause : program.clauses)
    if (asks_for_registers(*layout.clauses[clause].clause)) return;
  size_t sites = 0;
  for (const ProbeHook *hook : program.hooks) {
    for (const UserSite &site : hook->sites) {
      if (site.btf_id == 0) return;
      ++sites;
    }
  }
  if (sites != 0 && sites <= Trampoline::kMaxSites) plan.trampoline = input.host.probe(plan.probes.front()).function;
}

/// By links of many functions where programs may be preempted: those forbid it.
void choose_for_calls(const CompileInput &input, const ProgramLayout &program, ProgramPlan &plan) {
  for (size_t i = 0; i < program.hooks.size(); i++) plan.call_sites.push_back({program.hooks[i]->function, i});
  plan.multi = input.host.has(KernelFeature::kPreemptedSyscalls);
  if (!plan.multi) plan.trampoline = plan.call_sites.front().function.name;
}

void choose_attachment(const CompileInput &input, Layout &layout, ProgramLayout &program) {
  ProgramPlan &plan = layout.plan.programs[program.plan];
  if (plan.hook.is_of_call_functions()) return choose_for_calls(input, program, plan);
  if (plan.hook.is<TracepointCopiesHook>()) {
    for (const ProbeId id : plan.probes) plan.copies.push_back(input.host.hook(id).hook.as<RawTracepointHook>()->event);
    return;
  }
  // A BTF tracepoint costs what a raw one costs, and reads pt_regs, or members of its arguments, directly where a raw
  // one calls a helper for each word (22 ns).
  const auto *raw = plan.hook.as<RawTracepointHook>();
  program.wants_registers = raw != nullptr && plan.hook.selector == Selector::kSyscallNumber;
  plan.as_btf_tracepoint =
      raw != nullptr && raw->btf_id != 0 &&
      (program.wants_registers || (plan.hook.selector == Selector::kSingle && gains_by_types(input, layout, program)));
  const bool user = plan.hook.is_of_user_code();
  const bool kernel = plan.hook.is<KernelEntryHook>() || plan.hook.is<KernelReturnHook>();
  plan.multi =
      (user && input.host.has(KernelFeature::kUprobeMulti)) || (kernel && input.host.has(KernelFeature::kKprobeMulti));
  if (kernel && !plan.multi && !program.may_grow && input.host.has(KernelFeature::kTrampoline))
    choose_trampoline(input, layout, program, plan);
  plan.sleepable = user && input.host.has(KernelFeature::kSleepableUprobe);
}

/// Index of `value` in `list`, which it joins if it is new.
template <typename T>
uint32_t index_in(std::vector<T> &list, const T &value) {
  auto known = std::find(list.begin(), list.end(), value);
  if (known == list.end()) known = list.insert(list.end(), value);
  return static_cast<uint32_t>(known - list.begin());
}

/// The clauses of a program that meet at a probe which a description names: those of equal descriptions, and those
/// whose globs match what it says.
std::vector<uint32_t> clauses_at(const Plan &plan, const ProgramLayout &program, const ProbeDesc &desc) {
  std::vector<uint32_t> clauses;
  std::ranges::copy_if(program.clauses, std::back_inserter(clauses), [&](uint32_t index) {
    const ProbeDesc &other = plan.clauses[index].desc;
    return field_match(other.provider, desc.provider) && field_match(other.module, desc.module) &&
           field_match(other.function, desc.function) && field_match(other.name, desc.name);
  });
  return clauses;
}

/// Gives every site its cookie: probe, set of clauses, locations of the arguments.
Result<Unit> plan_sites(Layout &layout, ProgramLayout &program) {
  ProgramPlan &plan = layout.plan.programs[program.plan];
  if (plan.hook.selector != Selector::kSite) return ok();
  for (const std::vector<UserOperand> &operands : program.prototype.variants) index_in(plan.variants, operands);
  std::vector<std::optional<uint32_t>> row_of_set(program.sets.size());
  plan.sites.reserve(plan.probes.size());
  for (size_t i = 0; i < plan.probes.size(); i++) {
    const ProbeHook &hook = *program.hooks[i];
    std::optional<uint32_t> &known_row = row_of_set[program.set_of_probe[i]];
    if (!known_row) known_row = index_in(plan.rows, program.sets[program.set_of_probe[i]]);
    const uint32_t row = *known_row;
    std::vector<uint32_t> variants;
    for (const std::vector<UserOperand> &operands : hook.variants)
      variants.push_back(index_in(plan.variants, operands));
    for (const UserSite &site : hook.sites) {
      const uint32_t variant = variants.empty() ? site.variant : variants.at(site.variant);
      const uint32_t most_variants = variants.empty() ? SiteCookie::kMaxVariants : SiteCookie::kFirstLateVariant;
      if (row >= SiteCookie::kMaxRows || variant >= most_variants)
        return Error("more sites in " + plan.function + " than a program can distinguish");
      plan.sites.push_back({site, SiteCookie{plan.probes[i].value, static_cast<uint16_t>(row), variant}.packed()});
    }
  }
  // For those to come: all its clauses, those that meet at one of the descriptions, or any one. What of globs meets
  // otherwise has a site for each clause, which is a firing of its own.
  if (!program.may_grow || plan.rows.size() + 2 * program.clauses.size() >= SiteCookie::kMaxRows) return ok();
  index_in(plan.rows, program.clauses);
  for (uint32_t clause : program.clauses) {
    index_in(plan.rows, clauses_at(layout.plan, program, layout.plan.clauses[clause].desc));
    index_in(plan.rows, {clause});
  }
  return ok();
}

uint32_t place(uint32_t &end, uint32_t size_bytes, uint32_t alignment) {
  const uint32_t offset = align_up(end, std::max<uint32_t>(alignment, 1));
  end = offset + size_bytes;
  return offset;
}

/// A program may use 64 maps, other things among them: beyond this many, arrays of one size share one.
constexpr size_t kMaxArrayMaps = 24;
constexpr uint32_t kThreadKeyBytes = 12;  // a thread's elements have its id and start time as key
constexpr uint32_t kArrayKeyBytes = 4;

/// May the string be NULL? `may_variable`: may that variable's?
bool may_be_null(const tree::Expr &expr, const std::vector<bool> &may_variable) {
  auto may = [&](const tree::Expr *part) { return may_be_null(*part, may_variable); };
  if (std::holds_alternative<tree::StrConst>(expr.node) || std::holds_alternative<tree::BuiltinRef>(expr.node))
    return false;
  if (auto *ref = std::get_if<tree::VarRef>(&expr.node)) return may_variable[ref->var.value];
  if (auto *assign = std::get_if<tree::Assign>(&expr.node)) return may(assign->value);
  if (auto *comma = std::get_if<tree::Comma>(&expr.node)) return may(comma->rhs);
  if (auto *chosen = std::get_if<tree::Conditional>(&expr.node))
    return may(chosen->then_value) || may(chosen->else_value);
  if (auto *convert = std::get_if<tree::Convert>(&expr.node))
    return std::holds_alternative<tree::IntConst>(convert->operand->node);
  if (auto *call = std::get_if<tree::Call>(&expr.node)) {
    switch (call->subr) {
      case Builtin::k_strchr:
      case Builtin::k_strrchr:
      case Builtin::k_strstr:
      case Builtin::k_strtok:
      case Builtin::k_json:
        return true;
      default:
        return false;
    }
  }
  return true;
}

/// For each variable: is it a string that may be assigned NULL?
std::vector<bool> nullable_strings(const CompileInput &input, const Layout &layout) {
  const std::vector<tree::VariableInfo> &infos = input.unit.variables;
  std::vector<bool> may(infos.size());
  for (size_t i = 0; i < infos.size(); i++)
    may[i] = input.types.is_string(infos[i].type) && infos[i].scope == Scope::kThread;
  for (bool changed = true; changed;) {
    changed = false;
    for (const ClauseLayout &layout_of : layout.clauses) {
      walk(*layout_of.clause, [&](const tree::Expr &expr) {
        auto *assign = std::get_if<tree::Assign>(&expr.node);
        auto *ref = assign != nullptr ? std::get_if<tree::VarRef>(&assign->place->node) : nullptr;
        if (ref == nullptr || may[ref->var.value] || !input.types.is_string(expr.type)) return;
        if (may_be_null(*assign->value, may)) may[ref->var.value] = changed = true;
      });
    }
  }
  return may;
}

/// The variable that the lvalue `expr` is part of; null: it is part of none.
const tree::VarRef *variable_of(const tree::Expr *expr) {
  for (;;) {
    if (const auto *element = std::get_if<tree::Element>(&expr->node))
      expr = element->base;
    else if (const auto *member = std::get_if<tree::Member>(&expr->node))
      expr = member->base;
    else
      return std::get_if<tree::VarRef>(&expr->node);
  }
}

void find_pointed(const CompileInput &input, Layout &layout) {
  std::set<uint32_t> pointed;
  auto note = [&](const tree::Expr *place) {
    const tree::VarRef *ref = variable_of(place);
    if (ref != nullptr && input.unit.variables[ref->var.value].scope == Scope::kGlobal) pointed.insert(ref->var.value);
  };
  for (const ClauseLayout &clause : layout.clauses) {
    walk(*clause.clause, [&](const tree::Expr &expr) {
      if (const auto *address = std::get_if<tree::AddressOf>(&expr.node)) note(address->place);
      const auto *convert = std::get_if<tree::Convert>(&expr.node);
      if (convert != nullptr && convert->kind == tree::ConvertKind::kDecay) note(convert->operand);
    });
  }
  layout.pointed.assign(pointed.begin(), pointed.end());
}

void plan_variables(const CompileInput &input, Layout &layout) {
  const TypeTable &types = input.types;
  const std::vector<bool> nullable = nullable_strings(input, layout);
  const auto arrays = std::count_if(input.unit.variables.begin(), input.unit.variables.end(),
                                    [](const tree::VariableInfo &info) { return info.is_associative(); });
  for (const tree::VariableInfo &info : input.unit.variables) {
    VariablePlan plan;
    plan.name = info.name;
    plan.scope = info.scope;
    plan.size_bytes = static_cast<uint32_t>(types.size_bytes(info.type));
    layout.presence.push_back(0);
    std::optional<uint32_t> &null_flag = layout.null_flags.emplace_back();
    const bool may_be_null = nullable[layout.null_flags.size() - 1];
    layout.array_keys.emplace_back();
    const bool wide = plan.size_bytes >= 8;
    const uint32_t alignment = types.is_scalar(info.type) ? plan.size_bytes : wide ? 8 : types.align_bytes(info.type);
    if (info.is_associative()) {
      for (TypeId key : info.keys) layout.array_keys.back().push_back(plan_typed(input, key));
      const bool of_thread = info.scope == Scope::kThread;
      plan.shares_map = static_cast<size_t>(arrays) > kMaxArrayMaps;
      const uint32_t reserved = (of_thread ? kThreadKeyBytes : 0) + (plan.shares_map ? kArrayKeyBytes : 0);
      plan.key_bytes = pack_key(layout.array_keys.back(), reserved);
      plan.map = plan.shares_map ? "arrs_" + std::to_string(plan.key_bytes) + "_" + std::to_string(plan.size_bytes)
                                 : (of_thread ? "tarr_" : "arr_") + identifier_of(info.name);
    } else if (info.scope == Scope::kGlobal) {
      plan.offset = place(layout.globals_bytes, plan.size_bytes, alignment);
      if (may_be_null) null_flag = place(layout.globals_bytes, 1, 1);
    } else if (info.scope == Scope::kThread) {
      plan.offset = place(layout.thread_bytes, plan.size_bytes, alignment);
      if (types.is_string(info.type)) layout.presence.back() = place(layout.thread_bytes, 1, 1);
    } else if (may_be_null) {
      null_flag = plan.size_bytes;
    }
    layout.plan.variables.push_back(std::move(plan));
  }
}

bool orders_output(Builtin kind) {
  switch (kind) {
    case Builtin::k_printa:
    case Builtin::k_clear:
    case Builtin::k_trunc:
    case Builtin::k_normalize:
    case Builtin::k_denormalize:
    case Builtin::k_setopt:
    case Builtin::k_freopen:
    case Builtin::k_ftruncate:
    case Builtin::k_system:
      return true;
    default:
      return false;
  }
}

void plan_flags(const CompileInput &input, Layout &layout) {
  Plan &plan = layout.plan;
  unsigned recording = 0;
  bool order_matters = false;
  for (const ClausePlan &clause : plan.clauses) {
    if (clause.size_bytes != 0) recording++;
    if (clause.speculation_offset != 0) plan.uses_speculation = true;
    for (const ActionPlan &action : clause.actions) {
      plan.has_exit |= action.kind == Builtin::k_exit;
      plan.uses_speculation |= action.kind == Builtin::k_commit || action.kind == Builtin::k_discard;
      order_matters |= orders_output(action.kind);
    }
  }
  for (const ClauseLayout &clause : layout.clauses) {
    walk(*clause.clause, [&](const tree::Expr &expr) {
      auto *call = std::get_if<tree::Call>(&expr.node);
      plan.uses_speculation |= call != nullptr && call->subr == Builtin::k_speculation;
    });
  }
  for (const ProgramLayout &program : layout.programs)
    for (uint32_t index : program.clauses)
      plan.records_often |= plan.clauses[index].size_bytes != 0 && plan.programs[program.plan].hook.fires_often();
  const int64_t wanted = std::min<int64_t>(input.options.number(Opt::nspec), DT_MAX_SPECULATIONS);
  plan.nr_speculations = plan.uses_speculation ? static_cast<uint32_t>(wanted) : 0;
  plan.by_time =
      plan.uses_speculation || input.options.flag(Opt::temporal) || input.in_order || (order_matters && recording > 1);
  plan.timestamps = plan.by_time || input.with_time || input.options.string(Opt::format) != "text" ||
                    input.options.flag(Opt::stamp);  // these show when a row was
}

/// One ring, if all probes fire on one CPU at a time and seldom: programs never wait for each other there. Tables of
/// aggregations are in arrays of maps, too.
void plan_ring(const CompileInput &input, Layout &layout) {
  Plan &plan = layout.plan;
  plan.one_ring =
      input.options.string(Opt::bufpolicy) == "switch" &&
      std::ranges::none_of(plan.programs, [](const ProgramPlan &program) { return program.hook.fires_often(); }) &&
      std::ranges::all_of(plan.aggregations, &AggregationPlan::is_single);
  if (!plan.one_ring) return;
  for (ClausePlan &clause : plan.clauses) {
    if (clause.size_bytes == 0) continue;
    clause.cpu_offset = clause.size_bytes;
    clause.size_bytes += 8;
  }
}

/// Where the records of each clause go, by the policy of buffers. Speculations are held by the consumer, which must see
/// records as they come; then it is the consumer that keeps them.
void plan_buffers(const CompileInput &input, Layout &layout) {
  Plan &plan = layout.plan;
  const std::string &policy = input.options.string(Opt::bufpolicy);
  plan.fills_once = policy == "fill" && !plan.uses_speculation;
  const bool logs = policy == "ring" && !plan.uses_speculation;
  std::vector<bool> at_end(plan.clauses.size());
  for (const ProgramLayout &program : layout.programs) {
    const Hook &hook = plan.programs[program.plan].hook;
    const auto *run = hook.as<TestRunHook>();
    const auto *walk = hook.as<WalkHook>();
    if (run == nullptr && (walk == nullptr || !walk->at_end())) continue;
    for (uint32_t index : program.clauses) {
      const uint32_t bytes = plan.clauses[index].size_bytes;
      if (bytes == 0) continue;
      if (run == nullptr) {
        at_end[index] = true;
        continue;
      }
      at_end[index] = at_end[index] || run->at_end;
      (run->at_end ? plan.end_bytes : plan.begin_bytes) += bytes + kRingHeadBytes;
    }
  }
  for (ClausePlan &clause : plan.clauses) {
    if (clause.size_bytes == 0) continue;
    // exit() must be noticed at once, and END runs when the logs have been read.
    clause.in_log = logs && !clause.exits() && !at_end[clause.index];
    if (clause.in_log)
      plan.log_slot_bytes = std::max<uint32_t>(plan.log_slot_bytes, sizeof(dt_log_slot) + clause.size_bytes);
    else
      plan.longest_record = std::max<uint64_t>(plan.longest_record, clause.size_bytes);
  }
  plan.timestamps |= plan.log_slot_bytes != 0;
}

}  // namespace

bool never_runs(const tree::Clause &clause) { return clause.predicate != nullptr && is_off(*clause.predicate); }

Result<Layout> make_layout(const CompileInput &input) {
  Layout layout;
  if (Result<Unit> collected = collect_clauses(input, layout); !collected) return std::move(collected.error());
  find_exact(layout);
  if (Result<Unit> chosen = choose_functions_of_calls(input, layout); !chosen) return std::move(chosen.error());
  share_tracepoints(input, layout);
  collect_programs(input, layout);
  for (ProgramLayout &program : layout.programs) {
    choose_attachment(input, layout, program);
    if (Result<Unit> planned = plan_sites(layout, program); !planned) return std::move(planned.error());
  }
  layout.plan.aggregations = plan_aggregations(input, layout.clauses);
  layout.plan.totals_bytes = place_totals(layout.plan.aggregations, input.nr_cpus);
  give_own_slots(layout);
  find_lone_writers(layout);
  find_pointed(input, layout);
  plan_variables(input, layout);
  if (Result<Unit> checked = check_size_limits(layout); !checked) return std::move(checked.error());
  layout.globals_bytes = align_up(layout.globals_bytes, 8);
  layout.thread_bytes = align_up(layout.thread_bytes, 8);
  plan_flags(input, layout);
  plan_ring(input, layout);
  plan_buffers(input, layout);
  return layout;
}

Result<Plan> make_plan(const CompileInput &input) {
  Result<Layout> layout = make_layout(input);
  if (!layout) return std::move(layout.error());
  return std::move(layout->plan);
}

}  // namespace dtrace::codegen
