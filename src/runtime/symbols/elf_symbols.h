// SPDX-License-Identifier: Apache-2.0
// Symbols of one ELF file.
//
// What a reader would get wrong: addresses here are the file's own virtual addresses (p_vaddr, st_value), never those
// of a process. A mapping gives a file offset, the program headers turn it into a virtual address, and so PIE,
// prelinked and fixed-address files need no load bias and no special case. The file may be hostile: no field of it is
// trusted before it is checked against the file's size or a limit below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {

enum class ElfBinding : uint8_t { kGlobal, kWeak, kLocal };
enum class ElfSymbolType : uint8_t { kFunction, kIfunc, kObject, kNone };

/// One defined symbol. `name` points into the ElfSymbols.
struct ElfSymbol {
  uint64_t address = 0;     ///< virtual address in the file
  uint64_t size_bytes = 0;  ///< 0: the file does not say
  std::string_view name;    ///< without its version
  ElfBinding binding = ElfBinding::kLocal;
  ElfSymbolType type = ElfSymbolType::kNone;
  uint64_t room_bytes = 0;  ///< its size; of a symbol without one, how far it is to the end of its section
};

/// One PT_LOAD.
struct ElfSegment {
  uint64_t address = 0;
  uint64_t offset = 0;
  uint64_t file_bytes = 0;
  uint64_t memory_bytes = 0;
  bool executable = false;
};

struct ElfLocation {
  ElfSymbol symbol;
  uint64_t offset = 0;
};

struct ElfOptions {
  /// Where separate debug files are: ROOT/.build-id/xx/yyyy.debug. Empty: do not look.
  std::string debug_root = "/usr/lib/debug";
  /// May so many bytes of memory be taken? A table that is refused is left out: lacks_memory(). Empty: all may.
  std::function<bool(uint64_t bytes)> may_take = {};
};

/// The symbols of .symtab; without one those of .dynsym, joined by those of the separate debug file or, failing that,
/// of .gnu_debugdata (MiniDebugInfo), or of the table that Go programs carry. Functions, objects and the plain labels
/// of assembly code; PLT stubs have no symbol.
class ElfSymbols {
 public:
  /// Reads from an open file; `fd` is not needed afterwards. `name` is for messages. Errors: no program or library, or
  /// one with more symbols than kMaxSymbols.
  static Result<ElfSymbols> read(int fd, std::string_view name, const ElfOptions &options = {});
  static Result<ElfSymbols> read_path(const std::string &path, const ElfOptions &options = {});
  /// Reads an image in memory, laid out as a file (a vDSO is).
  static Result<ElfSymbols> read_image(std::span<const std::byte> image, std::string_view name,
                                       const ElfOptions &options = {});

  ElfSymbols(ElfSymbols &&) = default;
  ElfSymbols &operator=(ElfSymbols &&) = default;

  /// The symbol that contains the virtual address. The order of aliases: sized before unsized, function before label,
  /// global before weak before local, fewer leading underscores, shorter, lesser.
  std::optional<ElfLocation> by_address(uint64_t address) const;
  /// All symbols of that name, in address order.
  std::vector<ElfSymbol> by_name(std::string_view name) const;
  /// Where thread-local variables of that name are in the file's segment of them, ascending. They are not among the
  /// symbols.
  std::vector<uint64_t> thread_offsets(std::string_view name) const;
  /// The i-th of size() symbols, in address order.
  ElfSymbol at(size_t i) const;
  size_t size() const { return symbols_.size(); }
  /// What this costs in memory.
  uint64_t memory_bytes() const;

  /// There are more symbols in the file, which there was no memory for.
  bool lacks_memory() const { return lacks_memory_; }

  /// The virtual address of a byte of the file; a segment of the wanted kind wins where two share a page.
  /// Behind the end of a data segment's file bytes lies its .bss, which has offsets as if the file went on.
  std::optional<uint64_t> address_of_offset(uint64_t file_offset, bool executable) const;
  std::optional<uint64_t> offset_of_address(uint64_t address) const;

  /// Process address minus file address, for a mapping of this file that begins at `map_start` with byte `map_offset`.
  std::optional<uint64_t> load_bias(uint64_t map_start, uint64_t map_offset, bool executable) const;

  const std::vector<ElfSegment> &segments() const { return segments_; }
  const std::vector<uint8_t> &build_id() const { return build_id_; }
  uint64_t entry() const { return entry_; }
  bool is_64bit() const { return is_64bit_; }
  bool has_interpreter() const { return has_interpreter_; }

 private:
  friend class ElfSymbolsReader;
  ElfSymbols() = default;
  static Result<ElfSymbols> read_source(const usdt::ByteSource &source, std::string_view name,
                                        const ElfOptions &options);

  struct Symbol {
    uint64_t address;
    uint64_t room_bytes;  // its size; of an unsized one, the distance to its section's end
    uint32_t name;        // offset into names_
    ElfBinding binding;
    ElfSymbolType type;
    bool is_sized;
  };
  // One per distinct address. `parent` is the nearest earlier range that may still cover what lies behind this one.
  struct Range {
    uint64_t start;
    uint64_t end;
    uint32_t symbol;
    uint32_t parent;
  };

  struct ThreadSymbol {
    uint64_t offset;
    uint32_t name;
  };

  std::string_view name_of(const Symbol &symbol) const;
  bool is_preferred(const Symbol &a, const Symbol &b) const;
  void index();

  std::vector<Symbol> symbols_;  // by address, the preferred alias first
  std::vector<Range> ranges_;    // by start
  std::vector<ThreadSymbol> thread_symbols_;
  std::string names_;  // the files' tables of strings, so that a name takes the room that it has on disk
  std::vector<ElfSegment> segments_;
  std::vector<uint8_t> build_id_;
  uint64_t entry_ = 0;
  bool is_64bit_ = true;
  bool has_interpreter_ = false;
  bool lacks_memory_ = false;
};

}  // namespace dtrace::runtime
