// SPDX-License-Identifier: Apache-2.0
// Aggregations from partial results to what is shown, without a kernel.
#include "runtime/consume/aggregation_store.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstring>

#include "runtime/consume/view_builder.h"

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

/// Probes 1 and 2 are entries of functions, 3 is a return.
class Host final : public CompileHost {
 public:
  const Probe &probe(ProbeId id) override { return probes_[id.value]; }
  const ProbeHook &hook(ProbeId) override { return hook_; }

 private:
  std::array<Probe, 4> probes_{{{},
                                {ProbeId{1}, "fbt", "vmlinux", "vfs_read", "entry"},
                                {ProbeId{2}, "fbt", "vmlinux", "vfs_write", "entry"},
                                {ProbeId{3}, "fbt", "vmlinux", "vfs_read", "return"}}};
  ProbeHook hook_;
};

struct Watcher final : ProcessWatcher {
  void saw_process(pid_t) override {}
};

AggregationPlan aggregation(const char *name, Builtin function) {
  AggregationPlan plan;
  plan.name = name;
  plan.function = function;
  plan.value_words = 1;
  return plan;
}

/// @n[int], @names[probename] and @alone.
Plan plan_of_three() {
  Plan plan;
  AggregationPlan n = aggregation("n", Builtin::k_sum);
  ValuePlan number;
  number.kind = ValuePlan::Kind::kInteger;
  number.size_bytes = 4;
  number.is_signed = true;
  n.keys = {number};
  n.key_bytes = 4;
  AggregationPlan names = aggregation("names", Builtin::k_count);
  ValuePlan part;
  part.kind = ValuePlan::Kind::kProbePart;
  part.part = Variable::k_probename;
  part.size_bytes = 4;
  names.keys = {part};
  names.key_bytes = 4;
  plan.aggregations = {n, names, aggregation("alone", Builtin::k_count)};
  return plan;
}

struct Fixture {
  explicit Fixture(bool per_cpu = false) : store(plan, host, 2, per_cpu) {}
  void add(uint32_t index, uint32_t key, uint64_t word, unsigned cpu = 0) {
    std::array<std::byte, 4> bytes;
    std::memcpy(bytes.data(), &key, sizeof key);
    store.add(index, bytes, {&word, 1}, cpu);
  }
  BuiltViews views(std::vector<uint32_t> indexes) { return {store, indexes, decoder, {}}; }

  Plan plan = plan_of_three();
  Host host;
  TypeTable types;
  Watcher watcher;
  Decoder decoder{host, types, watcher};
  AggregationStore store;
};

int64_t value_of(const AggregationView &view, const AggregationEntry &entry) {
  return scalar_result(view.shape, entry.words, view.normal).value;
}

}  // namespace

TEST_CASE("store: partial results of CPUs and banks merge by key", "[aggregation]") {
  Fixture f;
  f.add(0, 7, 5, 0);
  f.add(0, static_cast<uint32_t>(-1), 1, 0);
  f.add(0, 7, 6, 1);
  const BuiltViews built = f.views({0});
  const AggregationView &view = built[0];
  CHECK(view.name == "n");
  CHECK(view.entries.size() == 2);
  REQUIRE(view.entries[0].keys.size() == 1);
  CHECK(std::get<Integer>(view.entries[0].keys[0]).as_signed() == 7);
  CHECK(value_of(view, view.entries[0]) == 11);
  CHECK(std::get<Integer>(view.entries[1].keys[0]).as_signed() == -1);
  CHECK(view.entries[0].per_cpu.empty());
}

TEST_CASE("store: probes of one name are one key", "[aggregation]") {
  Fixture f;
  f.add(1, 1, 2);
  f.add(1, 2, 3);
  f.add(1, 3, 1);
  const BuiltViews built = f.views({1});
  REQUIRE(built[0].entries.size() == 2);
  CHECK(std::get<Text>(built[0].entries[0].keys[0]).view() == "entry");
  CHECK(value_of(built[0], built[0].entries[0]) == 5);
  CHECK(std::get<Text>(built[0].entries[1].keys[0]).view() == "return");
}

TEST_CASE("store: without keys there is one entry", "[aggregation]") {
  Fixture f;
  const uint64_t one = 1;
  f.store.add(2, {}, {&one, 1}, 0);
  f.store.add(2, {}, {&one, 1}, 1);
  f.store.set_normal(2, 2);
  const BuiltViews built = f.views({2});
  REQUIRE(built[0].entries.size() == 1);
  CHECK(built[0].entries[0].keys.empty());
  CHECK(value_of(built[0], built[0].entries[0]) == 1);
}

TEST_CASE("store: each CPU's share is kept if it is wanted", "[aggregation]") {
  Fixture f(true);
  f.add(0, 7, 5, 0);
  f.add(0, 7, 6, 1);
  const BuiltViews built = f.views({0});
  const std::vector<CpuWords> &shares = built[0].entries.at(0).per_cpu;
  REQUIRE(shares.size() == 2);
  CHECK(shares[0].words[0] == 5);
  CHECK(shares[1].cpu == 1);
  CHECK(shares[1].words[0] == 6);
}

TEST_CASE("store: several are shown together, in the order asked for", "[aggregation]") {
  Fixture f;
  f.add(0, 1, 1);
  f.add(1, 3, 1);
  const BuiltViews built = f.views({1, 0});
  REQUIRE(built.views().size() == 2);
  CHECK(built.views()[0]->name == "names");
  CHECK(built.views()[1]->name == "n");
  std::vector<uint32_t> entries;
  built.append_table_entries(1, 0, entries);
  CHECK(entries == std::vector<uint32_t>{0});
  f.store.table(0).zero();
  const BuiltViews cleared = f.views({0});
  CHECK(value_of(cleared[0], cleared[0].entries.at(0)) == 0);
}
