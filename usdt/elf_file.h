// SPDX-License-Identifier: Apache-2.0
// The reader of ELF files that we did not write: programs, libraries and their debug files.
//
// Nothing in the file is believed: each offset is checked against the file's size, and each count and length against a
// limit of base/foreign_limits.h. The file is read piece by piece with pread(2) and never mapped: a read of a file that
// is truncated meanwhile fails, a load from its mapping would end us with SIGBUS. Little-endian files only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace dtrace::usdt {

/// Bytes that can be read at any offset: a file, or a piece of memory.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills `out` from `offset`; false if not all of it is there.
  virtual bool read(uint64_t offset, std::span<std::byte> out) const = 0;
  /// Is any of these bytes in a hole of a sparse file? Holes cost nobody anything to make, and a linker makes none.
  virtual bool has_hole(uint64_t, uint64_t) const { return false; }
};

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::span<const std::byte> bytes) : bytes_(bytes) {}
  bool read(uint64_t offset, std::span<std::byte> out) const override;

 private:
  std::span<const std::byte> bytes_;
};

/// An open file, which must outlive the source. A file that shrinks meanwhile reads short; nothing worse happens.
class FileSource final : public ByteSource {
 public:
  explicit FileSource(int fd) : fd_(fd) {}
  bool read(uint64_t offset, std::span<std::byte> out) const override;
  bool has_hole(uint64_t offset, uint64_t size_bytes) const override;

 private:
  int fd_;
};

enum class Machine : uint8_t { kX86_64, kI386, kAarch64, kOther };

struct Section {
  std::string name;
  uint32_t type = 0;
  uint64_t flags = 0, address = 0, offset = 0, size_bytes = 0, entry_bytes = 0;
  uint32_t link = 0;
};

struct Segment {
  uint32_t type = 0, flags = 0;
  uint64_t offset = 0, address = 0, file_bytes = 0, memory_bytes = 0, align_bytes = 0;
};

/// One entry of a table of symbols, as it is.
struct RawSymbol {
  uint32_t name = 0;  ///< offset in the table's strings
  uint8_t info = 0;
  uint16_t section = 0;
  uint64_t value = 0, size_bytes = 0;
};

struct Relocation {
  uint64_t place = 0;
  uint32_t type = 0, symbol = 0;  ///< number in the table of symbols
  int64_t addend = 0;
};

struct Symbol {
  uint64_t value = 0;  ///< address, or offset in the thread's block if is_thread_local
  bool is_thread_local = false;
};

class ElfFile {
 public:
  /// Reads the headers. `source` must outlive the file.
  /// Errors: no little-endian ELF program or shared object; headers that reach outside of the file or are too many.
  static Result<ElfFile> open(const ByteSource &source);
  /// As open(), for debug files, which dwz(1) marks as objects.
  static Result<ElfFile> open_any(const ByteSource &source);
  /// Does the file begin as those do that open() reads? Then an error of open() means that it is damaged.
  static bool claims_to_be_program(const ByteSource &source);

  Machine machine() const { return machine_; }
  uint16_t machine_number() const { return machine_number_; }
  uint64_t entry() const { return entry_; }
  bool is_64bit() const { return is_64bit_; }
  /// May it be loaded anywhere (ET_DYN), or only at its own addresses?
  bool is_position_independent() const { return is_position_independent_; }
  const std::vector<Section> &sections() const { return sections_; }
  const std::vector<Segment> &segments() const { return segments_; }
  /// The first section of that name, nullptr if there is none.
  const Section *section(std::string_view name) const;
  /// The first section of that type, nullptr if there is none.
  const Section *first_of(uint32_t type) const;
  /// Its bytes; empty if it has none in the file, more than `most_bytes`, is compressed, or lies in a hole.
  std::vector<std::byte> contents(const Section &section, uint64_t most_bytes) const;
  /// As contents(), a compressed section as it is.
  std::vector<std::byte> raw_contents(const Section &section, uint64_t most_bytes) const;
  bool has_segment(uint32_t type) const;
  /// The names of its sections cannot be read: all are empty.
  bool has_unread_names() const { return has_unread_names_; }

  /// `use` for each entry of a table of symbols until it returns false. False: the table has more than kMaxSymbols, or
  /// cannot be read to its end.
  bool each_raw_symbol(const Section &table, const std::function<bool(const RawSymbol &)> &use) const;
  /// As each_raw_symbol(), with names; entries whose names are not in the table's strings have empty ones.
  bool each_symbol(const Section &table, const std::function<bool(const RawSymbol &, std::string_view)> &use) const;
  /// The strings of a table of symbols; empty if they cannot be read.
  std::vector<std::byte> strings_of(const Section &table) const;
  /// `use` for each entry of a section of type SHT_RELA or SHT_REL.
  void each_relocation(const Section &section, const std::function<void(const Relocation &)> &use) const;

  /// File offset of an address in an executable PT_LOAD.
  std::optional<uint64_t> code_offset(uint64_t address) const;
  /// File offset of an address in a writable PT_LOAD that is not executable; of .bss, where it shares a page with what
  /// the file has of the segment.
  std::optional<uint64_t> data_offset(uint64_t address) const;
  /// The NUL-terminated string at an address, of at most `most_bytes`; nothing if it does not end there.
  std::optional<std::string> string_at(uint64_t address, size_t most_bytes) const;

  /// The first defined symbol of each of those names in the file's tables of symbols, .symtab before .dynsym.
  std::map<std::string, Symbol, std::less<>> symbols(const std::set<std::string, std::less<>> &names) const;
  /// Addresses of the slots of the global offset table that the loader fills with the addresses of these symbols.
  std::map<std::string, uint64_t, std::less<>> got_slots(const std::set<std::string, std::less<>> &names) const;
  /// The addresses of what the loader fills by symbols whose names are wanted.
  std::set<uint64_t> relocated_by(const std::function<bool(std::string_view name)> &is_wanted) const;
  /// What the loader calls the global offset table (DT_PLTGOT).
  std::optional<uint64_t> got_address() const;
  /// Distance from the thread pointer to the beginning of the program's own thread-local block (x86: negative).
  std::optional<int64_t> thread_block_offset() const;
  /// From the note NT_GNU_BUILD_ID of a segment or a section; empty if there is none.
  std::vector<uint8_t> build_id() const;

 private:
  ElfFile() = default;
  friend class HeaderReader;
  std::optional<uint64_t> file_offset(uint64_t address, uint32_t flags_wanted, uint32_t flags_refused) const;
  std::vector<std::byte> bytes_at(uint64_t offset, uint64_t size_bytes) const;
  std::vector<uint8_t> build_id_in(uint64_t offset, uint64_t size_bytes, uint64_t align_bytes) const;

  const ByteSource *source_ = nullptr;
  Machine machine_ = Machine::kOther;
  bool is_64bit_ = true;
  bool is_position_independent_ = true;
  bool has_unread_names_ = false;
  uint16_t machine_number_ = 0;
  uint64_t entry_ = 0;
  std::vector<Section> sections_;
  std::vector<Segment> segments_;
};

/// The string at `offset` of a table of strings; empty if it does not end in it, or is longer than `most_bytes`.
std::string_view string_in(std::span<const std::byte> table, uint64_t offset, size_t most_bytes = 4096);

/// Reads little-endian numbers from bytes in order; after the first read beyond the end all read 0 and ok() is false.
class Cursor {
 public:
  explicit Cursor(std::span<const std::byte> bytes) : bytes_(bytes) {}
  /// `size_bytes` of 1, 2, 4 or 8.
  uint64_t number(unsigned size_bytes);
  uint32_t word() { return static_cast<uint32_t>(number(4)); }
  /// Up to the NUL, which is passed; not ok if there is none.
  std::string_view string();
  std::span<const std::byte> bytes(uint64_t size_bytes);
  void skip(uint64_t size_bytes) { bytes(size_bytes); }
  /// Moves on to the next multiple of `to_bytes` from the beginning; the end serves as well.
  void align(unsigned to_bytes);
  bool ok() const { return ok_; }
  bool at_end() const { return at_ == bytes_.size(); }
  size_t left() const { return bytes_.size() - at_; }

 private:
  std::span<const std::byte> bytes_;
  size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace dtrace::usdt
