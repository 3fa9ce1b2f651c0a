// SPDX-License-Identifier: Apache-2.0
// Stacks of processes that have ended become stacks of files, one key for all of them.
#include "runtime/consume/stack_keys.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <set>

#include "bpf/dt_managed.h"
#include "bpf/dt_unwind.h"
#include "runtime/consume/aggregation_store.h"
#include "runtime/symbols/file_space.h"
#include "test/unit/runtime/consume_support.h"

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

constexpr uint32_t kFrames = 6;
constexpr uint64_t kManaged = DT_MANAGED_TAG << DT_MANAGED_TAG_SHIFT | 77;
using Key = std::array<uint64_t, 1 + kFrames>;

/// A process maps its one file at its number times a million; addresses of the file begin at a thousand.
struct Processes {
  std::set<pid_t> ended;
  bool of_all = false;
  StackSharing sharing() {
    return {[](UserImage image, uint64_t address) -> std::optional<uint64_t> {
              const uint64_t start = static_cast<uint64_t>(image.pid) * 1'000'000;
              if (address < start || address >= start + 1000) return std::nullopt;
              return address - start + 1000;
            },
            [this](pid_t pid) { return ended.contains(pid); },
            {},
            of_all};
  }
};

Plan by_stack() {
  Plan plan;
  AggregationPlan aggregation;
  aggregation.function = Builtin::k_count;
  aggregation.key_bytes = sizeof(Key);
  aggregation.value_words = 1;
  ValuePlan stack;
  stack.kind = ValuePlan::Kind::kUserStack;
  stack.size_bytes = sizeof(Key);
  aggregation.keys.push_back(stack);
  plan.aggregations.push_back(aggregation);
  return plan;
}

Key stack_of(pid_t pid, std::initializer_list<uint64_t> offsets, uint64_t bits = 0) {
  Key key{};
  key[0] = static_cast<uint64_t>(pid) | bits;
  size_t at = 1;
  for (const uint64_t offset : offsets)
    key[at++] = offset == kManaged ? offset : static_cast<uint64_t>(pid) * 1'000'000 + offset;
  return key;
}

struct Fixture {
  explicit Fixture(bool of_all = false) {
    processes.of_all = of_all;
    store.share_stacks(processes.sharing());
  }
  void add(Key key, uint64_t count = 1) { store.add(0, std::as_writable_bytes(std::span(key)), {&count, 1}, 0); }
  Key key(size_t entry) {
    Key key{};
    std::memcpy(key.data(), store.table(0).key(entry).data(), sizeof key);
    return key;
  }

  Plan plan = by_stack();
  runtime::test::FewProbes host;
  Processes processes;
  AggregationStore store{plan, host, 2, false};
};

}  // namespace

TEST_CASE("stack keys: hundreds of ended processes of a program are one key") {
  Fixture f;
  for (pid_t pid = 100; pid < 500; ++pid) f.processes.ended.insert(pid);
  f.store.begin_drain();
  for (pid_t pid = 100; pid < 500; ++pid) f.add(stack_of(pid, {10, 20, kManaged}, uint64_t{0xabc} << DT_IMAGE_SHIFT));
  f.store.end_drain();
  REQUIRE(f.store.table(0).size() == 1);
  CHECK(f.store.table(0).words(0)[0] == 400);
  CHECK(f.key(0) == Key{static_cast<uint64_t>(kFileSpacePid), 1010, 1020, kManaged});
}

TEST_CASE("stack keys: a process that runs has keys of its own until it has ended") {
  Fixture f;
  f.store.begin_drain();
  f.add(stack_of(7, {10}));
  f.add(stack_of(8, {10}));
  f.store.end_drain();
  CHECK(f.store.table(0).size() == 2);
  f.processes.ended.insert(7);
  f.store.begin_drain();
  f.add(stack_of(8, {10}));
  f.store.end_drain();
  REQUIRE(f.store.table(0).size() == 2);
  CHECK(f.key(0) == stack_of(8, {10}));
  CHECK(f.store.table(0).words(0)[0] == 2);
  CHECK(f.key(1)[0] == static_cast<uint64_t>(kFileSpacePid));
  f.processes.ended.insert(8);
  f.store.begin_drain();
  f.store.end_drain();
  REQUIRE(f.store.table(0).size() == 1);
  CHECK(f.store.table(0).words(0)[0] == 3);
}

TEST_CASE("stack keys: stacks that end for different reasons differ") {
  Fixture f(true);
  f.add(stack_of(7, {10}));
  f.add(stack_of(8, {10}, uint64_t{3} << DT_STACK_END_SHIFT));
  f.add(stack_of(9, {10}, uint64_t{3} << DT_STACK_END_SHIFT));
  CHECK(f.store.table(0).size() == 2);
}

TEST_CASE("stack keys: of all processes, if that is wanted") {
  Fixture f(true);
  for (pid_t pid = 100; pid < 200; ++pid) f.add(stack_of(pid, {10}));
  CHECK(f.store.table(0).size() == 1);
}

TEST_CASE("stack keys: code that is in no file stays a key of its process, and is counted once") {
  Fixture f;
  f.processes.ended = {7, 8};
  for (int round = 0; round < 3; ++round) {
    f.store.begin_drain();
    f.add(stack_of(7, {10, 5000}));
    f.add(stack_of(8, {10}));
    f.store.end_drain();
  }
  REQUIRE(f.store.table(0).size() == 2);
  CHECK(f.key(0) == stack_of(7, {10, 5000}));
  CHECK(f.store.take_kept_stacks() == 1);
}

TEST_CASE("stack keys: functions of ended processes are one key, their data and bare addresses are not") {
  using Words = std::array<uint64_t, 2>;
  const auto [builtin, first] = GENERATE(table<Builtin, Words>({{Builtin::k_ufunc, {kFileSpacePid, 1010}},
                                                                {Builtin::k_umod, {kFileSpacePid, 1010}},
                                                                {Builtin::k_uaddr, {7, 7'000'010}}}));
  Plan plan = by_stack();
  AggregationPlan &aggregation = plan.aggregations[0];
  aggregation.key_bytes = aggregation.keys[0].size_bytes = sizeof(Words);
  aggregation.keys[0].kind = ValuePlan::Kind::kUserSymbol;
  aggregation.keys[0].builtin = builtin;
  runtime::test::FewProbes host;
  Processes processes;
  processes.ended = {7, 8};
  AggregationStore store{plan, host, 2, false};
  store.share_stacks(processes.sharing());
  const uint64_t one = 1;
  store.begin_drain();
  // The third is in no file's code. The fourth is code, and its process had the third.
  for (Words key : {Words{7, 7'000'010}, Words{8, 8'000'010}, Words{7, 7'005'000}, Words{7, 7'000'020}})
    store.add(0, std::as_writable_bytes(std::span(key)), {&one, 1}, 0);
  store.end_drain();
  CHECK(store.table(0).size() == (builtin == Builtin::k_uaddr ? 4 : 3));
  CHECK(store.take_kept_stacks() == 0);
  Words key{};
  std::memcpy(key.data(), store.table(0).key(0).data(), sizeof key);
  CHECK(key == first);
}

TEST_CASE("file space: equal files have one range, and there are not too many") {
  FileSpace space(2);
  const std::optional<uint64_t> first = space.base_of("a");
  const std::optional<uint64_t> second = space.base_of("b");
  REQUIRE((first && second));
  CHECK(*first != 0);
  CHECK((*second >= *first + FileSpace::kFileBytes || *first >= *second + FileSpace::kFileBytes));
  CHECK(space.base_of("a") == first);
  CHECK_FALSE(space.base_of("c"));
}
