// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "runtime/foreign/process_maps.h"
#include "runtime/process/target.h"
#include "runtime/process/target_set.h"
#include "runtime/symbols/user_symbols.h"
#include "test/unit/runtime/fixture_process.h"
#include "test/unit/runtime/kernel_lacks.h"

namespace dtrace::runtime {
namespace {

constexpr int kWaitMs = 20000;  // only ever reached by a failure

/// Waits on the descriptor, then polls.
std::string end_of(Target &target) {
  pollfd fd{target.poll_fd(), POLLIN, 0};
  if (::poll(&fd, 1, kWaitMs) != 1) return "still running";
  const auto notice = target.poll();
  return notice ? notice->text() : "no notice";
}

std::string pid_text(const Target &target) { return "pid " + std::to_string(target.pid()); }

bool is_alive(pid_t pid) { return ::kill(pid, 0) == 0; }

TEST_CASE("target: a command is split at blanks outside of quotes") {
  using Words = std::vector<std::string>;
  const auto words = [](const char *command) {
    const Result<Words> split = split_command(command);
    return split ? *split : Words{"error: " + split.error().text()};
  };
  CHECK(words("a b") == Words{"a", "b"});
  CHECK(words("  a\t\nb\v\f\r c ") == Words{"a", "b", "c"});
  CHECK(words("sh -c 'exit 3'") == Words{"sh", "-c", "exit 3"});
  CHECK(words("a'b c'\"d e\"f ''") == Words{"ab cd ef", ""});
  CHECK(words("'a\\b\"c' \"a\\\"b\\\\c\\d'\"") == Words{"a\\b\"c", "a\"b\\c\\d'"});
  CHECK(words("a\\ b \\' \\\\ c\\") == Words{"a b", "'", "\\", "c\\"});
  CHECK(words("") == Words{""});
  CHECK(words(" ") == Words{""});
  CHECK(words("a 'b") == Words{"error: the command has an unmatched '"});
  CHECK(words("a \"b\\\"") == Words{"error: the command has an unmatched \""});
}

TEST_CASE("target: names of signals and evaltimes") {
  CHECK(signal_name(SIGSEGV) == "SIGSEGV");
  CHECK(signal_name(SIGKILL) == "SIGKILL");
  CHECK(signal_name(SIGRTMIN + 2) == "SIGRTMIN+2");
  CHECK(signal_name(0) == "signal 0");
  CHECK(parse_evaltime("preinit") == EvalTime::kPreinit);
  CHECK_FALSE(parse_evaltime("Main"));
  CHECK_FALSE(parse_evaltime(""));
  for (const EvalTime when : {EvalTime::kExec, EvalTime::kPreinit, EvalTime::kPostinit, EvalTime::kMain}) {
    CHECK(parse_evaltime(evaltime_name(when)) == when);
  }
}

TEST_CASE("target: texts of the notices") {
  using Cause = ExitNotice::Cause;
  CHECK(ExitNotice{7, Cause::kUnknown, 0, false}.text() == "pid 7 has exited");
  CHECK(ExitNotice{7, Cause::kExited, 0, false}.text() == "pid 7 has exited");
  CHECK(ExitNotice{7, Cause::kExited, 3, false}.text() == "pid 7 exited with status 3");
  CHECK(ExitNotice{7, Cause::kSignalled, SIGSEGV, false}.text() == "pid 7 terminated by SIGSEGV");
  CHECK(ExitNotice{7, Cause::kSignalled, SIGSEGV, true}.text() == "pid 7 terminated by SIGSEGV (core dumped)");
}

TEST_CASE("target: what cannot be executed") {
  SKIP_WITHOUT(kPtrace);
  const auto error_of = [](const char *command) {
    const Result<Target> target = Target::create(command, EvalTime::kPostinit);
    return target ? std::string("created") : target.error().text();
  };
  CHECK(error_of("/nonexistent/command with args") ==
        "failed to execute /nonexistent/command: No such file or directory");
  CHECK(error_of("no-such-command-anywhere") ==
        "failed to execute no-such-command-anywhere: No such file or directory");
  CHECK(error_of("/etc/passwd") == "failed to execute /etc/passwd: Permission denied");
  CHECK(error_of("/tmp") == "failed to execute /tmp: Permission denied");
  CHECK(error_of("") == "failed to execute : No such file or directory");
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);  // nothing left to reap
}

struct HoldCase {
  const char *program;
  EvalTime when;
  EvalTime held_at;
  const char *said;  // before it is let go
  const char *all;   // in the end
};

TEST_CASE("target: held where evaltime says") {
  SKIP_WITHOUT(kPtrace);
  using E = EvalTime;
  const HoldCase cases[] = {
      {"stages_pie", E::kExec, E::kExec, "", "lxm"},
      {"stages_pie", E::kPreinit, E::kPreinit, "", "lxm"},
      {"stages_pie", E::kPostinit, E::kPostinit, "l", "lxm"},
      {"stages_pie", E::kMain, E::kMain, "lx", "lxm"},
      {"stages_nopie", E::kExec, E::kExec, "", "lxm"},
      {"stages_nopie", E::kPreinit, E::kPreinit, "", "lxm"},
      {"stages_nopie", E::kPostinit, E::kPostinit, "l", "lxm"},
      {"stages_nopie", E::kMain, E::kMain, "lx", "lxm"},
      // Without a symbol main comes from __libc_start_main, which runs our own constructor only afterwards.
      {"stages_stripped", E::kPostinit, E::kPostinit, "l", "lxm"},
      {"stages_stripped", E::kMain, E::kMain, "lx", "lxm"},
      {"stages_static", E::kExec, E::kExec, "", "xm"},
      {"stages_static", E::kPreinit, E::kExec, "", "xm"},
      {"stages_static", E::kPostinit, E::kPostinit, "", "xm"},
      {"stages_static", E::kMain, E::kMain, "x", "xm"},
      {"stages_static_pie", E::kPreinit, E::kExec, "", "xm"},
      {"stages_static_pie", E::kPostinit, E::kPostinit, "", "xm"},
      {"stages_static_pie", E::kMain, E::kMain, "x", "xm"},
      {"stages_static_stripped", E::kPostinit, E::kPostinit, "", "xm"},
      {"stages_static_stripped", E::kMain, E::kPostinit, "", "xm"},
  };
  for (const HoldCase &c : cases) {
    INFO(c.program << " " << evaltime_name(c.when));
    InheritedPipe pipe = InheritedPipe::create();
    const std::string command = fixture_path(c.program) + " " + std::to_string(pipe.write_end.get()) + " 3";
    Result<Target> target = Target::create(command, c.when);
    INFO((target ? std::string() : target.error().text()));
    REQUIRE(target);
    CHECK(evaltime_name(target->held_at()) == evaltime_name(c.held_at));
    CHECK(target->is_held());
    CHECK(pipe.written() == c.said);
    CHECK_FALSE(target->poll());
    CHECK(is_alive(target->pid()));

    const std::string text = pid_text(*target) + " exited with status 3";
    REQUIRE(target->resume());
    CHECK_FALSE(target->is_held());
    CHECK(end_of(*target) == text);
    CHECK(target->has_ended());
    CHECK_FALSE(target->poll());
    CHECK((c.said + pipe.written()) == c.all);
  }
}

TEST_CASE("target: the shared objects are mapped, the program is whole and no longer traced") {
  SKIP_WITHOUT(kPtrace);
  InheritedPipe pipe = InheritedPipe::create();
  for (const EvalTime when : {EvalTime::kPreinit, EvalTime::kPostinit, EvalTime::kMain}) {
    INFO(evaltime_name(when));
    const std::string command = fixture_path("stages_pie") + " " + std::to_string(pipe.write_end.get()) + " wait";
    Result<Target> target = Target::create(command, when);
    INFO((target ? std::string() : target.error().text()));
    REQUIRE(target);
    const auto maps = read_process_maps(target->pid());
    REQUIRE(maps);
    const auto has = [&maps](std::string_view name) {
      return std::any_of(maps->maps.begin(), maps->maps.end(),
                         [name](const MapEntry &map) { return object_name(map.path) == name; });
    };
    CHECK(has("libstages.so"));
    CHECK(has("libc.so.6"));
    // A breakpoint left behind would be a difference between memory and file.
    const MapEntry *code = nullptr;
    for (const MapEntry &map : maps->maps) {
      if (map.executable && object_name(map.path) == "stages_pie") code = &map;
    }
    REQUIRE(code != nullptr);
    std::string in_memory(code->end - code->start, '\0');
    std::ifstream memory("/proc/" + std::to_string(target->pid()) + "/mem", std::ios::binary);
    memory.seekg(static_cast<std::streamoff>(code->start));
    memory.read(in_memory.data(), static_cast<std::streamsize>(in_memory.size()));
    std::string in_file(in_memory.size(), '\0');
    std::ifstream file(fixture_path("stages_pie"), std::ios::binary);
    file.seekg(static_cast<std::streamoff>(code->offset));
    file.read(in_file.data(), static_cast<std::streamsize>(in_file.size()));
    const auto n = static_cast<size_t>(file.gcount());
    CHECK(n > 100);
    CHECK(in_memory.substr(0, n) == in_file.substr(0, n));

    REQUIRE(target->resume());
    std::ifstream status("/proc/" + std::to_string(target->pid()) + "/status");
    std::string line;
    while (std::getline(status, line) && !line.starts_with("TracerPid:")) {
    }
    CHECK(line == "TracerPid:\t0");
  }
}

TEST_CASE("target: symbols of a command that has ended") {
  SKIP_WITHOUT(kPtrace);
  Result<Target> target = Target::create("/bin/true", EvalTime::kPostinit);
  REQUIRE(target);
  UserSymbols symbols;
  CHECK(symbols.remember(target->pid()));
  const auto code_of_libc = [](pid_t pid) {
    const auto maps = read_process_maps(pid);
    REQUIRE(maps);
    for (const MapEntry &map : maps->maps)
      if (map.executable && object_name(map.path) == "libc.so.6") return map.start;
    return uint64_t{0};
  };
  const uint64_t ours = code_of_libc(getpid()), its = code_of_libc(target->pid());
  REQUIRE(ours != 0);
  REQUIRE(its != 0);
  // A function of libc that is in its table of symbols, with and without debug information.
  const uint64_t function = its + (reinterpret_cast<uint64_t>(&getenv) - ours);
  REQUIRE(target->resume());
  CHECK(end_of(*target) == pid_text(*target) + " has exited");
  CHECK(symbols.resolve(target->pid(), function).object == "libc.so.6");
  CHECK(symbols.resolve(target->pid(), function).symbol == "getenv");
}

TEST_CASE("target: a child forked before the hold point is free of our breakpoints") {
  SKIP_WITHOUT(kPtrace);
  for (const EvalTime when : {EvalTime::kPostinit, EvalTime::kMain}) {
    INFO(evaltime_name(when));
    InheritedPipe pipe = InheritedPipe::create();
    const std::string command = fixture_path("stages_fork") + " " + std::to_string(pipe.write_end.get()) + " 0";
    Result<Target> target = Target::create(command, when);
    INFO((target ? std::string() : target.error().text()));
    REQUIRE(target);
    REQUIRE(target->resume());
    CHECK(end_of(*target) == pid_text(*target) + " has exited");
    // Two processes reached main: one library constructor, two of the program's own, two mains.
    pipe.write_end.reset();
    std::string said = pipe.written(kWaitMs);
    std::sort(said.begin(), said.end());
    CHECK(said == "lmmxx");
  }
}

TEST_CASE("target: a program that execs another one on its way") {
  SKIP_WITHOUT(kPtrace);
  InheritedPipe pipe = InheritedPipe::create();
  const std::string fd = std::to_string(pipe.write_end.get());
  const std::string command =
      fixture_path("stages_exec") + " " + fd + " 1 " + fixture_path("stages_pie") + " " + fd + " 5";
  Result<Target> target = Target::create(command, EvalTime::kMain);
  REQUIRE(target);
  CHECK(target->held_at() == EvalTime::kMain);
  CHECK(pipe.written() == "lxlx");
  REQUIRE(target->resume());
  CHECK(end_of(*target) == pid_text(*target) + " exited with status 5");
  CHECK(pipe.written() == "m");
}

TEST_CASE("target: a program that ends before its hold point") {
  SKIP_WITHOUT(kPtrace);
  // The dynamic linker finds no program and never comes to an entry point. Its message is not for the test's log.
  const Fd own_stderr(::fcntl(2, F_DUPFD_CLOEXEC, 3));
  const Fd null(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  ::dup2(null.get(), 2);
  Result<Target> target = Target::create("/lib64/ld-linux-x86-64.so.2 /nonexistent/program", EvalTime::kMain);
  ::dup2(own_stderr.get(), 2);
  if (!target) {
    WARN("skipped: " << target.error().text());
    return;
  }
  REQUIRE(target->resume());
  CHECK(end_of(*target) == pid_text(*target) + " exited with status 127");
}

TEST_CASE("target: deaths by signal") {
  SKIP_WITHOUT(kPtrace);
  rlimit limit{};
  REQUIRE(::getrlimit(RLIMIT_CORE, &limit) == 0);
  const rlimit none{0, limit.rlim_max};
  ::setrlimit(RLIMIT_CORE, &none);
  for (const auto &[how, text] : {std::pair("segv", "SIGSEGV"), std::pair("kill", "SIGKILL")}) {
    InheritedPipe pipe = InheritedPipe::create();
    const std::string command =
        fixture_path("stages_pie") + " " + std::to_string(pipe.write_end.get()) + " " + std::string(how);
    Result<Target> target = Target::create(command, EvalTime::kPostinit);
    INFO((target ? std::string() : target.error().text()));
    REQUIRE(target);
    REQUIRE(target->resume());
    CHECK(end_of(*target) == pid_text(*target) + " terminated by " + text);
  }
  ::setrlimit(RLIMIT_CORE, &limit);
}

TEST_CASE("target: signals for a held command wait until it is let go") {
  SKIP_WITHOUT(kPtrace);
  InheritedPipe pipe = InheritedPipe::create();
  const std::string command = fixture_path("stages_pie") + " " + std::to_string(pipe.write_end.get()) + " wait";
  Result<Target> target = Target::create(command, EvalTime::kPostinit);
  REQUIRE(target);
  ::kill(target->pid(), SIGINT);
  CHECK_FALSE(target->poll());
  REQUIRE(target->resume());
  CHECK(end_of(*target) == pid_text(*target) + " terminated by SIGINT");
}

TEST_CASE("target: killed while held") {
  SKIP_WITHOUT(kPtrace);
  Result<Target> target = Target::create("/bin/true", EvalTime::kPostinit);
  REQUIRE(target);
  ::kill(target->pid(), SIGKILL);
  CHECK(end_of(*target) == pid_text(*target) + " terminated by SIGKILL");
  CHECK(target->resume());
}

TEST_CASE("target: a command that still runs ends with us, held or not") {
  SKIP_WITHOUT(kPtrace);
  for (const bool is_resumed : {false, true}) {
    pid_t pid = 0;
    {
      Result<Target> target = Target::create("sleep 1000", EvalTime::kPostinit);
      INFO((target ? std::string() : target.error().text()));
      REQUIRE(target);
      pid = target->pid();
      if (is_resumed) REQUIRE(target->resume());
      CHECK(is_alive(pid));
    }
    CHECK_FALSE(is_alive(pid));
  }
}

TEST_CASE("target: signals of the command are at their defaults") {
  SKIP_WITHOUT(kPtrace);
  ::signal(SIGPIPE, SIG_IGN);
  sigset_t blocked;
  sigset_t before;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGINT);
  ::sigprocmask(SIG_BLOCK, &blocked, &before);
  Result<Target> target = Target::create("sleep 1000", EvalTime::kPostinit);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  REQUIRE(target);
  std::ifstream status("/proc/" + std::to_string(target->pid()) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("SigBlk:")) CHECK(line == "SigBlk:\t0000000000000000");
    if (line.starts_with("SigIgn:")) CHECK(line == "SigIgn:\t0000000000000000");
  }
}

TEST_CASE("target: a grabbed process is left alone") {
  SKIP_WITHOUT(kExecutesOwnMachine);
  AddressesProcess process(fixture_path("addresses_pie"));
  REQUIRE(process.is_running());
  {
    Result<Target> target = Target::grab(process.pid());
    INFO((target ? std::string() : target.error().text()));
    REQUIRE(target);
    CHECK_FALSE(target->is_child());
    CHECK_FALSE(target->is_held());
    CHECK(target->resume());
    CHECK_FALSE(target->poll());
  }
  CHECK(is_alive(process.pid()));

  Result<Target> target = Target::grab(process.pid());
  REQUIRE(target);
  process.stop();
  CHECK(end_of(*target) == pid_text(*target) + " has exited");
  CHECK_FALSE(target->poll());
}

TEST_CASE("target: what cannot be grabbed") {
  CHECK(Target::grab(0x7ffffffe).error().text() == "failed to grab pid 2147483646: No such process");
  CHECK(Target::grab(0).error().text() == "failed to grab pid 0: No such process");
  CHECK(Target::grab(-5).error().text() == "failed to grab pid -5: No such process");

  pid_t tid = 0;
  std::string thread_error;
  std::thread([&] {
    tid = ::gettid();
    const Result<Target> target = Target::grab(tid);
    thread_error = target ? "grabbed" : target.error().text();
  }).join();
  CHECK(thread_error ==
        "failed to grab pid " + std::to_string(tid) + ": It is a thread of process " + std::to_string(::getpid()));

  const pid_t zombie = ::fork();
  if (zombie == 0) ::_exit(0);
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(zombie), &info, WEXITED | WNOWAIT);
  CHECK(Target::grab(zombie).error().text() ==
        "failed to grab pid " + std::to_string(zombie) + ": It has exited (zombie)");
  ::waitpid(zombie, nullptr, 0);
}

TEST_CASE("targets: several, in order, one descriptor") {
  SKIP_WITHOUT(kPtrace);
  TargetSet targets;
  CHECK(targets.first_pid() == 0);
  CHECK(targets.empty());
  CHECK_FALSE(targets.all_ended());
  CHECK(targets.poll_fd() == -1);
  CHECK_FALSE(targets.create("/nonexistent/x", EvalTime::kExec));
  CHECK_FALSE(targets.grab(0x7ffffffe));
  CHECK(targets.empty());

  AddressesProcess process(fixture_path("addresses_pie"));
  const auto first = targets.create("/bin/true", EvalTime::kPostinit);
  INFO((first ? std::string() : first.error().text()));
  REQUIRE(first);
  REQUIRE(targets.grab(process.pid()));
  CHECK(targets.first_pid() == *first);
  REQUIRE(targets.resume_all());

  pollfd fd{targets.poll_fd(), POLLIN, 0};
  REQUIRE(::poll(&fd, 1, kWaitMs) == 1);
  CHECK(targets.poll()->text() == "pid " + std::to_string(*first) + " has exited");
  CHECK_FALSE(targets.poll());
  CHECK(::poll(&fd, 1, 0) == 0);  // told once
  CHECK_FALSE(targets.all_ended());
  const std::string text = "pid " + std::to_string(process.pid()) + " has exited";
  process.stop();
  REQUIRE(::poll(&fd, 1, kWaitMs) == 1);
  CHECK(targets.poll()->text() == text);
  CHECK(targets.all_ended());
}

}  // namespace
}  // namespace dtrace::runtime
