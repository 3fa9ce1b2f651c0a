// SPDX-License-Identifier: Apache-2.0
// What programs know of each process to walk its stacks: which file's code lies where, and that file's rules. Files are
// shared by all processes that map them, also after the last of these has ended, while there is room.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "arch/machine.h"
#include "runtime/foreign/process_maps.h"
#include "runtime/unwind/code_file.h"
#include "runtime/unwind/hotspot_runtime.h"
#include "runtime/unwind/rule_pool.h"

namespace dtrace::runtime {

class ProcessRules {
 public:
  /// Tells programs of a process, or that nothing is known of it any more. False: the kernel does not take it.
  using Publish = std::function<bool(pid_t pid, const dt_unwind_process *process)>;

  /// The same of a file.
  using PublishFile = std::function<bool(const dt_unwind_file_key &key, const dt_unwind_file *file)>;

  /// Asked when a runtime has been found: can programs show its functions? Otherwise it is not published.
  using ShowsManaged = std::function<bool()>;

  /// `pool` must outlive this.
  ProcessRules(RulePool &pool, const arch::Machine &machine, Publish publish, PublishFile publish_file,
               ShowsManaged shows_managed);

  enum class Outcome : uint8_t {
    kNews,  ///< published
    kSame,  ///< the same as was published before
    kNone,  ///< the process is gone, may not be looked at, or there is no room
  };
  enum class Depth : uint8_t {
    kFiles,  ///< a Java virtual machine that is new is left to a later look: its tables take some milliseconds to read
    kAll,
  };
  /// Looks at the process's mappings and publishes them.
  Outcome know(pid_t pid, Depth depth = Depth::kAll);
  bool knows(pid_t pid) const { return processes_.contains(pid); }
  /// Is something in the process being made that it will not announce? Then another look is needed, after this time.
  std::optional<std::chrono::milliseconds> next_look(pid_t pid) const;
  /// Forgets the processes that have ended. Their files are closed; their rules stay while there is room.
  void forget_ended();
  /// Brings the rules of the page whose word lies there. False: there are none to bring.
  bool answer(uint32_t word);
  /// Words of a process's stack: brings rules for those that may be return addresses, which a walk will ask for next.
  void answer_stack(pid_t pid, std::span<const uint64_t> words);
  /// Brings rules of a few pages that were not requested yet, of files that had a request for another page, while there
  /// is room. False: there is nothing to do.
  bool fill(unsigned nr_pages);
  /// All pages of a process's files are as if they had been asked for.
  void want_all(pid_t pid);
  /// Brings them now, until `gives_up` returns true.
  void fill_process(pid_t pid, const std::function<bool()> &gives_up = {});

  /// Files that could not be opened since the last call: no descriptor or no memory was left.
  uint64_t take_unopened() { return std::exchange(unopened_, 0); }

  size_t nr_open_files() const;
  size_t nr_files() const { return files_.size(); }

 private:
  /// A file is another one when it has been written to.
  using FileKey = std::tuple<uint64_t, uint64_t, int64_t, int64_t>;  // device, inode, time of change: s, ns
  using FileRef = std::shared_ptr<CodeFile>;
  struct Mapped {
    MapEntry map;
    FileRef file;           // null: frames are followed by frame pointers,
    bool is_known = false;  // or, if it is not, the file could not be looked into
  };
  /// The Java virtual machine of a process, if it has one.
  struct JavaMachine {
    std::optional<HotspotRuntime> runtime;
    std::optional<dt_hotspot> told;
    uint32_t place = 0;     // of what was published, in the pool
    bool is_there = false;  // its library is mapped
    bool has_code = false;  // and so is code that no file has, as its code cache is
    unsigned nr_looks = 0;  // at that, before all was there

    bool is_complete() const { return told && told->interpreter_bytes != 0; }
  };
  struct Process {
    ProcessIdentity identity;
    std::vector<Mapped> mapped;
    std::vector<dt_unwind_mapping> told;
    std::optional<uint32_t> mappings;  // offset in the pool
    JavaMachine java;
  };

  Mapped look_at(pid_t pid, MapEntry map);
  FileRef opened(Fd fd, const FileKey &key, bool &is_known);
  std::optional<uint32_t> give_mappings(std::span<const dt_unwind_mapping> mappings);
  FileRef vdso();
  void look_at_java(pid_t pid, Process &process, Depth depth);
  bool give_pages(CodeFile &file);
  static uint32_t flags_of(const CodeFile &file);
  void tell_file(const FileKey &key, const CodeFile &file);
  static dt_unwind_file_key kernel_key(const FileKey &key);
  void want(const FileRef &file);
  bool is_mapped(const FileRef &file) const;
  bool forget_file_used_least();  // false: there is none
  void forget(pid_t pid);
  static std::optional<dt_unwind_mapping> mapping_of(const MapEntry &map, const CodeFile *file);

  RulePool &pool_;
  const arch::Machine &machine_;
  Publish publish_;
  PublishFile publish_file_;
  ShowsManaged shows_managed_;
  std::map<FileKey, FileRef> files_;
  std::optional<FileRef> vdso_;
  std::map<pid_t, Process> processes_;
  std::map<uint32_t, FileRef> by_pages_;  // by the offset of the words
  std::vector<FileRef> to_fill_;          // the one to go on with last
  uint64_t count_ = 0;                    // of uses
  uint64_t unopened_ = 0;
};

}  // namespace dtrace::runtime
