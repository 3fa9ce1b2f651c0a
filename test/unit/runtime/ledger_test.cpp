// SPDX-License-Identifier: Apache-2.0
// What the ledger makes of counters that stand where they stand.
#include "runtime/consume/ledger.h"

#include <catch2/catch.hpp>

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

constexpr unsigned kCpus = 2;

/// Two clauses, two CPUs.
struct Fixture {
  Fixture() { counters.drops.resize(static_cast<size_t>(Cause::kCount) * 2 * kCpus); }
  static Plan two_clauses() {
    Plan plan;
    plan.clauses.resize(2);
    plan.clauses[0].name = "dt_clause_0";
    plan.clauses[1].name = "dt_clause_1";
    return plan;
  }
  uint64_t &drop(Cause cause, uint32_t clause, unsigned cpu) {
    return counters.drops[(static_cast<size_t>(cause) * 2 + clause) * kCpus + cpu];
  }
  std::vector<Loss> update() { return ledger.update(counters); }

  Plan plan = two_clauses();
  LossCounters counters;
  Ledger ledger{plan, kCpus};
};

uint64_t sum(const std::vector<Loss> &losses) {
  uint64_t result = 0;
  for (const Loss &loss : losses) result += loss.count;
  return result;
}

}  // namespace

TEST_CASE("ledger: nothing lost is nothing said", "[ledger]") {
  Fixture f;
  CHECK(f.update().empty());
  CHECK(f.ledger.text() == "nothing was lost\n");
}

TEST_CASE("ledger: a period has what is new, the total has all", "[ledger]") {
  Fixture f;
  f.drop(Cause::kRingFull, 1, 0) = 5;
  const std::vector<Loss> first = f.update();
  REQUIRE(first.size() == 1);
  CHECK(first[0].cause == Cause::kRingFull);
  CHECK(first[0].clause == 1);
  CHECK(first[0].cpu == 0);
  CHECK(first[0].count == 5);
  CHECK(f.update().empty());
  f.drop(Cause::kRingFull, 1, 0) = 7;
  CHECK(sum(f.update()) == 2);
  REQUIRE(f.ledger.total().size() == 1);
  CHECK(f.ledger.total()[0].count == 7);
}

TEST_CASE("ledger: each cause, clause and CPU by itself", "[ledger]") {
  Fixture f;
  f.drop(Cause::kRingFull, 0, 0) = 1;
  f.drop(Cause::kRingFull, 0, 1) = 10;
  f.drop(Cause::kRingFull, 1, 1) = 100;
  f.drop(Cause::kNoScratch, 0, 1) = 1000;
  CHECK(f.update().size() == 4);
  CHECK(f.ledger.total().size() == 4);
  CHECK(f.ledger.total(Cause::kRingFull) == 111);
  CHECK(f.ledger.total(Cause::kNoScratch) == 1000);
  f.drop(Cause::kRingFull, 0, 1) = 11;
  (void)f.update();
  CHECK(f.ledger.text() == "       COUNT  CPU CLAUSE           CAUSE\n" + [&] {
    std::string rows;
    for (const Loss &loss : f.ledger.total())
      rows += std::string(12 - std::to_string(loss.count).size(), ' ') + std::to_string(loss.count) + "    " +
              std::to_string(loss.cpu) + " dt_clause_" + std::to_string(loss.clause) + "      " +
              std::string(cause_text(loss.cause)) + "\n";
    return rows;
  }());
}

TEST_CASE("ledger: missed firings by program", "[ledger]") {
  Fixture f;
  f.counters.missed = {{"dt_program_0", 3}, {"dt_program_1", 0}};
  CHECK(sum(f.update()) == 3);
  CHECK(f.update().empty());
  f.counters.missed = {{"dt_program_0", 4}, {"dt_program_1", 2}};
  CHECK(sum(f.update()) == 3);
  CHECK(f.update().empty());
  CHECK(f.ledger.total(Cause::kMissed) == 6);
  CHECK(f.ledger.total().size() == 2);
}

TEST_CASE("ledger: what the consumer lost, and what gave way in logs", "[ledger]") {
  Fixture f;
  f.ledger.note(Cause::kNoMemory, 0);
  CHECK(f.update().empty());
  f.ledger.note(Cause::kNoMemory, 4);
  f.ledger.note_late("/lib/libc.so.6", 2, 1'500'000);
  f.ledger.note_late("/lib/libc.so.6", 1, 900'000);
  f.counters.log_gaps = {{1, 6}};
  CHECK(sum(f.update()) == 4 + 2 + 1 + 6);
  CHECK(f.update().empty());
  CHECK(f.ledger.total(Cause::kLateSites) == 3);
  CHECK(f.ledger.total(Cause::kLogGap) == 6);
  // How many firings that were is not known, and no number is taken for it.
  CHECK(f.ledger.text().find(" unknown    - /lib/libc.so.6   ") != std::string::npos);
  CHECK(f.ledger.text().find("(3 probes, by 1.5 ms at most)") != std::string::npos);
  CHECK(f.ledger.json().find(R"("file":"/lib/libc.so.6","longest_ns":1500000,"times":3,"count":null)") !=
        std::string::npos);
  CHECK(f.ledger.json().find(R"("cause":"NoMemory","tag":"MEMORY","count":4)") != std::string::npos);
}
