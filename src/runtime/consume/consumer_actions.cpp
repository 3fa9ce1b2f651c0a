// SPDX-License-Identifier: Apache-2.0
// What the consumer does for each action of a record. To support an action, write its handler and add its row to
// kHandlers: without it the tree does not build.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/consume/consumer.h"
#include "runtime/print/aggregation_print.h"
#include "runtime/print/messages.h"
#include "runtime/print/printf.h"
#include "runtime/process/command.h"

namespace dtrace {

Consumer::Handler Consumer::handler_of(Builtin action) {
  struct HandlerRow {
    Builtin action;
    Handler handler;
  };
  static constexpr HandlerRow kHandlers[] = {
      {Builtin::k_trace, &Consumer::act_trace},  // stacks and symbols are shown as it shows them
      {Builtin::k_stack, &Consumer::act_trace},
      {Builtin::k_ustack, &Consumer::act_trace},
      {Builtin::k_jstack, &Consumer::act_trace},
      {Builtin::k_sym, &Consumer::act_trace},
      {Builtin::k_func, &Consumer::act_trace},
      {Builtin::k_mod, &Consumer::act_trace},
      {Builtin::k_usym, &Consumer::act_trace},
      {Builtin::k_ufunc, &Consumer::act_trace},
      {Builtin::k_umod, &Consumer::act_trace},
      {Builtin::k_uaddr, &Consumer::act_trace},
      {Builtin::k_print, &Consumer::act_print},
      {Builtin::k_printf, &Consumer::act_printf},
      {Builtin::k_printa, &Consumer::act_printa},
      {Builtin::k_tracemem, &Consumer::act_tracemem},
      {Builtin::k_exit, &Consumer::act_exit},
      {Builtin::k_system, &Consumer::act_system},
      {Builtin::k_freopen, &Consumer::act_freopen},
      {Builtin::k_ftruncate, &Consumer::act_ftruncate},
      {Builtin::k_setopt, &Consumer::act_setopt},
      {Builtin::k_clear, &Consumer::act_clear},
      {Builtin::k_trunc, &Consumer::act_trunc},
      {Builtin::k_normalize, &Consumer::act_normalize},
      {Builtin::k_denormalize, &Consumer::act_denormalize},
      {Builtin::k_commit, &Consumer::act_commit},
      {Builtin::k_discard, &Consumer::act_discard},
  };
  // By index: under sanitizers gcc 12 does not compare pointers to members at compile time.
  static constexpr auto find = [](Builtin wanted) {
    size_t i = 0;
    while (i < std::size(kHandlers) && kHandlers[i].action != wanted) i++;
    return i;
  };
  constexpr auto is_complete = [] {
    return std::ranges::all_of(kBuiltins, [](const BuiltinRow &builtin) {
      const bool records =
          builtin.effect == BuiltinEffect::kRecords || builtin.effect == BuiltinEffect::kDestructiveRecords;
      return !records || find(builtin.id) != std::size(kHandlers);
    });
  };
  static_assert(is_complete(), "a row of builtins.def records, and nothing is done with its records");
  const size_t found = find(action);
  return found < std::size(kHandlers) ? kHandlers[found].handler : nullptr;
}

namespace {

/// Bytes of a value that was recorded raw.
std::string_view raw(const Value &value) {
  if (const auto *bytes = std::get_if<Bytes>(&value)) return bytes->bytes;
  if (const auto *text = std::get_if<Text>(&value)) return text->bytes;
  return {};
}

}  // namespace

int64_t Consumer::integer_value(const Row &row, const ActionPlan &action, size_t index) {
  if (index >= action.values.size()) return 0;
  Value value = decoder_.decode(action.values[index], row.bytes);
  const auto *integer = std::get_if<Integer>(&value);
  if (integer == nullptr) return 0;
  return integer->is_signed ? integer->as_signed() : static_cast<int64_t>(integer->as_unsigned());
}

std::string Consumer::formatted(const Row &row, const ActionPlan &action) {
  std::string text;
  if (!action.format) return text;
  std::vector<Value> values = decoder_.decode_all(action.values, row.bytes);
  FormatContext context = format_;
  context.text.is_terminal = false;  // a command or a path, not what is shown
  append_printf(text, *action.format, values, context);
  return text;
}

void Consumer::act_trace(const Row &row, const ActionPlan &action) {
  for (const ValuePlan &value : action.values) parts_.sink.trace(action, value, decoder_.decode(value, row.bytes));
}

void Consumer::act_print(const Row &row, const ActionPlan &action) {
  if (action.values.empty()) return;
  const ValuePlan &plan = action.values[action.by_address ? 1 : 0];
  const Value object = decoder_.decode(plan, row.bytes);
  std::string scalar;
  std::string_view bytes = raw(object);
  TypeId type = action.object_type;
  if (const auto *integer = std::get_if<Integer>(&object)) {
    if (integer->size_bytes != parts_.types.size_bytes(type)) type = parts_.types.first_type(type);
    scalar.assign(reinterpret_cast<const char *>(&integer->bits), integer->size_bytes);
    bytes = scalar;
  } else if (std::holds_alternative<Text>(object)) {
    scalar = std::string(bytes);  // recorded without what follows its end
    scalar.resize(std::max<size_t>(scalar.size(), parts_.types.size_bytes(action.object_type)));
    bytes = scalar;
  } else if (std::holds_alternative<Floating>(object)) {
    bytes = {reinterpret_cast<const char *>(row.bytes.data()) + plan.offset, plan.size_bytes};
  }
  ObjectEvent event{type, bytes, {}};
  if (action.by_address) event = {action.object_type, bytes, static_cast<uint64_t>(integer_value(row, action, 0))};
  parts_.sink.object(action, event);
}

void Consumer::act_printf(const Row &row, const ActionPlan &action) {
  if (!action.format) return;
  std::vector<Value> values = decoder_.decode_all(action.values, row.bytes);
  parts_.sink.formatted(action, values);
}

void Consumer::act_printa(const Row &, const ActionPlan &action) {
  take_snapshot();
  const BuiltViews built(parts_.aggregator.store(), action.aggregations, decoder_, format_.text);
  printed_aggregations_.insert(action.aggregations.begin(), action.aggregations.end());
  parts_.sink.aggregations(action, built.views());
}

void Consumer::act_tracemem(const Row &row, const ActionPlan &action) {
  if (action.values.empty()) return;
  Value value = decoder_.decode(action.values[0], row.bytes);
  std::string_view bytes = raw(value);
  if (action.dynamic_size_value != UINT32_MAX) {
    const int64_t wanted = integer_value(row, action, action.dynamic_size_value);
    if (wanted >= 0) bytes = bytes.substr(0, static_cast<size_t>(wanted));  // substr clamps to what there is
  }
  parts_.sink.memory(action, bytes);
}

void Consumer::note_exit(const Row &row, const ActionPlan &action) {
  // The first one counts: tracing has ended with it. END's own comes after that on purpose.
  const bool in_end = row.probe.provider == "dtrace" && row.probe.name == "END";
  if (!exit_status_ || in_end) exit_status_ = static_cast<int>(integer_value(row, action, 0) & 0xff);
}

void Consumer::act_exit(const Row &row, const ActionPlan &action) {
  parts_.sink.did(action, {}, integer_value(row, action, 0));
  note_exit(row, action);
}

void Consumer::act_system(const Row &row, const ActionPlan &action) {
  const std::string command = formatted(row, action);
  parts_.sink.did(action, command, {});
  parts_.sink.flush();
  if (nr_commands_ended_ != 0) {  // an interrupt is not kept waiting by each command in turn
    ++nr_commands_ended_;
    return;
  }
  const Result<bool> ran = run_shell(command, parts_.give_up);
  if (!ran) parts_.sink.failed(row, "cannot run a shell");
  if (ran && !*ran) ++nr_commands_ended_;
}

void Consumer::act_freopen(const Row &row, const ActionPlan &action) {
  const std::string path = formatted(row, action);
  parts_.sink.did(action, path, {});
  if (Result<Unit> redirected = parts_.sink.redirect(path); !redirected)
    parts_.sink.failed(row, redirected.error().text());
}

void Consumer::act_ftruncate(const Row &row, const ActionPlan &action) {
  parts_.sink.did(action, {}, {});
  if (Result<Unit> truncated = parts_.sink.truncate(); !truncated) parts_.sink.failed(row, truncated.error().text());
}

void Consumer::act_setopt(const Row &row, const ActionPlan &action) {
  std::vector<Value> values = decoder_.decode_all(action.values, row.bytes);
  auto text = [&](size_t i) -> std::string {
    const auto *value = i < values.size() ? std::get_if<Text>(&values[i]) : nullptr;
    return value != nullptr ? std::string(value->view()) : std::string();
  };
  const std::string name = text(0), value = text(1);
  std::optional<std::string_view> given;
  if (values.size() > 1) given = value;
  const OptionError error = parts_.options.set(name, given, OptionSource::kSetopt);
  if (error != OptionError::kNone) {
    const std::string failure = given ? setopt_failure_text(name, value, dtrace::text(error))
                                      : fmt::format("couldn't set option \"{}\": {}", name, dtrace::text(error));
    parts_.sink.failed(row, failure);
    return;
  }
  parts_.sink.did(action, given ? fmt::format("{}={}", name, value) : name, {});
  refresh_contexts();
}

void Consumer::act_clear(const Row &, const ActionPlan &action) {
  parts_.sink.did(action, {}, {});
  take_snapshot();
  for (uint32_t index : action.aggregations) parts_.aggregator.store().table(index).zero();
}

void Consumer::act_trunc(const Row &row, const ActionPlan &action) {
  take_snapshot();
  const int64_t wanted = action.values.empty() ? 0 : integer_value(row, action, 0);
  parts_.sink.did(action, {}, wanted);
  for (uint32_t index : action.aggregations) {
    const BuiltViews built(parts_.aggregator.store(), {&index, 1}, decoder_, format_.text);
    std::vector<uint32_t> order = sorted_entries(built[0], SortOptions{});  // ascending by value
    const size_t keep = std::min<size_t>(order.size(), static_cast<size_t>(wanted < 0 ? -wanted : wanted));
    std::span<const uint32_t> kept = wanted < 0 ? std::span(order).first(keep) : std::span(order).last(keep);
    std::vector<uint32_t> entries;
    for (uint32_t entry : kept) built.append_table_entries(0, entry, entries);
    parts_.aggregator.store().table(index).retain(entries);
  }
}

void Consumer::act_normalize(const Row &row, const ActionPlan &action) {
  const int64_t factor = integer_value(row, action, 0);
  if (factor == 0) {
    parts_.sink.failed(row, "normalize() by zero");
    return;
  }
  parts_.sink.did(action, {}, factor);
  for (uint32_t index : action.aggregations) parts_.aggregator.store().set_normal(index, static_cast<uint64_t>(factor));
}

void Consumer::act_denormalize(const Row &, const ActionPlan &action) {
  parts_.sink.did(action, {}, {});
  for (uint32_t index : action.aggregations) parts_.aggregator.store().set_normal(index, 1);
}

void Consumer::act_commit(const Row &row, const ActionPlan &action) {
  const auto id = static_cast<uint32_t>(integer_value(row, action, 0));
  parts_.sink.did(action, {}, id);
  const std::vector<Speculations::Row> rows = speculations_.commit(id);
  for (size_t i = 0; i < rows.size(); ++i) {
    std::optional<Row> held = row_of({rows[i].cpu, rows[i].record});
    if (!held) continue;
    const auto next = std::find_if(rows.begin() + static_cast<ptrdiff_t>(i) + 1, rows.end(),
                                   [&](const Speculations::Row &other) { return other.cpu == rows[i].cpu; });
    const std::optional<Row> following = next != rows.end() ? row_of({next->cpu, next->record}) : std::nullopt;
    print_row(*held, following ? &*following : nullptr);
  }
}

void Consumer::act_discard(const Row &row, const ActionPlan &action) {
  const auto id = static_cast<uint32_t>(integer_value(row, action, 0));
  parts_.sink.did(action, {}, id);
  speculations_.discard(id);
}

}  // namespace dtrace
