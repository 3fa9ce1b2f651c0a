// SPDX-License-Identifier: Apache-2.0
// Bits of cgroups' entries, as programs ask for them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "bpf/dt_cgroup.h"

extern "C" {
__u32 dt_cgroup_test(dt_cgroup *table, __u64 id, __u32 bit);
}

namespace {

constexpr __u64 kSettled = 1 << DT_CGROUP_SETTLED;

struct Table {
  std::vector<dt_cgroup> entries = std::vector<dt_cgroup>(size_t{DT_CGROUP_SETS} * DT_CGROUP_WAYS);
  dt_cgroup &at(__u64 id, unsigned way) { return entries[size_t{dt_cgroup_set(id)} * DT_CGROUP_WAYS + way]; }
  __u32 test(__u64 id, __u32 bit) { return dt_cgroup_test(entries.data(), id, bit); }
};

}  // namespace

TEST_CASE("dt_cgroup_test: bits of both words, in every way of the set", "[cgroups]") {
  Table table;
  for (unsigned way = 0; way < DT_CGROUP_WAYS; ++way) {
    const __u64 id = 1000 + way;
    table.at(id, way) = {id, 0, {kSettled | __u64{1} << 63, 1}};
    CHECK(table.test(id, 63) == 1);
    CHECK(table.test(id, 64) == 1);
    CHECK(table.test(id, 65) == 0);
    CHECK(table.test(id, DT_CGROUP_TESTS) == 0);
    CHECK(table.at(id, way).asked == 0);
  }
  CHECK(table.test(77, 63) == 2);
}

TEST_CASE("dt_cgroup_test: an entry that is not settled counts who asked", "[cgroups]") {
  Table table;
  table.at(5, 2) = {5, 0, {0, 0}};
  CHECK(table.test(5, DT_CGROUP_TESTS) == 0);
  CHECK(table.test(5, DT_CGROUP_TESTS + 1) == 0);
  CHECK(table.at(5, 2).asked == 2);
}

TEST_CASE("dt_cgroup_set: ids in steps fill all sets", "[cgroups]") {
  for (const __u64 step : {1, 23, 33, 64, 4096}) {
    std::vector<unsigned> filled(DT_CGROUP_SETS);
    unsigned most = 0;
    for (__u64 i = 0; i < DT_CGROUP_SETS; ++i) most = std::max(most, ++filled[dt_cgroup_set(1 + i * step)]);
    CHECK(most <= DT_CGROUP_WAYS);
  }
}
