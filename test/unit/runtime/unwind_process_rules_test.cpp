// SPDX-License-Identifier: Apache-2.0
// What is published about processes, and that it goes with them.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <algorithm>

#include "test/unit/runtime/kernel_lacks.h"
#include "unwind_host.h"

using namespace dtrace::runtime;

namespace {

/// A process that does nothing until it is gone.
class Sleeper {
 public:
  Sleeper() : pid_(fork()) {
    if (pid_ == 0)
      for (;;) pause();
  }
  ~Sleeper() { end(); }
  Sleeper(const Sleeper &) = delete;
  Sleeper &operator=(const Sleeper &) = delete;
  pid_t pid() const { return pid_; }
  void end() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_;
};

}  // namespace

TEST_CASE("unwind: processes of one program share its files, which are closed behind the last", "[unwind]") {
  SKIP_WITHOUT(kPtrace);  // qemu-user does not have the mappings of other processes either
  test::HostWalker host;
  ProcessRules &rules = host.rules();
  Sleeper one, other;
  REQUIRE(rules.know(one.pid()) == ProcessRules::Outcome::kNews);
  const size_t files = rules.nr_files();
  CHECK(files >= 3);  // this program, libc, the linker
  CHECK(rules.nr_open_files() == files);
  CHECK(rules.know(one.pid()) == ProcessRules::Outcome::kSame);
  REQUIRE(rules.know(other.pid()) == ProcessRules::Outcome::kNews);
  CHECK(rules.nr_files() == files);
  CHECK(host.told().size() == 2);
  CHECK(host.told().at(one.pid()).stack_start == host.told().at(other.pid()).stack_start);  // both are copies of us
  const pid_t first = one.pid();
  one.end();
  rules.forget_ended();
  CHECK_FALSE(host.told().contains(first));
  CHECK(rules.nr_open_files() == files);
  other.end();
  rules.forget_ended();
  CHECK(host.told().empty());
  CHECK(rules.nr_open_files() == 0);
  CHECK(rules.nr_files() == files);  // their rules stay, for the next
  CHECK(rules.know(first) == ProcessRules::Outcome::kNone);
  const Sleeper next;
  REQUIRE(rules.know(next.pid()) == ProcessRules::Outcome::kNews);
  CHECK(rules.nr_files() == files);
  CHECK(rules.nr_open_files() == files);
}

TEST_CASE("unwind: pages that were asked for bring their file, a target brings all of its", "[unwind]") {
  SKIP_WITHOUT(kPtrace);  // qemu-user does not have the mappings of other processes either
  test::HostWalker host;
  ProcessRules &rules = host.rules();
  const Sleeper process;
  REQUIRE(rules.know(process.pid()) == ProcessRules::Outcome::kNews);
  const uint64_t before = host.pool().taken_bytes();
  CHECK_FALSE(rules.fill(1000));  // nobody asked
  // As a walk would: the page of a function of the C library, from a word of the stack.
  const auto function = reinterpret_cast<uint64_t>(&fork);
  rules.answer_stack(process.pid(), std::span(&function, 1));
  CHECK(rules.fill(1));  // there is more of that file
  while (rules.fill(100)) {
  }
  const uint64_t library = host.pool().taken_bytes();
  CHECK(library > before);
  rules.fill_process(process.pid());
  CHECK(host.pool().taken_bytes() > library);
  CHECK_FALSE(rules.fill(1));
}
