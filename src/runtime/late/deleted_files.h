// SPDX-License-Identifier: Apache-2.0
// Files with probes that have been deleted and that no process has mapped any more. What is kept of such a file would
// otherwise grow for as long as programs are made, run and deleted.
//
// What a reader would get wrong: a deleted file can be executed again, by somebody who has it open. It is then found as
// a new file is.
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

class DeletedFiles {
 public:
  /// Probes have been set in the file.
  void add(const std::shared_ptr<const UserFile> &file);
  /// Those that were found deleted, and mapped by nobody, in this look and the one before. Looks no more often than
  /// every two seconds.
  std::set<const UserFile *> find(uint64_t now_ns);
  void forget(const std::set<const UserFile *> &files);
  /// Why deleted files are kept all the same, once; empty: they are not.
  std::string take_problem() { return std::exchange(problem_, {}); }

 private:
  using Identity = std::pair<uint64_t, uint64_t>;  // device and inode, which are its own as long as it is open
  struct Watched {
    Mapping page;                                         // null: it cannot be mapped, and is kept
    std::vector<std::shared_ptr<const UserFile>> opened;  // by each provider
    bool was_unused = false;
  };

  std::map<Identity, Watched> files_;
  std::optional<FileUsers> users_;  // loaded when the first file has been deleted
  bool cannot_know_ = false;
  std::string problem_;
  uint64_t next_ns_ = 0;
};

}  // namespace dtrace::runtime
