// SPDX-License-Identifier: Apache-2.0
// The ELF files that processes map, each opened once and read when a symbol of it is wanted.
//
// What a reader would get wrong: the file must be *opened* while a process still has it, because its path may by then
// be gone or another file's, and *read* only later, if ever. So an object keeps its descriptor until its symbols are
// read. Descriptors are few: beyond a limit the oldest are closed, and such a file is found again by its path and told
// from its successor by inode, size and time.
#pragma once

#include <sys/types.h>

#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/owned.h"
#include "runtime/symbols/elf_symbols.h"
#include "runtime/symbols/process_maps.h"

namespace dtrace {

using ObjectId = uint32_t;
constexpr ObjectId kNoObject = ~0u;

class ObjectCache {
 public:
  explicit ObjectCache(ElfOptions options, size_t most_held_files = 256);

  /// The object of a mapping of a live process. `wants_symbols` false: by name only, the file is not touched.
  ObjectId add(pid_t pid, const MapEntry &map, bool wants_symbols);
  /// The kernel's vDSO, whose symbols come from our own copy of it.
  ObjectId add_vdso();
  /// An object that is only a name ("[vsyscall]", a file that could not be opened).
  ObjectId add_name(const std::string &path);

  /// Base name, as printed.
  const std::string &name(ObjectId id) const { return objects_[id]->name; }
  /// Reads the symbols at the first call. nullptr: there are none; why() says why.
  const ElfSymbols *symbols(ObjectId id);
  const std::string &why(ObjectId id) const { return objects_[id]->why; }

 private:
  struct Identity {
    uint64_t device = 0;
    uint64_t inode = 0;
    int64_t size_bytes = 0;
    int64_t modified_s = 0;
    int64_t modified_ns = 0;
    auto operator<=>(const Identity &) const = default;
  };
  struct Object {
    std::string path;
    std::string name;
    Identity identity;
    Fd file;
    bool is_vdso = false;
    bool is_read = false;
    std::unique_ptr<ElfSymbols> symbols;
    std::string why;
  };

  static bool identify(int fd, Identity *identity);
  void read(Object &object);
  void hold(ObjectId id, Fd file);

  ElfOptions options_;
  size_t most_held_files_;
  std::vector<std::unique_ptr<Object>> objects_;
  std::map<Identity, ObjectId> by_identity_;
  std::map<std::string, ObjectId, std::less<>> by_name_;
  std::deque<ObjectId> held_;  // objects with an open file, oldest first
  ObjectId vdso_ = kNoObject;
};

}  // namespace dtrace
