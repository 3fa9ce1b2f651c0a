// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/elf_symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/foreign_limits.h"
#include "base/owned.h"
#include "base/printable.h"
#include "runtime/foreign/debug_file.h"
#include "runtime/foreign/go_functions.h"
#include "runtime/foreign/mini_debug_info.h"
#include "runtime/foreign/open.h"

namespace dtrace::runtime {

namespace {

// An unsized symbol of an unknown section is believed this far.
constexpr uint64_t kMaxUnboundedBytes = 64u << 10;
constexpr const char *kNoMemory = "its symbols are not read: no memory is left for them";
constexpr uint64_t kUnpackedShare =
    8;  // unpacked symbols, and what the decoder needs, as a multiple of the packed ones
constexpr uint32_t kNoParent = std::numeric_limits<uint32_t>::max();

uint64_t add_clamped(uint64_t a, uint64_t b) { return b > ~a ? ~0ull : a + b; }

size_t leading_underscores(std::string_view name) {
  const size_t n = name.find_first_not_of('_');
  return n == std::string_view::npos ? name.size() : n;
}

std::optional<ElfSymbolType> symbol_type(unsigned char info) {
  switch (ELF64_ST_TYPE(info)) {
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
  switch (ELF64_ST_BIND(info)) {
    case STB_LOCAL:
      return ElfBinding::kLocal;
    case STB_WEAK:
      return ElfBinding::kWeak;
    default:
      return ElfBinding::kGlobal;
  }
}

/// A name up to its version.
std::string_view without_version(std::string_view name) { return name.substr(0, name.find('@')); }

}  // namespace

/// Fills one ElfSymbols from one or more ELF files.
class ElfSymbolsReader {
 public:
  ElfSymbolsReader(std::string_view name, const ElfOptions &options) : name_(name), options_(options) {}

  Result<ElfSymbols> read(const usdt::ElfFile &elf);

 private:
  bool may_take(uint64_t bytes) const { return !options_.may_take || options_.may_take(bytes); }
  static uint64_t needed_bytes(const usdt::ElfFile &elf, const usdt::Section &table);
  /// A table that there is no memory for is left out, and that is noted.
  Result<bool> affordable(Result<bool> found) {
    if (found || found.error().errno_value() != ENOMEM) return found;
    out_.lacks_memory_ = true;
    return false;
  }
  Result<bool> read_table(const usdt::ElfFile &elf, uint32_t type);
  void add_symbol(const usdt::ElfFile &elf, const usdt::RawSymbol &symbol, std::span<const std::byte> strings);
  std::optional<uint32_t> printable_name(uint32_t offset, std::string_view name);
  void read_go_table(const usdt::ElfFile &elf);
  Result<bool> read_debug_file();
  Result<bool> read_mini_debug_info(const usdt::ElfFile &elf);

  std::string name_;
  const ElfOptions &options_;
  size_t strings_at_ = 0;   // where the strings of the table that is being read lie in names_
  size_t strings_end_ = 0;  // and where those of its names lie that are not printable as they are
  std::string printed_;     // those
  uint64_t names_bytes_ = 0;
  std::unordered_map<uint32_t, uint32_t> printed_at_;
  ElfSymbols out_;
};

Result<ElfSymbols> ElfSymbolsReader::read(const usdt::ElfFile &elf) {
  out_.entry_ = elf.entry();
  out_.is_64bit_ = elf.is_64bit();
  out_.has_interpreter_ = elf.has_segment(PT_INTERP);
  for (const usdt::Segment &s : elf.segments())
    if (s.type == PT_LOAD)
      out_.segments_.push_back({s.address, s.offset, s.file_bytes, s.memory_bytes, (s.flags & PF_X) != 0});
  out_.build_id_ = elf.build_id();

  Result<bool> found = affordable(read_table(elf, SHT_SYMTAB));
  if (found && !*found) {
    found = affordable(read_table(elf, SHT_DYNSYM));
    if (found) found = affordable(read_debug_file());
    if (found && !*found) found = affordable(read_mini_debug_info(elf));
    if (found && !*found) read_go_table(elf);
  }
  if (!found) return std::move(found).error();
  out_.index();
  return std::move(out_);
}

/// What a table costs while it is read: growing arrays and a copy of the names.
uint64_t ElfSymbolsReader::needed_bytes(const usdt::ElfFile &elf, const usdt::Section &table) {
  constexpr uint64_t kBytesOfSymbol = 2 * sizeof(ElfSymbols::Symbol) + sizeof(ElfSymbols::Range);
  const uint64_t symbols = table.size_bytes / (elf.is_64bit() ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym));
  const uint64_t names_bytes = table.link < elf.sections().size() ? elf.sections()[table.link].size_bytes : 0;
  return std::min(symbols, limits::kMaxSymbols) * kBytesOfSymbol +
         2 * std::min(names_bytes, limits::kMaxStringTableBytes);
}

/// Adds the symbols of the first table of that type. Returns whether there were any.
Result<bool> ElfSymbolsReader::read_table(const usdt::ElfFile &elf, uint32_t type) {
  const usdt::Section *table = elf.first_of(type);
  if (table == nullptr) return false;
  const size_t before = out_.symbols_.size();
  if (!may_take(needed_bytes(elf, *table))) return Error(kNoMemory, ENOMEM);
  std::vector<std::byte> strings = elf.strings_of(*table);
  if (strings.empty()) return false;
  strings_at_ = out_.names_.size();
  strings_end_ = strings_at_ + strings.size();
  printed_.clear();
  printed_at_.clear();
  if (strings_end_ + limits::kMaxEscapedNamesBytes > std::numeric_limits<uint32_t>::max()) return false;
  // Names that end alike share their bytes, but not thousands of them: they would become as long as they claim to be.
  constexpr uint64_t kSharedNames = 8, kSlackBytes = 1 << 20;
  const uint64_t most_names_bytes = strings.size() * kSharedNames + kSlackBytes;
  names_bytes_ = 0;
  const bool is_whole = elf.each_raw_symbol(*table, [&](const usdt::RawSymbol &symbol) {
    add_symbol(elf, symbol, strings);
    return names_bytes_ <= most_names_bytes;
  });
  if (names_bytes_ > most_names_bytes) return Error(name_ + ": its symbols share names as no linker makes them");
  // Half a table would name an address after the symbol before the one that is meant.
  if (!is_whole) return Error(name_ + ": its symbols are too many, or cannot be read");
  if (out_.symbols_.size() == before) return false;
  out_.names_.append(reinterpret_cast<const char *>(strings.data()), strings.size()).append(printed_);
  return true;
}

void ElfSymbolsReader::add_symbol(const usdt::ElfFile &elf, const usdt::RawSymbol &symbol,
                                  std::span<const std::byte> strings) {
  const bool is_thread_local = ELF64_ST_TYPE(symbol.info) == STT_TLS;
  const std::optional<ElfSymbolType> type = is_thread_local ? ElfSymbolType::kObject : symbol_type(symbol.info);
  if (!type || symbol.section == SHN_UNDEF || symbol.section == SHN_ABS || symbol.section == SHN_COMMON) return;

  // SHN_XINDEX and nonsense alike: a symbol of an unknown section.
  const std::vector<usdt::Section> &sections = elf.sections();
  const usdt::Section *section = symbol.section < sections.size() ? &sections[symbol.section] : nullptr;
  if (section != nullptr && (section->flags & SHF_ALLOC) == 0) return;
  if (*type == ElfSymbolType::kNone && (section == nullptr || (section->flags & SHF_EXECINSTR) == 0)) return;

  const std::string_view name = without_version(usdt::string_in(strings, symbol.name, limits::kMaxSymbolNameBytes));
  names_bytes_ += name.size();
  // "$x", "$d.1": mapping symbols of ARM and RISC-V. ".L": labels an assembler should have dropped.
  if (*type == ElfSymbolType::kNone && (name.starts_with('$') || name.starts_with(".L"))) return;
  if (name.empty()) return;
  const std::optional<uint32_t> at = printable_name(symbol.name, name);
  if (!at) return;
  if (is_thread_local) {
    out_.thread_symbols_.push_back({symbol.value, *at});
    return;
  }

  ElfSymbols::Symbol added{};
  added.address = symbol.value;
  added.is_sized = symbol.size_bytes != 0;
  const uint64_t section_end = section != nullptr ? add_clamped(section->address, section->size_bytes) : 0;
  added.room_bytes = added.is_sized               ? symbol.size_bytes
                     : section_end > symbol.value ? section_end - symbol.value
                                                  : kMaxUnboundedBytes;
  added.name = *at;
  added.binding = symbol_binding(symbol.info);
  added.type = *type;
  out_.symbols_.push_back(added);
}

/// Adds the functions that a stripped Go program keeps for itself.
void ElfSymbolsReader::read_go_table(const usdt::ElfFile &elf) {
  for (const char *name : {".gopclntab", ".data.rel.ro.gopclntab"})
    if (const usdt::Section *table = elf.section(name); table != nullptr && !may_take(2 * table->size_bytes)) {
      out_.lacks_memory_ = true;
      return;
    }
  const std::optional<GoFunctions> table = read_go_functions(elf);
  if (!table) return;
  strings_at_ = out_.names_.size();
  strings_end_ = strings_at_ + table->names.size();
  printed_.clear();
  printed_at_.clear();
  if (strings_end_ + limits::kMaxEscapedNamesBytes > std::numeric_limits<uint32_t>::max()) return;
  for (const GoFunctions::Function &function : table->functions) {
    const std::optional<uint32_t> at = printable_name(function.name, table->names.c_str() + function.name);
    if (!at) continue;
    out_.symbols_.push_back({.address = function.address,
                             .room_bytes = function.size_bytes,
                             .name = *at,
                             .binding = ElfBinding::kLocal,
                             .type = ElfSymbolType::kFunction,
                             .is_sized = true});
  }
  out_.names_.append(table->names).append(printed_);
}

/// Where the name at `offset` of the strings, or what is shown instead, will lie in names_. Nothing: there is no
/// more room for such names.
std::optional<uint32_t> ElfSymbolsReader::printable_name(uint32_t offset, std::string_view name) {
  if (is_printable(name)) return static_cast<uint32_t>(strings_at_ + offset);
  const auto [known, is_new] = printed_at_.try_emplace(offset, static_cast<uint32_t>(strings_end_ + printed_.size()));
  if (!is_new) return known->second;
  const std::string shown = printable(name);
  if (printed_.size() + shown.size() + 1 > limits::kMaxEscapedNamesBytes) {
    printed_at_.erase(known);
    return std::nullopt;
  }
  printed_.append(shown).push_back('\0');
  return known->second;
}

/// Reads the system's debug file, as programs of other roots have the debug files of their packages there, too.
Result<bool> ElfSymbolsReader::read_debug_file() {
  const std::vector<uint8_t> &id = out_.build_id_;
  if (options_.debug_root.empty() || id.size() < 2) return false;
  const Result<Fd> root = root_of(::getpid());
  const Fd fd = root ? open_debug_file_of(id, *root, options_.debug_root) : Fd();
  if (!fd) return false;
  const usdt::FileSource source(fd.get());
  const Result<usdt::ElfFile> debug = usdt::ElfFile::open(source);
  if (!debug) return false;
  return read_table(*debug, SHT_SYMTAB);
}

Result<bool> ElfSymbolsReader::read_mini_debug_info(const usdt::ElfFile &elf) {
  const usdt::Section *section = elf.section(".gnu_debugdata");
  if (section == nullptr) return false;
  if (!may_take(section->size_bytes * kUnpackedShare)) return Error(kNoMemory, ENOMEM);
  const Result<std::string> image = unpack_xz(elf.contents(*section, limits::kMaxPackedBytes));
  if (!image) return false;
  const usdt::MemorySource source(std::as_bytes(std::span(*image)));
  const Result<usdt::ElfFile> debug = usdt::ElfFile::open(source);
  return debug ? read_table(*debug, SHT_SYMTAB) : Result<bool>(false);
}

Result<ElfSymbols> ElfSymbols::read_source(const usdt::ByteSource &source, std::string_view name,
                                           const ElfOptions &options) {
  const Result<usdt::ElfFile> elf = usdt::ElfFile::open(source);
  if (!elf) return Error(elf.error().text()).during(name);
  return ElfSymbolsReader(name, options).read(*elf);
}

Result<ElfSymbols> ElfSymbols::read(int fd, std::string_view name, const ElfOptions &options) {
  return read_source(usdt::FileSource(fd), name, options);
}

Result<ElfSymbols> ElfSymbols::read_path(const std::string &path, const ElfOptions &options) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd) return Error::from_errno(path, errno);
  return read(fd.get(), path, options);
}

Result<ElfSymbols> ElfSymbols::read_image(std::span<const std::byte> image, std::string_view name,
                                          const ElfOptions &options) {
  return read_source(usdt::MemorySource(image), name, options);
}

uint64_t ElfSymbols::memory_bytes() const {
  return symbols_.capacity() * sizeof(Symbol) + thread_symbols_.capacity() * sizeof(ThreadSymbol) +
         ranges_.capacity() * sizeof(Range) + names_.capacity();
}

std::string_view ElfSymbols::name_of(const Symbol &symbol) const {
  return without_version(names_.c_str() + symbol.name);
}

bool ElfSymbols::is_preferred(const Symbol &a, const Symbol &b) const {
  if (a.is_sized != b.is_sized) return a.is_sized;
  if (a.type != b.type) return a.type < b.type;
  if (a.binding != b.binding) return a.binding < b.binding;
  const std::string_view name_a = name_of(a);
  const std::string_view name_b = name_of(b);
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
    return a.address == b.address && a.is_sized == b.is_sized && (!a.is_sized || a.room_bytes == b.room_bytes) &&
           a.type == b.type && a.binding == b.binding && name_of(a) == name_of(b);
  };
  symbols_.erase(std::unique(symbols_.begin(), symbols_.end(), is_same), symbols_.end());
  symbols_.shrink_to_fit();
  names_.shrink_to_fit();

  ranges_.clear();
  ranges_.reserve(symbols_.size());
  std::vector<uint32_t> open;  // ranges that reach beyond the current start, innermost last
  for (size_t i = 0; i < symbols_.size();) {
    const uint64_t start = symbols_[i].address;
    size_t next = i;
    uint64_t sized_end = start;
    for (; next < symbols_.size() && symbols_[next].address == start; next++) {
      if (symbols_[next].is_sized) sized_end = std::max(sized_end, add_clamped(start, symbols_[next].room_bytes));
    }
    uint64_t end = sized_end;
    if (end == start) {
      end = add_clamped(start, symbols_[i].room_bytes);
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
  auto i = static_cast<uint32_t>(after - ranges_.begin() - 1);
  for (unsigned step = 0; i != kNoParent && step < limits::kMaxSymbolNesting; i = ranges_[i].parent, step++) {
    if (address < ranges_[i].end) return ElfLocation{at(ranges_[i].symbol), address - ranges_[i].start};
  }
  return std::nullopt;
}

std::vector<ElfSymbol> ElfSymbols::by_name(std::string_view name) const {
  std::vector<ElfSymbol> found;
  for (size_t i = 0; i < symbols_.size(); i++) {
    if (name == name_of(symbols_[i])) found.push_back(at(i));
  }
  return found;
}

std::vector<uint64_t> ElfSymbols::thread_offsets(std::string_view name) const {
  std::vector<uint64_t> found;
  for (const ThreadSymbol &symbol : thread_symbols_)
    if (name == without_version(names_.c_str() + symbol.name)) found.push_back(symbol.offset);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

ElfSymbol ElfSymbols::at(size_t i) const {
  const Symbol &s = symbols_[i];
  return {s.address, s.is_sized ? s.room_bytes : 0, name_of(s), s.binding, s.type, s.room_bytes};
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

}  // namespace dtrace::runtime
