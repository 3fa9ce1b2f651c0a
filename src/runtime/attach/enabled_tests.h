// SPDX-License-Identifier: Apache-2.0
// Is-enabled tests of programs built with Oracle's <sys/usdt.h>, which read a variable of their own. A BPF program on
// the test's instruction sets that variable (bpf/programs/enabled_test.c). When its link is closed, however dtrace
// ends, tests are false again.
//
// The BPF program writes to a process's memory. The kernel logs a warning when such a program is loaded, and refuses it
// under lockdown. So it is loaded only if a file has such tests.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "plan/plan.h"
#include "runtime/attach/attach_sites.h"

struct bpf_object;

namespace dtrace::runtime {

/// The cookie of a test's link (bpf/enabled_test.h). Errors: the program cannot read the location that
/// the note gives for the variable's address.
Result<uint64_t> cookie_of(const EnabledTest &test);

class EnabledTests {
 public:
  /// Answers the tests of probes that have been set at `sites`. `multi`: the kernel has uprobe_multi.
  void attach(std::span<const SitePlan> sites, bool multi, UserLinks &links);
  /// Tests so far whose variable could not be written, or where the kernel did not run the program: they found the
  /// probe not enabled.
  uint64_t nr_unanswered() const;
  /// Probes whose tests are not answered, each named once: for the user.
  std::vector<std::string> take_problems() { return std::exchange(problems_, {}); }

 private:
  /// Tests of one file that are new.
  struct FileTests {
    std::shared_ptr<const UserFile> file;
    std::vector<SitePlan> sites;
    std::map<std::string, std::set<std::string>> unread = {};  // probes, by why the location cannot be read
    std::set<std::string> probes = {};                         // of `sites`
  };
  std::vector<FileTests> new_tests(std::span<const SitePlan> sites);
  Result<Unit> load(bool multi);
  Result<Unit> attach_in_file(const FileTests &tests, bool multi, UserLinks &links);
  void report(const UserFile &file, const std::set<std::string> &probes, const std::string &why);

  struct Close {
    void operator()(bpf_object *object) const;
  };
  std::unique_ptr<bpf_object, Close> object_;
  std::optional<Error> refusal_;  // of the kernel, to load it
  /// What has been tried in a file. A list of tests, which many probes may share, is gone through once.
  struct Tried {
    std::set<std::pair<uint64_t, int>> instructions;  // offset, process
    std::set<std::pair<std::shared_ptr<const std::vector<EnabledTest>>, int>> lists;
  };
  std::map<std::weak_ptr<const UserFile>, Tried, std::owner_less<>> tried_;
  std::set<std::string> unanswered_probes_;  // that problems_ has named
  std::vector<std::string> problems_;
};

}  // namespace dtrace::runtime
