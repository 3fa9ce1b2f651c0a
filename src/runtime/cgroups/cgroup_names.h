// SPDX-License-Identifier: Apache-2.0
// Every cgroup that was seen, by id: its path, and the container and pod that it belongs to. Those that are gone stay
// known, because records and keys hold ids.
//
// What a reader would get wrong: a name can come long after the cgroup, when the runtime writes its file. So a cgroup
// whose container has no name yet is looked at again for as long as it is there; and a name, once known, stays.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/options.h"
#include "frontend/lang/builtins.h"
#include "runtime/cgroups/cgroup_texts.h"
#include "runtime/cgroups/hierarchy.h"
#include "runtime/cgroups/runtime_files.h"

namespace dtrace::runtime {

class CgroupNames final : public CgroupTexts {
 public:
  struct Cgroup {
    std::string path;
    std::string id;         ///< of the container, whole; empty: none that is known
    std::string container;  ///< its name, else its short id; empty: it is the host's, as far as is known
    std::string pod;
    bool in_path = false;     ///< the path alone says that it is a container's
    bool has_name = false;    ///< a runtime has named it, or its path has
    bool is_settled = false;  ///< nothing better is expected
    bool is_gone = false;
    std::vector<uint64_t> around;  ///< ids of the cgroups above it, nearest first
  };

  /// Looks at the system: the hierarchy, all cgroups, all names. Repeatable: finds what has come, and notes what is
  /// gone.
  void read_system();
  bool has_hierarchy() const { return hierarchy_.has_value(); }
  const Hierarchy *hierarchy() const { return hierarchy_ ? &*hierarchy_ : nullptr; }

  /// `parent`: the cgroup above it, 0: that of the path above.
  void born(uint64_t id, std::string path, uint64_t parent = 0);
  void gone(uint64_t id);
  /// Looks again for names of those that have none. Returns the ids of cgroups of which something changed.
  std::vector<uint64_t> look_again();
  /// Is there one that look_again() may find a name for?
  bool has_unnamed() const { return nr_unnamed_ != 0; }
  /// Reads which containers there are; before born() of some.
  void read_claims();

  const Cgroup *find(uint64_t id) const;
  const std::unordered_map<uint64_t, Cgroup> &all() const { return cgroups_; }

  /// Text of a cgroup that was never seen: "cgroup:ID", because it may be a container's.
  std::string_view text(uint64_t id, Variable name) override;

  /// Do the options container, pod, unit and cgroup mean this cgroup? True without any. Values of one option are
  /// alternatives; of several options each must be met.
  bool is_wanted(const Cgroup &cgroup, const Options &options) const;
  /// What those options mean and is not there now: "container web-1".
  std::vector<std::string> unmet(const Options &options) const;
  /// The processes in wanted cgroups, ascending.
  std::vector<pid_t> wanted_processes(const Options &options) const;

  /// For tests: where the host's files are.
  void set_files(RuntimeFiles files) { files_ = std::move(files); }

 private:
  bool resolve(Cgroup &cgroup);
  bool is_claimed(const Cgroup &cgroup) const;
  bool is_meant(const Cgroup &cgroup, Opt option, const std::string &text) const;
  bool is_wanted_container(const Cgroup &cgroup, std::string_view wanted) const;
  std::vector<uint64_t> above(const std::string &path) const;

  std::optional<Hierarchy> hierarchy_;
  RuntimeFiles files_;
  std::map<std::string, Claim, std::less<>> claims_;  // as of the last look
  std::unordered_map<uint64_t, Cgroup> cgroups_;
  std::unordered_map<std::string, uint64_t> by_path_;  // of those that are there
  std::deque<uint64_t> gone_;                          // oldest first
  uint64_t hidden_top_ = 0;                            // the outermost that is seen, if a namespace hides those above
  size_t nr_unnamed_ = 0;                              // as of the last look
  std::unordered_set<std::string> texts_;              // handed out; elements keep their addresses
};

/// "/sys/fs/cgroup/a/b", "/a/b" and "a/b" as the path "/a/b".
std::string cgroup_path_of(std::string_view text, const Hierarchy *hierarchy);

}  // namespace dtrace::runtime
