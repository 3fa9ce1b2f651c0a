// SPDX-License-Identifier: Apache-2.0
// The Symbolizer that asks the running system: kallsyms for kernel addresses, /proc and ELF files for a process's.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/progress.h"
#include "runtime/symbols/kallsyms.h"
#include "runtime/symbols/symbolizer.h"
#include "runtime/symbols/user_symbols.h"

namespace dtrace::runtime {

struct SymbolizerOptions {
  bool demangle = false;    ///< C++ and Rust names in readable form
  bool inlines = false;     ///< inlined functions have frames of their own on user stacks
  bool lines = false;       ///< user stacks have files and lines
  bool no_resolve = false;  ///< option noresolve: user addresses as "object:0xoffset", no ELF file is read
  UserSymbolsOptions user;
};

/// A user stack of a process: return addresses, innermost first; a 0 ends them early.
struct StackAddresses {
  UserImage image;
  std::span<const uint64_t> frames;
};

/// Texts of Source: the D language reference, "Stacks and symbols".
class SystemSymbolizer final : public Symbolizer {
 public:
  explicit SystemSymbolizer(SymbolizerOptions options = {});
  SystemSymbolizer(SymbolizerOptions options, Kallsyms kernel);

  /// These stacks are shown next. Their functions are looked up in advance, file by file, so that each file is read
  /// once although there is no memory for the symbols of all. `gives_up`: asked now and then, ends it. `tell`: called
  /// with frames whose functions are known, and how many there are.
  void prepare(std::span<const StackAddresses> stacks, const std::function<bool()> &gives_up = {},
               const TellProgress &tell = {});
  std::string kernel_symbol(uint64_t address, bool want_offset) override;
  std::string kernel_module(uint64_t address) override;
  std::string user_symbol(UserImage image, uint64_t address, bool want_offset) override;
  std::vector<StackFrame> user_frames(UserImage image, uint64_t address, bool is_return) override;
  std::string user_module(UserImage image, uint64_t address) override;
  CodeMapping mapping(UserImage image, uint64_t address) override;

  void set_demangle(bool demangle) { options_.demangle = demangle; }
  /// Inlined functions on user stacks, and lines of the source.
  void show_source(bool inlines, bool lines);

  /// Where programs keep what managed frames are (bpf/dt_managed.h): the pool's memory, until the last call.
  void set_pool(std::span<const std::byte> pool) { pool_ = pool; }

  /// To be called when a record first names `pid`, while the process may still be there.
  void note_process(pid_t pid) { user_.note_process(pid); }
  void note_running(pid_t pid) { user_.note_running(pid); }
  /// For -c and -p targets: snapshot now, never forgotten.
  void remember(pid_t pid) { user_.remember(pid); }
  /// See UserSymbols.
  void note_mapping(pid_t pid, MapEntry map) { user_.note_mapping(pid, std::move(map)); }
  void on_miss(std::function<void()> ask) { user_.on_miss(std::move(ask)); }
  /// As note_process(), after its mappings have changed.
  void note_change(pid_t pid) { user_.note_change(pid); }

  /// Gives up caches, as ObjectCache does.
  uint64_t give_up(uint64_t bytes);

  Kallsyms &kernel() { return kernel_; }
  UserSymbols &user() { return user_; }

 private:
  /// A frame of a file: its functions are the same in each process.
  struct KnownFrame {
    const CachedObject *object;  // one of known_objects_
    uint64_t offset, from_base;
    bool executable, is_return;
    auto operator<=>(const KnownFrame &) const = default;
  };
  struct HashKnownFrame {
    size_t operator()(const KnownFrame &frame) const;
  };
  static KnownFrame known_frame(const FileAddress &at, bool is_return);
  std::vector<StackFrame> look_up_frames(UserImage image, uint64_t address, bool is_return);
  std::string_view readable(std::string_view symbol);

  SymbolizerOptions options_;
  Kallsyms kernel_;
  UserSymbols user_;
  std::span<const std::byte> pool_;
  std::unordered_map<std::string, std::string> kernel_build_ids_;                  // of modules by name
  std::unordered_map<std::string, std::string> demangled_;                         // mangled -> readable
  std::unordered_map<KnownFrame, std::vector<StackFrame>, HashKnownFrame> known_;  // of the stacks to be shown
  std::vector<ObjectRef> known_objects_;
};

}  // namespace dtrace::runtime
