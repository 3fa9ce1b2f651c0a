// SPDX-License-Identifier: Apache-2.0
// The few parts of an ELF file that static probes need, read from it piece by piece: nobody maps or holds the whole.
//
// The file is anybody's, so nothing in it is believed: each offset is checked against the file's size, each count and
// length against a limit. Little-endian files only: the others cannot run here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace dtrace::usdt {

/// Bytes that can be read at any place: a file, or a piece of memory.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills `out` from `offset`; false if not all of it is there.
  virtual bool read(uint64_t offset, std::span<std::byte> out) const = 0;
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

struct Symbol {
  uint64_t value = 0;  ///< address, or offset in the thread's block if is_thread_local
  bool is_thread_local = false;
};

class ElfFile {
 public:
  /// Reads the headers. `source` must outlive the file.
  /// Errors: no little-endian ELF program or shared object; headers that reach outside of the file or are too many.
  static Result<ElfFile> open(const ByteSource &source);

  Machine machine() const { return machine_; }
  bool is_64bit() const { return is_64bit_; }
  /// May it be loaded anywhere (ET_DYN), or only at its own addresses?
  bool is_position_independent() const { return is_position_independent_; }
  const std::vector<Section> &sections() const { return sections_; }
  const std::vector<Segment> &segments() const { return segments_; }
  /// The first section of that name, nullptr if there is none.
  const Section *section(std::string_view name) const;
  /// Its bytes; empty if it has none in the file or more than `most_bytes`.
  std::vector<std::byte> contents(const Section &section, uint64_t most_bytes) const;

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
  /// What the loader calls the global offset table (DT_PLTGOT).
  std::optional<uint64_t> got_address() const;
  /// Distance from the thread pointer to the beginning of the program's own thread-local block (x86: negative).
  std::optional<int64_t> thread_block_offset() const;
  /// Of the note .note.gnu.build-id; empty if there is none.
  std::vector<uint8_t> build_id() const;

 private:
  ElfFile() = default;
  friend class HeaderReader;
  std::optional<uint64_t> file_offset(uint64_t address, uint32_t flags_wanted, uint32_t flags_refused) const;
  const Section *first_of(uint32_t type) const;
  template <typename Use>
  void each_symbol(const Section &table, Use use) const;

  const ByteSource *source_ = nullptr;
  Machine machine_ = Machine::kOther;
  bool is_64bit_ = true;
  bool is_position_independent_ = true;
  std::vector<Section> sections_;
  std::vector<Segment> segments_;
};

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
