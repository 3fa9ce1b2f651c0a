// SPDX-License-Identifier: Apache-2.0
// The files that the module field of pid* probes means, on the whole system: what processes execute now, what the
// dynamic linker and $PATH would find, and what processes come to execute while tracing runs.
//
// What a reader would get wrong: a path is a name in a process's mount namespace. It means the file of that path in
// dtrace's namespace, and each file that a process executes under that path: another one in a container, or an old one
// that an upgrade has deleted. Every file is known once, by what it is: a uprobe in it is hit by all processes, and a
// second one would count twice.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/foreign/loader_cache.h"
#include "runtime/probes/provider.h"
#include "runtime/usdt/process_files.h"
#include "runtime/user/user_object.h"

namespace dtrace::runtime {

/// Whether the module field means a file that a process has mapped under this path. A path is matched as a shell does:
/// `*` stays within a folder.
bool names_mapped_file(std::string_view module, std::string_view path);

/// The path with its folders as they really are, as far as there are such, up to the first wildcard: processes map
/// /usr/lib/libz.so.1.2.13 where somebody writes /lib/libz.so.1.
std::string real_path(const std::string &path);

class SystemFiles {
 public:
  struct File {
    std::shared_ptr<UserObject> object;
    std::vector<pid_t> pids;  ///< some of the processes that execute it
    uint64_t serial = 0;      ///< in which order files came to be known, from 1
    bool is_kept = false;
  };

  /// The files that the module means, by serial. The first call for a module looks at the system. Errors of none: see
  /// looked_at().
  std::vector<const File *> find(const std::string &module);
  /// Keeps the file, because it has a probe. The next notice() forgets files that are not kept.
  void keep(const File &file) { files_.at(identity_of(file)).is_kept = true; }
  /// GrowingProvider::forget()
  void forget(const std::set<const UserFile *> &files);
  /// Looks at the files that processes have begun to execute.
  void notice(const MappingNews &news);
  /// What is wrong with files, since the last call: those among them that could not be opened, each path once, and that
  /// two may be one.
  std::vector<std::string> take_problems() { return std::exchange(problems_, {}); }
  /// Files that could not be opened since the last call: no descriptor or no memory was left.
  uint64_t take_unopened() { return std::exchange(unopened_count_, 0); }
  uint64_t last_serial() const { return last_serial_; }
  /// Has the module come to mean files since that serial?
  bool has_newer(const std::string &module, uint64_t serial) const;
  /// What find() has searched, for a message that nothing was found: "12 files that ...".
  std::string looked_at(const std::string &module) const;
  /// Processes that could not be inspected.
  const std::set<pid_t> &refused() const { return refused_; }

 private:
  using Identity = std::pair<uint64_t, uint64_t>;  // device and inode
  struct Module {
    std::string real;          // real_path(), if it is a path
    std::set<uint64_t> files;  // serials
    int cause = 0;             // errno of the path
    size_t libraries = 0;      // in the cache that was searched
    bool in_path = false;      // $PATH was searched
  };

  static Identity identity_of(const File &file) { return {file.object->file()->device, file.object->file()->inode}; }
  static bool is_meant(const std::string &field, const Module &module, std::string_view path);
  File *add(Fd fd, const std::string &path, pid_t pid);
  File *known_twin(int fd, const std::string &path);  // the same file under another overlay; null: none is known
  void add_mapped(const std::string &field, Module &module);
  void add_from_disk(const std::string &field, Module &module);
  void add_path(const std::string &path, Module &module);
  void walk();
  void notice_all();
  void notice_map(pid_t pid, const MapEntry &map);
  void forget_unused();
  void drop(const File &file);

  std::map<std::string, Module> modules_;  // by field
  std::map<Identity, File> files_;         // held open, so that no other file gets their number
  std::map<Identity, Identity> twins_;     // other identities of the same file
  std::map<Identity, uint64_t> unused_;    // files without a probe: when they were changed, ns
  std::set<FileKey> keys_;                 // of files_, as the kernel's mappings call them
  std::optional<ExecutedFiles> executed_;
  std::optional<std::vector<CachedLibrary>> libraries_;
  std::set<pid_t> refused_;
  std::set<std::string> unopened_;  // paths, and
  std::vector<std::string> problems_;
  size_t processes_ = 0;
  uint64_t last_serial_ = 0, unopened_count_ = 0;
  bool noticed_ = false;
  bool said_of_twins_ = false;  // reported that two files may be one
};

}  // namespace dtrace::runtime
