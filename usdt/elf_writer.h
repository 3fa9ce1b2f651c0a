// SPDX-License-Identifier: Apache-2.0
// A relocatable ELF file put together from sections, COMDAT groups and symbols, for any machine and byte order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "usdt/target.h"

namespace dtrace::usdt {

class ElfWriter {
 public:
  using SectionId = size_t;
  using SymbolId = size_t;
  using GroupId = size_t;
  static constexpr size_t kNone = static_cast<size_t>(-1);

  struct Section {
    std::string name;
    uint32_t type = SHT_PROGBITS;
    uint64_t flags = 0;
    uint64_t alignment = 1;
    std::string data;
    GroupId group = kNone;
  };
  struct Symbol {
    std::string name;
    SectionId section = kNone;  ///< kNone: undefined, or a group's signature
    uint64_t value = 0;
    uint64_t size_bytes = 0;
    uint8_t binding = STB_LOCAL;
    uint8_t type = STT_NOTYPE;
    uint8_t visibility = STV_DEFAULT;
  };

  explicit ElfWriter(const Target &target) : target_(target) {}

  SectionId add_section(Section section);
  SymbolId add_symbol(Symbol symbol);
  /// A COMDAT group; the linker keeps one of each name. Sections name it, a symbol of that name may.
  GroupId add_group(std::string name);
  /// Field of the machine's relocation type `type` at `offset` of the section.
  void add_relocation(SectionId section, uint64_t offset, uint32_t type, SymbolId symbol, int64_t addend);

  /// The file. Symbols are sorted, local ones first, as the format wants it; all else is in the order of the calls.
  std::string file() const;

 private:
  struct Relocation {
    SectionId section;
    uint64_t offset;
    uint32_t type;
    SymbolId symbol;
    int64_t addend;
  };

  Target target_;
  std::vector<Section> sections_;
  std::vector<Symbol> symbols_;
  std::vector<std::string> groups_;
  std::vector<Relocation> relocations_;

  friend class ElfLayout;
};

}  // namespace dtrace::usdt
