// SPDX-License-Identifier: Apache-2.0
// The ELF files that processes map, each opened once and read when a symbol of it is wanted.
//
// What a reader would get wrong: the file must be *opened* while a process still has it, because its path may by then
// be gone or another file's, and *read* only later, if ever. So an object keeps its descriptor until its symbols are
// read. Descriptors are few: beyond a limit the oldest are closed, and such a file is found again by its path and told
// from its successor by inode, size and time.
//
// Everything here is bounded by base/foreign_limits.h: tracing may go on for weeks, beside processes that come and go.
#pragma once

#include <sys/types.h>

#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/foreign_limits.h"
#include "base/memory_budget.h"
#include "base/owned.h"
#include "runtime/foreign/process_maps.h"
#include "runtime/symbols/elf_symbols.h"
#include "runtime/symbols/source_frames.h"

namespace dtrace::runtime {

/// What tells a file from its successor under the same path.
struct FileIdentity {
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t size_bytes = 0;
  int64_t modified_s = 0;
  int64_t modified_ns = 0;
  auto operator<=>(const FileIdentity &) const = default;
};

/// A file, the vDSO, or a mere name. It lives as long as somebody refers to it, or the cache remembers it.
class CachedObject {
 public:
  /// Base name, as printed.
  const std::string &name() const { return name_; }
  /// As the kernel shows it.
  const std::string &path() const { return path_; }
  /// Where its addresses begin in the space of files; nothing: not known yet, or there is no room there.
  std::optional<uint64_t> shared_base;
  bool is_shared_base_known = false;
  /// Why it has no symbols.
  const std::string &why() const { return why_; }

 private:
  friend class ObjectCache;
  std::string path_;
  std::string name_;
  FileIdentity identity_;
  Fd file_;
  bool is_vdso_ = false;
  bool is_read_ = false;
  bool was_dropped_ = false;  // it had symbols, which gave way
  std::unique_ptr<ElfSymbols> symbols_;
  uint64_t refused_ns_ = 0;  // when there was no memory for symbols, or for debug information: CLOCK_MONOTONIC
  bool is_counted_ = false;  // among those that there was no memory for
  Fd source_file_;           // with debug information
  std::unique_ptr<SourceInfo> source_;
  std::string why_;
  using Place = std::list<std::shared_ptr<CachedObject>>::iterator;
  Place recent_place_, read_place_, source_place_;  // in the lists of ObjectCache
  bool is_recent_ = false;
};
using ObjectRef = std::shared_ptr<CachedObject>;

struct ObjectCacheLimits {
  size_t held_files = limits::kMaxHeldFiles;
  size_t objects = limits::kMaxCachedObjects;
  uint64_t symbol_bytes = limits::kMaxCachedSymbolBytes;
  MemoryBudget *budget = nullptr;  ///< that the others share; null: there is memory for all. Must outlive the cache
};

class ObjectCache {
 public:
  explicit ObjectCache(ElfOptions options, ObjectCacheLimits limits = {});

  /// The object of a mapping of a live process. `wants_symbols` false: by name only, the file is not touched.
  ObjectRef add(pid_t pid, const MapEntry &map, bool wants_symbols);
  /// Whether a file that is opened from now on may have others closed. If not, and there are too many, it is closed
  /// itself.
  void may_close_others(bool may) { may_close_others_ = may; }
  /// The kernel's vDSO, whose symbols come from our own copy of it.
  ObjectRef add_vdso();
  /// An object that is only a name ("[vsyscall]", a file that could not be opened).
  ObjectRef add_name(const std::string &path);

  /// Reads the symbols, unless that was done and they are still here. nullptr: there are none; why() says why. They are
  /// good until the next call.
  const ElfSymbols *symbols(const ObjectRef &object);

  /// A text that is equal for equal files, however many copies there are (file_space.h). Nothing: it is no ELF file, or
  /// nothing is known of it but its name.
  std::optional<std::string> identity_text(const ObjectRef &object);

  /// The debug information of the file or of its separate debug file; of as many files as a limit allows, those whose
  /// symbols were read last. nullptr: there is none, or the symbols were not read. It is good until the next call.
  SourceInfo *source(const ObjectRef &object);
  /// Keeps the files that source() reads, from now on.
  void want_source(bool with_lines) {
    wants_source_ = true;
    wants_lines_ = with_lines;
  }

  /// Reads and closes the files that no process has any more, as `is_mapped` says, if they are deleted or would keep a
  /// file system from being unmounted.
  void close_unless(const std::function<bool(const CachedObject &object)> &is_mapped);
  /// Files that could not be opened since the last call: no descriptor or no memory was left.
  uint64_t take_unopened() { return std::exchange(unopened_, 0); }
  /// Gives up symbols and debug information, those that were used last at the end: at least so many bytes if there are
  /// so many. Out: how many. They are read again when they are wanted again. What was returned before is not good any
  /// more.
  uint64_t give_up(uint64_t bytes);
  /// Files whose symbols, or debug information, are shown less of because there was no memory for them: since the last
  /// call.
  uint64_t take_refused() { return std::exchange(nr_refused_, 0); }

  /// What is remembered, for tests.
  size_t object_count() const { return by_identity_.size() + by_name_.size(); }
  size_t held_count() const { return held_.size() + source_held_.size(); }
  uint64_t symbol_bytes() const { return symbol_bytes_; }

 private:
  template <typename Key>
  ObjectRef find_or_make(std::map<Key, std::weak_ptr<CachedObject>> &known, const Key &key, const std::string &path);
  static bool identify(int fd, FileIdentity *identity);
  void read(const ObjectRef &object);
  /// The file by its path; nothing: the path does not lead to it any more.
  static Fd reopen(const CachedObject &object);
  void hold_source(const ObjectRef &object, const Fd &file);
  void hold(const ObjectRef &object, Fd file);
  void close_source(const ObjectRef &object);
  void use(const ObjectRef &object);
  static bool is_unused(const ObjectRef &object);
  void forget_unused();
  void drop_symbols_beyond_limit();
  uint64_t drop_symbols(CachedObject &object);
  uint64_t drop_source(CachedObject &object);
  uint64_t drop_last_source();
  /// There was no memory for a part of the object.
  void refuse(CachedObject &object);

  ElfOptions options_;
  ObjectCacheLimits limits_;
  bool may_close_others_ = true;
  std::map<FileIdentity, std::weak_ptr<CachedObject>> by_identity_;
  std::map<std::string, std::weak_ptr<CachedObject>> by_name_;
  std::list<ObjectRef> recent_;   // kept by the cache alone, last used first
  std::list<ObjectRef> read_;     // those with symbols in memory, last used first
  std::deque<ObjectRef> held_;    // those with an open file, oldest first
  std::list<ObjectRef> sources_;  // those with debug information in memory, last used first
  bool wants_source_ = false, wants_lines_ = false;
  std::deque<ObjectRef> source_held_;  // those with an open file of debug information, oldest first
  uint64_t source_bytes_ = 0;
  uint64_t symbol_bytes_ = 0;
  uint64_t unopened_ = 0;
  uint64_t nr_refused_ = 0;
  const CachedObject *in_use_ = nullptr;  // it does not give way to itself
  size_t sweep_at_ = 0;
  ObjectRef vdso_;
};

}  // namespace dtrace::runtime
