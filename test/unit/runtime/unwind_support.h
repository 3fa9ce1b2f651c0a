// SPDX-License-Identifier: Apache-2.0
// Call frame information made by hand, and an ELF file around it.
#pragma once

#include <elf.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace dtrace::runtime::test {

inline constexpr uint64_t kFramesAddress = 0x100000, kTableAddress = 0x200000;

template <typename T>
void put(std::vector<std::byte> &to, T value) {
  const auto *bytes = reinterpret_cast<const std::byte *>(&value);
  to.insert(to.end(), bytes, bytes + sizeof value);
}

/// The bytes of .eh_frame.
class FrameSection {
 public:
  /// The common entry of those that follow: x86-64's, at a function's entry. Pointers have four bytes, from their
  /// address.
  void common(std::string_view augmentation = "zR") {
    common_ = begin();
    put<uint32_t>(bytes_, 0);
    put<uint8_t>(bytes_, 1);
    for (const char letter : augmentation) put(bytes_, letter);
    put<uint8_t>(bytes_, 0);
    for (const int byte : {1, 0x78, 16}) put(bytes_, static_cast<uint8_t>(byte));  // alignments 1 and -8, column 16
    for (const int byte : {1, 0x1b}) put(bytes_, static_cast<uint8_t>(byte));
    for (const int byte : {0x0c, 7, 8, 0x90, 1}) put(bytes_, static_cast<uint8_t>(byte));
    finish(common_);
  }
  /// Returns where it begins.
  uint32_t entry(uint64_t code, uint32_t size_bytes, const std::vector<uint8_t> &program) {
    const uint32_t start = begin();
    put(bytes_, static_cast<uint32_t>(bytes_.size()) - common_);
    put(bytes_, static_cast<int32_t>(code - kFramesAddress - bytes_.size()));
    put(bytes_, size_bytes);
    put<uint8_t>(bytes_, 0);
    for (const uint8_t byte : program) put(bytes_, byte);
    finish(start);
    return start;
  }
  void end() { put<uint32_t>(bytes_, 0); }
  const std::vector<std::byte> &bytes() const { return bytes_; }

 private:
  uint32_t begin() {
    const auto start = static_cast<uint32_t>(bytes_.size());
    put<uint32_t>(bytes_, 0);
    return start;
  }
  void finish(uint32_t start) {
    const auto size_bytes = static_cast<uint32_t>(bytes_.size()) - start - 4;
    std::memcpy(&bytes_[start], &size_bytes, sizeof size_bytes);
  }

  std::vector<std::byte> bytes_;
  uint32_t common_ = 0;
};

/// The bytes of .eh_frame_hdr for entries by code and offset.
inline std::vector<std::byte> frame_table(const std::vector<std::pair<uint64_t, uint32_t>> &entries) {
  std::vector<std::byte> bytes;
  for (const int byte : {1, 0x1b, 0x03, 0x3b}) put(bytes, static_cast<uint8_t>(byte));
  put(bytes, static_cast<int32_t>(kFramesAddress - kTableAddress - 4));
  put(bytes, static_cast<uint32_t>(entries.size()));
  for (const auto &[code, place] : entries) {
    put(bytes, static_cast<int32_t>(code - kTableAddress));
    put(bytes, static_cast<int32_t>(kFramesAddress + place - kTableAddress));
  }
  return bytes;
}

/// An x86-64 library with these two sections and, so it says, four pages of code; a section that is empty is left out.
inline std::vector<std::byte> elf_with_frames(std::span<const std::byte> frames, std::span<const std::byte> table) {
  constexpr std::string_view kNames("\0.eh_frame\0.eh_frame_hdr\0.shstrtab\0", 36);
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_DYN;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  Elf64_Phdr code{};
  code.p_type = PT_LOAD;
  code.p_flags = PF_R | PF_X;
  code.p_vaddr = 0x1000;
  code.p_filesz = code.p_memsz = 0x4000;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof code;
  header.e_phnum = 1;
  std::vector<Elf64_Shdr> sections(1);
  uint64_t offset = sizeof header + sizeof code;
  const auto add = [&](uint32_t name, uint32_t type, uint64_t address, uint64_t size_bytes) {
    Elf64_Shdr section{};
    section.sh_name = name;
    section.sh_type = type;
    section.sh_addr = address;
    section.sh_offset = offset;
    section.sh_size = size_bytes;
    sections.push_back(section);
    offset += size_bytes;
  };
  if (!frames.empty()) add(1, SHT_PROGBITS, kFramesAddress, frames.size());
  if (!table.empty()) add(11, SHT_PROGBITS, kTableAddress, table.size());
  add(25, SHT_STRTAB, 0, kNames.size());
  header.e_shoff = offset;
  header.e_shnum = static_cast<uint16_t>(sections.size());
  header.e_shstrndx = static_cast<uint16_t>(sections.size() - 1);
  std::vector<std::byte> file;
  put(file, header);
  put(file, code);
  file.insert(file.end(), frames.begin(), frames.end());
  file.insert(file.end(), table.begin(), table.end());
  for (const char letter : kNames) put(file, letter);
  for (const Elf64_Shdr &section : sections) put(file, section);
  return file;
}

}  // namespace dtrace::runtime::test
