// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/speculations.h"

#include <catch2/catch.hpp>

#include "bpf/dt_speculation.h"

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

constexpr uint32_t id_of(uint32_t slot, uint32_t use) { return slot | use << DT_SPEC_SLOT_BITS; }

bool hold(Speculations &speculations, uint32_t id, char what) {
  const auto byte = static_cast<std::byte>(what);
  return speculations.hold(id, 0, {&byte, 1});
}

std::string text(const std::vector<Speculations::Row> &rows) {
  std::string all;
  for (const Speculations::Row &row : rows) all += static_cast<char>(row.record.at(0));
  return all;
}

}  // namespace

TEST_CASE("rows are held by slot and use until they are settled", "[speculations]") {
  Speculations all(2);
  CHECK(hold(all, id_of(1, 0), 'a'));
  CHECK(hold(all, id_of(2, 0), 'x'));
  CHECK(hold(all, id_of(1, 0), 'b'));
  CHECK(text(all.commit(id_of(1, 0))) == "ab");
  CHECK(text(all.commit(id_of(1, 0))).empty());
  CHECK(hold(all, id_of(1, 1), 'c'));
  all.discard(id_of(2, 0));
  CHECK(text(all.commit(id_of(2, 0))).empty());
  CHECK(text(all.commit(id_of(1, 1))) == "c");
}

TEST_CASE("rows that come late follow their speculation, not the next", "[speculations]") {
  Speculations all(1);
  CHECK(hold(all, id_of(1, 0), 'a'));
  CHECK(text(all.commit(id_of(1, 0))) == "a");
  CHECK_FALSE(hold(all, id_of(1, 0), 'b'));  // shown as it comes
  all.discard(id_of(1, 1));
  CHECK(hold(all, id_of(1, 1), 'c'));
  CHECK(hold(all, id_of(1, 2), 'd'));
  CHECK(hold(all, id_of(1, 1), 'e'));
  CHECK(text(all.commit(id_of(1, 1))).empty());
  CHECK(text(all.commit(id_of(1, 2))) == "d");
}

TEST_CASE("uses wrap", "[speculations]") {
  constexpr uint32_t kLast = (1U << DT_SPEC_USE_BITS) - 1;
  Speculations all(1);
  CHECK(hold(all, id_of(1, kLast), 'a'));
  CHECK(hold(all, id_of(1, 0), 'b'));
  CHECK(text(all.commit(id_of(1, kLast))) == "a");
  CHECK(text(all.commit(id_of(1, 0))) == "b");
}

TEST_CASE("a commit that comes after rows of the next use still has its rows", "[speculations]") {
  Speculations all(1);
  CHECK(hold(all, id_of(1, 4), 'a'));
  CHECK(hold(all, id_of(1, 6), 'c'));
  CHECK(hold(all, id_of(1, 5), 'b'));  // of a use that was not seen before
  CHECK(text(all.commit(id_of(1, 6))) == "c");
  CHECK(text(all.commit(id_of(1, 5))) == "b");
  CHECK_FALSE(hold(all, id_of(1, 5), 'd'));
  CHECK(hold(all, id_of(1, 4), 'e'));
  CHECK(text(all.commit(id_of(1, 4))) == "ae");
  CHECK(all.nr_too_late() == 0);
}

TEST_CASE("what comes too late is counted, and old uses give way", "[speculations]") {
  Speculations all(1);
  for (uint32_t use = 0; use < 100; ++use) CHECK(hold(all, id_of(1, use), 'a'));
  CHECK(all.nr_too_late() == 0);
  CHECK(hold(all, id_of(1, 99 - Speculations::kUses), 'b'));
  CHECK(all.nr_too_late() == 1);
  CHECK(all.commit(id_of(1, 99 - Speculations::kUses)).empty());
  CHECK(text(all.commit(id_of(1, 100 - Speculations::kUses))) == "a");
}

TEST_CASE("ids out of range hold nothing", "[speculations]") {
  Speculations all(1);
  for (const uint32_t id : {0U, 2U, id_of(0, 1), UINT32_MAX}) {
    CHECK(hold(all, id, 'a'));
    all.discard(id);
    CHECK(all.commit(id).empty());
  }
}
