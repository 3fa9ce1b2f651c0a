// SPDX-License-Identifier: Apache-2.0
// Addresses of processes -> object, symbol, offset; also of processes that are gone.
//
// What a reader would get wrong: records are read later than they are written. What cannot be learnt from /proc any
// more is answered from snapshots: note_process() takes one and should be called when a record first names a pid, at
// the latest. A process keeps a few snapshots, newest first, since it may have exec'd or unloaded a library between
// two of them, and an old record's address is then found in an old one. Which program an address is of, its mark says:
// without it the newest one that has something there is taken.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/foreign/perf_map.h"
#include "runtime/foreign/process_maps.h"
#include "runtime/symbols/file_space.h"
#include "runtime/symbols/object_cache.h"
#include "runtime/symbols/symbolizer.h"

namespace dtrace::runtime {

/// Where an address of a process lies. The views are good until the next call.
struct UserLocation {
  std::string_view object;     ///< base name of the mapped file; empty: the address is in none
  std::string_view symbol;     ///< empty: none known
  uint64_t symbol_offset = 0;  ///< bytes from the symbol's start
  uint64_t object_offset = 0;  ///< bytes from the object's lowest mapping
};

/// A byte of a file that a process maps.
struct FileAddress {
  ObjectRef object;
  uint64_t offset = 0;      ///< in the file
  uint64_t from_base = 0;   ///< bytes from the object's lowest mapping
  bool executable = false;  ///< the mapping
};

struct UserSymbolsOptions {
  ElfOptions elf;
  /// Snapshots beyond this many processes, or of this many mappings in all, push out the oldest not remembered.
  size_t most_processes = limits::kMaxProcesses;
  size_t most_regions = limits::kMaxRegions;
  ObjectCacheLimits objects;
};

class UserSymbols {
 public:
  explicit UserSymbols(UserSymbolsOptions options = {});

  /// Takes a snapshot of `pid` unless there is a fresh one. Cheap enough to call for every new pid: no ELF file is
  /// read. Returns whether anything is known of the process now.
  bool note_process(pid_t pid);
  /// As note_process(), of a process that ran before tracing and may never be asked for. No other process's file is
  /// closed for its files, which their paths find later.
  void note_running(pid_t pid);
  /// What the kernel has reported of an executable mapping, in its order; an empty one: another program begins. It is
  /// looked at only if the process is gone when a snapshot is to be taken.
  void note_mapping(pid_t pid, MapEntry map);
  /// `ask` is called when an address is in no mapping that is known; it may call note_mapping().
  void on_miss(std::function<void()> ask) { ask_ = std::move(ask); }
  /// As note_process(), with a new snapshot in any case: its mappings are known to have changed.
  void note_change(pid_t pid) { take_snapshot(pid, process(pid)); }
  /// As note_change(), and the process is never pushed out: for -c and -p targets,
  /// before they continue and whenever their mappings are known to have changed.
  bool remember(pid_t pid);

  /// Object and symbol of an address.
  UserLocation resolve(UserImage image, uint64_t address);
  /// Where an address lies in a file; nothing: in none that is known.
  std::optional<FileAddress> file_address(UserImage image, uint64_t address);
  /// Is it an ELF file that could be read?
  bool has_symbols(const ObjectRef &object) { return objects_.symbols(object) != nullptr; }
  /// The address that stands for this one in the space of files, as one of process kFileSpacePid. It is the same in all
  /// processes that map the file there. Nothing: no file's code is known to be there, or there are too many files.
  std::optional<uint64_t> shared_address(UserImage image, uint64_t address);
  /// The mapping that holds an address.
  CodeMapping mapping(UserImage image, uint64_t address);
  /// What its file's debug information says of an address; nullptr: nothing. Good until the next call.
  const SourceFrames *source(UserImage image, uint64_t address);
  /// What would name the code at an address that no file has and no map names, as it is of a JIT compiler
  /// (unnamed_code.h). Empty: it is no such code, or nobody knows.
  std::string_view naming_option(UserImage image, uint64_t address);
  /// Closes the files of processes that have ended: see ObjectCache.
  void close_files_of_ended();
  /// See ObjectCache.
  uint64_t take_unopened() { return objects_.take_unopened(); }
  /// See ObjectCache.
  void want_source(bool with_lines) { objects_.want_source(with_lines); }
  /// See ObjectCache.
  uint64_t give_up(uint64_t bytes) { return objects_.give_up(bytes); }
  uint64_t take_refused() { return objects_.take_refused(); }
  /// Only the object: no ELF file is read.
  UserLocation locate(UserImage image, uint64_t address);

  size_t process_count() const { return processes_.size(); }
  const ObjectCache &objects() const { return objects_; }

 private:
  struct Region {
    uint64_t start;
    uint64_t end;
    uint64_t offset;       // in the object's file; .bss has offsets as if the file went on
    uint64_t object_base;  // lowest mapping of the object
    ObjectRef object;      // null: anonymous
    bool executable;
    bool operator==(const Region &) const = default;
  };
  struct Snapshot {
    ProcessIdentity identity;
    std::vector<Region> regions;  // by start
  };
  struct Process {
    std::deque<Snapshot> snapshots;  // newest first, a few of each program
    std::vector<MapEntry> told;      // of the newest program, by start
    bool is_other_program = false;   // since the newest snapshot, the kernel has told
    bool has_executed = false;       // the kernel has told
    bool is_gone = false;
    std::optional<PerfMap> perf_map;
    std::optional<MapEntry> jit_dump;           // its mapping, of the newest snapshot
    std::unordered_set<uint64_t> missed_pages;  // since the newest snapshot
    uint64_t checked_ns = 0;                    // CLOCK_MONOTONIC
    uint64_t next_refresh_ns = 0;
    bool is_remembered = false;
  };

  Process &process(pid_t pid);
  bool take_snapshot(pid_t pid, Process &process);
  bool take_told(pid_t pid, Process &process);
  void revalidate(pid_t pid, Process &process);
  void hear(Process &process);
  bool may_refresh(Process &process, uint64_t address);
  std::vector<Region> regions_of(pid_t pid, const std::vector<MapEntry> &maps);
  const Region *find_region(UserImage image, Process &process, uint64_t address);
  static const Region *find_region(const Snapshot &snapshot, uint64_t address);
  static const Region *find_region(const Process &process, uint32_t mark, uint64_t address);
  /// May the process have had the program with this mark from its parent? If addresses are not random, programs that it
  /// has executed may look like those of others.
  static bool may_be_inherited(const Process &process, uint32_t mark);
  /// In the process with the program of this mark that was met last: one that has forked has its parent's mappings.
  const Region *find_relative(uint32_t mark, uint64_t address) const;
  static bool is_of(const Snapshot &snapshot, uint32_t mark);
  static bool may_be_of(const Snapshot &snapshot, uint32_t mark);
  static const Region *find_region(const Process &process, uint64_t address);
  void push_out_oldest(pid_t pid);
  void add_snapshot(Process &process, Snapshot snapshot);
  void forget_mark(const ProcessIdentity &program);
  PerfMap *perf_map(pid_t pid, Process &process);

  UserSymbolsOptions options_;
  std::function<void()> ask_;
  ObjectCache objects_;
  std::unordered_map<pid_t, Process> processes_;
  Snapshot shared_;  // of the space of files: pieces of their code
  FileSpace file_space_;
  std::unordered_map<uint32_t, pid_t> by_mark_;  // the process whose snapshot with it was taken last
  std::deque<pid_t> order_;                      // of first sight
  size_t region_count_ = 0;                      // of all snapshots, and what the kernel has told
  std::deque<pid_t> perf_maps_;                  // processes whose maps are open, oldest first
};

}  // namespace dtrace::runtime
