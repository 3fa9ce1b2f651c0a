// SPDX-License-Identifier: Apache-2.0
// The files that processes execute, as far as they were looked into for static probes.
//
// What a reader would get wrong: nearly every process executes files with probes that nobody asks for: the C library is
// one. Such a file is closed again, and the names of its providers are kept. A machine executes more files in a day
// than a process may have open, and an open file keeps its file system from being unmounted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/usdt/probe_file.h"
#include "runtime/usdt/process_files.h"

namespace dtrace::runtime {

class LookedFiles {
 public:
  using Providers = std::set<std::string, std::less<>>;
  struct File {
    std::unique_ptr<ProbeFile> probes;  ///< null: it has none, or none that anybody asked for
    Providers providers;                ///< that have a site in it
    std::string problem;                ///< why its probes are not known, or not all of them
    uint64_t serial = 0;                ///< order in which files with wanted probes came to be known, from 1
    int refusal = 0;                    ///< errno of opening it
    bool is_twin = false;  ///< the same file as another one, under another overlay: a probe in all processes is there
    uint64_t changed_ns = 0;   ///< of one that is not open: its number may become another's
    bool is_needless = false;  ///< it was closed because no probe of it matched
    bool is_told = false;      ///< its problem is among take_problems()
  };
  /// Does somebody ask for probes of these providers?
  using Wanted = std::function<bool(const Providers &providers)>;

  /// Looks into the file, unless that was done. `is_mapped_now`: it may be another file than the one that had this
  /// number.
  File &look(const FileKey &key, const ExecutedFile &file, bool is_mapped_now, const Wanted &wanted);
  /// Reports the file's problem to the user, once.
  void tell_problem(File &file);
  std::vector<std::string> take_problems() { return std::exchange(problems_, {}); }

  /// Closes the files that have none of the probes that were matched.
  void close_needless(const std::function<bool(const ProbeFile &file)> &is_needed);
  /// Forgets the files that no process has any more, and that are not open.
  void forget_unless(const std::function<bool(const FileKey &key)> &is_there);
  /// Forgets files from which all probes were removed. Returns their keys.
  std::vector<FileKey> forget(const std::set<const UserFile *> &files);

  /// The greatest serial.
  uint64_t last_serial() const { return last_serial_; }
  size_t nr_open() const { return nr_open_; }
  /// Files that could not be opened since the last call: no descriptor or no memory was left.
  uint64_t take_unopened() { return std::exchange(unopened_, 0); }

 private:
  void read(File &file, const FileKey &key, const ExecutedFile &executed, const Wanted &wanted);
  bool has_twin(const UserFile &file);

  std::map<FileKey, File> files_;
  uint64_t last_serial_ = 0, unopened_ = 0;
  std::vector<std::string> problems_;
  size_t nr_told_ = 0, nr_open_ = 0;
  bool said_of_twins_ = false;  // reported that two files may be one
};

}  // namespace dtrace::runtime
