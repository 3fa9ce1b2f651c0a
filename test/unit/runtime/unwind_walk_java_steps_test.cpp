// SPDX-License-Identifier: Apache-2.0
// Walks of a Java thread, instruction by instruction: between two of them a stack gains or loses at most one frame.
// Takes minutes and needs Java and its compiler, so it runs if it is named: unit_runtime '[java-steps]'.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "bpf/dt_hotspot.h"
#include "bpf/dt_managed.h"
#include "unwind_host.h"

namespace dtrace::runtime::test {
namespace {

using namespace std::chrono_literals;

constexpr const char *kProgram = R"(
import java.util.*;
public class Steps {
  interface Visitor { int visit(int n); }
  static Visitor[] visitors = {
    n -> synchronised(n),
    n -> n + Integer.toString(n).hashCode(),
    new Visitor() { public int visit(int n) { return new StringBuilder("a").append(n).reverse().length(); } },
  };
  static int descend(int n, int[] a) {
    if (n == 0) return a.length;
    int sum = descend(n - 1, a) + 1;
    for (int x : a) sum += x;
    return sum;
  }
  static synchronized int synchronised(int n) { return descend(n % 9, new int[n % 13]); }
  static long many(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j) {
    long[] values = new long[80];
    for (int k = 0; k < 80; k++) values[k] = a * k + b ^ c;
    return values[(int) (d & 63)] + e + f + g + h + i + j + synchronised((int) a & 1023);
  }
  public static void main(String[] arguments) {
    long sum = 0;
    for (int i = 0;; i++) {
      sum += visitors[i % 3].visit(i) + many(i, i, i, i, i, i, i, i, i, i);
      try { if (i % 7 == 0) throw new IllegalStateException(); } catch (IllegalStateException e) { sum++; }
      Map<Integer, String> map = new HashMap<>();
      map.put(i, "x");
      sum += map.get(i).length() + System.nanoTime() % 2;
    }
  }
})";

/// A virtual machine that runs, and its busiest thread, which is traced.
class JavaThread {
 public:
  explicit JavaThread(const std::vector<std::string> &command) {
    pid_ = fork();
    if (pid_ == 0) {
      std::vector<char *> arguments;
      for (const std::string &word : command) arguments.push_back(const_cast<char *>(word.c_str()));
      arguments.push_back(nullptr);
      ::execvp(arguments[0], arguments.data());
      ::_exit(127);
    }
  }
  ~JavaThread() {
    kill(pid_, SIGKILL);
    if (thread_ > 0) wait_for_stop();
    waitpid(pid_, nullptr, 0);
  }
  JavaThread(const JavaThread &) = delete;
  JavaThread &operator=(const JavaThread &) = delete;

  pid_t pid() const { return pid_; }
  bool seize() {
    uint64_t most = 0;
    for (const auto &entry : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", pid_))) {
      std::ifstream file(entry.path() / "schedstat");
      uint64_t time_ns = 0;
      file >> time_ns;
      if (time_ns <= most) continue;
      most = time_ns;
      thread_ = std::stoi(entry.path().filename());
    }
    return thread_ > 0 && ptrace(PTRACE_SEIZE, thread_, nullptr, nullptr) == 0 && interrupt();
  }
  bool step() { return ptrace(PTRACE_SINGLESTEP, thread_, nullptr, nullptr) == 0 && wait_for_stop(); }
  bool run(std::chrono::microseconds time) {
    if (ptrace(PTRACE_CONT, thread_, nullptr, nullptr) != 0) return false;
    std::this_thread::sleep_for(time);
    return interrupt();
  }
  StoppedRegisters registers() const { return StoppedRegisters::read(thread_); }

 private:
  bool interrupt() { return ptrace(PTRACE_INTERRUPT, thread_, nullptr, nullptr) == 0 && wait_for_stop(); }
  /// Hands signals on: the machine uses SIGSEGV.
  bool wait_for_stop() {
    int status = 0;
    while (waitpid(thread_, &status, __WALL) == thread_ && WIFSTOPPED(status)) {
      const int signal = WSTOPSIG(status);
      if (signal == SIGTRAP || status >> 16 != 0) return true;
      if (ptrace(PTRACE_SINGLESTEP, thread_, nullptr, signal) != 0) break;
    }
    return false;
  }
  pid_t pid_ = -1, thread_ = -1;
};

/// The code cache, from the list of mappings that the walk searches.
dt_unwind_mapping code_cache(HostWalker &host, pid_t pid) {
  const auto told = host.told().find(pid);
  if (told == host.told().end()) return {};
  const auto *mappings = reinterpret_cast<const dt_unwind_mapping *>(host.memory().data() + told->second.mappings);
  for (uint32_t i = 0; i < told->second.nr_mappings; ++i)
    if ((mappings[i].flags & DT_HOTSPOT_CACHE) != 0) return mappings[i];
  return {};
}

/// Whether one list of return addresses is the other one, or has one more.
bool is_next(const std::vector<uint64_t> &before, const std::vector<uint64_t> &now) {
  const auto &longer = before.size() > now.size() ? before : now, &shorter = before.size() > now.size() ? now : before;
  if (longer.size() - shorter.size() > 1) return false;
  return std::equal(shorter.begin(), shorter.end(), longer.end() - static_cast<ptrdiff_t>(shorter.size()));
}

struct Result {
  size_t walks = 0, cut = 0, leaps = 0;
  std::map<std::string, size_t> where;
};

std::string around(pid_t pid, uint64_t pc) {
  std::ifstream memory(fmt::format("/proc/{}/mem", pid), std::ios::binary);
  std::vector<uint32_t> words(8);
  memory.seekg(static_cast<std::streamoff>(pc - 16));
  memory.read(reinterpret_cast<char *>(words.data()), 32);
  return fmt::format("{:x} [{:08x}]", pc, fmt::join(words, " "));
}

Result follow(const std::vector<std::string> &command, size_t walks) {
  Result result;
  HostWalker host;
  JavaThread java(command);
  std::this_thread::sleep_for(20s);
  REQUIRE(java.seize());
  host.rules().know(java.pid());
  dt_unwind_mapping cache = code_cache(host, java.pid());
  for (int i = 0; i < 100 && cache.end == 0; ++i) {
    host.rules().know(java.pid());
    cache = code_cache(host, java.pid());
  }
  REQUIRE(cache.end != 0);
  std::vector<uint64_t> before;
  size_t nr_native = 0;
  while (result.walks < walks) {
    if (!java.step()) break;
    const StoppedRegisters registers = java.registers();
    const uint64_t pc = registers.at(host.machine().registers.instruction);
    if (pc - cache.start >= cache.end - cache.start) {
      before.clear();
      if (++nr_native % 100 == 0 && !java.run(200us)) break;
      continue;
    }
    if (result.walks % 1000 == 999) {  // elsewhere
      before.clear();
      if (!java.run(2ms)) break;
      ++result.walks;
      continue;
    }
    Walk walk = host.walk(java.pid(), registers, 512, DT_UNWIND_NATIVE);
    ++result.walks;
    if (walk.end != DT_UNWIND_WHOLE) {
      ++result.cut;
      ++result.where["cut " + around(java.pid(), pc)];
      before.clear();
      continue;
    }
    std::vector<uint64_t> now(walk.frames.begin() + 1, walk.frames.end());
    if (!before.empty() && !is_next(before, now)) {
      ++result.leaps;
      ++result.where[fmt::format("leap {}: {:x} -> {:x}", around(java.pid(), pc), fmt::join(before, " "),
                                 fmt::join(now, " "))];
    }
    before = std::move(now);
  }
  return result;
}

}  // namespace

TEST_CASE("walk: instruction by instruction a Java stack gains or loses at most one frame", "[.][java-steps]") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("java-steps.{}", ::getpid());
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "Steps.java") << kProgram;
  if (std::system(fmt::format("javac -d {0} {0}/Steps.java", folder.string()).c_str()) != 0) {
    WARN("skipped: no javac");
    return;
  }
  const char *wanted = std::getenv("DTRACE_JAVA_STEPS");
  const size_t walks = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 60000;
  for (const std::string mode : {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"}) {
    const Result result = follow({"java", mode, "-XX:+UseSerialGC", "-cp", folder.string(), "Steps"}, walks);
    fmt::print("{}: {} walks, {} cut, {} leaps\n", mode, result.walks, result.cut, result.leaps);
    for (const auto &[text, count] : result.where) fmt::print("  {} {}\n", count, text);
    CHECK(result.walks == walks);
    CHECK((result.cut + result.leaps) * 1000 <= result.walks);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace dtrace::runtime::test
