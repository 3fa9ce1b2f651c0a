// SPDX-License-Identifier: Apache-2.0
// Debug information for libdw, in memory of our own.
//
// What a reader would get wrong: libdw maps a file that it is given, so a file that is truncated meanwhile ends us
// with SIGBUS; and it opens further files whose names it finds in the first. So libdw is given neither a file nor a
// name: only the sections that we ask about, copied, within limits.
#pragma once

#include <elfutils/libdw.h>
#include <libelf.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {

/// What debug information is read for.
enum class DwarfUse : uint8_t { kTypes, kLines, kLocations };

/// A section of debug information that is not compressed.
struct DwarfSection {
  std::string name;
  std::vector<std::byte> bytes;
};

/// Is any of the sections compressed that `use` reads?
bool has_packed_sections(const usdt::ElfFile &elf, DwarfUse use);
/// About how much memory an image takes while it is read and used: what the sections say of their sizes.
uint64_t needed_bytes(const usdt::ElfFile &elf, DwarfUse use);
/// The bytes of a section, decompressed; empty if they are more than `most_bytes`, or make no sense.
std::vector<std::byte> unpacked_section(const usdt::ElfFile &elf, const usdt::Section &section, uint64_t most_bytes);
/// The same of a section that libdw has.
std::span<const std::byte> section_of(Dwarf *dwarf, std::string_view name);

class DwarfImage {
 public:
  /// Errors: the file has no debug information, or more than limits::kMaxDwarfBytes.
  static Result<DwarfImage> read(const usdt::ElfFile &elf, DwarfUse use = DwarfUse::kTypes);
  /// As read(), with all sections decompressed, so that open() of bytes() decompresses nothing.
  static Result<DwarfImage> unpack(const usdt::ElfFile &elf, DwarfUse use);
  /// In: bytes() of an image. Errors: they are no ELF file with DWARF.
  static Result<DwarfImage> open(std::string bytes);
  const std::string &bytes() const { return bytes_; }

  /// An image of these sections of a file for 64-bit machines. Errors: they make no sense.
  static Result<DwarfImage> of(std::span<const DwarfSection> sections, uint16_t machine);

  Dwarf *get() const { return dwarf_.get(); }
  /// What this costs in memory; libdw's own notes come on top.
  uint64_t memory_bytes() const { return bytes_.capacity(); }
  /// Lets references lead into a file that several share (dwz). `shared` must outlive this.
  void share(const DwarfImage &shared) { dwarf_setalt(dwarf_.get(), shared.get()); }

 private:
  DwarfImage() = default;
  static Result<std::string> copy(const usdt::ElfFile &elf, DwarfUse use, bool unpacks);

  struct ElfEnd {
    void operator()(Elf *elf) const { elf_end(elf); }
  };
  struct DwarfEnd {
    void operator()(Dwarf *dwarf) const { dwarf_end(dwarf); }
  };
  std::string bytes_;  // elf_ points into it; long enough to stay where it is when the image is moved
  std::unique_ptr<Elf, ElfEnd> elf_;
  std::unique_ptr<Dwarf, DwarfEnd> dwarf_;
};

/// What .gnu_debugaltlink says of the file that several share.
struct SharedDebugFile {
  std::string name;
  std::vector<uint8_t> build_id;
};

/// Nothing to be shared: the name is empty.
SharedDebugFile shared_debug_file(const usdt::ElfFile &elf);

}  // namespace dtrace::runtime
