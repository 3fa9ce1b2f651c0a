// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/slot_filler.h"

#include <bpf/bpf.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <vector>

#include "kernel_lacks.h"
#include "runtime/load/slot_arrays.h"

namespace dtrace::runtime {
namespace {

constexpr uint32_t kNrSlots = 64, kFirst = 8;

Fd make_table(uint32_t value_bytes) {
  return Fd(bpf_map_create(BPF_MAP_TYPE_HASH, "test", sizeof(uint32_t), value_bytes, 1, nullptr));
}

uint32_t id_of(const Fd &map) {
  bpf_map_info info{};
  uint32_t size_bytes = sizeof info;
  REQUIRE(bpf_obj_get_info_by_fd(map.get(), &info, &size_bytes) == 0);
  return info.id;
}

uint32_t id_in_slot(int array, uint32_t slot) {
  uint32_t id = 0;
  return bpf_map_lookup_elem(array, &slot, &id) == 0 ? id : 0;
}

}  // namespace

TEST_CASE("slots have their maps when settle() returns, and the new ones when they are filled again", "[load]") {
  SKIP_WITHOUT(kBpf);
  SlotArrays arrays;
  const Result<Unit> made =
      arrays.make("tables", {.type = BPF_MAP_TYPE_HASH, .key_bytes = 4, .value_bytes = 8}, kNrSlots);
  if (!made && made.error().errno_value() == EPERM) {
    WARN("skipped: bpf(2) needs privileges");
    return;
  }
  REQUIRE(made);
  CHECK(arrays.fd("others") == -1);
  const int array = arrays.fd("tables");
  std::vector<Fd> tables(kNrSlots / 2);
  SlotFiller filler;
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < tables.size(); ++i)
      if (i != 3) tables[i] = make_table(8);  // a CPU that is not online has none
    filler.fill(array, kFirst, tables);
    REQUIRE(filler.settle());
    for (uint32_t i = 0; i < tables.size(); ++i)
      CHECK(id_in_slot(array, kFirst + i) == (tables[i] ? id_of(tables[i]) : 0));
  }
  CHECK(id_in_slot(array, kFirst - 1) == 0);
}

TEST_CASE("settle() tells which maps do not go into their slots", "[load]") {
  SKIP_WITHOUT(kBpf);
  SlotArrays arrays;
  const Result<Unit> made =
      arrays.make("tables", {.type = BPF_MAP_TYPE_HASH, .key_bytes = 4, .value_bytes = 8}, kNrSlots);
  if (!made && made.error().errno_value() == EPERM) {
    WARN("skipped: bpf(2) needs privileges");
    return;
  }
  REQUIRE(made);
  std::vector<Fd> tables;
  tables.push_back(make_table(16));  // of another shape
  SlotFiller filler;
  filler.fill(arrays.fd("tables"), 0, tables);
  const Result<Unit> settled = filler.settle();
  REQUIRE_FALSE(settled);
  CHECK(settled.error().errno_value() == EINVAL);
  CHECK(filler.settle());  // said once
}

}  // namespace dtrace::runtime
