// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/symbol_keys.h"

#include <array>
#include <catch2/catch.hpp>
#include <deque>

#include "print_support.h"

using namespace dtrace;
using namespace dtrace::runtime;
using namespace dtrace::runtime::test;

namespace {

struct Views {
  FixedSymbols symbols;
  TextContext context{.symbolizer = &symbols};
  std::deque<std::vector<uint64_t>> words;
  std::deque<AggregationView> views;

  AggregationView &add_view(AggregatingFunction function) {
    AggregationView &view = views.emplace_back();
    view.shape.function = function;
    return view;
  }
  /// `cpus`: a value of each CPU, one word each.
  void add(AggregationView &view, std::vector<Value> keys, std::vector<uint64_t> cpus) {
    AggregationEntry entry{.keys = std::move(keys), .words = {}, .per_cpu = {}};
    std::vector<uint64_t> &total = words.emplace_back(1);
    for (unsigned cpu = 0; cpu < cpus.size(); ++cpu) {
      total[0] += cpus[cpu];
      entry.per_cpu.push_back({cpu, words.emplace_back(1, cpus[cpu])});
    }
    entry.words = total;
    view.entries.push_back(std::move(entry));
  }
  std::vector<MergedEntries> merge() {
    std::vector<AggregationView *> pointers;
    for (AggregationView &view : views) pointers.push_back(&view);
    return merge_symbol_keys(pointers, context);
  }
};

Value func(uint64_t address) { return Symbol{SymbolKind::kFunc, 0, address}; }
Value mod(uint64_t address) { return Symbol{SymbolKind::kMod, 0, address}; }

}  // namespace

TEST_CASE("addresses of one function are one key, on each CPU too", "[symbol_keys]") {
  Views v;
  AggregationView &view = v.add_view(AggregatingFunction::kCount);
  v.add(view, {func(0x1010), i32(1)}, {1, 10});
  v.add(view, {func(0x2000), i32(1)}, {2, 20});
  v.add(view, {func(0x1004), i32(1)}, {4, 40});
  v.add(view, {func(0x1004), i32(2)}, {8, 80});
  const std::vector<MergedEntries> merged = v.merge();
  REQUIRE(view.entries.size() == 3);
  const AggregationEntry &both = view.entries[0];
  CHECK(both.words[0] == 55);
  REQUIRE(both.per_cpu.size() == 2);
  CHECK(both.per_cpu[0].words[0] == 5);
  CHECK(both.per_cpu[1].cpu == 1);
  CHECK(both.per_cpu[1].words[0] == 50);
  CHECK(merged[0].sources[0] == std::vector<uint32_t>{0, 2});
  CHECK(view.entries[1].words[0] == 88);
  CHECK(view.entries[1].per_cpu[1].words[0] == 80);
  CHECK(view.entries[2].words[0] == 22);
}

TEST_CASE("views that are printed together share the identity of a symbol", "[symbol_keys]") {
  Views v;
  AggregationView &one = v.add_view(AggregatingFunction::kCount);
  AggregationView &other = v.add_view(AggregatingFunction::kSum);
  v.add(one, {mod(0x1010)}, {1});
  v.add(one, {mod(0x2020)}, {2});
  v.add(other, {mod(0x8000)}, {7});
  v.add(other, {mod(0x8001)}, {1});
  const std::vector<MergedEntries> merged = v.merge();
  REQUIRE(merged.size() == 2);
  REQUIRE(one.entries.size() == 1);
  REQUIRE(other.entries.size() == 1);
  CHECK(compare_values(one.entries[0].keys[0], other.entries[0].keys[0]) == 0);
  CHECK(one.entries[0].words[0] == 3);
  CHECK(other.entries[0].words[0] == 8);
}

TEST_CASE("a module and a function at one address are two keys", "[symbol_keys]") {
  CHECK(compare_values(mod(0x1000), func(0x1000)) != 0);
}

TEST_CASE("keys without symbols stay as they are", "[symbol_keys]") {
  Views v;
  AggregationView &view = v.add_view(AggregatingFunction::kCount);
  v.add(view, {i32(2)}, {1});
  v.add(view, {i32(1)}, {1});
  CHECK(v.merge()[0].sources.empty());
  CHECK(view.entries.size() == 2);
}
