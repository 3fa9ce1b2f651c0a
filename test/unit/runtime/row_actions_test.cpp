// SPDX-License-Identifier: Apache-2.0
// What the consumer does for the actions of rows, without a kernel.
#include "runtime/consume/row_actions.h"

#include <catch2/catch.hpp>

#include "bpf/dt_speculation.h"
#include "test/unit/runtime/consume_support.h"
#include "test/unit/runtime/print_support.h"

using namespace dtrace;
using namespace dtrace::runtime;
using namespace dtrace::runtime::test;

namespace {

using Items = std::vector<std::string>;

constexpr uint32_t kValueOffset = sizeof(dt_record);

ActionPlan action(Builtin kind) {
  ActionPlan plan;
  plan.kind = kind;
  return plan;
}

/// With the record's value as its argument.
ActionPlan action_of_value(Builtin kind) {
  ActionPlan plan = action(kind);
  plan.values = {number_at(kValueOffset)};
  return plan;
}

ActionPlan command(std::string_view text) {
  ActionPlan plan = action(Builtin::k_system);
  plan.format = format(text);
  return plan;
}

ActionPlan setopt(const char *name, const char *value) {
  ActionPlan plan = action(Builtin::k_setopt);
  for (const char *text : {name, value}) {
    ValuePlan literal;
    literal.kind = ValuePlan::Kind::kConstString;
    literal.text = text;
    plan.values.push_back(literal);
  }
  return plan;
}

ActionPlan of_aggregation(ActionPlan plan, uint32_t index) {
  plan.aggregations = {index};
  return plan;
}

struct Watcher final : ProcessWatcher {
  void saw_process(pid_t) override {}
};

/// Clauses of given actions, and two aggregations, @a[int] and @b[int].
class Fixture {
 public:
  explicit Fixture(std::vector<std::vector<ActionPlan>> clauses) {
    for (std::vector<ActionPlan> &actions : clauses) {
      ClausePlan &clause = plan.clauses.emplace_back();
      clause.index = static_cast<uint32_t>(plan.clauses.size() - 1);
      clause.actions = std::move(actions);
    }
    for (const char *name : {"a", "b"}) {
      AggregationPlan &aggregation = plan.aggregations.emplace_back();
      aggregation.name = name;
      aggregation.function = Builtin::k_sum;
      aggregation.value_words = 1;
      aggregation.keys = {number_at(0)};
      aggregation.key_bytes = 8;
    }
    plan.nr_speculations = 1;
  }

  RowActions &actions() {
    if (!store) store.emplace(plan, host, 1, false);
    if (!actions_)
      actions_.emplace(RowActions::Parts{plan, host, types, options, *store, symbolizer, watcher, sink, 0,
                                         [this] { ++nr_snapshots; }, nullptr, [this] { return abandoned; }});
    return *actions_;
  }
  void add(uint32_t index, uint64_t key, uint64_t word) {
    RecordBytes bytes;
    append(bytes, key);
    store->add(index, bytes, {&word, 1}, 0);
  }
  Items take(const RecordBytes &record) {
    const std::optional<RecordedRow> row = RowFinder(plan, host).row_of({0, record});
    REQUIRE(row);
    actions().take(*row, nullptr);
    return sink.take();
  }
  Items take(uint32_t clause, uint32_t probe, uint64_t value) { return take(record_of(clause, probe, value)); }

  Plan plan;
  FewProbes host;
  TypeTable types;
  Options options;
  FixedSymbols symbolizer;
  Watcher watcher;
  NotingSink sink;
  std::optional<AggregationStore> store;
  bool abandoned = false;
  int nr_snapshots = 0;

 private:
  std::optional<RowActions> actions_;
};

}  // namespace

TEST_CASE("a visitor of aggregations may clear, remove and normalize") {
  Fixture fixture({});
  fixture.actions();
  fixture.add(0, 1, 10);
  fixture.add(0, 2, 20);
  fixture.add(0, 3, 30);
  fixture.add(1, 1, 40);
  fixture.actions().visit_all([](AggregationViews views, AggregationChanges &changes) {
    REQUIRE(views.size() == 2);
    REQUIRE(views[0]->entries.size() == 3);
    changes.cleared = {{0, 0}};
    changes.removed = {{0, 2}};
    changes.normals = {{1, 4}};
  });
  REQUIRE(fixture.store->table(0).size() == 2);
  CHECK(fixture.store->table(0).words(0)[0] == 0);
  CHECK(fixture.store->table(0).words(1)[0] == 20);
  CHECK(fixture.store->normal(0) == 1);
  CHECK(fixture.store->normal(1) == 4);
  CHECK(fixture.store->table(1).words(0)[0] == 40);
}

TEST_CASE("actions: a row's in order, those of branches not taken left out", "[actions]") {
  ActionPlan first = action_of_value(Builtin::k_trace), second = first;
  first.values[0].offset = second.values[0].offset = kValueOffset + 8;
  first.guard = 0;
  second.guard = 1;
  Fixture f({{first, second, action(Builtin::k_speculate)}});
  f.plan.clauses[0].guard_offset = kValueOffset;
  RecordBytes record = record_of(0, FewProbes::kEntry, 0x0100);
  append(record, uint64_t{42});
  CHECK(f.take(record) == Items{"row entry", "trace 42", "did speculate", "end"});
}

TEST_CASE("actions: the first exit() gives the status, also if END calls it again", "[actions]") {
  Fixture f({{action_of_value(Builtin::k_exit)}});
  CHECK_FALSE(f.actions().exit_status());
  CHECK(f.take(0, FewProbes::kEntry, 3) == Items{"row entry", "did exit 3", "end"});
  CHECK(f.actions().exit_status() == 3);
  f.take(0, FewProbes::kEntry, 4);
  CHECK(f.actions().exit_status() == 3);
  f.take(0, FewProbes::kEnd, 256 + 5);
  CHECK(f.actions().exit_status() == 3);
}

TEST_CASE("actions: exit() is noticed in a row that is kept for later", "[actions]") {
  Fixture f({{action_of_value(Builtin::k_trace), action_of_value(Builtin::k_exit)}});
  const RecordBytes record = record_of(0, FewProbes::kEntry, 6);
  f.actions().notice_exit(*RowFinder(f.plan, f.host).row_of({0, record}));
  CHECK(f.actions().exit_status() == 6);
  CHECK(f.sink.take().empty());
}

TEST_CASE("actions: setopt() changes what follows, and a refusal is told", "[actions]") {
  Fixture f({{setopt("quiet", "1")}, {setopt("bufsize", "4m")}, {setopt("nosuch", "1")}});
  f.options.freeze();
  CHECK_FALSE(f.sink.quiet);
  CHECK(f.take(0, FewProbes::kEntry, 0) == Items{"row entry", "did setopt quiet=1", "end"});
  CHECK(f.sink.quiet);
  for (uint32_t clause : {1u, 2u}) {
    const Items items = f.take(clause, FewProbes::kEntry, 0);
    REQUIRE(items.size() == 3);
    CHECK_THAT(items[1], Catch::Matchers::StartsWith("failed: "));
  }
}

TEST_CASE("actions: aggregations are brought up to date before they are shown or changed", "[actions]") {
  Fixture f({{of_aggregation(action(Builtin::k_printa), 0)},
             {of_aggregation(action(Builtin::k_clear), 0)},
             {of_aggregation(action_of_value(Builtin::k_trunc), 1)},
             {of_aggregation(action_of_value(Builtin::k_normalize), 1)},
             {of_aggregation(action(Builtin::k_denormalize), 1)}});
  f.actions();
  for (uint64_t key = 1; key <= 3; ++key) {
    f.add(0, key, 10 * key);
    f.add(1, key, 10 * key);
  }
  CHECK(f.take(0, FewProbes::kEntry, 0) == Items{"row entry", "printa @a:3", "end"});
  CHECK(f.nr_snapshots == 1);
  CHECK(f.take(1, FewProbes::kEntry, 0) == Items{"row entry", "did clear", "end"});
  CHECK(f.store->table(0).size() == 3);  // keys stay
  CHECK(f.nr_snapshots == 2);
  CHECK(f.take(2, FewProbes::kEntry, 2) == Items{"row entry", "did trunc 2", "end"});
  CHECK(f.store->table(1).size() == 2);
  CHECK(f.take(3, FewProbes::kEntry, 10) == Items{"row entry", "did normalize 10", "end"});
  CHECK(f.store->normal(1) == 10);
  CHECK(f.take(3, FewProbes::kEntry, 0) == Items{"row entry", "failed: normalize() by zero", "end"});
  CHECK(f.store->normal(1) == 10);
  f.take(4, FewProbes::kEntry, 0);
  CHECK(f.store->normal(1) == 1);
  f.actions().show_remaining();
  CHECK(f.sink.take() == Items{"remaining @b:2"});  // printa() has shown the other
  f.actions().show_all();
  CHECK(f.sink.take() == Items{"remaining @a:3 @b:2"});
}

TEST_CASE("actions: rows of a speculation wait for commit() or discard()", "[actions]") {
  ValuePlan value = number_at(kValueOffset);
  ActionPlan trace = action(Builtin::k_trace);
  trace.values = {value};
  Fixture f({{trace}, {action_of_value(Builtin::k_commit)}, {action_of_value(Builtin::k_discard)}});
  f.plan.clauses[0].speculation_offset = kValueOffset + 8;
  const RowFinder finder(f.plan, f.host);
  const auto speculated = [&](uint64_t number, uint32_t id) {
    RecordBytes record = record_of(0, FewProbes::kReturn, number);
    append(record, id);
    return record;
  };
  const auto hold = [&](const RecordBytes &record) { return f.actions().hold(*finder.row_of({0, record})); };
  const uint32_t first = 1, second = 1 | 1u << DT_SPEC_SLOT_BITS;
  CHECK(hold(speculated(7, first)));
  CHECK(hold(speculated(8, first)));
  CHECK_FALSE(hold(speculated(9, 0)));  // no speculation
  CHECK(f.sink.take().empty());
  CHECK(f.take(1, FewProbes::kEntry, first) == Items{"row entry", "did commit 1", "row return, then return", "trace 7",
                                                     "end", "row return", "trace 8", "end", "end"});
  CHECK_FALSE(hold(speculated(10, first)));  // committed: shown at once
  CHECK(hold(speculated(11, second)));
  CHECK(f.take(2, FewProbes::kEntry, second).size() == 3);
  CHECK(f.take(1, FewProbes::kEntry, second).size() == 3);  // nothing is left
}

TEST_CASE("actions: a commit that had no record shows its rows", "[actions]") {
  Fixture f({{action_of_value(Builtin::k_trace)}});
  f.plan.clauses[0].speculation_offset = kValueOffset + 8;
  RecordBytes held = record_of(0, FewProbes::kReturn, 7);
  append(held, uint32_t{1});
  CHECK(f.actions().hold(*RowFinder(f.plan, f.host).row_of({0, held})));
  f.actions().commit(1);
  CHECK(f.sink.take() == Items{"row return", "trace 7", "end"});
  f.actions().commit(1);
  CHECK(f.sink.take().empty());
}

TEST_CASE("actions: after a second interrupt rows are counted", "[actions]") {
  ActionPlan trace = action_of_value(Builtin::k_trace);
  Fixture f({{trace}, {action_of_value(Builtin::k_commit)}});
  f.plan.clauses[0].speculation_offset = kValueOffset + 8;
  f.plan.clauses[0].makes_row = true;
  f.actions();
  f.add(0, 1, 1);
  f.add(0, 2, 1);
  RecordBytes held = record_of(0, FewProbes::kReturn, 7);
  append(held, uint32_t{1});
  CHECK(f.actions().hold(*RowFinder(f.plan, f.host).row_of({0, held})));
  f.abandoned = true;
  CHECK(f.take(1, FewProbes::kEntry, 1) == Items{"did commit 1"});
  CHECK(f.actions().nr_abandoned() == 1);  // the row that it would have shown: a commit shows nothing of its own
  f.actions().show_remaining();
  CHECK(f.actions().nr_abandoned() == 3);
}

TEST_CASE("actions: print() and tracemem() show the bytes that there are", "[actions]") {
  ValuePlan bytes = number_at(kValueOffset);
  bytes.kind = ValuePlan::Kind::kBytes;
  ValuePlan size = number_at(kValueOffset + 8);
  ActionPlan memory = action(Builtin::k_tracemem);
  memory.values = {bytes, size};
  memory.dynamic_size_value = 1;
  ActionPlan object = action(Builtin::k_print);
  object.values = {size, bytes};
  object.by_address = true;
  Fixture f({{memory}, {object}});
  RecordBytes record = head(0, FewProbes::kEntry);
  append(record, std::array<char, 8>{'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'});
  append(record, uint64_t{3});
  CHECK(f.take(record) == Items{"row entry", "tracemem abc", "end"});
  record[kValueOffset + 8] = std::byte{100};  // more than was recorded
  CHECK(f.take(record) == Items{"row entry", "tracemem abcdefgh", "end"});
  record[0] = std::byte{1};
  CHECK(f.take(record) == Items{"row entry", "print 8 bytes at 0x64", "end"});
}

TEST_CASE("actions: commands run, and what cannot be redirected is told", "[actions]") {
  ActionPlan freopen = action(Builtin::k_freopen);
  freopen.format = format("/no/such");
  Fixture f({{command("exit 3")}, {freopen}, {action(Builtin::k_ftruncate)}});
  CHECK(f.take(0, FewProbes::kEntry, 0) == Items{"row entry", "did system exit 3", "end"});
  CHECK(f.actions().nr_commands_ended() == 0);
  f.sink.refusal = "it is full";
  CHECK(f.take(1, FewProbes::kEntry, 0) == Items{"row entry", "did freopen /no/such", "failed: it is full", "end"});
  CHECK(f.take(2, FewProbes::kEntry, 0) == Items{"row entry", "did ftruncate", "failed: it is full", "end"});
}
