// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/dwarf_image.h"

#include <elf.h>
#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/foreign_limits.h"

namespace dtrace::runtime {
namespace {

using limits::kMaxDwarfBytes;

/// Is it read? Frames are not (runtime/unwind reads those of the program), and the links to other files neither.
bool is_wanted(std::string_view name, DwarfUse use) {
  constexpr std::string_view kNames[] = {"info", "abbrev",  "str",    "line_str", "str_offsets",
                                         "addr", "aranges", "ranges", "rnglists", "types"};
  for (const std::string_view lead : {".debug_", ".zdebug_"})
    if (name.starts_with(lead))
      return std::find(std::begin(kNames), std::end(kNames), name.substr(lead.size())) != std::end(kNames) ||
             (use == DwarfUse::kLines && name.substr(lead.size()) == "line") ||
             (use == DwarfUse::kLocations &&
              (name.substr(lead.size()) == "loc" || name.substr(lead.size()) == "loclists" ||
               name.substr(lead.size()) == "line"));
  return false;
}

/// The size that the bytes of a section have when they are decompressed, as they say themselves.
uint64_t unpacked_bytes(const usdt::Section &section, std::span<const std::byte> bytes, bool is_64bit) {
  usdt::Cursor cursor(bytes);
  if ((section.flags & SHF_COMPRESSED) != 0) {
    cursor.skip(is_64bit ? 8 : 4);
    const uint64_t size = cursor.number(is_64bit ? 8 : 4);
    return cursor.ok() ? size : UINT64_MAX;
  }
  constexpr std::string_view kMagic = "ZLIB";
  if (!section.name.starts_with(".z") || bytes.size() < kMagic.size() + 8 ||
      std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0)
    return bytes.size();
  uint64_t size = 0;
  for (const std::byte byte : bytes.subspan(kMagic.size(), 8)) size = size << 8 | static_cast<uint64_t>(byte);
  return size;
}

/// An ELF file of sections and nothing else.
class ImageWriter {
 public:
  ImageWriter(bool is_64bit, uint16_t machine) : is_64bit_(is_64bit), machine_(machine) {
    bytes_.resize(sizeof(Elf64_Ehdr));
    headers_.emplace_back();
    names_.push_back('\0');
  }

  /// So many bytes will be added: as the image grows, there are no two of it.
  void reserve(uint64_t contents_bytes) { bytes_.reserve(bytes_.size() + contents_bytes + kReserveBytes); }
  void add(const usdt::Section &section, std::span<const std::byte> contents) {
    add(section.name, section.type, section.flags, contents);
  }
  void add(std::string_view name, uint32_t type, uint64_t flags, std::span<const std::byte> contents) {
    headers_.push_back({static_cast<uint32_t>(names_.size()), type, flags, append(contents), contents.size()});
    names_.append(name).push_back('\0');
  }

  std::string finish() {
    Header own{static_cast<uint32_t>(names_.size()), SHT_STRTAB, 0, 0, 0};
    names_.append(".shstrtab").push_back('\0');
    own.offset = append(std::as_bytes(std::span(names_)));
    own.size_bytes = names_.size();
    headers_.push_back(own);
    if (is_64bit_)
      finish_as<Elf64_Ehdr, Elf64_Shdr>(ELFCLASS64);
    else
      finish_as<Elf32_Ehdr, Elf32_Shdr>(ELFCLASS32);
    return std::move(bytes_);
  }

 private:
  struct Header {
    uint32_t name = 0, type = SHT_NULL;
    uint64_t flags = 0, offset = 0, size_bytes = 0;
  };
  static constexpr size_t kAlignBytes = 16;
  static constexpr size_t kReserveBytes = 8 << 10;  // for headers and gaps

  uint64_t append(std::span<const std::byte> contents) {
    bytes_.resize((bytes_.size() + kAlignBytes - 1) / kAlignBytes * kAlignBytes);
    const uint64_t at = bytes_.size();
    const char *start = reinterpret_cast<const char *>(contents.data());
    bytes_.append(start, contents.size());
    return at;
  }

  template <typename FileHeader, typename SectionHeader>
  void finish_as(unsigned char elf_class) {
    std::vector<SectionHeader> headers;
    for (const Header &header : headers_) {
      SectionHeader out{};
      out.sh_name = header.name;
      out.sh_type = header.type;
      out.sh_flags = static_cast<decltype(out.sh_flags)>(header.flags & SHF_COMPRESSED);
      out.sh_offset = static_cast<decltype(out.sh_offset)>(header.offset);
      out.sh_size = static_cast<decltype(out.sh_size)>(header.size_bytes);
      out.sh_addralign = header.type == SHT_NULL ? 0 : 1;
      if ((header.flags & SHF_COMPRESSED) != 0) out.sh_addralign = 8;
      headers.push_back(out);
    }
    FileHeader file{};
    std::memcpy(file.e_ident, ELFMAG, SELFMAG);
    file.e_ident[EI_CLASS] = elf_class;
    file.e_ident[EI_DATA] = ELFDATA2LSB;
    file.e_ident[EI_VERSION] = EV_CURRENT;
    file.e_type = ET_EXEC;  // an object's sections would be relocated
    file.e_machine = machine_;
    file.e_version = EV_CURRENT;
    file.e_ehsize = sizeof file;
    file.e_shentsize = sizeof(SectionHeader);
    file.e_shnum = static_cast<uint16_t>(headers.size());
    file.e_shstrndx = static_cast<uint16_t>(headers.size() - 1);
    file.e_shoff = static_cast<decltype(file.e_shoff)>(append(std::as_bytes(std::span(headers))));
    std::memcpy(bytes_.data(), &file, sizeof file);
  }

  bool is_64bit_;
  uint16_t machine_;
  std::string bytes_, names_;
  std::vector<Header> headers_;
};

}  // namespace

bool has_packed_sections(const usdt::ElfFile &elf, DwarfUse use) {
  return std::ranges::any_of(elf.sections(), [&](const usdt::Section &section) {
    return is_wanted(section.name, use) && section.type != SHT_NOBITS && (section.flags & SHF_COMPRESSED) != 0;
  });
}

uint64_t needed_bytes(const usdt::ElfFile &elf, DwarfUse use) {
  // The copy and what libdw makes of it: entries and abbreviations, and the bytes that it decompresses.
  constexpr uint64_t kPlain = 2, kPacked = 6;
  uint64_t bytes = 0;
  for (const usdt::Section &section : elf.sections()) {
    if (!is_wanted(section.name, use) || section.type == SHT_NOBITS) continue;
    const bool is_packed = (section.flags & SHF_COMPRESSED) != 0 || section.name.starts_with(".z");
    bytes += std::min(section.size_bytes, kMaxDwarfBytes) * (is_packed ? kPacked : kPlain);
  }
  return bytes;
}

Result<std::string> DwarfImage::copy(const usdt::ElfFile &elf, DwarfUse use, bool unpacks) {
  constexpr size_t kMaxSections = 64;
  ImageWriter writer(elf.is_64bit(), elf.machine_number());
  uint64_t packed = 0, unpacked = 0, expected = 0;
  size_t count = 0;
  for (const usdt::Section &section : elf.sections())
    if (is_wanted(section.name, use) && section.type != SHT_NOBITS)
      expected += std::min(section.size_bytes, kMaxDwarfBytes - expected);
  writer.reserve(expected);
  for (const usdt::Section &section : elf.sections()) {
    if (!is_wanted(section.name, use) || section.type == SHT_NOBITS || count == kMaxSections) continue;
    if (section.size_bytes > kMaxDwarfBytes - packed) return Error("more debug information than is read");
    const std::vector<std::byte> bytes = elf.raw_contents(section, kMaxDwarfBytes);
    const uint64_t size = unpacked_bytes(section, bytes, elf.is_64bit());
    if (size > kMaxDwarfBytes - unpacked) return Error("more debug information than is read");
    packed += bytes.size();
    unpacked += size;
    ++count;
    if (unpacks && (section.flags & SHF_COMPRESSED) != 0)
      writer.add(section.name, section.type, 0, unpacked_section(elf, section, kMaxDwarfBytes));
    else
      writer.add(section, bytes);
  }
  if (count == 0) return Error("no debug information");
  return writer.finish();
}

Result<DwarfImage> DwarfImage::read(const usdt::ElfFile &elf, DwarfUse use) {
  Result<std::string> bytes = copy(elf, use, false);
  if (!bytes) return std::move(bytes).error();
  return open(std::move(*bytes));
}

Result<DwarfImage> DwarfImage::unpack(const usdt::ElfFile &elf, DwarfUse use) {
  Result<std::string> bytes = copy(elf, use, true);
  if (!bytes) return std::move(bytes).error();
  return open(std::move(*bytes));
}

Result<DwarfImage> DwarfImage::of(std::span<const DwarfSection> sections, uint16_t machine) {
  ImageWriter writer(true, machine);
  for (const DwarfSection &section : sections) writer.add(section.name, SHT_PROGBITS, 0, section.bytes);
  return open(writer.finish());
}

Result<DwarfImage> DwarfImage::open(std::string bytes) {
  DwarfImage image;
  image.bytes_ = std::move(bytes);
  elf_version(EV_CURRENT);
  image.elf_.reset(elf_memory(image.bytes_.data(), image.bytes_.size()));
  if (image.elf_ != nullptr) image.dwarf_.reset(dwarf_begin_elf(image.elf_.get(), DWARF_C_READ, nullptr));
  if (image.dwarf_ == nullptr) return Error("malformed debug information");
  return image;
}

std::vector<std::byte> unpacked_section(const usdt::ElfFile &elf, const usdt::Section &section, uint64_t most_bytes) {
  std::vector<std::byte> bytes = elf.raw_contents(section, most_bytes);
  if ((section.flags & SHF_COMPRESSED) == 0) return bytes;
  if (unpacked_bytes(section, bytes, elf.is_64bit()) > most_bytes) return {};
  ImageWriter writer(elf.is_64bit(), elf.machine_number());
  writer.add(section, bytes);
  std::string image = writer.finish();
  elf_version(EV_CURRENT);
  std::vector<std::byte> result;
  Elf *const packed = elf_memory(image.data(), image.size());
  Elf_Scn *const first = packed == nullptr ? nullptr : elf_nextscn(packed, nullptr);
  if (first != nullptr && elf_compress(first, 0, 0) >= 0)
    if (const Elf_Data *data = elf_getdata(first, nullptr); data != nullptr && data->d_buf != nullptr)
      if (data->d_size <= most_bytes) {
        const auto *begin = static_cast<const std::byte *>(data->d_buf);
        result.assign(begin, begin + data->d_size);
      }
  elf_end(packed);
  return result;
}

std::span<const std::byte> section_of(Dwarf *dwarf, std::string_view name) {
  Elf *const elf = dwarf_getelf(dwarf);
  size_t names = 0;
  if (elf == nullptr || elf_getshdrstrndx(elf, &names) != 0) return {};
  for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    const char *own = gelf_getshdr(section, &header) == nullptr ? nullptr : elf_strptr(elf, names, header.sh_name);
    if (own == nullptr || name != own) continue;
    const Elf_Data *data = elf_getdata(section, nullptr);  // decompressed by libdw before
    if (data == nullptr || data->d_buf == nullptr) return {};
    return {static_cast<const std::byte *>(data->d_buf), data->d_size};
  }
  return {};
}

SharedDebugFile shared_debug_file(const usdt::ElfFile &elf) {
  const usdt::Section *section = elf.section(".gnu_debugaltlink");
  if (section == nullptr) return {};
  const std::vector<std::byte> bytes = elf.contents(*section, limits::kMaxDebugLinkBytes);
  usdt::Cursor cursor(bytes);
  SharedDebugFile shared;
  shared.name = cursor.string();
  if (!cursor.ok() || cursor.left() > limits::kMaxBuildIdBytes) return {};
  for (const std::byte byte : cursor.bytes(cursor.left())) shared.build_id.push_back(static_cast<uint8_t>(byte));
  return shared;
}

}  // namespace dtrace::runtime
