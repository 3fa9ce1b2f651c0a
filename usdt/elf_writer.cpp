// SPDX-License-Identifier: Apache-2.0
// Section numbers are fixed first (groups, contents, relocations, tables), because symbols, groups and relocations name
// them. i386 keeps addends in the sections (REL), every other machine beside them (RELA).
#include "usdt/elf_writer.h"

#include <algorithm>
#include <map>
#include <utility>

#include "usdt/byte_writer.h"

namespace dtrace::usdt {

ElfWriter::SectionId ElfWriter::add_section(Section section) {
  sections_.push_back(std::move(section));
  return sections_.size() - 1;
}
ElfWriter::SymbolId ElfWriter::add_symbol(Symbol symbol) {
  symbols_.push_back(std::move(symbol));
  return symbols_.size() - 1;
}
ElfWriter::GroupId ElfWriter::add_group(std::string name) {
  groups_.push_back(std::move(name));
  return groups_.size() - 1;
}
void ElfWriter::add_relocation(SectionId section, uint64_t offset, uint32_t type, SymbolId symbol, int64_t addend) {
  relocations_.push_back({section, offset, type, symbol, addend});
}

namespace {

/// Strings, each once.
class StringTable {
 public:
  uint32_t add(const std::string &text) {
    if (text.empty()) return 0;
    const auto [at, is_new] = offsets_.try_emplace(text, static_cast<uint32_t>(bytes_.size()));
    if (is_new) bytes_.string(text);
    return at->second;
  }
  const std::string &data() const { return bytes_.data(); }
  StringTable() { bytes_.u8(0); }

 private:
  ByteWriter bytes_;
  std::map<std::string, uint32_t> offsets_;
};

struct Header {
  uint32_t name = 0;
  uint32_t type = SHT_NULL;
  uint64_t flags = 0;
  uint64_t offset = 0;
  uint64_t size_bytes = 0;
  uint32_t link = 0;
  uint32_t info = 0;
  uint64_t alignment = 0;
  uint64_t entry_bytes = 0;
};

void write_address(ByteWriter &out, const Target &target, uint64_t value) {
  target.is_64 ? out.u64(value) : out.u32(static_cast<uint32_t>(value));
}

}  // namespace

class ElfLayout {
 public:
  explicit ElfLayout(const ElfWriter &elf) : elf_(elf), target_(elf.target_), out_(target_.big_endian) {}

  std::string run() {
    for (const ElfWriter::Relocation &relocation : elf_.relocations_) relocated_[relocation.section];
    uint32_t next = static_cast<uint32_t>(1 + elf_.groups_.size() + elf_.sections_.size());
    for (auto &[section, index] : relocated_) index = next++;
    symbol_table_ = next;
    sort_symbols();

    out_.bytes(std::string(header_bytes(), '\0'));
    headers_.push_back({});
    for (size_t i = 0; i < elf_.groups_.size(); ++i) write_group(i);
    for (size_t i = 0; i < elf_.sections_.size(); ++i) write_section(i);
    for (const auto &[section, index] : relocated_) write_relocations(section);
    write_symbols();
    write_strings();
    return finish();
  }

 private:
  unsigned header_bytes() const { return target_.is_64 ? 64 : 52; }
  unsigned section_header_bytes() const { return target_.is_64 ? 64 : 40; }
  unsigned symbol_bytes() const { return target_.is_64 ? 24 : 16; }
  bool has_addends() const { return target_.machine != EM_386; }
  uint32_t index_of_section(size_t section) const { return static_cast<uint32_t>(1 + elf_.groups_.size() + section); }

  void begin(Header header, const std::string &name) {
    out_.align(std::max<uint64_t>(header.alignment, 1));
    header.name = section_names_.add(name);
    header.offset = out_.size();
    headers_.push_back(header);
  }
  void end() { headers_.back().size_bytes = out_.size() - headers_.back().offset; }

  /// A group's signature is a symbol of its name: the one that is defined in it, or else a local one.
  void sort_symbols() {
    symbols_ = elf_.symbols_;
    order_.resize(elf_.symbols_.size());
    for (const std::string &group : elf_.groups_) {
      const auto defined = std::ranges::find(elf_.symbols_, group, &ElfWriter::Symbol::name);
      if (defined != elf_.symbols_.end()) continue;
      symbols_.push_back({group, ElfWriter::kNone, 0, 0, STB_LOCAL, STT_NOTYPE, STV_DEFAULT});
    }
    std::vector<size_t> sorted(symbols_.size());
    for (size_t i = 0; i < sorted.size(); ++i) sorted[i] = i;
    std::ranges::stable_partition(sorted, [&](size_t i) { return symbols_[i].binding == STB_LOCAL; });
    order_.resize(symbols_.size());
    for (size_t i = 0; i < sorted.size(); ++i) order_[sorted[i]] = static_cast<uint32_t>(1 + i);
    sorted_ = std::move(sorted);
  }

  uint32_t index_of_symbol(const std::string &name) const {
    const auto at = std::ranges::find(symbols_, name, &ElfWriter::Symbol::name);
    return order_[static_cast<size_t>(at - symbols_.begin())];
  }

  void write_group(size_t group) {
    Header header;
    header.type = SHT_GROUP;
    header.link = symbol_table_;
    header.info = index_of_symbol(elf_.groups_[group]);
    header.alignment = 4;
    header.entry_bytes = 4;
    begin(header, ".group");
    out_.u32(GRP_COMDAT);
    for (size_t i = 0; i < elf_.sections_.size(); ++i) {
      if (elf_.sections_[i].group != group) continue;
      out_.u32(index_of_section(i));
      if (const auto at = relocated_.find(i); at != relocated_.end()) out_.u32(at->second);
    }
    end();
  }

  void write_section(size_t number) {
    const ElfWriter::Section &section = elf_.sections_[number];
    Header header;
    header.type = section.type;
    header.flags = section.flags | (section.group != ElfWriter::kNone ? SHF_GROUP : 0);
    header.alignment = section.alignment;
    begin(header, section.name);
    std::string data = section.data;
    if (!has_addends()) put_addends(number, data);
    out_.bytes(data);
    end();
  }

  /// REL: a field of four bytes holds its own addend.
  void put_addends(size_t section, std::string &data) const {
    for (const ElfWriter::Relocation &relocation : elf_.relocations_) {
      if (relocation.section != section) continue;
      ByteWriter addend(target_.big_endian);
      addend.u32(static_cast<uint32_t>(relocation.addend));
      data.replace(relocation.offset, 4, addend.data());
    }
  }

  void write_relocations(size_t section) {
    Header header;
    header.type = has_addends() ? SHT_RELA : SHT_REL;
    header.flags = SHF_INFO_LINK | (elf_.sections_[section].group != ElfWriter::kNone ? SHF_GROUP : 0);
    header.link = symbol_table_;
    header.info = index_of_section(section);
    header.alignment = target_.address_bytes();
    header.entry_bytes = target_.address_bytes() * (has_addends() ? 3U : 2U);
    begin(header, (has_addends() ? ".rela" : ".rel") + elf_.sections_[section].name);
    for (const ElfWriter::Relocation &relocation : elf_.relocations_) {
      if (relocation.section != section) continue;
      const uint64_t symbol = order_[relocation.symbol];
      write_address(out_, target_, relocation.offset);
      write_address(out_, target_, target_.is_64 ? symbol << 32 | relocation.type : symbol << 8 | relocation.type);
      if (has_addends()) write_address(out_, target_, static_cast<uint64_t>(relocation.addend));
    }
    end();
  }

  void write_symbols() {
    Header header;
    header.type = SHT_SYMTAB;
    header.link = symbol_table_ + 1;
    header.alignment = target_.address_bytes();
    header.entry_bytes = symbol_bytes();
    header.info = 1;
    begin(header, ".symtab");
    out_.bytes(std::string(symbol_bytes(), '\0'));
    for (size_t i : sorted_) {
      headers_.back().info += symbols_[i].binding == STB_LOCAL;
      write_symbol(symbols_[i]);
    }
    end();
  }

  void write_symbol(const ElfWriter::Symbol &symbol) {
    uint16_t section = SHN_UNDEF;
    if (symbol.section != ElfWriter::kNone) {
      section = static_cast<uint16_t>(index_of_section(symbol.section));
    } else if (symbol.binding == STB_LOCAL) {
      // A signature that nothing defines lies in its group's own section, as assemblers have it.
      const auto group = std::ranges::find(elf_.groups_, symbol.name);
      section = static_cast<uint16_t>(1 + (group - elf_.groups_.begin()));
    }
    const auto info = static_cast<uint8_t>(symbol.binding << 4 | symbol.type);
    out_.u32(symbol_names_.add(symbol.name));
    if (target_.is_64) {
      out_.u8(info);
      out_.u8(symbol.visibility);
      out_.u16(section);
      out_.u64(symbol.value);
      out_.u64(symbol.size_bytes);
    } else {
      out_.u32(static_cast<uint32_t>(symbol.value));
      out_.u32(static_cast<uint32_t>(symbol.size_bytes));
      out_.u8(info);
      out_.u8(symbol.visibility);
      out_.u16(section);
    }
  }

  void write_strings() {
    Header header;
    header.type = SHT_STRTAB;
    header.alignment = 1;
    begin(header, ".strtab");
    out_.bytes(symbol_names_.data());
    end();
    begin(header, ".shstrtab");
    out_.bytes(section_names_.data());
    end();
  }

  std::string finish() {
    out_.align(8);
    const uint64_t table = out_.size();
    for (const Header &header : headers_) {
      out_.u32(header.name);
      out_.u32(header.type);
      write_address(out_, target_, header.flags);
      write_address(out_, target_, 0);
      write_address(out_, target_, header.offset);
      write_address(out_, target_, header.size_bytes);
      out_.u32(header.link);
      out_.u32(header.info);
      write_address(out_, target_, header.alignment);
      write_address(out_, target_, header.entry_bytes);
    }
    std::string file = out_.take();
    const std::string head = file_header(table);
    file.replace(0, head.size(), head);
    return file;
  }

  std::string file_header(uint64_t section_table) const {
    ByteWriter head(target_.big_endian);
    head.bytes(ELFMAG);
    head.u8(target_.is_64 ? ELFCLASS64 : ELFCLASS32);
    head.u8(target_.big_endian ? ELFDATA2MSB : ELFDATA2LSB);
    head.u8(EV_CURRENT);
    head.u8(target_.os_abi);
    head.align(EI_NIDENT);
    head.u16(ET_REL);
    head.u16(target_.machine);
    head.u32(EV_CURRENT);
    write_address(head, target_, 0);
    write_address(head, target_, 0);
    write_address(head, target_, section_table);
    head.u32(target_.flags);
    head.u16(static_cast<uint16_t>(header_bytes()));
    head.u16(0);
    head.u16(0);
    head.u16(static_cast<uint16_t>(section_header_bytes()));
    head.u16(static_cast<uint16_t>(headers_.size()));
    head.u16(static_cast<uint16_t>(headers_.size() - 1));
    return head.take();
  }

  const ElfWriter &elf_;
  const Target &target_;
  ByteWriter out_;
  std::vector<Header> headers_;
  StringTable section_names_, symbol_names_;
  std::map<size_t, uint32_t> relocated_;  ///< section -> index of its relocations
  uint32_t symbol_table_ = 0;             ///< its section index
  std::vector<ElfWriter::Symbol> symbols_;
  std::vector<uint32_t> order_;  ///< symbol -> index in the table
  std::vector<size_t> sorted_;   ///< index in the table, less one -> symbol
};

std::string ElfWriter::file() const { return ElfLayout(*this).run(); }

}  // namespace dtrace::usdt
