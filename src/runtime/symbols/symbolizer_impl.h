// SPDX-License-Identifier: Apache-2.0
// The Symbolizer that asks the running system: kallsyms for kernel addresses, /proc and ELF files for a process's.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

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

/// Texts of Source: the D language reference, "Stacks and symbols".
class SystemSymbolizer final : public Symbolizer {
 public:
  explicit SystemSymbolizer(SymbolizerOptions options = {});
  SystemSymbolizer(SymbolizerOptions options, Kallsyms kernel);

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

  Kallsyms &kernel() { return kernel_; }
  UserSymbols &user() { return user_; }

 private:
  std::string_view readable(std::string_view symbol);

  SymbolizerOptions options_;
  Kallsyms kernel_;
  UserSymbols user_;
  std::span<const std::byte> pool_;
  std::unordered_map<std::string, std::string> kernel_build_ids_;  // of modules by name
  std::unordered_map<std::string, std::string> demangled_;         // mangled -> readable
};

}  // namespace dtrace::runtime
