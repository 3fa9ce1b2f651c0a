// SPDX-License-Identifier: Apache-2.0
// Keys and values of aggregations, and how a single value of any kind is laid down.
#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "base/buckets.h"
#include "codegen/planning/layout.h"
#include "codegen/planning/quantities.h"
#include "frontend/lang/aggregating.h"
#include "frontend/lang/cgroup_name.h"
#include "frontend/lang/probe_part.h"
#include "frontend/tree/walk.h"

namespace dtrace::codegen {
namespace {

constexpr uint32_t kCommBytes = 16;
constexpr uint32_t kDirectKeyBytes = 64;    // up to here the kernel's own hash and comparison are as quick
constexpr uint32_t kMaxHashedBytes = 4096;  // the verifier walks the loops over a key
constexpr uint32_t kMaxHashedWords = 512;   // of a value beside it
constexpr uint32_t kShortestOpenBytes = 32;
constexpr uint32_t kMaxTotalBytes = 32768;  // of a value that every possible CPU has twice
constexpr uint32_t kCacheLineBytes = 64;

uint32_t alignment_of(const ValuePlan &plan) {
  switch (plan.kind) {
    case ValuePlan::Kind::kInteger:
      return plan.size_bytes;
    case ValuePlan::Kind::kProbePart:
      return 4;
    case ValuePlan::Kind::kConstString:
      return 1;
    default:
      return plan.size_bytes >= 8 ? 8 : 1;
  }
}

bool is_text(const ValuePlan &plan) {
  return plan.kind == ValuePlan::Kind::kString || plan.kind == ValuePlan::Kind::kConstString ||
         plan.kind == ValuePlan::Kind::kProbePart || plan.kind == ValuePlan::Kind::kCgroupName;
}

bool is_stack(const ValuePlan &plan) {
  return plan.kind == ValuePlan::Kind::kKernelStack || plan.kind == ValuePlan::Kind::kUserStack ||
         plan.kind == ValuePlan::Kind::kStack;
}

uint32_t stack_frame_bytes(const ValuePlan &plan) {
  return plan.size_bytes - (plan.kind == ValuePlan::Kind::kKernelStack ? 0 : 8);
}

/// Bytes that hold any text this value can have, with its NUL.
uint32_t text_bytes(const CompileInput &input, const ValuePlan &plan, const tree::Clause &clause) {
  if (plan.kind == ValuePlan::Kind::kConstString) return static_cast<uint32_t>(plan.text.size() + 1);
  if (plan.kind == ValuePlan::Kind::kString) return plan.size_bytes;
  if (plan.kind == ValuePlan::Kind::kCgroupName) return static_cast<uint32_t>(input.types.strsize());
  size_t longest = 0;
  for (ProbeId id : clause.probes) longest = std::max(longest, probe_part(input.host.probe(id), plan.part).size());
  return static_cast<uint32_t>(std::min<uint64_t>(longest + 1, input.types.strsize()));
}

/// One more use of a key: keeps what is common to all uses, else falls back to text wide enough for each.
void merge_key(const CompileInput &input, ValuePlan &merged, const tree::Clause *merged_clause, const ValuePlan &use,
               const tree::Clause &clause) {
  if (is_text(merged) && is_text(use)) {
    const bool same = merged.kind == use.kind && merged.part == use.part && merged.text == use.text;
    if (same && merged.kind != ValuePlan::Kind::kString) return;
    const uint32_t before =
        merged.kind == ValuePlan::Kind::kString ? merged.size_bytes : text_bytes(input, merged, *merged_clause);
    merged.size_bytes = std::max(before, text_bytes(input, use, clause));
    merged.kind = ValuePlan::Kind::kString;
    merged.text.clear();
    return;
  }
  if (is_stack(merged) && is_stack(use) && merged.kind != use.kind) {
    const uint32_t frames = std::max(stack_frame_bytes(merged), stack_frame_bytes(use));
    merged.kind = ValuePlan::Kind::kStack;
    merged.size_bytes = 8 + frames;
    return;
  }
  if (merged.kind == use.kind) merged.size_bytes = std::max(merged.size_bytes, use.size_bytes);
}

/// Is it of a type that has no negative values? What is aggregated was converted to 64 bits.
bool is_never_negative(const TypeTable &types, const tree::Expr &value) {
  if (const auto *number = std::get_if<tree::IntConst>(&value.node)) return static_cast<int64_t>(number->value) >= 0;
  const auto *convert = std::get_if<tree::Convert>(&value.node);
  if (convert != nullptr && convert->kind == tree::ConvertKind::kInteger && types.is_scalar(convert->operand->type))
    return !types.is_signed(convert->operand->type);
  return !types.is_signed(value.type);
}

std::string map_name(const tree::AggregationInfo &info) {
  std::string name = "agg_";  // of the first of those that share it
  for (char c : info.name) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

constexpr int64_t kMaxFrames = 1024;

}  // namespace

int64_t most_frames(const CompileInput &input) {
  return std::clamp<int64_t>(input.options.number(Opt::maxframes), 1, kMaxFrames);
}

int64_t most_user_frames(const CompileInput &input) {
  return input.options.is_set(Opt::maxframes) ? most_frames(input) : kMaxFrames;
}

uint32_t frames_of(const CompileInput &input, const tree::StackValue &stack) {
  const Opt default_frames = stack.kind == Builtin::k_stack    ? Opt::stackframes
                             : stack.kind == Builtin::k_jstack ? Opt::jstackframes
                                                               : Opt::ustackframes;
  const int64_t asked = stack.frames != 0 ? int64_t{stack.frames} : input.options.number(default_frames);
  const int64_t most = stack.kind == Builtin::k_stack ? most_frames(input) : most_user_frames(input);
  return static_cast<uint32_t>(std::clamp<int64_t>(asked, 1, most));
}

ValuePlan plan_typed(const CompileInput &input, TypeId type) {
  const TypeTable &types = input.types;
  ValuePlan plan;
  plan.type = type;
  plan.size_bytes = static_cast<uint32_t>(types.size_bytes(type));
  plan.is_signed = types.is_signed(type);
  constexpr uint64_t kMaxNumberBytes = 8;
  const bool is_wide = types.resolved(type).kind == TypeKind::kInt && types.size_bytes(type) > kMaxNumberBytes;
  if (is_wide) {  // __int128: no number in D
    plan.kind = ValuePlan::Kind::kBytes;
    return plan;
  }
  switch (types.resolved(type).kind) {
    case TypeKind::kInt:
    case TypeKind::kEnum:
    case TypeKind::kPointer:
    case TypeKind::kFunction:
      plan.kind = ValuePlan::Kind::kInteger;
      if (plan.size_bytes == 0) plan.size_bytes = 8;
      if (const TypeId first = types.first_type(type); first != type) {
        plan.first_bytes = static_cast<uint32_t>(types.size_bytes(first));
        plan.first_is_signed = types.is_signed(first);
      }
      plan.is_enum = !input.options.flag(Opt::strict) &&
                     types.resolved(types.complete(types.first_type(type))).kind == TypeKind::kEnum;
      break;
    case TypeKind::kFloat:
      plan.kind = ValuePlan::Kind::kFloat;
      break;
    case TypeKind::kString:
      plan.kind = ValuePlan::Kind::kString;
      plan.nullable = true;
      break;
    case TypeKind::kStack:
      plan.kind = ValuePlan::Kind::kStack;
      break;
    default:
      plan.kind = ValuePlan::Kind::kBytes;
      break;
  }
  return plan;
}

ValuePlan plan_value(const CompileInput &input, const tree::Expr &expr, bool in_key) {
  ValuePlan plan;
  plan.type = expr.type;
  if (auto *text = std::get_if<tree::StrConst>(&expr.node)) {
    plan.kind = ValuePlan::Kind::kConstString;
    plan.text = text->text;
    return plan;
  }
  if (auto *stack = std::get_if<tree::StackValue>(&expr.node)) {
    const bool kernel = stack->kind == Builtin::k_stack;
    plan.kind = kernel ? ValuePlan::Kind::kKernelStack : ValuePlan::Kind::kUserStack;
    plan.size_bytes = 8 * frames_of(input, *stack) + (kernel ? 0 : 8);
    plan.builtin = stack->kind;
    return plan;
  }
  if (auto *symbol = std::get_if<tree::SymbolValue>(&expr.node)) {
    const bool kernel =
        symbol->kind == Builtin::k_sym || symbol->kind == Builtin::k_func || symbol->kind == Builtin::k_mod;
    plan.kind = kernel ? ValuePlan::Kind::kKernelSymbol : ValuePlan::Kind::kUserSymbol;
    plan.size_bytes = kernel ? 8 : 16;
    plan.builtin = symbol->kind;
    return plan;
  }
  if (auto *builtin = std::get_if<tree::BuiltinRef>(&expr.node)) {
    if (is_probe_part(builtin->var)) {
      plan.kind = ValuePlan::Kind::kProbePart;
      plan.part = builtin->var;
      plan.size_bytes = builtin->var == Variable::k_probeprov ? 8 : 4;
      plan.offset = in_key ? 0 : 4;  // the record's head has the id
      return plan;
    }
    if (is_cgroup_name(builtin->var)) {
      plan.kind = ValuePlan::Kind::kCgroupName;
      plan.part = builtin->var;
      plan.size_bytes = 8;
      return plan;
    }
    if (builtin->var == Variable::k_execname) {
      plan.kind = ValuePlan::Kind::kString;
      plan.size_bytes = kCommBytes;
      return plan;
    }
  }
  return plan_typed(input, expr.type);
}

namespace {

/// Gives all fields except `left_out` their offsets; returns the end of the last one.
uint32_t place_fields(std::vector<ValuePlan> &fields, uint32_t reserved_bytes, size_t left_out) {
  std::vector<size_t> order(fields.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return alignment_of(fields[a]) > alignment_of(fields[b]); });
  uint32_t end = reserved_bytes;
  for (size_t i : order) {
    ValuePlan &field = fields[i];
    if (field.kind == ValuePlan::Kind::kConstString || i == left_out) continue;
    field.offset = align_up(end, alignment_of(field));
    end = field.offset + field.size_bytes;
  }
  return end;
}

/// The longest field with an end of its own; nothing if there is none.
std::optional<size_t> open_field(const std::vector<ValuePlan> &fields) {
  std::optional<size_t> longest;
  for (size_t i = 0; i < fields.size(); i++) {
    const ValuePlan::Kind kind = fields[i].kind;
    const bool open = kind == ValuePlan::Kind::kString || kind == ValuePlan::Kind::kKernelStack ||
                      kind == ValuePlan::Kind::kUserStack || kind == ValuePlan::Kind::kStack;
    if (!open || fields[i].size_bytes < kShortestOpenBytes) continue;
    if (!longest || fields[i].size_bytes > fields[*longest].size_bytes) longest = i;
  }
  return longest;
}

void plan_key(AggregationPlan &plan) {
  plan.key_bytes = pack_key(plan.keys);
  if (plan.key_bytes <= kDirectKeyBytes || plan.key_bytes > kMaxHashedBytes || plan.value_words > kMaxHashedWords)
    return;
  const std::optional<size_t> open = open_field(plan.keys);
  if (!open) return;
  plan.by_hash = true;
  plan.open_key = static_cast<uint32_t>(*open);
  plan.key_bytes = pack_key_open(plan.keys, *open);
}

/// Maps are few, 64 to a program, and each takes its time to make: aggregations whose values look alike share one.
void share_maps(std::vector<AggregationPlan> &plans) {
  struct Shared {
    std::string map;
    uint32_t places = 0;
  };
  std::map<std::pair<uint32_t, uint32_t>, Shared> maps;
  for (AggregationPlan &plan : plans) {
    if (plan.is_single()) continue;
    Shared &shared = maps[{plan.table_key_bytes(), plan.table_value_bytes()}];
    if (shared.places == 0) shared.map = plan.map;
    plan.map = shared.map;
    plan.place = shared.places++;
  }
}

}  // namespace

uint32_t pack_key(std::vector<ValuePlan> &fields, uint32_t reserved_bytes) {
  const uint32_t end = place_fields(fields, reserved_bytes, fields.size());
  return std::max<uint32_t>(align_up(end, 4), 4);  // the kernel hashes whole words faster
}

uint32_t pack_key_open(std::vector<ValuePlan> &fields, size_t last) {
  fields[last].offset = align_up(place_fields(fields, 0, last), 8);
  return align_up(fields[last].offset + fields[last].size_bytes, 16);
}

std::vector<AggregationPlan> plan_aggregations(const CompileInput &input, const std::vector<ClauseLayout> &clauses) {
  const std::vector<tree::AggregationInfo> &infos = input.unit.aggregations;
  std::vector<AggregationPlan> plans(infos.size());
  std::vector<const tree::Clause *> first_use(infos.size(), nullptr);

  for (size_t i = 0; i < infos.size(); i++) {
    AggregationPlan &plan = plans[i];
    plan.name = infos[i].name;
    plan.function = infos[i].function;
    plan.params = infos[i].params;
    plan.value_words = value_words(aggregating_function(plan.function), plan.params);
    plan.map = map_name(infos[i]);
    plan.index = static_cast<uint32_t>(i);
  }
  for (const ClauseLayout &layout : clauses) {
    walk_statements(layout.clause->body, [&](const tree::Stmt &stmt) {
      auto *update = std::get_if<tree::AggUpdate>(&stmt.node);
      if (update == nullptr) return;
      const uint32_t i = update->aggregation.value;
      const bool first = first_use[i] == nullptr;
      if (first) first_use[i] = layout.clause;
      if (update->value != nullptr && !is_never_negative(input.types, *update->value))
        plans[i].is_never_negative = false;
      for (size_t k = 0; k < update->keys.size(); k++) {
        ValuePlan use = plan_value(input, *update->keys[k], true);
        // Integers have the width of the signature, whatever this use passes.
        if (use.kind == ValuePlan::Kind::kInteger && k < infos[i].keys.size() &&
            input.types.is_scalar(infos[i].keys[k]))
          use = plan_typed(input, infos[i].keys[k]);
        if (first) {
          plans[i].keys.push_back(std::move(use));
          plans[i].key_texts.emplace_back(input.sources.text(update->key_spans[k]));
        } else {
          merge_key(input, plans[i].keys[k], first_use[i], use, *layout.clause);
        }
      }
    });
  }
  const std::vector<Quantity> measured = quantities(input, clauses);
  for (size_t i = 0; i < infos.size(); i++) {
    plans[i].quantity = measured[i];
    if (first_use[i] == nullptr)
      for (TypeId key : infos[i].keys) plans[i].keys.push_back(plan_typed(input, key));
    if (!plans[i].keys.empty()) {
      plan_key(plans[i]);
    } else if ((plans[i].value_words + 1) * 8 > kMaxTotalBytes) {
      plans[i].key_bytes = 4;  // always 0
    }
  }
  share_maps(plans);
  return plans;
}

uint64_t place_totals(std::vector<AggregationPlan> &aggregations, uint32_t nr_cpus) {
  uint64_t end = 0;
  for (AggregationPlan &plan : aggregations) {
    if (!plan.is_single()) continue;
    // The word that counts updates, or one more.
    plan.touched_word = std::min(row(aggregating_function(plan.function)).counter, plan.value_words);
    plan.total_offset = end;
    // CPUs do not share a cache line.
    plan.total_bytes = align_up(std::max(plan.value_words, plan.touched_word + 1) * 8, kCacheLineBytes);
    end += uint64_t{plan.total_bytes} * 2 * nr_cpus;
  }
  return end;
}

}  // namespace dtrace::codegen
