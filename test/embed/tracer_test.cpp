// SPDX-License-Identifier: Apache-2.0
// Tracers inside a program. The programs trace this process, whose firings are counted beforehand.
#include <dirent.h>
#include <dtrace/tracer.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

using namespace libdtrace;
using namespace std::chrono_literals;

namespace {

struct Kept final : Listener {
  void row(const Row &row) override { rows.push_back(row); }
  void aggregation(const Aggregation &aggregation) override { aggregations[aggregation.name] = aggregation; }
  void fault(const Fault &fault) override { faults.push_back(fault); }
  void lost(const Loss &loss) override { losses.push_back(loss); }
  void message(std::string_view text) override { messages.emplace_back(text); }

  std::vector<Row> rows;
  std::map<std::string, Aggregation> aggregations;
  std::vector<Fault> faults;
  std::vector<Loss> losses;
  std::vector<std::string> messages;
};

/// Fires in this process only: getpriority(2), which nothing else here calls.
constexpr std::string_view kOurs = "syscall::getpriority:entry /pid == $pid/";
void fire(int count) {
  for (int i = 0; i < count; ++i) (void)syscall(SYS_getpriority, 0, 0);
}
void require(const Outcome &outcome) {
  INFO(outcome.message());
  REQUIRE(outcome);
}
/// Until it ends by itself.
void run(Tracer &tracer) {
  while (tracer.step()) {
  }
  require(tracer.stop());
}

size_t entries_of(const char *directory) {
  size_t count = 0;
  DIR *dir = opendir(directory);
  while (readdir(dir) != nullptr) ++count;
  closedir(dir);
  return count;
}
uint64_t resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmRSS:") {
      uint64_t kib = 0;
      status >> kib;
      return kib;
    }
  return 0;
}

}  // namespace

TEST_CASE("embed: values of every kind") {
  Kept kept;
  Tracer tracer;
  require(tracer.set_option("quiet"));
  require(tracer.add_program(std::string(kOurs) +
                             "{ trace(-5); trace(7ULL); trace(\"text\"); stack(3); ustack(3); printf(\"%d of %s\", "
                             "++n, execname); sym((uintptr_t)curthread); trace(curthread->pid); }"));
  require(tracer.add_program("BEGIN { print(curthread->se.load); tracemem(curthread, 4); }"));
  require(tracer.start(kept));
  fire(2);
  tracer.request_stop();
  run(tracer);
  REQUIRE(kept.rows.size() == 3);
  const Row &begin = kept.rows[0];
  CHECK(begin.probe.name == "BEGIN");
  REQUIRE(begin.items.size() == 2);
  const auto &load = std::get<Object>(begin.items[0].values.at(0));
  CHECK(load.type == "struct load_weight");
  CHECK(load.json.starts_with("{\"weight\":"));
  CHECK(std::get<Object>(begin.items[1].values.at(0)).bytes.size() == 4);
  const Row &row = kept.rows[2];
  CHECK(row.probe.provider == "syscall");
  CHECK(row.probe.function == "getpriority");
  CHECK(row.clause == "dt_clause_0");
  REQUIRE(row.items.size() == 8);
  CHECK(row.items[0].action == "trace");
  CHECK(std::get<int64_t>(row.items[0].values[0]) == -5);
  CHECK(std::get<uint64_t>(row.items[1].values[0]) == 7);
  CHECK(std::get<std::string>(row.items[2].values[0]) == "text");
  CHECK(std::get<Stack>(row.items[3].values[0]).pid == 0);
  const auto &user = std::get<Stack>(row.items[4].values[0]);
  CHECK(user.pid == getpid());
  REQUIRE_FALSE(user.frames.empty());
  CHECK(user.frames[0].symbol.find("`syscall+") != std::string::npos);
  CHECK(row.items[5].action == "printf");
  CHECK(row.items[5].text == "2 of " + [] {
    char name[16] = {};
    prctl(PR_GET_NAME, name);
    return std::string(name);
  }());
  CHECK(std::get<int64_t>(row.items[5].values[0]) == 2);
  const auto &symbol = std::get<Symbol>(row.items[6].values[0]);
  CHECK(symbol.pid == 0);
  CHECK(symbol.address > uint64_t{1} << 63);
  CHECK_FALSE(symbol.name.empty());
  CHECK(std::get<int64_t>(row.items[7].values[0]) == getpid());
  // The first stacks of processes that are no targets may be cut.
  CHECK(std::ranges::all_of(kept.losses, [](const Loss &loss) { return loss.cause == "StackNoTable"; }));
}

TEST_CASE("embed: aggregations, as they are and at the end") {
  Kept kept;
  Tracer tracer;
  require(tracer.add_program(
      std::string(kOurs) +
      "{ @calls[execname, 3] = count(); @sizes = quantize(n); @few = lquantize(n, 0, 4, 2); n++; }"));
  require(tracer.start(kept));
  fire(3);
  require(tracer.show_aggregations());
  REQUIRE(kept.aggregations["calls"].entries.size() == 1);
  CHECK(kept.aggregations["calls"].entries[0].value == 3);
  fire(4);
  tracer.request_stop();
  run(tracer);
  const Aggregation &calls = kept.aggregations["calls"];
  CHECK(calls.function == "count");
  CHECK(calls.entries[0].value == 7);
  CHECK(std::get<int64_t>(calls.entries[0].keys.at(1)) == 3);
  const std::vector<Bucket> &sizes = kept.aggregations["sizes"].entries.at(0).buckets;
  REQUIRE(sizes.size() == 4);  // 0, 1, 2 to 3, 4 to 7
  CHECK(sizes[3].least == 4);
  CHECK(sizes[3].greatest == 7);
  CHECK(sizes[3].count == 3);
  const std::vector<Bucket> &few = kept.aggregations["few"].entries.at(0).buckets;
  REQUIRE(few.size() == 3);
  CHECK_FALSE(few[2].greatest);
  CHECK(few[2].count == 3);
  CHECK_FALSE(tracer.show_aggregations());
}

TEST_CASE("embed: what is wrong with a program is a value") {
  Tracer tracer;
  const Outcome wrong = tracer.add_program("BEGIN { trace(nosuch); }\nEND { trace(strlen(1, 2)); }");
  REQUIRE_FALSE(wrong);
  REQUIRE(wrong.diagnostics().size() == 2);
  CHECK(wrong.diagnostics()[0].tag == "D_IDENT_UNDEF");
  CHECK(wrong.diagnostics()[0].line == 1);
  CHECK(wrong.diagnostics()[0].column == 15);
  CHECK(wrong.diagnostics()[1].tag == "D_PROTO_LEN");
  CHECK(wrong.diagnostics()[1].line == 2);
  CHECK(wrong.message().find("nosuch") != std::string::npos);
  Tracer other;
  const Outcome option = other.set_option("bufsizes", "4m");
  REQUIRE_FALSE(option);
  CHECK(option.message() == "failed to set bufsizes: Invalid option name\n  note: did you mean bufsize?");
  CHECK_FALSE(other.add_script("/nonexistent.d"));
  Kept kept;
  Tracer nothing;
  CHECK(nothing.start(kept).message() == "no probes specified");
  CHECK_FALSE(nothing.step());
  CHECK(nothing.poll_fd() == -1);
}

TEST_CASE("embed: losses have a place, and actions without effect are reported") {
  Kept kept;
  Tracer tracer;
  require(tracer.set_option("nspec", "1"));
  require(tracer.set_option("destructive"));
  require(tracer.add_program("BEGIN { s = speculation(); t = speculation(); freopen(\"/tmp/x\"); exit(0); }"));
  require(tracer.start(kept));
  run(tracer);
  REQUIRE(kept.losses.size() == 1);
  CHECK(kept.losses[0].cause == "SpecUnavailable");
  CHECK(kept.losses[0].count == 1);
  CHECK(kept.losses[0].where == "dt_clause_0");
  CHECK(kept.losses[0].cpu.has_value());
  const auto is_of_freopen = [](const std::string &text) {
    return text.find("no output to redirect") != std::string::npos;
  };
  CHECK(std::any_of(kept.messages.begin(), kept.messages.end(), is_of_freopen));
}

TEST_CASE("embed: warnings from before a listener come with the failure") {
  Tracer tracer;
  require(tracer.set_option("syslibdir", "/nonexistent"));
  const Outcome wrong = tracer.add_program("BEGIN { trace(EPERM); }");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.message().starts_with("warning: no D libraries in /nonexistent: No such file or directory\n"));
}

TEST_CASE("embed: a step waits no longer than it is told") {
  Kept kept;
  Tracer tracer;
  require(tracer.add_program(std::string(kOurs) + "{ trace(1); }"));
  require(tracer.start(kept));
  fire(3);
  while (kept.rows.size() < 3) REQUIRE(tracer.step(1ms));
}

TEST_CASE("embed: probes there are") {
  Tracer tracer;
  std::vector<Probe> probes;
  require(tracer.list_probes("syscall::getpriority:", probes));
  REQUIRE(probes.size() == 2);
  CHECK(probes[0].provider == "syscall");
  CHECK(probes[0].function == "getpriority");
  CHECK(probes[0].name == "entry");
  CHECK(probes[1].name == "return");
  probes.clear();
  require(tracer.list_probes("BEGIN", probes));
  REQUIRE(probes.size() == 1);
  CHECK(probes[0].provider == "dtrace");
  probes.clear();
  require(tracer.list_probes("nosuch:::", probes));
  CHECK(probes.empty());
  CHECK_FALSE(tracer.list_probes("a:b:c:d:e", probes));
}

TEST_CASE("embed: a fault, an exit status, a command") {
  Kept kept;
  Tracer tracer;
  require(tracer.run_command("/bin/sh -c 'exit 3'"));
  require(tracer.add_program("BEGIN { x = *(int *)0; } proc:::exit /pid == $target/ { exit(42); }"));
  require(tracer.start(kept));
  run(tracer);
  CHECK(tracer.exit_status() == 42);
  REQUIRE(kept.faults.size() == 1);
  CHECK(kept.faults[0].message == "invalid address");
  CHECK(kept.faults[0].value == 0);
  CHECK(kept.faults[0].probe.name == "BEGIN");
}

TEST_CASE("embed: in a loop of the program's own") {
  Kept kept;
  Tracer tracer;
  require(tracer.add_program(std::string(kOurs) + "{ trace(1); }"));
  require(tracer.start(kept));
  const int fd = tracer.poll_fd();
  REQUIRE(fd >= 0);
  fire(5);
  pollfd ready{fd, POLLIN, 0};
  while (kept.rows.size() < 5) {
    REQUIRE(poll(&ready, 1, 10'000) == 1);
    REQUIRE(tracer.step(0ms));
  }
  // Another thread ends it while this one waits.
  std::thread ender([&] { tracer.request_stop(); });
  while (tracer.step()) {
  }
  ender.join();
  require(tracer.stop());
  CHECK(kept.rows.size() == 5);
}

TEST_CASE("embed: two at once, each with its own") {
  Kept ours, theirs;
  Tracer first, second;
  require(first.add_program(std::string(kOurs) + "{ trace(1); @n = count(); }"));
  require(second.set_option("temporal", "no"));
  require(second.add_program(std::string(kOurs) + "{ trace(\"two\"); }"));
  require(second.add_program("syscall::getppid:entry /pid == $pid/ { trace(2); }"));
  require(first.start(ours));
  fire(1);
  require(second.start(theirs));
  fire(2);
  (void)syscall(SYS_getppid);
  first.request_stop();
  run(first);
  fire(4);
  second.request_stop();
  run(second);
  CHECK(ours.rows.size() == 3);
  CHECK(ours.aggregations["n"].entries.at(0).value == 3);
  CHECK(theirs.rows.size() == 7);
  CHECK(ours.losses.empty());
  CHECK(theirs.losses.empty());
}

TEST_CASE("embed: one in each of two threads") {
  const auto trace = [](int64_t &count) {
    Kept kept;
    Tracer tracer;
    if (!tracer.add_program("syscall::getpgid:entry /tid == $1/ { @n = count(); }", {std::to_string(gettid())})) return;
    if (!tracer.start(kept)) return;
    for (int i = 0; i < 100; ++i) (void)syscall(SYS_getpgid, 0);
    tracer.request_stop();
    while (tracer.step()) {
    }
    if (tracer.stop()) count = kept.aggregations["n"].entries.at(0).value;
  };
  int64_t first = 0, second = 0;
  std::thread a(trace, std::ref(first)), b(trace, std::ref(second));
  a.join();
  b.join();
  CHECK(first == 100);
  CHECK(second == 100);
}

TEST_CASE("embed: printing as dtrace does") {
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  Kept kept;
  {
    Tracer tracer;
    require(tracer.set_option("quiet"));
    require(tracer.add_program("BEGIN { printf(\"%s\\n\", \"hello\"); exit(0); }"));
    require(tracer.start_printing(ends[1], kept));
    run(tracer);
  }
  char text[64] = {};
  CHECK(read(ends[0], text, sizeof text - 1) > 0);
  CHECK(std::string(text) == "hello\n\n");
  close(ends[0]);
  close(ends[1]);
}

// DTRACE_EMBED_ROUNDS: how many; 1000 take minutes.
TEST_CASE("embed: one after the other, and nothing stays") {
  const char *wanted = std::getenv("DTRACE_EMBED_ROUNDS");
  const int rounds = wanted != nullptr ? std::atoi(wanted) : 30;
  const auto round = [] {
    Kept kept;
    Tracer tracer;
    require(
        tracer.add_program(std::string(kOurs) + "{ @[ustack(5)] = count(); } BEGIN { trace(curpsinfo->pr_fname); }"));
    require(tracer.start(kept));
    fire(3);
    tracer.request_stop();
    run(tracer);
    // The first stack may end where a table is not there yet, which makes it a key of its own.
    int64_t fired = 0;
    for (const auto &entry : kept.aggregations["_"].entries) fired += entry.value;
    CHECK(fired == 3);
  };
  for (int i = 0; i < 10; ++i) round();  // what is made once is made
  const size_t fds = entries_of("/proc/self/fd"), threads = entries_of("/proc/self/task");
  const uint64_t kib = resident_kib();
  for (int i = 0; i < rounds; ++i) round();
  CHECK(entries_of("/proc/self/fd") == fds);
  CHECK(entries_of("/proc/self/task") == threads);
#ifndef __SANITIZE_ADDRESS__  // which holds back what is freed, and looks for leaks itself
  // The allocator's holes vary; a leak of one round's tables would be megabytes each.
  CHECK(resident_kib() < kib + 16 * 1024 + static_cast<uint64_t>(rounds) * 8);
#endif
  std::printf("after %d more tracers: %+lld KiB\n", rounds,
              static_cast<long long>(resident_kib()) - static_cast<long long>(kib));
}
