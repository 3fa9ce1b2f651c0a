// SPDX-License-Identifier: Apache-2.0
#include "frontend/text/hints.h"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

using namespace dtrace;

TEST_CASE("hints: providers of other systems") {
  CHECK(hint_for_provider("mach_trap").find("syscall:::") != std::string_view::npos);
  CHECK(hint_for_provider("vfs").find("fsinfo:::") != std::string_view::npos);
  CHECK(hint_for_provider("syscall").empty());
  CHECK(hint_for_provider("").empty());
}

TEST_CASE("the nearest name differs in a letter or two, and is the only such", "[hints]") {
  const std::vector<std::string_view> names{"open", "openat", "openat2", "read", "readv", "timestamp", "vtimestamp"};
  CHECK(nearest_name("opne", names) == "open");
  CHECK(nearest_name("opnat", names) == "openat");
  CHECK(nearest_name("timestmap", names) == "timestamp");
  CHECK(nearest_name("vtimestmp", names) == "vtimestamp");
  CHECK(nearest_name("reed", names) == "read");
  CHECK(nearest_name("mmap", names).empty());
  CHECK(nearest_name("x", names).empty());
  CHECK(nearest_name("", names).empty());
  CHECK(nearest_name("readx", names).empty());  // read or readv
  CHECK(nearest_name(std::string(100'000, 'a'), names).empty());
}

TEST_CASE("the same name twice is one name", "[hints]") {
  const std::vector<std::string_view> names{"read", "read"};
  CHECK(nearest_name("raed", names) == "read");
}

TEST_CASE("an option's name is not corrected to another's", "[hints]") {
  CHECK(nearest_option("quite") == "quiet");
  CHECK(nearest_option("bufsise") == "bufsize");
  CHECK(nearest_option("quiet").empty());
  CHECK(nearest_option("nothingofthekind").empty());
}

TEST_CASE("words of other tracers have D's beside them", "[hints]") {
  CHECK(hint_for_word("comm") == "execname");
  CHECK(hint_for_word("hist") == "quantize()");
  CHECK(hint_for_word("execname").empty());
}

TEST_CASE("probes of other tracers have D's beside them", "[hints]") {
  CHECK(hint_for_probe("kprobe:vfs_read") == "fbt::vfs_read:entry");
  CHECK(hint_for_probe("kretprobe:vfs_read") == "fbt::vfs_read:return");
  CHECK(hint_for_probe("tracepoint:sched:sched_switch") == "sdt:sched::sched_switch");
  CHECK(hint_for_probe("tracepoint:syscalls:sys_enter_openat") == "syscall::openat:entry");
  CHECK(hint_for_probe("tracepoint:syscalls:sys_exit_openat") == "syscall::openat:return");
  CHECK(hint_for_probe("rawtracepoint:sched_switch") == "rawtp:::sched_switch");
  CHECK(hint_for_probe("uprobe:libc:malloc") == "pid$target::malloc:entry, with -c or -p");
  CHECK(hint_for_probe("uprobe:/bin/bash:readline") == "pid*:/bin/bash:readline:entry");
  CHECK(hint_for_probe("uretprobe:/bin/bash:readline") == "pid*:/bin/bash:readline:return");
  CHECK(hint_for_probe("usdt:/usr/lib/postgresql/15/bin/postgres:query__start") == "postgresql*:::query-start");
  CHECK(hint_for_probe("usdt:/srv/app:jobs:job__done__now") == "jobs*:::job-done-now");
  CHECK(hint_for_probe("usdt:/srv/app:job_done") == "*:::job_done, with -c or -p");
  CHECK(hint_for_probe("interval:s:5") == "tick-5s");
  CHECK(hint_for_probe("profile:hz:99") == "profile-99hz");
  CHECK(hint_for_probe("lockstat:::adaptive-block").empty());
  CHECK(hint_for_probe("start").empty());
  CHECK(hint_for_probe("postgresql:::exit").empty());
  CHECK(hint_for_probe("hardware:cache-misses:100") == "cpc:::cache-misses-all-100");
  CHECK(hint_for_probe("software:major-faults:1") == "cpc:::major-faults-all-1");
  CHECK(hint_for_probe("syscall::open:entry").empty());
  CHECK(hint_for_probe("BEGIN").empty());
  CHECK(hint_for_probe("").empty());
}
