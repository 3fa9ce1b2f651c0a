// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/elf_symbols.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "base/owned.h"
#include "runtime/symbols/mini_debug_info.h"

namespace dtrace {

namespace {

// Limits on what a file can make us allocate. The largest browsers and compilers stay below a quarter of them.
constexpr uint64_t kMostTableBytes = 512u << 20;
constexpr size_t kMostSymbols = 8u << 20;
constexpr size_t kMostNameBytes = 512u << 20;
constexpr size_t kMostSegments = 4096;
constexpr size_t kMostBuildIdBytes = 64;
constexpr uint64_t kMostNoteBytes = 1u << 20;
constexpr uint64_t kMostDebugDataBytes = 64u << 20;
// An unsized symbol of an unknown section is believed this far.
constexpr uint64_t kMostUnboundedBytes = 64u << 10;
constexpr uint32_t kNoParent = std::numeric_limits<uint32_t>::max();

uint64_t add_clamped(uint64_t a, uint64_t b) { return b > ~a ? ~0ull : a + b; }

/// Owns a libelf descriptor.
class ElfHandle {
 public:
  static ElfHandle of_fd(int fd) {
    elf_version(EV_CURRENT);
    // Not ELF_C_READ_MMAP: a file that is truncated while it is mapped kills the reader.
    return ElfHandle(elf_begin(fd, ELF_C_READ, nullptr));
  }
  static ElfHandle of_image(std::span<const std::byte> image) {
    elf_version(EV_CURRENT);
    // libelf takes char * but does not write through it.
    return ElfHandle(elf_memory(reinterpret_cast<char *>(const_cast<std::byte *>(image.data())), image.size()));
  }
  ElfHandle(ElfHandle &&other) noexcept : elf_(std::exchange(other.elf_, nullptr)) {}
  ElfHandle &operator=(ElfHandle &&) = delete;
  ~ElfHandle() {
    if (elf_ != nullptr) elf_end(elf_);
  }
  Elf *get() const { return elf_; }

 private:
  explicit ElfHandle(Elf *elf) : elf_(elf) {}
  Elf *elf_;
};

/// The bytes of a section, if they are in the file, not compressed and not too many.
Elf_Data *section_data(Elf_Scn *scn, uint64_t most_bytes) {
  GElf_Shdr header;
  if (scn == nullptr || gelf_getshdr(scn, &header) == nullptr) return nullptr;
  if (header.sh_type == SHT_NOBITS || (header.sh_flags & SHF_COMPRESSED) != 0) return nullptr;
  if (header.sh_size == 0 || header.sh_size > most_bytes) return nullptr;
  Elf_Data *data = elf_getdata(scn, nullptr);
  return data != nullptr && data->d_buf != nullptr ? data : nullptr;
}

/// Finds NT_GNU_BUILD_ID among the notes of `data`.
std::vector<uint8_t> build_id_in_notes(Elf_Data *data) {
  if (data == nullptr || data->d_buf == nullptr || data->d_size > kMostNoteBytes) return {};
  GElf_Nhdr note;
  size_t name_at = 0;
  size_t desc_at = 0;
  size_t at = 0;
  while ((at = gelf_getnote(data, at, &note, &name_at, &desc_at)) > 0) {
    const char *bytes = static_cast<const char *>(data->d_buf);
    if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof(ELF_NOTE_GNU)) continue;
    if (name_at > data->d_size || data->d_size - name_at < sizeof(ELF_NOTE_GNU)) continue;
    if (desc_at > data->d_size || data->d_size - desc_at < note.n_descsz) continue;
    if (std::memcmp(bytes + name_at, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) != 0) continue;
    if (note.n_descsz == 0 || note.n_descsz > kMostBuildIdBytes) continue;
    return {bytes + desc_at, bytes + desc_at + note.n_descsz};
  }
  return {};
}

std::vector<uint8_t> build_id_of(Elf *elf) {
  size_t header_count = 0;
  if (elf_getphdrnum(elf, &header_count) == 0) {
    for (size_t i = 0; i < header_count; i++) {
      GElf_Phdr header;
      if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr) break;
      if (header.p_type != PT_NOTE || header.p_filesz == 0 || header.p_filesz > kMostNoteBytes) continue;
      const Elf_Type type = header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;
      Elf_Data *data = elf_getdata_rawchunk(elf, static_cast<int64_t>(header.p_offset), header.p_filesz, type);
      if (std::vector<uint8_t> id = build_id_in_notes(data); !id.empty()) return id;
    }
  }
  // A separate debug file keeps the note as a section only.
  for (Elf_Scn *scn = nullptr; (scn = elf_nextscn(elf, scn)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(scn, &header) == nullptr || header.sh_type != SHT_NOTE) continue;
    if (std::vector<uint8_t> id = build_id_in_notes(section_data(scn, kMostNoteBytes)); !id.empty()) return id;
  }
  return {};
}

size_t leading_underscores(std::string_view name) {
  const size_t n = name.find_first_not_of('_');
  return n == std::string_view::npos ? name.size() : n;
}

std::optional<ElfSymbolType> symbol_type(unsigned char info) {
  switch (GELF_ST_TYPE(info)) {
    case STT_FUNC:
      return ElfSymbolType::kFunction;
    case STT_GNU_IFUNC:
      return ElfSymbolType::kIfunc;
    case STT_OBJECT:
      return ElfSymbolType::kObject;
    case STT_NOTYPE:
      return ElfSymbolType::kNone;
    default:
      return std::nullopt;
  }
}

ElfBinding symbol_binding(unsigned char info) {
  switch (GELF_ST_BIND(info)) {
    case STB_LOCAL:
      return ElfBinding::kLocal;
    case STB_WEAK:
      return ElfBinding::kWeak;
    default:
      return ElfBinding::kGlobal;
  }
}

/// The name at `offset` of a string table, if it ends inside it.
std::string_view string_at(const Elf_Data *strings, uint64_t offset) {
  if (offset >= strings->d_size) return {};
  const char *start = static_cast<const char *>(strings->d_buf) + offset;
  const void *end = std::memchr(start, '\0', strings->d_size - offset);
  return end == nullptr ? std::string_view{} : std::string_view(start, static_cast<const char *>(end) - start);
}

}  // namespace

/// Fills one ElfSymbols from one or more ELF files.
class ElfSymbolsReader {
 public:
  ElfSymbolsReader(std::string_view name, const ElfOptions &options) : name_(name), options_(options) {}

  Result<ElfSymbols> read(Elf *elf);

 private:
  struct Section {
    uint64_t end;
    bool allocated;
    bool executable;
  };

  Result<Unit> read_header(Elf *elf);
  void read_segments(Elf *elf);
  void read_sections(Elf *elf);
  bool read_table(Elf *elf, GElf_Word type);
  void add_symbol(const GElf_Sym &symbol, const Elf_Data *strings);
  bool read_debug_file();
  bool read_mini_debug_info(Elf *elf);

  std::string name_;
  const ElfOptions &options_;
  std::vector<Section> sections_;  // of the file whose table is being read
  ElfSymbols out_;
};

Result<ElfSymbols> ElfSymbolsReader::read(Elf *elf) {
  if (Result<Unit> header = read_header(elf); !header) return std::move(header).error();
  read_segments(elf);
  out_.build_id_ = build_id_of(elf);

  if (!read_table(elf, SHT_SYMTAB)) {
    read_table(elf, SHT_DYNSYM);
    if (!read_debug_file()) read_mini_debug_info(elf);
  }
  out_.index();
  return std::move(out_);
}

Result<Unit> ElfSymbolsReader::read_header(Elf *elf) {
  GElf_Ehdr header;
  if (elf == nullptr || elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == nullptr) {
    return Error(name_ + ": not an ELF file");
  }
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN) {
    return Error(name_ + ": neither a program nor a shared object");
  }
  out_.entry_ = header.e_entry;
  out_.is_64bit_ = gelf_getclass(elf) == ELFCLASS64;
  return ok();
}

void ElfSymbolsReader::read_segments(Elf *elf) {
  size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return;
  for (size_t i = 0; i < std::min(count, kMostSegments); i++) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr) break;
    if (header.p_type == PT_INTERP) out_.has_interpreter_ = true;
    if (header.p_type != PT_LOAD) continue;
    out_.segments_.push_back(
        {header.p_vaddr, header.p_offset, header.p_filesz, header.p_memsz, (header.p_flags & PF_X) != 0});
  }
}

void ElfSymbolsReader::read_sections(Elf *elf) {
  sections_.clear();
  sections_.push_back({0, false, false});  // section 0 is none; elf_nextscn() skips it
  for (Elf_Scn *scn = nullptr; (scn = elf_nextscn(elf, scn)) != nullptr;) {
    GElf_Shdr header{};
    if (gelf_getshdr(scn, &header) == nullptr) header = {};
    sections_.push_back({add_clamped(header.sh_addr, header.sh_size), (header.sh_flags & SHF_ALLOC) != 0,
                         (header.sh_flags & SHF_EXECINSTR) != 0});
  }
}

/// Adds the symbols of the first table of that type. Returns false if there was none worth the name.
bool ElfSymbolsReader::read_table(Elf *elf, GElf_Word type) {
  const size_t before = out_.symbols_.size();
  read_sections(elf);
  for (Elf_Scn *scn = nullptr; (scn = elf_nextscn(elf, scn)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(scn, &header) == nullptr || header.sh_type != type) continue;
    Elf_Data *symbols = section_data(scn, kMostTableBytes);
    Elf_Data *strings = section_data(elf_getscn(elf, header.sh_link), kMostTableBytes);
    const size_t entry_bytes = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
    if (symbols == nullptr || strings == nullptr || entry_bytes == 0) continue;

    const size_t count = std::min<size_t>(symbols->d_size / entry_bytes, std::numeric_limits<int>::max());
    for (size_t i = 1; i < count && out_.symbols_.size() < kMostSymbols; i++) {
      GElf_Sym symbol;
      if (gelf_getsym(symbols, static_cast<int>(i), &symbol) == nullptr) break;
      add_symbol(symbol, strings);
    }
    break;
  }
  return out_.symbols_.size() > before;
}

void ElfSymbolsReader::add_symbol(const GElf_Sym &symbol, const Elf_Data *strings) {
  const std::optional<ElfSymbolType> type = symbol_type(symbol.st_info);
  if (!type || symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS || symbol.st_shndx == SHN_COMMON) return;

  // SHN_XINDEX and nonsense alike: a symbol of an unknown section.
  const Section *section = symbol.st_shndx < sections_.size() ? &sections_[symbol.st_shndx] : nullptr;
  if (section != nullptr && !section->allocated) return;
  if (*type == ElfSymbolType::kNone && (section == nullptr || !section->executable)) return;

  std::string_view name = string_at(strings, symbol.st_name);
  // "$x", "$d.1": mapping symbols of ARM and RISC-V. ".L": labels an assembler should have dropped.
  if (*type == ElfSymbolType::kNone && (name.starts_with('$') || name.starts_with(".L"))) return;
  name = name.substr(0, name.find('@'));
  if (name.empty() || out_.names_.size() + name.size() + 1 > kMostNameBytes) return;

  ElfSymbols::Symbol added{};
  added.address = symbol.st_value;
  added.size_bytes = symbol.st_size;
  added.limit = section != nullptr && section->end > symbol.st_value
                    ? section->end
                    : add_clamped(symbol.st_value, kMostUnboundedBytes);
  added.name = static_cast<uint32_t>(out_.names_.size());
  added.binding = symbol_binding(symbol.st_info);
  added.type = *type;
  out_.names_.append(name).push_back('\0');
  out_.symbols_.push_back(added);
}

/// ROOT/.build-id/xx/yyyy.debug, if it is of this very build.
bool ElfSymbolsReader::read_debug_file() {
  const std::vector<uint8_t> &id = out_.build_id_;
  if (options_.debug_root.empty() || id.size() < 2) return false;

  std::string path = fmt::format("{}/.build-id/{:02x}/", options_.debug_root, id[0]);
  for (size_t i = 1; i < id.size(); i++) path += fmt::format("{:02x}", id[i]);
  path += ".debug";

  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return false;
  const ElfHandle debug = ElfHandle::of_fd(fd.get());
  if (debug.get() == nullptr || elf_kind(debug.get()) != ELF_K_ELF || build_id_of(debug.get()) != id) return false;
  return read_table(debug.get(), SHT_SYMTAB);
}

bool ElfSymbolsReader::read_mini_debug_info(Elf *elf) {
  size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return false;
  for (Elf_Scn *scn = nullptr; (scn = elf_nextscn(elf, scn)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(scn, &header) == nullptr) continue;
    const char *name = elf_strptr(elf, names, header.sh_name);
    if (name == nullptr || std::strcmp(name, ".gnu_debugdata") != 0) continue;

    const Elf_Data *packed = section_data(scn, kMostDebugDataBytes);
    if (packed == nullptr) return false;
    Result<std::string> image = unpack_xz({static_cast<const std::byte *>(packed->d_buf), packed->d_size});
    if (!image) return false;
    const ElfHandle debug = ElfHandle::of_image(std::as_bytes(std::span(*image)));
    return debug.get() != nullptr && elf_kind(debug.get()) == ELF_K_ELF && read_table(debug.get(), SHT_SYMTAB);
  }
  return false;
}

Result<ElfSymbols> ElfSymbols::read(int fd, std::string_view name, const ElfOptions &options) {
  const ElfHandle elf = ElfHandle::of_fd(fd);
  return ElfSymbolsReader(name, options).read(elf.get());
}

Result<ElfSymbols> ElfSymbols::read_path(const std::string &path, const ElfOptions &options) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return Error::from_errno(path, errno);
  return read(fd.get(), path, options);
}

Result<ElfSymbols> ElfSymbols::read_image(std::span<const std::byte> image, std::string_view name,
                                          const ElfOptions &options) {
  const ElfHandle elf = ElfHandle::of_image(image);
  return ElfSymbolsReader(name, options).read(elf.get());
}

std::vector<uint8_t> read_build_id(int fd) {
  const ElfHandle elf = ElfHandle::of_fd(fd);
  if (elf.get() == nullptr || elf_kind(elf.get()) != ELF_K_ELF) return {};
  return build_id_of(elf.get());
}

bool ElfSymbols::is_preferred(const Symbol &a, const Symbol &b) const {
  if ((a.size_bytes == 0) != (b.size_bytes == 0)) return a.size_bytes != 0;
  if (a.type != b.type) return a.type < b.type;
  if (a.binding != b.binding) return a.binding < b.binding;
  const std::string_view name_a = names_.c_str() + a.name;
  const std::string_view name_b = names_.c_str() + b.name;
  if (const size_t x = leading_underscores(name_a), y = leading_underscores(name_b); x != y) return x < y;
  if (name_a.size() != name_b.size()) return name_a.size() < name_b.size();
  return name_a < name_b;
}

/// Sorts the symbols, drops what two tables both had, and lays out the ranges.
void ElfSymbols::index() {
  std::sort(symbols_.begin(), symbols_.end(), [this](const Symbol &a, const Symbol &b) {
    return a.address != b.address ? a.address < b.address : is_preferred(a, b);
  });
  const auto is_same = [this](const Symbol &a, const Symbol &b) {
    return a.address == b.address && a.size_bytes == b.size_bytes && a.type == b.type && a.binding == b.binding &&
           std::strcmp(names_.c_str() + a.name, names_.c_str() + b.name) == 0;
  };
  symbols_.erase(std::unique(symbols_.begin(), symbols_.end(), is_same), symbols_.end());
  symbols_.shrink_to_fit();
  names_.shrink_to_fit();

  ranges_.clear();
  std::vector<uint32_t> open;  // ranges that reach beyond the current start, innermost last
  for (size_t i = 0; i < symbols_.size();) {
    const uint64_t start = symbols_[i].address;
    size_t next = i;
    uint64_t sized_end = start;
    for (; next < symbols_.size() && symbols_[next].address == start; next++) {
      if (symbols_[next].size_bytes != 0) {
        sized_end = std::max(sized_end, add_clamped(start, symbols_[next].size_bytes));
      }
    }
    uint64_t end = sized_end;
    if (end == start) {
      end = symbols_[i].limit;
      if (next < symbols_.size()) end = std::min(end, symbols_[next].address);
    }
    while (!open.empty() && ranges_[open.back()].end <= start) open.pop_back();
    ranges_.push_back({start, end, static_cast<uint32_t>(i), open.empty() ? kNoParent : open.back()});
    open.push_back(static_cast<uint32_t>(ranges_.size() - 1));
    i = next;
  }
}

std::optional<ElfLocation> ElfSymbols::by_address(uint64_t address) const {
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                      [](uint64_t wanted, const Range &range) { return wanted < range.start; });
  if (after == ranges_.begin()) return std::nullopt;
  for (auto i = static_cast<uint32_t>(after - ranges_.begin() - 1); i != kNoParent; i = ranges_[i].parent) {
    if (address < ranges_[i].end) return ElfLocation{at(ranges_[i].symbol), address - ranges_[i].start};
  }
  return std::nullopt;
}

std::vector<ElfSymbol> ElfSymbols::by_name(std::string_view name) const {
  std::vector<ElfSymbol> found;
  for (size_t i = 0; i < symbols_.size(); i++) {
    if (name == names_.c_str() + symbols_[i].name) found.push_back(at(i));
  }
  return found;
}

ElfSymbol ElfSymbols::at(size_t i) const {
  const Symbol &s = symbols_[i];
  return {s.address, s.size_bytes, names_.c_str() + s.name, s.binding, s.type};
}

std::optional<uint64_t> ElfSymbols::address_of_offset(uint64_t file_offset, bool executable) const {
  std::optional<uint64_t> second_best;
  for (const ElfSegment &segment : segments_) {
    if (file_offset < segment.offset || file_offset - segment.offset >= segment.file_bytes) continue;
    const uint64_t address = segment.address + (file_offset - segment.offset);
    if (segment.executable == executable) return address;
    if (!second_best) second_best = address;
  }
  if (second_best) return second_best;
  // .bss: memory that goes on where the file's part of a segment stops, addressed as if the file went on, too.
  for (const ElfSegment &segment : segments_) {
    if (segment.executable || file_offset < segment.offset) continue;
    if (file_offset - segment.offset < segment.memory_bytes) return segment.address + (file_offset - segment.offset);
  }
  return std::nullopt;
}

std::optional<uint64_t> ElfSymbols::load_bias(uint64_t map_start, uint64_t map_offset, bool executable) const {
  constexpr uint64_t kPageMask = 4095;  // a mapping begins at a page, its segment perhaps later in that page
  std::optional<uint64_t> second_best;
  for (const ElfSegment &segment : segments_) {
    if (map_offset < (segment.offset & ~kPageMask)) continue;
    if (map_offset >= segment.offset && map_offset - segment.offset >= segment.file_bytes) continue;
    const uint64_t bias = map_start - map_offset + segment.offset - segment.address;
    if (segment.executable == executable) return bias;
    if (!second_best) second_best = bias;
  }
  return second_best;
}

std::optional<uint64_t> ElfSymbols::offset_of_address(uint64_t address) const {
  for (const ElfSegment &segment : segments_) {
    if (address < segment.address || address - segment.address >= segment.file_bytes) continue;
    return segment.offset + (address - segment.address);
  }
  return std::nullopt;
}

}  // namespace dtrace
