// SPDX-License-Identifier: Apache-2.0
// Writes small ELF files for tests: one executable and one writable segment, and the sections a test asks for.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "usdt/elf_file.h"

namespace dtrace::test {

/// Appends to a string of bytes; all numbers little-endian, as the machine has them.
template <typename T>
void put(std::string &out, T value) {
  out.append(reinterpret_cast<const char *>(&value), sizeof value);
}
inline void put_text(std::string &out, std::string_view text) { out.append(text).push_back('\0'); }

inline std::string note(std::string_view owner, uint32_t type, const std::string &descriptor) {
  std::string out;
  put(out, static_cast<uint32_t>(owner.size() + 1));
  put(out, static_cast<uint32_t>(descriptor.size()));
  put(out, type);
  put_text(out, owner);
  out.resize((out.size() + 3) / 4 * 4);
  out += descriptor;
  out.resize((out.size() + 3) / 4 * 4);
  return out;
}

/// A 64-bit file whose code lies at 0x1000 (file offset 0x400) and whose data lies at 0x3000 (file offset 0x800), 0x400
/// bytes each.
class ElfBuilder {
 public:
  static constexpr uint64_t kCode = 0x1000, kCodeOffset = 0x400, kData = 0x3000, kDataOffset = 0x800, kBytes = 0x400;

  explicit ElfBuilder(uint16_t type = ET_DYN, uint16_t machine = EM_X86_64) : type_(type), machine_(machine) {}

  void section(std::string name, uint32_t type, std::string bytes, uint64_t address = 0, uint32_t link = 0) {
    sections_.push_back({std::move(name), type, std::move(bytes), address, link});
  }
  void site(uint64_t pc, uint64_t base, uint64_t semaphore, std::string_view provider, std::string_view probe,
            std::string_view arguments) {
    std::string descriptor;
    put(descriptor, pc);
    put(descriptor, base);
    put(descriptor, semaphore);
    put_text(descriptor, provider);
    put_text(descriptor, probe);
    put_text(descriptor, arguments);
    stapsdt_ += note("stapsdt", 3, descriptor);
  }
  void raw_site_note(const std::string &bytes) { stapsdt_ += bytes; }
  void symbol(std::string_view name, uint64_t value, uint8_t type = STT_OBJECT, uint16_t section = 1,
              uint64_t size_bytes = 0) {
    Elf64_Sym symbol{};
    symbol.st_name = static_cast<uint32_t>(symbol_names_.size());
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, type);
    symbol.st_shndx = section;
    symbol.st_value = value;
    symbol.st_size = size_bytes;
    put_text(symbol_names_, name);
    put(symbols_, symbol);
  }
  /// A slot that the loader fills with the address of the symbol made last.
  void got_slot(uint64_t address) {
    const uint64_t number = symbols_.size() / sizeof(Elf64_Sym) - 1;
    put(relocations_, Elf64_Rela{address, ELF64_R_INFO(number, R_X86_64_GLOB_DAT), 0});
  }
  void thread_block(uint64_t size_bytes, uint64_t align_bytes) {
    tls_bytes_ = size_bytes;
    tls_align_ = align_bytes;
  }
  void bss(uint64_t size_bytes) { bss_bytes_ = size_bytes; }
  void got_address(uint64_t address) { got_ = address; }
  void code(uint64_t address, std::string_view bytes) { code_.replace(address - kCode, bytes.size(), bytes); }

  std::string build() {
    if (!stapsdt_.empty()) section(".note.stapsdt", SHT_NOTE, stapsdt_);
    if (!symbols_.empty()) {
      const auto strings = static_cast<uint32_t>(sections_.size() + 2);
      section(".dynsym", SHT_DYNSYM, symbols_, 0, strings);
      section(".dynstr", SHT_STRTAB, symbol_names_);
      if (!relocations_.empty()) section(".rela.dyn", SHT_RELA, relocations_, 0, strings - 1);
    }
    if (got_ != 0) {
      std::string dynamic;
      put(dynamic, Elf64_Dyn{DT_PLTGOT, {got_}});
      put(dynamic, Elf64_Dyn{DT_NULL, {0}});
      section(".dynamic", SHT_DYNAMIC, dynamic);
    }
    std::string names(1, '\0'), bodies;
    std::vector<Elf64_Shdr> headers(1);
    const uint64_t bodies_at = kDataOffset + kBytes;
    sections_.push_back({".shstrtab", SHT_STRTAB, "", 0, 0});
    for (const Made &made : sections_) {
      Elf64_Shdr header{};
      header.sh_name = static_cast<uint32_t>(names.size());
      header.sh_type = made.type;
      header.sh_addr = made.address;
      header.sh_link = made.link;
      put_text(names, made.name);
      headers.push_back(header);
    }
    sections_.back().bytes = names;
    for (size_t i = 0; i < sections_.size(); ++i) {
      headers[i + 1].sh_offset = bodies_at + bodies.size();
      headers[i + 1].sh_size = sections_[i].bytes.size();
      bodies += sections_[i].bytes;
      bodies.resize((bodies.size() + 7) / 8 * 8);
    }
    Elf64_Ehdr ehdr{};
    std::memcpy(ehdr.e_ident, ELFMAG, SELFMAG);
    ehdr.e_ident[EI_CLASS] = ELFCLASS64;
    ehdr.e_ident[EI_DATA] = ELFDATA2LSB;
    ehdr.e_type = type_;
    ehdr.e_machine = machine_;
    ehdr.e_phoff = sizeof ehdr;
    ehdr.e_phentsize = sizeof(Elf64_Phdr);
    ehdr.e_shoff = bodies_at + bodies.size();
    ehdr.e_shentsize = sizeof(Elf64_Shdr);
    ehdr.e_shnum = static_cast<uint16_t>(headers.size());
    ehdr.e_shstrndx = static_cast<uint16_t>(headers.size() - 1);
    std::string segments;
    put(segments, Elf64_Phdr{PT_LOAD, PF_R | PF_X, kCodeOffset, kCode, kCode, kBytes, kBytes, 0x1000});
    put(segments, Elf64_Phdr{PT_LOAD, PF_R | PF_W, kDataOffset, kData, kData, kBytes, kBytes + bss_bytes_, 0x1000});
    if (tls_bytes_ != 0) put(segments, Elf64_Phdr{PT_TLS, PF_R, kDataOffset, kData, kData, 0, tls_bytes_, tls_align_});
    ehdr.e_phnum = static_cast<uint16_t>(segments.size() / sizeof(Elf64_Phdr));
    std::string out;
    put(out, ehdr);
    out += segments;
    out.resize(kCodeOffset);
    out += code_;
    out.resize(bodies_at);
    out += bodies;
    for (const Elf64_Shdr &header : headers) put(out, header);
    return out;
  }

 private:
  struct Made {
    std::string name;
    uint32_t type;
    std::string bytes;
    uint64_t address;
    uint32_t link;
  };
  uint16_t type_, machine_;
  std::vector<Made> sections_;
  std::string stapsdt_, symbols_ = std::string(sizeof(Elf64_Sym), '\0'), symbol_names_ = std::string(1, '\0'),
                        relocations_;
  std::string code_ = std::string(kBytes, '\x90');
  uint64_t bss_bytes_ = 0;
  uint64_t tls_bytes_ = 0, tls_align_ = 1, got_ = 0;
};

/// A built file, open.
struct BuiltFile {
  explicit BuiltFile(std::string bytes)
      : image(std::move(bytes)),
        source(std::as_bytes(std::span<const char>(image))),
        opened(usdt::ElfFile::open(source)) {}
  const usdt::ElfFile &file() const { return *opened; }

  std::string image;
  usdt::MemorySource source;
  Result<usdt::ElfFile> opened;
};

}  // namespace dtrace::test
