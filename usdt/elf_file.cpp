// SPDX-License-Identifier: Apache-2.0
#include "usdt/elf_file.h"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/foreign_limits.h"

namespace dtrace::usdt {
namespace {

using namespace limits;

constexpr uint64_t kPageBytes = 4096;
constexpr size_t kChunkBytes = 64 << 10;

Machine machine_of(uint16_t number) {
  switch (number) {
    case EM_X86_64:
      return Machine::kX86_64;
    case EM_386:
      return Machine::kI386;
    case EM_AARCH64:
      return Machine::kAarch64;
    default:
      return Machine::kOther;
  }
}

RawSymbol raw_symbol(std::span<const std::byte> bytes, bool is_64bit) {
  Cursor cursor(bytes);
  RawSymbol symbol;
  symbol.name = cursor.word();
  if (is_64bit) {
    symbol.info = static_cast<uint8_t>(cursor.number(1));
    cursor.skip(1);
    symbol.section = static_cast<uint16_t>(cursor.number(2));
    symbol.value = cursor.number(8);
    symbol.size_bytes = cursor.number(8);
  } else {
    symbol.value = cursor.number(4);
    symbol.size_bytes = cursor.number(4);
    symbol.info = static_cast<uint8_t>(cursor.number(1));
    cursor.skip(1);
    symbol.section = static_cast<uint16_t>(cursor.number(2));
  }
  return symbol;
}

}  // namespace

std::string_view string_in(std::span<const std::byte> table, uint64_t offset, size_t most_bytes) {
  if (offset >= table.size()) return {};
  const char *start = reinterpret_cast<const char *>(table.data()) + offset;
  const size_t room = std::min<uint64_t>(table.size() - offset, most_bytes + 1);
  const void *end = std::memchr(start, '\0', room);
  return end == nullptr ? std::string_view{} : std::string_view(start, static_cast<const char *>(end) - start);
}

bool MemorySource::read(uint64_t offset, std::span<std::byte> out) const {
  if (offset > bytes_.size() || bytes_.size() - offset < out.size()) return false;
  if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
  return true;
}

bool FileSource::read(uint64_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    if (offset > INT64_MAX) return false;
    const ssize_t n = ::pread(fd_, out.data(), out.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    out = out.subspan(static_cast<size_t>(n));
    offset += static_cast<uint64_t>(n);
  }
  return true;
}

bool FileSource::has_hole(uint64_t offset, uint64_t size_bytes) const {
  if (offset > INT64_MAX) return false;
  // Nobody uses the descriptor's own position.
  const off_t hole = ::lseek(fd_, static_cast<off_t>(offset), SEEK_HOLE);
  return hole >= 0 && static_cast<uint64_t>(hole) - offset < size_bytes;
}

uint64_t Cursor::number(unsigned size_bytes) {
  const std::span<const std::byte> from = bytes(size_bytes);
  uint64_t value = 0;
  for (size_t i = from.size(); i-- > 0;) value = value << 8 | static_cast<uint64_t>(from[i]);
  return value;
}

std::span<const std::byte> Cursor::bytes(uint64_t size_bytes) {
  if (!ok_ || size_bytes > left()) {
    ok_ = false;
    at_ = bytes_.size();
    return {};
  }
  const std::span<const std::byte> result = bytes_.subspan(at_, size_bytes);
  at_ += size_bytes;
  return result;
}

std::string_view Cursor::string() {
  const char *start = reinterpret_cast<const char *>(bytes_.data()) + at_;
  const void *end = left() == 0 ? nullptr : std::memchr(start, '\0', left());
  if (!ok_ || end == nullptr) {
    ok_ = false;
    at_ = bytes_.size();
    return {};
  }
  const auto length = static_cast<size_t>(static_cast<const char *>(end) - start);
  at_ += length + 1;
  return {start, length};
}

void Cursor::align(unsigned to_bytes) { at_ = std::min((at_ + to_bytes - 1) / to_bytes * to_bytes, bytes_.size()); }

/// Fills one ElfFile from its headers.
class HeaderReader {
 public:
  HeaderReader(const ByteSource &source, bool takes_objects) : source_(source), takes_objects_(takes_objects) {
    file_.source_ = &source;
  }

  Result<ElfFile> read() {
    std::byte start[sizeof(Elf64_Ehdr)] = {};
    // A 32-bit header is shorter than a 64-bit one; a file that ends within the latter is still a file.
    if (!source_.read(0, std::span(start).first(SELFMAG)) || std::memcmp(start, ELFMAG, SELFMAG) != 0)
      return Error("not an ELF file");
    if (!source_.read(0, start) && !source_.read(0, std::span(start).first(sizeof(Elf32_Ehdr))))
      return Error("an ELF file that ends within its header");
    const auto elf_class = static_cast<uint8_t>(start[EI_CLASS]);
    if (elf_class != ELFCLASS64 && elf_class != ELFCLASS32) return Error("an ELF file of an unknown class");
    if (static_cast<uint8_t>(start[EI_DATA]) != ELFDATA2LSB) return Error("not a little-endian ELF file");
    file_.is_64bit_ = elf_class == ELFCLASS64;
    const unsigned word = file_.is_64bit_ ? 8 : 4;

    Cursor cursor(start);
    cursor.skip(EI_NIDENT);
    const uint64_t type = cursor.number(2);
    if (type != ET_EXEC && type != ET_DYN && !(takes_objects_ && type == ET_REL))
      return Error("neither a program nor a shared object");
    file_.is_position_independent_ = type == ET_DYN;
    file_.machine_number_ = static_cast<uint16_t>(cursor.number(2));
    file_.machine_ = machine_of(file_.machine_number_);
    cursor.skip(4);  // version
    file_.entry_ = cursor.number(word);
    const uint64_t segments_at = cursor.number(word);
    const uint64_t sections_at = cursor.number(word);
    cursor.skip(4 + 2);  // flags, size of this header
    const uint64_t segment_bytes = cursor.number(2), nr_segments = cursor.number(2);
    const uint64_t section_bytes = cursor.number(2), nr_sections = cursor.number(2);
    const uint64_t names_section = cursor.number(2);
    if (!read_segments(segments_at, segment_bytes, nr_segments)) return Error("program headers outside of the file");
    if (!read_sections(sections_at, section_bytes, nr_sections, names_section))
      return Error("section headers outside of the file");
    return std::move(file_);
  }

 private:
  std::vector<std::byte> table(uint64_t at, uint64_t entry_bytes, uint64_t count) {
    if (source_.has_hole(at, entry_bytes * count)) return {};
    std::vector<std::byte> bytes(entry_bytes * count);
    if (!source_.read(at, bytes)) bytes.clear();
    return bytes;
  }

  bool read_segments(uint64_t at, uint64_t entry_bytes, uint64_t count) {
    if (count == 0) return true;
    if (count > kMaxSegments || entry_bytes != (file_.is_64bit_ ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)))
      return false;
    const std::vector<std::byte> bytes = table(at, entry_bytes, count);
    if (bytes.empty()) return false;
    for (uint64_t i = 0; i < count; ++i) {
      Cursor cursor(std::span<const std::byte>(bytes).subspan(i * entry_bytes, entry_bytes));
      Segment segment;
      segment.type = cursor.word();
      const unsigned word = file_.is_64bit_ ? 8 : 4;
      if (file_.is_64bit_) segment.flags = cursor.word();
      segment.offset = cursor.number(word);
      segment.address = cursor.number(word);
      cursor.skip(word);
      segment.file_bytes = cursor.number(word);
      segment.memory_bytes = cursor.number(word);
      if (!file_.is_64bit_) segment.flags = cursor.word();
      segment.align_bytes = cursor.number(word);
      file_.segments_.push_back(segment);
    }
    return true;
  }

  /// `count` 0 with a table there is: section 0's size holds the count.
  bool read_sections(uint64_t at, uint64_t entry_bytes, uint64_t count, uint64_t names_section) {
    if (at == 0) return true;
    if (entry_bytes != (file_.is_64bit_ ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr))) return false;
    if (count == 0 || names_section == SHN_XINDEX) {
      const std::vector<std::byte> first = table(at, entry_bytes, 1);
      if (first.empty()) return false;
      const Section section = parse_section(first);
      if (count == 0) count = section.size_bytes;
      if (names_section == SHN_XINDEX) names_section = section.link;
    }
    if (count > kMaxSections) return false;
    const std::vector<std::byte> bytes = table(at, entry_bytes, count);
    if (bytes.empty()) return count == 0;
    std::vector<uint32_t> names;
    for (uint64_t i = 0; i < count; ++i) {
      const auto entry = std::span(bytes).subspan(i * entry_bytes, entry_bytes);
      names.push_back(Cursor(entry).word());
      file_.sections_.push_back(parse_section(entry));
    }
    if (names_section >= count) return true;
    const Section &names_table = file_.sections_[names_section];
    const std::vector<std::byte> texts = file_.contents(names_table, kMaxSectionNamesBytes);
    file_.has_unread_names_ = texts.empty() && names_table.size_bytes != 0 && names_table.type != SHT_NOBITS;
    for (uint64_t i = 0; i < count; ++i) {
      // Long names could cost as much as their number squared.
      file_.sections_[i].name = string_in(texts, names[i]).substr(0, kMaxSectionNameBytes);
    }
    return true;
  }

  Section parse_section(std::span<const std::byte> bytes) const {
    const unsigned word = file_.is_64bit_ ? 8 : 4;
    Cursor cursor(bytes);
    Section section;
    cursor.skip(4);
    section.type = cursor.word();
    section.flags = cursor.number(word);
    section.address = cursor.number(word);
    section.offset = cursor.number(word);
    section.size_bytes = cursor.number(word);
    section.link = cursor.word();
    cursor.skip(4);
    cursor.skip(word);
    section.entry_bytes = cursor.number(word);
    return section;
  }

  const ByteSource &source_;
  bool takes_objects_;
  ElfFile file_;
};

Result<ElfFile> ElfFile::open(const ByteSource &source) { return HeaderReader(source, false).read(); }

bool ElfFile::claims_to_be_program(const ByteSource &source) {
  std::byte start[EI_NIDENT + 2] = {};
  if (!source.read(0, start))  // cut within its header?
    return source.read(0, std::span(start).first(SELFMAG)) && std::memcmp(start, ELFMAG, SELFMAG) == 0;
  const auto elf_class = static_cast<uint8_t>(start[EI_CLASS]);
  const uint64_t type = Cursor(std::span(start).subspan(EI_NIDENT)).number(2);
  return std::memcmp(start, ELFMAG, SELFMAG) == 0 && (elf_class == ELFCLASS32 || elf_class == ELFCLASS64) &&
         static_cast<uint8_t>(start[EI_DATA]) == ELFDATA2LSB && (type == ET_EXEC || type == ET_DYN);
}

Result<ElfFile> ElfFile::open_any(const ByteSource &source) { return HeaderReader(source, true).read(); }

const Section *ElfFile::section(std::string_view name) const {
  const auto found = std::find_if(sections_.begin(), sections_.end(), [&](const Section &s) { return s.name == name; });
  return found == sections_.end() ? nullptr : &*found;
}

const Section *ElfFile::first_of(uint32_t type) const {
  const auto found = std::find_if(sections_.begin(), sections_.end(), [&](const Section &s) { return s.type == type; });
  return found == sections_.end() ? nullptr : &*found;
}

bool ElfFile::has_segment(uint32_t type) const {
  return std::any_of(segments_.begin(), segments_.end(), [&](const Segment &s) { return s.type == type; });
}

std::vector<std::byte> ElfFile::contents(const Section &section, uint64_t most_bytes) const {
  if ((section.flags & SHF_COMPRESSED) != 0) return {};
  return raw_contents(section, most_bytes);
}

std::vector<std::byte> ElfFile::raw_contents(const Section &section, uint64_t most_bytes) const {
  if (section.type == SHT_NOBITS || section.size_bytes > most_bytes) return {};
  return bytes_at(section.offset, section.size_bytes);
}

std::vector<std::byte> ElfFile::bytes_at(uint64_t offset, uint64_t size_bytes) const {
  // What is claimed may be far more than the file has: find that out before making room for it.
  std::byte last[1];
  if (size_bytes == 0 || offset > UINT64_MAX - size_bytes || !source_->read(offset + size_bytes - 1, last) ||
      source_->has_hole(offset, size_bytes))
    return {};
  std::vector<std::byte> bytes(size_bytes);
  if (!source_->read(offset, bytes)) bytes.clear();
  return bytes;
}

std::optional<uint64_t> ElfFile::file_offset(uint64_t address, uint32_t flags_wanted, uint32_t flags_refused) const {
  for (const Segment &segment : segments_) {
    if (segment.type != PT_LOAD || (segment.flags & flags_wanted) != flags_wanted ||
        (segment.flags & flags_refused) != 0)
      continue;
    if (address < segment.address || address - segment.address >= segment.file_bytes) continue;
    const uint64_t offset = segment.offset + (address - segment.address);
    if (offset >= segment.offset) return offset;
  }
  return std::nullopt;
}

std::optional<uint64_t> ElfFile::code_offset(uint64_t address) const { return file_offset(address, PF_X, 0); }
std::optional<uint64_t> ElfFile::data_offset(uint64_t address) const {
  if (const std::optional<uint64_t> offset = file_offset(address, PF_W, PF_X)) return offset;
  // .bss begins in the last page that a segment has in the file: what is mapped there has offsets, too.
  for (const Segment &segment : segments_) {
    if (segment.type != PT_LOAD || (segment.flags & (PF_W | PF_X)) != PF_W || address < segment.address) continue;
    const uint64_t distance = address - segment.address;
    if (distance < segment.file_bytes || distance >= segment.memory_bytes || segment.file_bytes == 0) continue;
    const uint64_t last = segment.offset + segment.file_bytes - 1;
    const uint64_t offset = segment.offset + distance;
    if (offset >= segment.offset && last >= segment.offset && offset / kPageBytes == last / kPageBytes) return offset;
  }
  return std::nullopt;
}

std::optional<std::string> ElfFile::string_at(uint64_t address, size_t most_bytes) const {
  const std::optional<uint64_t> offset = file_offset(address, 0, 0);
  if (!offset) return std::nullopt;
  std::string text;
  for (std::byte chunk[32]; text.size() < most_bytes;) {
    size_t got = sizeof chunk;
    while (got > 0 && !source_->read(*offset + text.size(), std::span(chunk).first(got))) got /= 2;
    if (got == 0) return std::nullopt;
    const char *start = reinterpret_cast<const char *>(chunk);
    const size_t length = strnlen(start, got);
    text.append(start, length);
    if (length < got) return text;
  }
  return std::nullopt;
}

bool ElfFile::each_raw_symbol(const Section &table, const std::function<bool(const RawSymbol &)> &use) const {
  const size_t entry_bytes = is_64bit_ ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
  const uint64_t count = table.size_bytes / entry_bytes;
  if (table.type == SHT_NOBITS || (table.flags & SHF_COMPRESSED) != 0 || count > kMaxSymbols) return false;
  if (table.offset > UINT64_MAX - table.size_bytes || source_->has_hole(table.offset, table.size_bytes)) return false;
  std::vector<std::byte> chunk;
  for (uint64_t i = 0; i < count;) {
    const uint64_t some = std::min<uint64_t>(count - i, kChunkBytes / entry_bytes);
    chunk.resize(some * entry_bytes);
    if (!source_->read(table.offset + i * entry_bytes, chunk)) return false;
    for (uint64_t k = 0; k < some; ++k)
      if (!use(raw_symbol(std::span(chunk).subspan(k * entry_bytes, entry_bytes), is_64bit_))) return true;
    i += some;
  }
  return true;
}

std::vector<std::byte> ElfFile::strings_of(const Section &table) const {
  return table.link < sections_.size() ? contents(sections_[table.link], kMaxStringTableBytes)
                                       : std::vector<std::byte>();
}

bool ElfFile::each_symbol(const Section &table,
                          const std::function<bool(const RawSymbol &, std::string_view)> &use) const {
  const std::vector<std::byte> strings = strings_of(table);
  if (strings.empty()) return false;
  return each_raw_symbol(table, [&](const RawSymbol &symbol) { return use(symbol, string_in(strings, symbol.name)); });
}

void ElfFile::each_relocation(const Section &section, const std::function<void(const Relocation &)> &use) const {
  const unsigned word = is_64bit_ ? 8 : 4;
  const bool has_addend = section.type == SHT_RELA;
  const std::vector<std::byte> bytes = contents(section, kMaxRelocationBytes);
  const size_t entry_bytes = word * (has_addend ? 3 : 2);
  for (size_t at = 0; at + entry_bytes <= bytes.size(); at += entry_bytes) {
    Cursor cursor(std::span<const std::byte>(bytes).subspan(at, entry_bytes));
    Relocation relocation;
    relocation.place = cursor.number(word);
    const uint64_t info = cursor.number(word);
    relocation.symbol = static_cast<uint32_t>(is_64bit_ ? info >> 32 : info >> 8);
    relocation.type = static_cast<uint32_t>(is_64bit_ ? info & 0xffffffff : info & 0xff);
    if (has_addend) relocation.addend = static_cast<int64_t>(cursor.number(word));
    use(relocation);
  }
}

std::map<std::string, Symbol, std::less<>> ElfFile::symbols(const std::set<std::string, std::less<>> &names) const {
  std::map<std::string, Symbol, std::less<>> found;
  for (const uint32_t type : {SHT_SYMTAB, SHT_DYNSYM}) {
    // A file has one table of each type; more of them would only be there to keep us busy.
    const Section *table = first_of(type);
    if (table != nullptr && found.size() < names.size()) {
      each_symbol(*table, [&](const RawSymbol &symbol, std::string_view name) {
        if (symbol.section == SHN_UNDEF || ELF64_ST_TYPE(symbol.info) >= STT_LOOS) return true;
        const auto wanted = names.find(name);
        if (wanted != names.end())
          found.try_emplace(*wanted, Symbol{symbol.value, ELF64_ST_TYPE(symbol.info) == STT_TLS});
        return found.size() < names.size();
      });
    }
  }
  return found;
}

std::map<std::string, uint64_t, std::less<>> ElfFile::got_slots(const std::set<std::string, std::less<>> &names) const {
  std::map<std::string, uint64_t, std::less<>> slots;
  const uint32_t wanted_type = machine_ == Machine::kX86_64 ? R_X86_64_GLOB_DAT
                               : machine_ == Machine::kI386 ? R_386_GLOB_DAT
                                                            : R_AARCH64_GLOB_DAT;
  size_t tables = 0;
  for (const Section &section : sections_) {
    if (section.type != SHT_RELA && section.type != SHT_REL) continue;
    if (++tables > kMaxRelocationTables) break;
    if (section.link >= sections_.size() || sections_[section.link].type != SHT_DYNSYM) continue;
    std::map<uint64_t, std::string> by_number;  // the wanted symbols of this table
    uint64_t number = 0;
    each_symbol(sections_[section.link], [&](const RawSymbol &, std::string_view name) {
      if (names.contains(name)) by_number.emplace(number, name);
      ++number;
      return by_number.size() < names.size();
    });
    if (by_number.empty()) continue;
    each_relocation(section, [&](const Relocation &relocation) {
      const auto found = by_number.find(relocation.symbol);
      if (relocation.type == wanted_type && found != by_number.end())
        slots.try_emplace(found->second, relocation.place);
    });
  }
  return slots;
}

std::set<uint64_t> ElfFile::relocated_by(const std::function<bool(std::string_view name)> &is_wanted) const {
  std::set<uint64_t> places;
  size_t tables = 0;
  for (const Section &section : sections_) {
    if (section.type != SHT_RELA && section.type != SHT_REL) continue;
    if (++tables > kMaxRelocationTables) break;
    if (section.link >= sections_.size() || sections_[section.link].type != SHT_DYNSYM) continue;
    std::set<uint32_t> wanted;
    uint32_t number = 0;
    each_symbol(sections_[section.link], [&](const RawSymbol &, std::string_view name) {
      if (is_wanted(name)) wanted.insert(number);
      return ++number != 0;
    });
    if (wanted.empty()) continue;
    each_relocation(section, [&](const Relocation &relocation) {
      if (wanted.contains(relocation.symbol)) places.insert(relocation.place);
    });
  }
  return places;
}

std::optional<uint64_t> ElfFile::got_address() const {
  const unsigned word = is_64bit_ ? 8 : 4;
  for (const Section &section : sections_) {
    if (section.type != SHT_DYNAMIC) continue;
    const std::vector<std::byte> bytes = contents(section, kMaxDynamicBytes);
    for (Cursor cursor(bytes); cursor.left() >= 2 * word;) {
      const uint64_t tag = cursor.number(word), value = cursor.number(word);
      if (tag == DT_PLTGOT) return value;
      if (tag == DT_NULL) break;
    }
  }
  return std::nullopt;
}

std::optional<int64_t> ElfFile::thread_block_offset() const {
  for (const Segment &segment : segments_) {
    if (segment.type != PT_TLS) continue;
    const uint64_t align = std::max<uint64_t>(segment.align_bytes, 1);
    if (align > 1 << 20 || (align & (align - 1)) != 0 || segment.memory_bytes > INT64_MAX / 2) return std::nullopt;
    const auto aligned = [align](uint64_t value) { return static_cast<int64_t>((value + align - 1) & ~(align - 1)); };
    // x86 (variant II of the ABI): the block ends at the thread pointer. ARM (variant I): it begins two words behind.
    return machine_ == Machine::kAarch64 ? aligned(16) : -aligned(segment.memory_bytes);
  }
  return std::nullopt;
}

std::vector<uint8_t> ElfFile::build_id() const {
  uint64_t left_bytes = kMaxBuildIdNotesBytes;  // of all notes
  const auto look = [&](uint64_t offset, uint64_t size_bytes, uint64_t align_bytes) -> std::vector<uint8_t> {
    if (size_bytes > left_bytes) return {};
    left_bytes -= size_bytes;
    return build_id_in(offset, size_bytes, align_bytes);
  };
  for (const Segment &segment : segments_)
    if (segment.type == PT_NOTE)
      if (auto id = look(segment.offset, segment.file_bytes, segment.align_bytes); !id.empty()) return id;
  // A separate debug file keeps the note as a section only.
  for (const Section &section : sections_)
    if (section.type == SHT_NOTE)
      if (auto id = look(section.offset, section.size_bytes, 4); !id.empty()) return id;
  return {};
}

std::vector<uint8_t> ElfFile::build_id_in(uint64_t offset, uint64_t size_bytes, uint64_t align_bytes) const {
  const std::vector<std::byte> bytes = bytes_at(offset, size_bytes);
  const unsigned align = align_bytes == 8 ? 8 : 4;
  for (Cursor cursor(bytes); cursor.left() != 0 && cursor.ok();) {
    const uint32_t name_bytes = cursor.word(), id_bytes = cursor.word(), type = cursor.word();
    const std::span<const std::byte> name = cursor.bytes(name_bytes);
    cursor.align(align);
    const std::span<const std::byte> id = cursor.bytes(id_bytes);
    cursor.align(align);
    if (!cursor.ok() || type != NT_GNU_BUILD_ID || name.size() != sizeof ELF_NOTE_GNU) continue;
    if (std::memcmp(name.data(), ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) != 0) continue;
    if (id.empty() || id.size() > kMaxBuildIdBytes) continue;
    const auto *first = reinterpret_cast<const uint8_t *>(id.data());
    return {first, first + id.size()};
  }
  return {};
}

}  // namespace dtrace::usdt
