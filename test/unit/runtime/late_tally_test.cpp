// SPDX-License-Identifier: Apache-2.0
#include "runtime/late/late_tally.h"

#include <catch2/catch.hpp>

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

constexpr pid_t kProcess = 100, kOther = 101;
constexpr uint64_t kInode = 7;

std::vector<SitePlan> site_in(uint64_t inode, int pid = 0) {
  auto file = std::make_shared<UserFile>();
  file->path = "/usr/lib/libone.so.1";
  file->inode = inode;
  SitePlan plan;
  plan.site.file = file;
  plan.site.pid = pid;
  return {plan};
}

const auto kNobodyIsGone = [](pid_t) { return false; };
const auto kAllAreGone = [](pid_t) { return true; };

/// The entry of libone.so.1, or none.
LateTally::Late taken(LateTally &tally, bool is_end = false) {
  auto late = tally.take(is_end);
  CHECK(late.size() <= 1);
  return late["libone.so.1"];
}

}  // namespace

TEST_CASE("late: from the mapping until the probes are set", "[late]") {
  LateTally tally;
  tally.note_mapped({kProcess, kInode, 1000, "libone.so.1"});
  tally.note_mapped({kOther, kInode, 1200, "libone.so.1"});
  tally.note_set(site_in(kInode), {}, 1500);
  tally.note_set(site_in(kInode, kOther), {}, 1600);  // in the second process only
  tally.note_set(site_in(kInode + 1), {}, 1600);      // a file that nobody mapped
  LateTally::Late late = taken(tally);
  CHECK(late.probes == 2);
  CHECK(late.longest_ns == 500);
  CHECK(taken(tally).probes == 0);
  tally.end_look(1600, kNobodyIsGone);
  tally.note_set(site_in(kInode), {}, 1700);  // what was mapped has been looked at
  CHECK(taken(tally).probes == 0);
}

TEST_CASE("late: not in a process that is held, nor in one that waited", "[late]") {
  LateTally tally;
  tally.note_mapped({kProcess, kInode, 1000, "libone.so.1"});
  tally.note_set(site_in(kInode), kProcess, 1500);
  CHECK(taken(tally, true).probes == 0);
  tally.note_waiter(kProcess);
  tally.note_waits({{kProcess, 1100}});
  tally.note_set(site_in(kInode), {}, 1500);
  CHECK(taken(tally, true).probes == 0);
}

TEST_CASE("late: sites of followed processes are late in those only, which wait", "[late]") {
  LateTally tally;
  tally.note_mapped({kOther, kInode, 1000, "program"});
  tally.note_set(site_in(kInode), {}, 1500, /*only_waiters=*/true);
  CHECK(taken(tally, true).probes == 0);
  tally.note_mapped({kProcess, kInode, 1000, "program"});
  tally.note_waits({{kProcess, 900}});  // for an earlier mapping
  tally.note_set(site_in(kInode), {}, 1500, /*only_waiters=*/true);
  CHECK(taken(tally, true).probes == 1);
}

TEST_CASE("late: a process that comes to wait afterwards had not used the file", "[late]") {
  LateTally tally;
  tally.note_waiter(kProcess);
  tally.note_mapped({kProcess, kInode, 1000, "libone.so.1"});
  tally.note_set(site_in(kInode), {}, 1500);
  tally.end_look(1500, kNobodyIsGone);
  CHECK(taken(tally).probes == 0);  // not yet certain
  SECTION("it does") {
    tally.note_waits({{kProcess, 1600}});
    CHECK(taken(tally, true).probes == 0);
  }
  SECTION("another does") {
    tally.note_waits({{kOther, 1600}});
    const LateTally::Late late = taken(tally, true);
    CHECK(late.probes == 1);
    CHECK(late.longest_ns == 500);
  }
}

TEST_CASE("late: a process that is gone before anybody looked", "[late]") {
  LateTally tally;
  tally.note_waiter(kProcess);
  tally.note_mapped({kProcess, kInode, 1000, "libone.so.1"});
  tally.note_mapped({kOther, kInode, 1000, "libone.so.1"});  // is not expected to wait: its probes are set, or not
  tally.end_look(1400, kAllAreGone);
  const LateTally::Late late = taken(tally);
  CHECK(late.probes == 1);
  CHECK(late.longest_ns == 400);
}

TEST_CASE("late: a file whose probes were being removed when a process mapped it", "[late]") {
  LateTally tally;
  tally.note_unset("libone.so.1", 300);
  tally.note_unset("libone.so.1", 700);
  const LateTally::Late late = taken(tally);
  CHECK(late.probes == 2);
  CHECK(late.longest_ns == 700);
}

TEST_CASE("late: where notifications were lost, from the last look on", "[late]") {
  LateTally tally;
  tally.note_unheard(1000);
  tally.note_set(site_in(kInode), {}, 1700);
  tally.note_set(site_in(kInode, kProcess), kProcess, 1700);  // it has not run since
  LateTally::Late late = taken(tally);
  CHECK(late.probes == 1);
  CHECK(late.longest_ns == 700);
  tally.note_mapped({kOther, kInode, 1500, "libone.so.1"});
  tally.note_set(site_in(kInode), {}, 1700);
  CHECK(taken(tally).longest_ns == 200);
  tally.end_look(1700, kNobodyIsGone);
  tally.note_set(site_in(kInode), {}, 1900);
  CHECK(taken(tally).probes == 0);
  CHECK(tally.take_unheard() == 1);
  CHECK(tally.take_unheard() == 0);
}
