// SPDX-License-Identifier: Apache-2.0
// What is done for each action of a row. To support an action, write its handler and add its row to kHandlers: without
// it the tree does not build.
#include "runtime/consume/row_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "runtime/print/aggregation_print.h"
#include "runtime/print/messages.h"
#include "runtime/print/printf.h"
#include "runtime/process/command.h"

namespace dtrace::runtime {

RowActions::RowActions(Parts parts)
    : parts_(std::move(parts)),
      finder_(parts_.plan, parts_.host),
      decoder_(parts_.host, parts_.types, parts_.watcher, parts_.cgroups),
      speculations_(parts_.plan.nr_speculations) {
  format_.text.symbolizer = &parts_.symbolizer;
  format_.target_pid = parts_.target_pid;
  format_.names = &names_;
  refresh_contexts();
}

void RowActions::refresh_contexts() {
  format_.text.quiet = parts_.options.flag(Opt::quiet);
  format_.text.raw_bytes = parts_.options.flag(Opt::rawbytes);
  parts_.sink.refresh(parts_.options);
}

bool RowActions::hold(const RecordedRow &row) {
  if (row.clause.speculation_offset == 0) return false;
  const auto speculation = load_at<uint32_t>(row.bytes, row.clause.speculation_offset);
  return speculation != 0 && speculations_.hold(speculation, static_cast<int>(row.cpu), row.bytes);
}

void RowActions::notice_exit(const RecordedRow &row) {
  for (const ActionPlan &action : row.clause.actions)
    if (action.kind == Builtin::k_exit && guard_allows(row, action)) note_exit(row, action);
}

void RowActions::abandon_row(const RecordedRow &row) {
  if (row.clause.makes_row) ++nr_abandoned_;
  for (const ActionPlan &action : row.clause.actions)
    if (guard_allows(row, action) && (action.kind == Builtin::k_commit || action.kind == Builtin::k_discard))
      (this->*handler_of(action.kind))(row, action);  // what they print is abandoned as well, and counted
}

void RowActions::take(const RecordedRow &row, const RecordedRow *next) {
  if (parts_.abandoned && parts_.abandoned()) return abandon_row(row);
  parts_.sink.begin_row(row, next);
  for (const ActionPlan &action : row.clause.actions) {
    if (!guard_allows(row, action)) continue;
    if (const Handler handler = handler_of(action.kind); handler != nullptr)
      (this->*handler)(row, action);
    else
      parts_.sink.did(action, {}, {});
  }
  parts_.sink.end_row(row);
}

void RowActions::show_remaining() {
  std::vector<uint32_t> remaining;
  for (uint32_t i = 0; i < parts_.store.size(); ++i) {
    if (printed_aggregations_.contains(i)) continue;
    if (parts_.abandoned && parts_.abandoned())
      nr_abandoned_ += parts_.store.table(i).size();
    else
      remaining.push_back(i);
  }
  const BuiltViews built(parts_.store, remaining, decoder_, format_.text);
  if (parts_.prepare) parts_.prepare(built.stacks());
  parts_.sink.remaining(built.views());
  if (parts_.shown) parts_.shown(built.views());
}

void RowActions::show_all() {
  visit_all([this](AggregationViews views, AggregationChanges &) { parts_.sink.remaining(views); });
}

void RowActions::visit_all(const AggregationVisitor &visitor) {
  std::vector<uint32_t> all(parts_.store.size());
  std::iota(all.begin(), all.end(), 0u);
  const BuiltViews built(parts_.store, all, decoder_, format_.text);
  if (parts_.prepare) parts_.prepare(built.stacks());
  AggregationChanges changes;
  visitor(built.views(), changes);
  change(built, changes);
}

void RowActions::change(const BuiltViews &built, const AggregationChanges &changes) {
  for (const auto &[view, normal] : changes.normals) parts_.store.set_normal(view, normal);
  for (const auto &[view, entry] : changes.cleared) {
    std::vector<uint32_t> entries;
    built.append_table_entries(view, entry, entries);
    for (const uint32_t cleared : entries) parts_.store.table(view).zero(cleared);
  }
  std::map<uint32_t, std::vector<uint32_t>> removed;
  for (const auto &[view, entry] : changes.removed) built.append_table_entries(view, entry, removed[view]);
  for (auto &[view, entries] : removed) {
    std::ranges::sort(entries);
    std::vector<uint32_t> kept;
    for (uint32_t entry = 0; entry < parts_.store.table(view).size(); ++entry)
      if (!std::ranges::binary_search(entries, entry)) kept.push_back(entry);
    parts_.store.table(view).retain(kept);
  }
}

// ---------------------------------------------------------------- one function an action

RowActions::Handler RowActions::handler_of(Builtin action) {
  struct HandlerRow {
    Builtin action;
    Handler handler;
  };
  static constexpr HandlerRow kHandlers[] = {
      {Builtin::k_trace, &RowActions::act_trace},  // stacks and symbols are shown as it shows them
      {Builtin::k_stack, &RowActions::act_trace},
      {Builtin::k_ustack, &RowActions::act_trace},
      {Builtin::k_jstack, &RowActions::act_trace},
      {Builtin::k_sym, &RowActions::act_trace},
      {Builtin::k_func, &RowActions::act_trace},
      {Builtin::k_mod, &RowActions::act_trace},
      {Builtin::k_usym, &RowActions::act_trace},
      {Builtin::k_ufunc, &RowActions::act_trace},
      {Builtin::k_umod, &RowActions::act_trace},
      {Builtin::k_uaddr, &RowActions::act_trace},
      {Builtin::k_print, &RowActions::act_print},
      {Builtin::k_printf, &RowActions::act_printf},
      {Builtin::k_printa, &RowActions::act_printa},
      {Builtin::k_tracemem, &RowActions::act_tracemem},
      {Builtin::k_exit, &RowActions::act_exit},
      {Builtin::k_system, &RowActions::act_system},
      {Builtin::k_freopen, &RowActions::act_freopen},
      {Builtin::k_ftruncate, &RowActions::act_ftruncate},
      {Builtin::k_setopt, &RowActions::act_setopt},
      {Builtin::k_clear, &RowActions::act_clear},
      {Builtin::k_trunc, &RowActions::act_trunc},
      {Builtin::k_normalize, &RowActions::act_normalize},
      {Builtin::k_denormalize, &RowActions::act_denormalize},
      {Builtin::k_commit, &RowActions::act_commit},
      {Builtin::k_discard, &RowActions::act_discard},
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

int64_t RowActions::integer_value(const RecordedRow &row, const ActionPlan &action, size_t index) {
  if (index >= action.values.size()) return 0;
  Value value = decoder_.decode(action.values[index], row.bytes);
  const auto *integer = std::get_if<Integer>(&value);
  if (integer == nullptr) return 0;
  return integer->is_signed ? integer->as_signed() : static_cast<int64_t>(integer->as_unsigned());
}

std::string RowActions::formatted(const RecordedRow &row, const ActionPlan &action) {
  std::string text;
  if (!action.format) return text;
  std::vector<Value> values = decoder_.decode_all(action.values, row.bytes);
  FormatContext context = format_;
  context.text.is_terminal = false;  // a command or a path, not what is shown
  append_printf(text, *action.format, values, context);
  return text;
}

void RowActions::act_trace(const RecordedRow &row, const ActionPlan &action) {
  for (const ValuePlan &value : action.values) parts_.sink.trace(action, value, decoder_.decode(value, row.bytes));
}

void RowActions::act_print(const RecordedRow &row, const ActionPlan &action) {
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

void RowActions::act_printf(const RecordedRow &row, const ActionPlan &action) {
  if (!action.format) return;
  std::vector<Value> values = decoder_.decode_all(action.values, row.bytes);
  parts_.sink.formatted(action, values);
}

void RowActions::act_printa(const RecordedRow &row, const ActionPlan &action) {
  parts_.snapshot();
  BuiltViews built(parts_.store, action.aggregations, decoder_, format_.text);
  const bool by_value = action.order && !action.order->by_key;
  if (!action.values.empty()) built.keep(integer_value(row, action, 0), by_value ? action.order->position : 0);
  printed_aggregations_.insert(action.aggregations.begin(), action.aggregations.end());
  if (parts_.prepare) parts_.prepare(built.stacks());
  parts_.sink.aggregations(action, built.views());
  if (parts_.shown) parts_.shown(built.views());
}

void RowActions::act_tracemem(const RecordedRow &row, const ActionPlan &action) {
  if (action.values.empty()) return;
  Value value = decoder_.decode(action.values[0], row.bytes);
  std::string_view bytes = raw(value);
  if (action.dynamic_size_value != UINT32_MAX) {
    const int64_t wanted = integer_value(row, action, action.dynamic_size_value);
    if (wanted >= 0) bytes = bytes.substr(0, static_cast<size_t>(wanted));  // substr clamps to what there is
  }
  parts_.sink.memory(action, bytes);
}

void RowActions::note_exit(const RecordedRow &row, const ActionPlan &action) {
  // The first one counts: tracing has ended with it.
  if (!exit_status_) exit_status_ = static_cast<int>(integer_value(row, action, 0) & 0xff);
}

void RowActions::act_exit(const RecordedRow &row, const ActionPlan &action) {
  parts_.sink.did(action, {}, integer_value(row, action, 0));
  note_exit(row, action);
}

void RowActions::act_system(const RecordedRow &row, const ActionPlan &action) {
  const std::string command = formatted(row, action);
  parts_.sink.did(action, command, {});
  parts_.sink.flush();
  if (nr_commands_ended_ != 0) {  // an interrupt is not kept waiting by each command in turn
    ++nr_commands_ended_;
    return;
  }
  const Result<ShellEnd> ran = run_shell(command, guard_, parts_.give_up);
  if (ran && ran->given_up) {
    ++nr_commands_ended_;
  } else if (!ran || ran->signal != 0) {
    ++nr_commands_failed_;
    parts_.sink.failed(
        row, ran ? fmt::format("system(): the command was ended by signal {} ({})", ran->signal, strsignal(ran->signal))
                 : "cannot run a shell");
  }
}

void RowActions::act_freopen(const RecordedRow &row, const ActionPlan &action) {
  const std::string path = formatted(row, action);
  parts_.sink.did(action, path, {});
  if (Result<Unit> redirected = parts_.sink.redirect(path); !redirected)
    parts_.sink.failed(row, redirected.error().text());
}

void RowActions::act_ftruncate(const RecordedRow &row, const ActionPlan &action) {
  parts_.sink.did(action, {}, {});
  if (Result<Unit> truncated = parts_.sink.truncate(); !truncated) parts_.sink.failed(row, truncated.error().text());
}

void RowActions::act_setopt(const RecordedRow &row, const ActionPlan &action) {
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

void RowActions::act_clear(const RecordedRow &, const ActionPlan &action) {
  parts_.sink.did(action, {}, {});
  parts_.snapshot();
  for (uint32_t index : action.aggregations) {
    parts_.store.table(index).zero();
    parts_.store.restart(index);
  }
}

void RowActions::act_trunc(const RecordedRow &row, const ActionPlan &action) {
  parts_.snapshot();
  const int64_t wanted = action.values.empty() ? 0 : integer_value(row, action, 0);
  parts_.sink.did(action, {}, wanted);
  for (uint32_t index : action.aggregations) {
    const BuiltViews built(parts_.store, {&index, 1}, decoder_, format_.text);
    std::vector<uint32_t> order = sorted_entries(built[0], SortOptions{});  // ascending by value
    const uint64_t magnitude = wanted < 0 ? 0 - static_cast<uint64_t>(wanted) : static_cast<uint64_t>(wanted);
    const size_t keep = std::min<size_t>(order.size(), magnitude);
    std::span<const uint32_t> kept = wanted < 0 ? std::span(order).first(keep) : std::span(order).last(keep);
    std::vector<uint32_t> entries;
    for (uint32_t entry : kept) built.append_table_entries(0, entry, entries);
    parts_.store.table(index).retain(entries);
    if (entries.empty()) parts_.store.restart(index);  // what is kept keeps its time, and so its rate
  }
}

void RowActions::act_normalize(const RecordedRow &row, const ActionPlan &action) {
  const int64_t factor = integer_value(row, action, 0);
  if (factor == 0) {
    parts_.sink.failed(row, "normalize() by zero");
    return;
  }
  parts_.sink.did(action, {}, factor);
  for (uint32_t index : action.aggregations) parts_.store.set_normal(index, static_cast<uint64_t>(factor));
}

void RowActions::act_denormalize(const RecordedRow &, const ActionPlan &action) {
  parts_.sink.did(action, {}, {});
  for (uint32_t index : action.aggregations) parts_.store.set_normal(index, 1);
}

void RowActions::act_commit(const RecordedRow &row, const ActionPlan &action) {
  const auto id = static_cast<uint32_t>(integer_value(row, action, 0));
  parts_.sink.did(action, {}, id);
  commit(id);
}

void RowActions::commit(uint32_t id) {
  const std::vector<Speculations::Row> rows = speculations_.commit(id);
  for (size_t i = 0; i < rows.size(); ++i) {
    std::optional<RecordedRow> held = finder_.row_of({rows[i].cpu, rows[i].record});
    if (!held) continue;
    const auto next = std::find_if(rows.begin() + static_cast<ptrdiff_t>(i) + 1, rows.end(),
                                   [&](const Speculations::Row &other) { return other.cpu == rows[i].cpu; });
    const std::optional<RecordedRow> following =
        next != rows.end() ? finder_.row_of({next->cpu, next->record}) : std::nullopt;
    take(*held, following ? &*following : nullptr);
  }
}

void RowActions::act_discard(const RecordedRow &row, const ActionPlan &action) {
  const auto id = static_cast<uint32_t>(integer_value(row, action, 0));
  parts_.sink.did(action, {}, id);
  speculations_.discard(id);
}

}  // namespace dtrace::runtime
