// SPDX-License-Identifier: Apache-2.0
// Records: which rows they are, which are kept, and in which order they are processed.
#include <catch2/catch.hpp>

#include "runtime/consume/kept_records.h"
#include "test/unit/runtime/consume_support.h"

using namespace dtrace;
using namespace dtrace::runtime;
using namespace dtrace::runtime::test;

namespace {

Plan plan_of_clauses(uint32_t n) {
  Plan plan;
  for (uint32_t i = 0; i < n; ++i) {
    ClausePlan clause;
    clause.index = i;
    clause.name = fmt::format("dt_clause_{}", i);
    plan.clauses.push_back(clause);
  }
  return plan;
}

/// Times and clauses of records, as "time.clause".
std::string order_of(const std::vector<Record> &records) {
  std::string text;
  for (const Record &record : records)
    text += fmt::format("{}{}.{}", text.empty() ? "" : " ", head_of(record.bytes).time, head_of(record.bytes).clause);
  return text;
}

}  // namespace

TEST_CASE("record: the row that its head names", "[records]") {
  FewProbes host;
  Plan plan = plan_of_clauses(2);
  const RowFinder finder(plan, host);
  const RecordBytes bytes = record_of(1, FewProbes::kReturn, 42, 7);
  std::optional<RecordedRow> row = finder.row_of({3, bytes});
  REQUIRE(row);
  CHECK(row->clause.index == 1);
  CHECK(row->probe.name == "return");
  CHECK(row->function == "vfs_read");
  CHECK(row->cpu == 3);
  CHECK_FALSE(row->time_ns);
  plan.timestamps = true;
  CHECK(finder.row_of({3, bytes})->time_ns == 7);
}

TEST_CASE("record: the CPU that a record in the ring of all CPUs names", "[records]") {
  FewProbes host;
  Plan plan = plan_of_clauses(2);
  plan.clauses[1].cpu_offset = sizeof(dt_record);
  const RowFinder finder(plan, host);
  RecordBytes bytes = head(1, FewProbes::kEntry);
  const uint64_t cpu = 5;
  bytes.resize(sizeof(dt_record) + sizeof cpu);
  std::memcpy(bytes.data() + sizeof(dt_record), &cpu, sizeof cpu);
  CHECK(finder.cpu_of(bytes) == 5);
  CHECK(finder.cpu_of(head(0, FewProbes::kEntry)) == -1);
  CHECK(finder.cpu_of(head(DT_RECORD_FAULT, 0)) == -1);
}

TEST_CASE("record: what is no row", "[records]") {
  FewProbes host;
  const Plan plan = plan_of_clauses(2);
  const RowFinder finder(plan, host);
  RecordBytes bytes = head(2, FewProbes::kEntry);  // a clause that there is not
  CHECK_FALSE(finder.row_of({0, bytes}));
  bytes = head(DT_RECORD_WAKE, 0);
  CHECK_FALSE(finder.row_of({0, bytes}));
  bytes = head(DT_RECORD_FAULT, 0);
  CHECK_FALSE(finder.row_of({0, bytes}));
  bytes = head(1, FewProbes::kEntry);
  bytes.pop_back();
  CHECK_FALSE(finder.row_of({0, bytes}));
  CHECK_FALSE(finder.row_of({0, {}}));
  CHECK_FALSE(finder.is_begin({0, {}}));
}

TEST_CASE("record: what lies beyond its end reads as 0", "[records]") {
  const RecordBytes bytes = record_of(0, 0, 0x0102030405060708);
  CHECK(load_at<uint64_t>(bytes, sizeof(dt_record)) == 0x0102030405060708);
  CHECK(load_at<uint64_t>(bytes, sizeof(dt_record) + 1) == 0);
  CHECK(load_at<uint32_t>(bytes, SIZE_MAX) == 0);
}

TEST_CASE("record: an action is taken if its branch was", "[records]") {
  FewProbes host;
  Plan plan = plan_of_clauses(1);
  plan.clauses[0].guard_offset = sizeof(dt_record);
  const RowFinder finder(plan, host);
  const RecordBytes bytes = record_of(0, FewProbes::kEntry, 0x0100);  // the second guard only
  const std::optional<RecordedRow> row = finder.row_of({0, bytes});
  REQUIRE(row);
  ActionPlan action;
  CHECK(guard_allows(*row, action));
  action.guard = 0;
  CHECK_FALSE(guard_allows(*row, action));
  action.guard = 1;
  CHECK(guard_allows(*row, action));
}

TEST_CASE("kept records: policy ring drops the oldest of the same CPU", "[records]") {
  KeptRecords kept(KeptRecords::WhenFull::kDropOldest, 2 * sizeof(dt_record));
  for (uint64_t time = 1; time <= 4; ++time) {
    const RecordBytes bytes = head(0, FewProbes::kEntry, time);
    CHECK(kept.keep({0, bytes}));
  }
  const RecordBytes other = head(0, FewProbes::kEntry, 9);
  CHECK(kept.keep({5, other}));
  CHECK(order_of(kept.of_cpu(0)) == "3.0 4.0");
  CHECK(order_of(kept.of_cpu(5)) == "9.0");
  CHECK(kept.of_cpu(1).empty());
  kept.clear();
  CHECK(kept.of_cpu(0).empty());
}

TEST_CASE("kept records: policy fill refuses what does not fit", "[records]") {
  KeptRecords kept(KeptRecords::WhenFull::kRefuse, 2 * sizeof(dt_record));
  for (uint64_t time = 1; time <= 4; ++time) {
    const RecordBytes bytes = head(0, FewProbes::kEntry, time);
    CHECK(kept.keep({0, bytes}) == (time <= 2));
  }
  CHECK(order_of(kept.of_cpu(0)) == "1.0 2.0");
}

TEST_CASE("order: records of one time stay in theirs", "[records]") {
  std::vector<RecordBytes> bytes{head(1, 2, 30), head(2, 2, 10), head(0, 2, 30), head(1, 2, 10)};
  std::vector<Record> records;
  for (size_t i = 0; i < bytes.size(); ++i) records.push_back({static_cast<int>(i % 2), bytes[i]});
  sort_by_time(records);
  CHECK(order_of(records) == "10.2 10.1 30.1 30.0");
}

TEST_CASE("order: kept records are processed by CPU, or merged", "[records]") {
  FewProbes host;
  const Plan plan = plan_of_clauses(3);
  const RowFinder finder(plan, host);
  const auto is_begin = [&](const Record &record) { return finder.is_begin(record); };
  std::vector<RecordBytes> bytes{head(1, 2, 30), head(0, 2, 30), head(0, 2, 20),  // of CPU 0
                                 head(0, FewProbes::kBegin, 5), head(2, 2, 25)};  // of CPU 1
  const std::vector<std::vector<Record>> by_cpu{{{0, bytes[0]}, {0, bytes[1]}, {0, bytes[2]}},
                                                {{1, bytes[3]}, {1, bytes[4]}}};

  const auto as_they_lie = processing_order(by_cpu, false, false, is_begin);
  REQUIRE(as_they_lie.size() == 2);
  CHECK(order_of(as_they_lie[0]) == "5.0 25.2");  // BEGIN's first
  CHECK(order_of(as_they_lie[1]) == "30.1 30.0 20.0");

  // Clauses of one firing are in the program's order.
  const auto sorted = processing_order(by_cpu, false, true, is_begin);
  CHECK(order_of(sorted[1]) == "20.0 30.0 30.1");

  const auto merged = processing_order(by_cpu, true, true, is_begin);
  REQUIRE(merged.size() == 1);
  CHECK(order_of(merged[0]) == "5.0 20.0 25.2 30.0 30.1");
  CHECK(processing_order({}, true, true, is_begin).empty());
}
