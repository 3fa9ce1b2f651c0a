// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/fault_reports.h"

#include <catch2/catch.hpp>

#include "test/unit/runtime/consume_support.h"

using namespace dtrace;
using namespace dtrace::runtime;
using namespace dtrace::runtime::test;

TEST_CASE("fault: what its record says", "[faults]") {
  FewProbes host;
  Plan plan;
  plan.clauses.emplace_back().name = "dt_clause_0";
  FaultReports faults(plan, host);
  std::optional<FaultEvent> event = faults.event_of(fault_of(0, FewProbes::kEntry, DT_FAULT_BADADDR, 0x10, 77));
  REQUIRE(event);
  CHECK(event->clause == "dt_clause_0");
  CHECK(event->probe->name == "entry");
  CHECK(event->code == DT_FAULT_BADADDR);
  CHECK(event->value == 0x10);
  CHECK(event->pc == 77);
  event = faults.event_of(fault_of(0, FewProbes::kReturn, DT_FAULT_DIVZERO, 0, UINT32_MAX));
  CHECK_FALSE(event->pc);
}

TEST_CASE("fault: those of a clause beyond the limit are counted, and told once", "[faults]") {
  FewProbes host;
  Plan plan;
  plan.clauses.emplace_back().name = "dt_clause_0";
  plan.clauses.emplace_back().name = "dt_clause_1";
  FaultReports faults(plan, host);
  const RecordBytes often = fault_of(0, FewProbes::kEntry, DT_FAULT_DIVZERO, 0, 1);
  const RecordBytes seldom = fault_of(1, FewProbes::kEntry, DT_FAULT_DIVZERO, 0, 1);
  uint64_t nr_events = 0;
  for (uint64_t i = 0; i < FaultReports::kMaxReports + 3; ++i) nr_events += faults.event_of(often).has_value();
  CHECK(nr_events == FaultReports::kMaxReports);
  CHECK(faults.event_of(seldom));
  NotingSink sink;
  faults.report_more(sink);
  CHECK(sink.take() == std::vector<std::string>{"3 more faults of dt_clause_0"});
  faults.report_more(sink);
  CHECK(sink.take().empty());
  CHECK_FALSE(faults.event_of(often));
  faults.report_more(sink);
  CHECK(sink.take() == std::vector<std::string>{"1 more faults of dt_clause_0"});
}
