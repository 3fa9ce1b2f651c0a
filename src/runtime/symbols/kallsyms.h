// SPDX-License-Identifier: Apache-2.0
// Kernel symbols: /proc/kallsyms, read when the first question is asked and not before.
//
// What a reader would get wrong: the file is three parts in order - core kernel, modules, BPF programs - and the kernel
// walks a list from its head for every BPF line it prints. Reading that part is quadratic in the loaded programs, so it
// is read only for an address or a name that the first two parts cannot answer. seq_file hands out less than a page a
// read on every kernel we know; the buffer is large all the same, for the kernel that will not.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/owned.h"

namespace dtrace::runtime {

/// One line of kallsyms. The views are good until the next question to the table: answering it may read more symbols.
struct KernelSymbol {
  uint64_t address = 0;
  std::string_view name;
  std::string_view module;  ///< "vmlinux" for the core kernel, "bpf" for JITed programs
  char type = '?';          ///< as nm(1): upper case is global

  bool is_text() const { return type == 't' || type == 'T' || type == 'w' || type == 'W'; }
};

/// A symbol and how far into it an address lies, in bytes.
struct KernelLocation {
  KernelSymbol symbol;
  uint64_t offset = 0;
};

/// The kernel's symbol table.
///
/// Out:    by_address() names the symbol that contains the address; of several at one address the global text symbol
///         wins, then the one with fewer leading underscores, then the lesser name: the answer never depends on order.
/// Errors: none; without an answer, reason() says why there is nothing to answer from (empty when there is).
/// Cost:   36 ms and 16 bytes a symbol plus its name, once, at the first question; asked for many names, 4 bytes more.
class Kallsyms {
 public:
  Kallsyms();
  /// Reads from other files: the tests' way in, and that of a saved copy.
  Kallsyms(std::string kallsyms_path, std::string modules_path);
  Kallsyms(Kallsyms &&) noexcept;
  Kallsyms &operator=(Kallsyms &&) noexcept;
  ~Kallsyms();

  /// A table of the given texts (layouts of /proc/kallsyms and /proc/modules).
  static Kallsyms from_text(std::string_view kallsyms, std::string_view modules = {});

  std::optional<KernelLocation> by_address(uint64_t address);

  /// Every symbol of that name, core kernel first, then by address. An empty module means any.
  std::vector<KernelSymbol> by_name(std::string_view module, std::string_view name);

  /// The module whose memory holds the address, also where no symbol is known; empty if none.
  std::string_view module_of(uint64_t address);

  /// The memory of that module, or of the core kernel's image: first byte and end.
  std::optional<std::pair<uint64_t, uint64_t>> range_of(uint64_t address);

  /// Why there are no symbols; empty when there are.
  const std::string &reason();

  /// Symbols held so far: 0 before the first question.
  size_t size() const;

 private:
  struct Table;
  Table &loaded();
  Table &complete();

  std::string kallsyms_path_;
  std::string modules_path_;
  std::unique_ptr<Table> table_;
};

}  // namespace dtrace::runtime
