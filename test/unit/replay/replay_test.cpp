// SPDX-License-Identifier: Apache-2.0
// Programs on recordings: what they print is what a live run would have printed.
#include "replay/replay.h"

#include <catch2/catch.hpp>

#include "bpf/dt_abi.h"
#include "recorded.h"

using namespace dtrace;
using namespace dtrace::replay::test;

namespace {

constexpr uint64_t kSecond = 1'000'000'000;

uint64_t thread(uint32_t pid, uint32_t tid) { return uint64_t{pid} << 32 | tid; }

/// made:up:read:hit (10) and made:up:write:hit (11), on two CPUs.
Recorded reads_and_writes() {
  Recorded recorded;
  recorded.probe(10, "read", {"execname", "arg0", "copyinstr(arg1)"});
  recorded.probe(11, "write", {"execname", "arg0"});
  recorded.fact("cpus", "2");
  recorded.row(10, 100, {text("cat"), number(3), text("/etc/passwd")}, thread(7, 7), 0);
  recorded.row(10, 150, {text("sh"), number(4), text("/tmp/x")}, thread(8, 9), 1);
  recorded.row(11, 200, {text("sh"), number(1)}, thread(8, 9), 1);
  recorded.row(10, 300, {text("cat"), number(~uint64_t{0}), text("")}, thread(7, 7), 0);
  return recorded;
}

}  // namespace

TEST_CASE("replay: rows fire in the order of their times, whatever their CPU") {
  Recorded recorded;
  recorded.probe(10, "read", {"arg0"});
  recorded.row(10, 100, {number(1)}, thread(7, 7), 0);
  recorded.row(10, 300, {number(3)}, thread(7, 7), 0);
  recorded.row(10, 200, {number(2)}, thread(8, 9), 1);
  const Outcome outcome = replayed(
      recorded,
      "made:::hit { printf(\"%d %d %d %d %d %s %s\\n\", arg0, timestamp, cpu, pid, tid, probefunc, probename); }");
  CHECK(outcome.printed == "1 100 0 7 7 read hit\n2 200 1 8 9 read hit\n3 300 0 7 7 read hit\n\n");
  CHECK(outcome.status == 0);
  CHECK(outcome.nr_rows == 3);
}

TEST_CASE("replay: aggregations are shown at the end") {
  CHECK(printed(reads_and_writes(), "made:::hit { @[execname] = count(); }", {.settings = {}}) ==
        "\n  cat                                                               2\n"
        "  sh                                                                2");
  CHECK(printed(reads_and_writes(),
                "made:::hit { @[probefunc, execname] = sum(arg0); } END { printa(\"%s %s %@d\\n\", @); }") ==
        "write sh 1\nread cat 2\nread sh 4\n");
}

TEST_CASE("replay: predicates, variables and control flow") {
  const std::string program =
      "BEGIN { x = 0; } made::read:hit /execname == \"cat\"/ { x = x * 10 + 1; self->n++; this->s = copyinstr(arg1); "
      "printf(\"%d %d '%s'\\n\", x, self->n, this->s); if (arg0 < 0) printf(\"negative %d\\n\", arg0); }"
      "made::write:hit { self->n = 100; x = 5; }";
  CHECK(printed(reads_and_writes(), program) == "1 1 '/etc/passwd'\n51 2 ''\nnegative -1\n");
}

TEST_CASE("replay: a row has the prefix of a live one") {
  const std::string program = "made::write:hit { trace(arg0); }";
  CHECK(printed(reads_and_writes(), program, {.settings = {}}) ==
        "                   FUNCTION:NAME\n                       write:hit                    1\n");
}

TEST_CASE("replay: BEGIN and END fire once, with rows of theirs or without") {
  const std::string program =
      "BEGIN { printf(\"begin %d %d\\n\", timestamp, pid); } made:::hit { n++; }"
      "END { printf(\"end %d %d\\n\", timestamp, n); }";
  CHECK(printed(reads_and_writes(), program) == "begin 100 0\nend 300 4\n");
  Recorded recorded;
  recorded.add(probe_of(1, "dtrace", "", "", "BEGIN"), {"execname"});
  recorded.add(probe_of(2, "dtrace", "", "", "END"), {"execname"});
  recorded.probe(10, "read", {"arg0"});
  recorded.row(1, 90, {text("dtrace")}, thread(5, 5));
  recorded.row(10, 100, {number(1)});
  recorded.row(2, 400, {text("ended")}, thread(5, 5));
  CHECK(printed(recorded, program) == "begin 90 5\nend 400 1\n");
  CHECK(printed(recorded, "BEGIN, END { trace(execname); }", {.settings = {{"quiet", ""}}}) == "dtraceended");
  // exit() comes before the row of END, whose leaves are still those of END.
  CHECK(printed(recorded, "made:::hit { exit(3); } END { printf(\"%s %d\", execname, timestamp); }") == "ended 100");
}

TEST_CASE("replay: exit() ends the run") {
  const Outcome outcome =
      replayed(reads_and_writes(),
               "made:::hit { printf(\"%d\\n\", timestamp); } made::write:hit { exit(3); } made:::hit { n++; } "
               "END { printf(\"n %d\\n\", n); }");
  CHECK(outcome.printed == "100\n150\n200\nn 2\n\n");
  CHECK(outcome.status == 3);
  const Outcome at_begin = replayed(reads_and_writes(), "BEGIN { exit(0); } made:::hit { n++; } END { trace(n); }");
  CHECK(at_begin.printed == "0\n");
}

TEST_CASE("replay: faults are reported, and ERROR sees them and the firing") {
  Recorded recorded;
  recorded.probe(10, "read", {"arg0", "copyinstr(arg1)", "execname"});
  recorded.row(10, 100, {number(1), fault(DT_FAULT_BADADDR, 0x1234), text("cat")});
  recorded.row(10, 200, {number(0), text("x"), text("sh")});
  const std::string program =
      "made:::hit { printf(\"%s\\n\", copyinstr(arg1)); } made:::hit { trace(10 / arg0); }"
      "ERROR { printf(\"error %d %d %x %s %s\\n\", arg2, arg4, arg5, execname, probename); }";
  const Outcome outcome = replayed(recorded, program);
  CHECK(outcome.printed == "error 0 1 1234 cat ERROR\n10x\nerror 1 4 0 sh ERROR\n\n");
  REQUIRE(outcome.messages.size() == 2);
  CHECK_THAT(outcome.messages[0], Catch::Matchers::Contains("invalid address (0x1234)"));
  CHECK_THAT(outcome.messages[1], Catch::Matchers::Contains("divide-by-zero"));
  CHECK(outcome.status == 0);
}

TEST_CASE("replay: NULL is no text") {
  Recorded recorded;
  recorded.probe(10, "read", {"args[1] == NULL ? 0 : 1", "execname"});
  recorded.row(10, 100, {number(0), null()});
  recorded.row(10, 200, {number(9), text("sh")});
  CHECK(printed(recorded, "made:::hit { printf(\"%d\\n\", execname == NULL); }") == "1\n0\n");
}

TEST_CASE("replay: speculations") {
  CHECK(printed(reads_and_writes(),
                "BEGIN { self->s = 0; } made::read:hit /execname == \"sh\"/ { self->s = speculation(); }"
                "made:::hit /self->s/ { speculate(self->s); printf(\"%d\\n\", timestamp); }"
                "made::write:hit /self->s/ { commit(self->s); self->s = 0; }") == "150\n200\n");
}

TEST_CASE("replay: clocks that were not recorded fire by the time of the rows") {
  Recorded recorded;
  recorded.probe(10, "read", {"arg0"});
  for (uint64_t i = 0; i <= 4; ++i) recorded.row(10, kSecond * 100 + i * kSecond / 2, {number(i)});
  const std::string program =
      "made:::hit { @ = count(); } tick-1s { printf(\"%d:\", (timestamp - 100000000000) / 1000000); printa(\" "
      "%@d\\n\", @); clear(@); }"
      "END { printa(\"end %@d\\n\", @); }";
  CHECK(printed(recorded, program) == "1000: 2\n2000: 2\nend 1\n");
  CHECK(printed(recorded, "tick-2hz, profile-1 { printf(\"%s \", probename); }") ==
        "tick-2hz tick-2hz profile-1 tick-2hz tick-2hz profile-1 ");
  CHECK(printed(recorded, "made:::hit { n++; } END { trace(n); }", {.settings = {{"quiet", ""}, {"duration", "1s"}}}) ==
        "3");
}

TEST_CASE("replay: an interrupt ends the run with END") {
  Recorded recorded;
  recorded.probe(10, "read", {"arg0"});
  for (uint64_t i = 0; i < 5000; ++i) recorded.row(10, 100 + i, {number(i)});
  const Outcome outcome = replayed(recorded, "made:::hit { n++; } END { trace(n < 5000); }", {.ends = true});
  CHECK_THAT(outcome.printed, Catch::Matchers::EndsWith("1\n"));
}

TEST_CASE("replay: flowindent looks ahead on the CPU of a row") {
  Recorded recorded;
  for (uint32_t i = 0; i < 2; ++i)
    recorded.add(probe_of(20 + i, "fbt", "vmlinux", "f", i == 0 ? "entry" : "return"), {});
  recorded.row(20, 100, {}, thread(7, 7), 0);
  recorded.row(20, 110, {}, thread(8, 8), 1);
  recorded.row(21, 200, {}, thread(7, 7), 0);
  recorded.row(21, 210, {}, thread(8, 8), 1);
  CHECK(printed(recorded, "fbt::: { }", {.settings = {{"flowindent", ""}}}) ==
        "FUNCTION                                 \n"
        " -> f                                     \n"
        " -> f                                     \n"
        " <- f                                     \n"
        " <- f                                     \n");
}

TEST_CASE("replay: what was not recorded is an error of the program") {
  const Outcome uid = replayed(reads_and_writes(), "made:::hit { trace(uid); }");
  CHECK(uid.error == "[D_NOT_RECORDED] 'uid' was not recorded at made:up:read:hit and 1 more probe");
  CHECK(uid.notes ==
        std::vector<std::string>{"record it with: dtrace --record FILE -n 'made:up:read:hit { trace(uid); }'"});
  CHECK(replayed(reads_and_writes(), "made::write:hit { trace(copyinstr(arg1)); }").error ==
        "[D_NOT_RECORDED] 'copyinstr(arg1)' was not recorded at made:up:write:hit");
  CHECK(replayed(reads_and_writes(), "made::read:hit { this->p = arg1; trace(copyinstr(this->p)); }").error ==
        "[D_NOT_RECORDED] 'arg1' was not recorded at made:up:read:hit");
  CHECK(replayed(reads_and_writes(), "made::read:hit { this->p = arg0; trace(copyinstr(this->p)); }").error ==
        "[D_NOT_RECORDED] 'copyinstr(this->p)' depends on what the program has computed: no recording can have it");
  CHECK(replayed(reads_and_writes(), "tick-1s { trace(execname); }").error ==
        "[D_NOT_RECORDED] 'execname' was not recorded at profile:::tick-1s");
  CHECK(replayed(reads_and_writes(), "made:::hit { trace(1); } ERROR { trace(uid); }").error ==
        "[D_NOT_RECORDED] 'uid' was not recorded at made:up:read:hit and 1 more probe");
}

TEST_CASE("replay: other programs that cannot run on the recording") {
  CHECK_THAT(replayed(reads_and_writes(), "io:::start { trace(1); }").error,
             Catch::Matchers::Contains("[D_PDESC_ZERO]"));
  CHECK(replayed(reads_and_writes(), "made:::hit { system(\"date\"); }").error ==
        "a replay changes nothing: the program has destructive actions");
  CHECK_THAT(replayed(reads_and_writes(), "made:::hit { trace(`jiffies); }").error,
             Catch::Matchers::Contains("jiffies"));
}

TEST_CASE("replay: a clause whose leaf a row does not have ends there, and that is reported") {
  Recorded recorded;
  recorded.probe(10, "read", {"arg0"});
  recorded.row(10, 100, {recording::nothing()});
  recorded.row(10, 200, {number(5)});
  const Outcome outcome = replayed(recorded, "made:::hit { printf(\"%d\\n\", arg0); }");
  CHECK(outcome.printed == "5\n\n");
  CHECK(outcome.messages ==
        std::vector<std::string>{"the recording has no value of arg0 at 1 firing of dt_clause_0, which ended there"});
}

TEST_CASE("replay: what the recording has lost is reported") {
  Recorded recorded = reads_and_writes();
  recorded.lose({"RingFull", "CPU 1", 5});
  recorded.lose({"Unknown", "CPU 1", 2});
  const Outcome outcome = replayed(recorded, "made:::hit { @ = count(); }");
  REQUIRE(outcome.messages.size() == 2);
  CHECK(outcome.messages[0] == "the recording has lost 2 of Unknown at CPU 1");
  CHECK_THAT(outcome.messages[1], Catch::Matchers::Contains("5 "));
}

TEST_CASE("replay: a recording that is cut ends early, with END") {
  Recorded recorded;
  recorded.probe(10, "read", {"arg0"});
  for (uint64_t i = 0; i < 100; ++i) recorded.row(10, 100 + i, {number(i)});
  const std::string bytes = recorded.bytes();
  const std::unique_ptr<recording::Reader> reader = Recorded::opened(bytes.substr(0, bytes.size() - 20));
  const Outcome outcome = replayed(*reader, "END { trace(\"done\"); } made:::hit { n++; }");
  CHECK(outcome.printed == "done\n");
}

TEST_CASE("replay: stacks and symbols have the names that the recording has") {
  Recorded recorded;
  recorded.probe(10, "read", {"stack()", "arg0"});
  std::string stack(24, '\0');
  const uint64_t frames[] = {0xffff1000, 0xffff2000};
  std::memcpy(stack.data(), frames, sizeof frames);
  recorded.name({recording::Name::Kind::kKernelSymbol, true, 0, 0, 0xffff1000, {"vmlinux`vfs_read+0x10"}});
  recorded.name({recording::Name::Kind::kKernelSymbol, false, 0, 0, 0xffff1000, {"vmlinux`vfs_read"}});
  recorded.row(10, 100, {recording::bytes(stack), number(0xffff1000)});
  const Outcome outcome =
      replayed(recorded, "made:::hit { @[stack()] = count(); } made:::hit { printf(\"%a\\n\", arg0); }");
  CHECK(
      outcome.printed ==
      "vmlinux`vfs_read+0x10\n\n\n              vmlinux`vfs_read+0x10\n              0xffff2000\n                1\n");
}

TEST_CASE("replay: walltimestamp needs the clocks of the recorded machine") {
  Recorded recorded;
  recorded.probe(10, "read", {"arg0"});
  recorded.row(10, 100, {number(1)});
  CHECK(replayed(recorded, "made:::hit { trace(walltimestamp); }").error ==
        "[D_NOT_RECORDED] 'walltimestamp' was not recorded at made:up:read:hit");
  recorded.fact("clock.monotonic_ns", "50");
  recorded.fact("clock.realtime_ns", "1000");
  CHECK(printed(recorded, "made:::hit { printf(\"%d\", walltimestamp); }") == "1050");
  // JSON begins with both clocks of the recorded machine at one time.
  CHECK_THAT(replayed(recorded, "made:::hit { trace(arg0); }", {.settings = {{"format", "json"}}}).printed,
             Catch::Matchers::Contains("\"monotonic_ns\":100,\"realtime_ns\":1050,"));
}
