// SPDX-License-Identifier: Apache-2.0
// Program and library files that probes are set in: opened once, their functions listed when somebody wants them.
//
// What a reader would get wrong: a probe is set at an offset in a file, not at an address of a process. So one
// UserObject serves every process that maps the file, wherever it lies there.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "plan/hook.h"
#include "runtime/foreign/process_maps.h"
#include "runtime/symbols/elf_symbols.h"
#include "runtime/unwind/call_frames.h"
#include "runtime/user/return_address_facts.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {

/// One function of a file.
struct UserFunction {
  uint64_t offset = 0;                  ///< of its first instruction, in the file
  uint64_t address = 0;                 ///< the same as a virtual address of the file
  uint64_t size_bytes = 0;              ///< as the symbol says, else up to the next symbol or the section's end
  std::vector<std::string_view> names;  ///< the preferred one first; they live as long as the object
  bool is_global = false;               ///< a symbol of it is global or weak: other files may call it
  size_t indirect_names = 0;            ///< how many of the names, the first ones, are of an indirect function
  /// IFUNC: the code is a resolver, which is asked once for the function.
  bool is_indirect() const { return indirect_names != 0; }
};

class UserObject {
 public:
  UserObject(std::shared_ptr<const UserFile> file, const std::string &path);

  const std::shared_ptr<const UserFile> &file() const { return file_; }
  /// Base name of the path, as probes' modules are called.
  std::string_view name() const { return object_name(path_); }
  /// Printable, as names are.
  const std::string &path() const { return path_; }
  /// The functions by address; read at the first call. Empty if there are none, or the file makes no sense: error().
  const std::vector<UserFunction> &functions();
  /// The function that begins at, or contains, a virtual address of the file. Code that no symbol names is a function
  /// of its own when it is asked for by its first address: how long it is, nothing tells.
  std::optional<UserFunction> function_at(uint64_t address);
  std::optional<UserFunction> function_around(uint64_t address);
  /// Its run-time system copies stacks while functions are running (Go).
  bool moves_stacks();
  /// Has tables that tell where exceptions are caught.
  bool catches_exceptions();
  /// It may cancel threads, whose stacks are then unwound.
  bool cancels_threads();
  /// It asks for signals, and exceptions begin in it or pass through it.
  bool may_throw_in_handlers();
  /// It goes from one stack to another in the midst of functions (coroutines).
  bool switches_stacks();
  /// It may give handlers of signals a stack of their own.
  bool has_stacks_for_signals();
  /// It imports a function that reads or keeps its return address (return_address.h).
  bool imports_reader_of_return_address();
  /// The locations that the loader fills with addresses of such functions.
  const std::set<uint64_t> &slots_of_readers();
  /// It names a dynamic linker; a program that does not is static.
  bool has_interpreter();
  /// Symbols of the file; null as error() says.
  const ElfSymbols *symbols();
  const std::string &error() const { return error_; }
  bool is_64bit() { return symbols() == nullptr || symbols()->is_64bit(); }
  /// EM_*: a file may be for another machine than this one.
  uint16_t machine();
  /// Its call frame information, rules by address; null: it has none that can be read.
  CallFrames *call_frames();
  /// What return_address.cpp has found out, by the functions' addresses.
  std::map<uint64_t, ReturnAddressFacts> &return_address_facts() { return return_address_facts_; }

 private:
  std::shared_ptr<const UserFile> file_;
  std::string path_;
  std::unique_ptr<ElfSymbols> symbols_;
  std::optional<std::vector<UserFunction>> functions_;
  bool tried_ = false;
  std::optional<bool> moves_stacks_, catches_exceptions_, cancels_threads_, may_throw_in_handlers_, switches_stacks_,
      has_stacks_for_signals_, has_interpreter_;
  std::optional<bool> imports_reader_;
  std::optional<std::set<uint64_t>> slots_of_readers_;
  std::optional<uint16_t> machine_;
  std::string error_;
  std::unique_ptr<usdt::FileSource> frames_source_;
  std::optional<CallFrames> call_frames_;
  std::map<uint64_t, ReturnAddressFacts> return_address_facts_;
};

/// An object as one process has it.
struct MappedObject {
  std::shared_ptr<UserObject> object;
  bool is_program = false;  ///< the file that was executed: "a.out"
  uint64_t start = 0;       ///< the executable mapping: its address and the offset of that in the file
  uint64_t start_offset = 0;
};

/// Objects by what file they are, so that processes share them.
class UserObjects {
 public:
  /// A file that cannot be read, so that it is as if it had no functions.
  struct Refusal {
    std::string path;
    bool is_program = false;
    int cause = 0;  ///< errno
  };
  /// The files that `pid` maps executably, in address order. Errors: the process cannot be looked into.
  Result<std::vector<MappedObject>> of_process(pid_t pid, std::vector<Refusal> *refusals = nullptr);
  void forget(const std::set<const UserFile *> &files) {
    std::erase_if(known_, [&](const auto &entry) { return files.contains(entry.second->file().get()); });
  }

 private:
  std::map<std::pair<uint64_t, uint64_t>, std::shared_ptr<UserObject>> known_;  // by device and inode
};

/// Whether the module field of a probe description means a file with this base name: as it is, or up to ".so" ("libz"
/// for libz.so.1.2.13), or up to the end of ".so" or of a number behind it ("libz.so", "libz.so.1").
bool names_file(std::string_view field, std::string_view base);

/// The same, or its base name up to the first dot, or "ld.so" for the dynamic linker.
bool names_object(std::string_view field, std::string_view base);

/// Whether it means this object: as names_file(), or its base name up to the first dot, its whole path, "a.out" for the
/// program, "ld.so" for the dynamic linker; each may be matched by a glob.
bool module_matches(std::string_view field, const MappedObject &mapped);

}  // namespace dtrace::runtime
