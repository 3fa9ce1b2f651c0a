// SPDX-License-Identifier: Apache-2.0
// Walks of real processes by our rules, frame by frame those of elfutils.
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "bpf/dt_managed.h"
#include "test/unit/runtime/kernel_lacks.h"
#include "unwind_host.h"

namespace dtrace::runtime::test {
namespace {

/// A program that runs until it is stopped again and again.
class Traced {
 public:
  explicit Traced(const std::vector<std::string> &command) {
    pid_ = fork();
    if (pid_ == 0) {
      ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
      const Fd null(::open("/dev/null", O_RDWR));
      ::dup2(null.get(), 1);
      ::dup2(null.get(), 2);
      std::vector<char *> arguments;
      for (const std::string &word : command) arguments.push_back(const_cast<char *>(word.c_str()));
      arguments.push_back(nullptr);
      ::execvp(arguments[0], arguments.data());
      ::_exit(127);
    }
    int status = 0;
    waitpid(pid_, &status, 0);
    is_there_ = WIFSTOPPED(status);
  }
  ~Traced() {
    if (!is_there_) return;
    kill(pid_, SIGKILL);
    int status = 0;
    waitpid(pid_, &status, 0);
  }
  Traced(const Traced &) = delete;
  Traced &operator=(const Traced &) = delete;

  pid_t pid() const { return pid_; }
  bool is_there() const { return is_there_; }
  /// Lets it run for so many microseconds. False: it has ended.
  bool run(int microseconds) {
    ptrace(PTRACE_CONT, pid_, nullptr, nullptr);
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
    kill(pid_, SIGSTOP);
    return wait_for_stop();
  }
  /// Lets it run until it stops itself, or a signal stops it. False: it has ended.
  bool run_until_stop() {
    ptrace(PTRACE_CONT, pid_, nullptr, nullptr);
    return wait_for_stop();
  }
  bool step() {
    ptrace(PTRACE_SINGLESTEP, pid_, nullptr, nullptr);
    return wait_for_stop();
  }
  StoppedRegisters registers() const { return StoppedRegisters::read(pid_); }

 private:
  bool wait_for_stop() {
    int status = 0;
    waitpid(pid_, &status, 0);
    is_there_ = WIFSTOPPED(status);
    return is_there_;
  }
  pid_t pid_ = -1;
  bool is_there_ = false;
};

/// The frames that elfutils finds.
class Elfutils {
 public:
  explicit Elfutils(pid_t pid) : pid_(pid) {
    static const Dwfl_Callbacks kCallbacks = {dwfl_linux_proc_find_elf, dwfl_standard_find_debuginfo, nullptr, nullptr};
    dwfl_ = dwfl_begin(&kCallbacks);
    refresh();
    dwfl_linux_proc_attach(dwfl_, pid, true);
  }
  ~Elfutils() { dwfl_end(dwfl_); }
  Elfutils(const Elfutils &) = delete;
  Elfutils &operator=(const Elfutils &) = delete;

  void refresh() {
    dwfl_report_begin(dwfl_);
    dwfl_linux_proc_report(dwfl_, pid_);
    dwfl_report_end(dwfl_, nullptr, nullptr);
  }
  std::vector<uint64_t> frames() {
    std::vector<uint64_t> frames;
    dwfl_getthread_frames(dwfl_, pid_, take, &frames);
    return frames;
  }

 private:
  static int take(Dwfl_Frame *frame, void *to) {
    Dwarf_Addr pc = 0;
    if (!dwfl_frame_pc(frame, &pc, nullptr)) return DWARF_CB_ABORT;
    static_cast<std::vector<uint64_t> *>(to)->push_back(pc);
    return DWARF_CB_OK;
  }
  pid_t pid_;
  Dwfl *dwfl_ = nullptr;
};

struct Compared {
  size_t stacks = 0, whole = 0, frames = 0, unlike = 0;
  std::string first_unlike;
};

Compared compare(const std::vector<std::string> &command, size_t stacks, int microseconds) {
  Compared compared;
  HostWalker host;
  Traced process(command);
  REQUIRE(process.is_there());
  // Its libraries are there after a while.
  for (int i = 0; i < 20; ++i) process.run(10000);
  Elfutils other(process.pid());
  while (compared.stacks < stacks) {
    // Every few samples instruction by instruction: beginnings and ends of functions, PLT entries.
    const bool runs = compared.stacks % 8 == 0 ? process.run(microseconds) : process.step();
    if (!runs) break;
    host.rules().know(process.pid());
    other.refresh();
    const std::vector<uint64_t> expected = other.frames();
    Walk walk = host.walk(process.pid(), process.registers());
    // elfutils knows no functions of Python.
    std::erase_if(walk.frames, [](uint64_t frame) { return frame >> DT_MANAGED_TAG_SHIFT == DT_MANAGED_TAG; });
    ++compared.stacks;
    compared.whole += walk.end == DT_UNWIND_WHOLE;
    compared.frames += walk.frames.size();
    if (walk.frames == expected) continue;
    ++compared.unlike;
    if (compared.first_unlike.empty())
      compared.first_unlike = fmt::format("ours ({}): {:x}\nelfutils: {:x}", walk.end, fmt::join(walk.frames, " "),
                                          fmt::join(expected, " "));
  }
  return compared;
}

/// The words of all pages of code that a process maps and whose rules the pool has.
std::vector<uint64_t *> page_words(HostWalker &host, pid_t pid) {
  std::vector<uint64_t *> words;
  const dt_unwind_process &process = host.told().at(pid);
  std::byte *memory = host.memory().data();
  const auto *mappings = reinterpret_cast<const dt_unwind_mapping *>(memory + process.mappings);
  for (uint32_t i = 0; i < process.nr_mappings; ++i) {
    if (mappings[i].pages == 0) continue;
    auto *first = reinterpret_cast<uint64_t *>(memory + mappings[i].pages);
    const uint64_t begin = (mappings[i].start - mappings[i].bias) >> DT_UNWIND_PAGE_SHIFT;
    const uint64_t end = (mappings[i].end - 1 - mappings[i].bias) >> DT_UNWIND_PAGE_SHIFT;
    for (uint64_t page = begin; page <= end; ++page)
      if (first[page] >> DT_UNWIND_COUNT_SHIFT != 0) words.push_back(first + page);
  }
  return words;
}

}  // namespace

TEST_CASE("unwind: pages that are taken away during a walk cut it, and show no frame that is not there",
          "[unwind][walk]") {
  SKIP_WITHOUT(kPtrace);
  Traced process(
      {"/usr/bin/perl", "-e", "while (1) { my %h = map { $_ => sqrt($_) } 1..100; join ',', sort values %h; }"});
  REQUIRE(process.is_there());
  for (int i = 0; i < 20; ++i) REQUIRE(process.run(10000));
  HostWalker host;
  host.rules().know(process.pid());
  host.rules().fill_process(process.pid());
  const StoppedRegisters registers = process.registers();
  const Walk whole = host.walk(process.pid(), registers);
  REQUIRE(whole.end == DT_UNWIND_WHOLE);
  REQUIRE(whole.frames.size() > 4);
  const unsigned nr_look_ups = host.nr_look_ups();
  REQUIRE(nr_look_ups > whole.frames.size());
  const std::vector<std::byte> before(host.memory().begin(), host.memory().end());
  const std::vector<uint64_t *> words = page_words(host, process.pid());
  host.answers = false;
  unsigned nr_cut = 0;
  for (unsigned turn = 0; turn < nr_look_ups; ++turn) {
    // As the consumer does it: first the words are gone, then other rows lie where theirs were.
    host.meanwhile = [&](unsigned nr_before) {
      if (nr_before != turn) return;
      for (uint64_t *word : words) {
        const uint64_t rows = static_cast<uint32_t>(*word), count = *word >> DT_UNWIND_COUNT_SHIFT;
        *word = 0;
        std::memset(host.memory().data() + rows, 0xa5, count * sizeof(uint32_t));
      }
    };
    const Walk walk = host.walk(process.pid(), registers);
    INFO("before look-up " << turn);
    CHECK(walk.frames.size() <= whole.frames.size());
    CHECK(std::equal(walk.frames.begin(), walk.frames.end(), whole.frames.begin()));
    CHECK(
        (walk.end == DT_UNWIND_NO_TABLE || (walk.end == DT_UNWIND_WHOLE && walk.frames.size() == whole.frames.size())));
    nr_cut += walk.end == DT_UNWIND_NO_TABLE;
    std::ranges::copy(before, host.memory().begin());
  }
  CHECK(nr_cut > nr_look_ups / 2);
}

TEST_CASE("unwind: functions of Python are shown only by programs that can", "[unwind][walk]") {
  SKIP_WITHOUT(kPtrace);
  if (!arch::host_machine().frame_registers.know_managed) {
    WARN("skipped: functions of Python are not shown on this machine");
    return;
  }
  Traced process({"/usr/bin/python3", "-c",
                  "import os, signal\ndef f():\n  os.kill(os.getpid(), signal.SIGSTOP)\n  while True: pass\nf()"});
  REQUIRE(process.is_there());
  REQUIRE(process.run_until_stop());
  REQUIRE(process.run(10000));
  const StoppedRegisters registers = process.registers();
  const auto walk = [&](bool shows_managed) {
    HostWalker host;
    host.shows_managed = shows_managed;
    host.rules().know(process.pid());
    return host.walk(process.pid(), registers);
  };
  const auto is_managed = [](uint64_t frame) { return frame >> DT_MANAGED_TAG_SHIFT == DT_MANAGED_TAG; };
  const Walk with = walk(true), without = walk(false);
  CHECK(with.end == DT_UNWIND_WHOLE);
  CHECK(without.end == DT_UNWIND_WHOLE);
  CHECK(std::ranges::count_if(with.frames, is_managed) == 2);  // f() and the module
  CHECK(std::ranges::none_of(without.frames, is_managed));
  CHECK(with.frames.size() == without.frames.size() + 2);
}

TEST_CASE("unwind: stacks of stopped processes, frame by frame as elfutils", "[unwind][walk]") {
  SKIP_WITHOUT(kPtrace);
  const std::vector<std::vector<std::string>> commands = {
      {"/usr/bin/python3", "-c", "import json\nwhile True: json.loads(json.dumps({'a': [1, 2, {'b': 'c'}]}))"},
      {"/usr/bin/perl", "-e", "while (1) { my %h = map { $_ => sqrt($_) } 1..100; join ',', sort values %h; }"},
      {"/usr/bin/awk", "BEGIN { while (1) { x = sprintf(\"%s\", log(i++ + 1)); gsub(/1/, \"2\", x) } }"},
  };
  for (const std::vector<std::string> &command : commands) {
    if (!std::filesystem::exists(command[0])) continue;
    INFO(command[0]);
    const Compared compared = compare(command, 400, 2000);
    INFO(fmt::format("{} stacks, {} whole, {} frames, {} unlike", compared.stacks, compared.whole, compared.frames,
                     compared.unlike));
    INFO(compared.first_unlike);
    CHECK(compared.stacks == 400);
    CHECK(compared.whole == compared.stacks);
    CHECK(compared.unlike == 0);
  }
}

}  // namespace dtrace::runtime::test
