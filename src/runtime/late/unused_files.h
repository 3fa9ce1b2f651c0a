// SPDX-License-Identifier: Apache-2.0
// Files with probes that no process has mapped any more, and whose probes are to be removed: deleted files, files on
// file systems that would be busy because of us alone, and any such file when descriptors are scarce. What is kept of
// them would otherwise grow for as long as programs are made, run and deleted, and no file system could be unmounted.
//
// What a reader would get wrong: probes in other unused files stay, so that the next process of a short program has
// them from its first instruction on. Somebody who has a deleted file open can execute it again. It is then found as a
// new file is.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/owned.h"
#include "plan/user_site.h"
#include "runtime/user/file_users.h"

namespace dtrace::runtime {

/// The devices of file systems that processes execute files of, as the kernel numbers them in /proc/PID/maps.
using Devices = std::set<std::pair<uint32_t, uint32_t>>;
Devices executed_devices();

class UnusedFiles {
 public:
  /// Probes have been set in the file.
  void add(const std::shared_ptr<const UserFile> &file);
  /// Those whose probes are to be removed: mapped by nobody in this look and the one before. Looks no more often than
  /// every two seconds.
  std::set<const UserFile *> find(uint64_t now_ns);
  /// Their probes are removed. Closes them, also for plans and hooks that still refer to them.
  void forget(const std::set<const UserFile *> &files);
  /// Why they are kept all the same, once; empty: they are not.
  std::string take_problem() { return std::exchange(problem_, {}); }

 private:
  using Identity = std::pair<uint64_t, uint64_t>;  // device and inode, which are its own as long as it is open
  struct Watched {
    Mapping page;                                         // null: it cannot be mapped, and is kept
    std::vector<std::shared_ptr<const UserFile>> opened;  // by each provider
    std::pair<uint32_t, uint32_t> device;                 // as the kernel shows it in mappings
    bool is_on_our_system = true;  // we execute files of it, so that it cannot be unmounted anyway
    bool was_unused = false;
  };

  void find_devices();
  bool is_executed(const Watched &watched, uint64_t now_ns);

  std::map<Identity, Watched> files_;
  bool has_new_ = false;            // files whose device is not known yet
  std::optional<FileUsers> users_;  // loaded when it is first needed
  bool cannot_know_ = false;
  std::string problem_;
  uint64_t next_ns_ = 0;
  std::optional<Devices> executed_;  // by all processes, when that was last asked
  uint64_t asked_ns_ = 0, next_ask_ns_ = 0;
};

}  // namespace dtrace::runtime
