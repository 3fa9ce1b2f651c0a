// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/source_frames.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/foreign_limits.h"
#include "base/printable.h"
#include "runtime/foreign/dwarf_image.h"

namespace dtrace::runtime {
namespace {

// Functions inlined into each other, and blocks in them.
constexpr unsigned kMaxNesting = 128;

/// A piece of code of a unit or of a function.
struct Piece {
  uint64_t start, end;
  Dwarf_Off entry;  // of the unit or the function
};

void sort_pieces(std::vector<Piece> &pieces) {
  std::ranges::sort(pieces, [](const Piece &a, const Piece &b) { return a.start < b.start; });
}

/// The piece that begins last among those that begin at the address or below, if it has the address.
const Piece *find_piece(const std::vector<Piece> &pieces, uint64_t address) {
  const auto after = std::ranges::upper_bound(pieces, address, {}, &Piece::start);
  return after != pieces.begin() && address < std::prev(after)->end ? &*std::prev(after) : nullptr;
}

std::string base_name(std::string_view path) {
  const size_t slash = path.rfind('/');
  return printable(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

std::string text_of(Dwarf_Die *die, unsigned attribute) {
  Dwarf_Attribute found;
  if (dwarf_attr_integrate(die, attribute, &found) == nullptr) return {};
  const char *text = dwarf_formstring(&found);
  return text == nullptr ? std::string() : printable(std::string_view(text).substr(0, limits::kMaxSymbolNameBytes));
}

uint64_t number_of(Dwarf_Die *die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  return dwarf_attr(die, attribute, &found) != nullptr && dwarf_formudata(&found, &value) == 0 ? value : 0;
}

/// Containers whose members may be functions with code.
bool holds_functions(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
         tag == DW_TAG_union_type;
}

}  // namespace

struct SourceInfo::Impl {
  explicit Impl(DwarfImage of, bool with_lines) : image(std::move(of)), wants_lines(with_lines) {}

  DwarfImage image;
  bool wants_lines;
  // What may still be looked at, in all calls.
  uint64_t entries_left = limits::kMaxDwarfEntries, ranges_left = limits::kMaxDwarfRanges;
  std::vector<Piece> units;
  std::unordered_map<Dwarf_Off, std::vector<Piece>> functions;  // by the unit's entry
  std::unordered_map<uint64_t, SourceFrames> known;             // by address
  size_t nr_pieces = 0;

  bool first_child(Dwarf_Die *parent, Dwarf_Die *child) {
    if (entries_left == 0) return false;
    --entries_left;
    return dwarf_child(parent, child) == 0;
  }
  /// Goes on to the next sibling, which lies behind.
  bool next_sibling(Dwarf_Die *die) {
    if (entries_left == 0) return false;
    --entries_left;
    const Dwarf_Off before = dwarf_dieoffset(die);
    return dwarf_siblingof(die, die) == 0 && dwarf_dieoffset(die) > before;
  }

  /// `use` for each piece of code of an entry until it returns false.
  template <typename Use>
  void each_piece(Dwarf_Die *die, const Use &use) {
    Dwarf_Addr base = 0, start = 0, end = 0;
    for (ptrdiff_t at = 0; ranges_left != 0 && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;) {
      --ranges_left;
      if (start < end && !use(start, end)) return;
    }
  }
  void add_pieces(Dwarf_Die *die, std::vector<Piece> &to) {
    each_piece(die, [&](uint64_t start, uint64_t end) {
      to.push_back({start, end, dwarf_dieoffset(die)});
      ++nr_pieces;
      return true;
    });
  }
  bool has(Dwarf_Die *die, uint64_t address) {
    bool found = false;
    each_piece(die, [&](uint64_t start, uint64_t end) { return !(found = start <= address && address < end); });
    return found;
  }

  void find_units() {
    Dwarf_CU *unit = nullptr;
    Dwarf_Die die;
    while (entries_left-- != 0 && dwarf_get_units(image.get(), unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
      add_pieces(&die, units);
      if (entries_left == 0) break;
    }
    sort_pieces(units);
  }

  void add_functions(Dwarf_Die *parent, unsigned depth, std::vector<Piece> &to) {
    Dwarf_Die die;
    if (depth == limits::kMaxDwarfDepth || !first_child(parent, &die)) return;
    do {
      const int tag = dwarf_tag(&die);
      if (tag == DW_TAG_subprogram) add_pieces(&die, to);
      // Functions in functions: nested ones, and members of local classes.
      if (holds_functions(tag)) add_functions(&die, depth + 1, to);
    } while (next_sibling(&die));
  }

  const std::vector<Piece> &functions_of(Dwarf_Die *unit) {
    const auto [known_functions, is_new] = functions.try_emplace(dwarf_dieoffset(unit));
    if (is_new) {
      add_functions(unit, 0, known_functions->second);
      sort_pieces(known_functions->second);
    }
    return known_functions->second;
  }

  /// The entry below `parent` that is inlined code, or a block, around the address.
  bool descend(Dwarf_Die *parent, uint64_t address, Dwarf_Die *found) {
    if (!first_child(parent, found)) return false;
    do {
      const int tag = dwarf_tag(found);
      if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) && has(found, address)) return true;
    } while (next_sibling(found));
    return false;
  }

  /// May the unit's lines be read? They become many times what they are in the file.
  bool has_bounded_lines(Dwarf_Die *unit) {
    Dwarf_Attribute list;
    Dwarf_Word offset = 0;
    if (!wants_lines || dwarf_attr(unit, DW_AT_stmt_list, &list) == nullptr || dwarf_formudata(&list, &offset) != 0)
      return false;
    const std::optional<uint64_t> size_bytes = line_program_bytes(offset);
    return size_bytes && *size_bytes <= limits::kMaxLineProgramBytes;
  }
  std::optional<uint64_t> line_program_bytes(uint64_t offset) const {
    Elf *elf = dwarf_getelf(image.get());
    size_t names = 0;
    if (elf == nullptr || elf_getshdrstrndx(elf, &names) != 0) return std::nullopt;
    for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr) continue;
      const char *name = elf_strptr(elf, names, header.sh_name);
      if (name == nullptr || (std::string_view(name) != ".debug_line" && std::string_view(name) != ".zdebug_line"))
        continue;
      // Decompressed by libdw before.
      const Elf_Data *data = elf_getdata(section, nullptr);
      if (data == nullptr || data->d_buf == nullptr || offset > data->d_size) return std::nullopt;
      const std::span bytes(static_cast<const std::byte *>(data->d_buf), data->d_size);
      const uint64_t size_bytes = usdt::Cursor(bytes.subspan(offset)).number(4);
      return size_bytes;
    }
    return std::nullopt;
  }
  SourceLine line_at(Dwarf_Die *unit, uint64_t address) {
    Dwarf_Line *line = dwarf_getsrc_die(unit, address);
    int number = 0;
    if (line == nullptr || dwarf_lineno(line, &number) != 0 || number <= 0) return {};
    const char *file = dwarf_linesrc(line, nullptr, nullptr);
    return {file == nullptr ? std::string() : base_name(file), static_cast<uint32_t>(number)};
  }
  /// Where inlined code was called.
  static SourceLine call_line(Dwarf_Die *unit, Dwarf_Die *inlined) {
    Dwarf_Files *files = nullptr;
    size_t nr_files = 0;
    const uint64_t file = number_of(inlined, DW_AT_call_file), line = number_of(inlined, DW_AT_call_line);
    if (dwarf_getsrcfiles(unit, &files, &nr_files) != 0 || file >= nr_files || line > UINT32_MAX) return {};
    const char *name = dwarf_filesrc(files, file, nullptr, nullptr);
    return {name == nullptr ? std::string() : base_name(name), static_cast<uint32_t>(line)};
  }

  SourceFrames look_up(uint64_t address) {
    SourceFrames frames;
    const Piece *piece = find_piece(units, address);
    Dwarf_Die unit, at, next;
    if (piece == nullptr || dwarf_offdie(image.get(), piece->entry, &unit) == nullptr) return frames;
    const bool has_lines = has_bounded_lines(&unit);
    if (has_lines) frames.line = line_at(&unit, address);
    const Piece *function = find_piece(functions_of(&unit), address);
    if (function == nullptr || dwarf_offdie(image.get(), function->entry, &at) == nullptr) return frames;
    for (unsigned depth = 0; depth < kMaxNesting && descend(&at, address, &next); ++depth) {
      at = next;
      if (dwarf_tag(&at) != DW_TAG_inlined_subroutine) continue;
      std::string name = text_of(&at, DW_AT_linkage_name);
      if (name.empty()) name = text_of(&at, DW_AT_name);
      if (name.empty()) continue;
      // What was the innermost line is this function's, and the function around it is where it was called.
      SourceLine called = has_lines ? call_line(&unit, &at) : SourceLine{};
      SourceLine &outer = frames.inlined.empty() ? frames.line : frames.inlined.front().line;
      SourceLine inner = std::exchange(outer, std::move(called));
      frames.inlined.insert(frames.inlined.begin(), {std::move(name), std::move(inner)});
    }
    return frames;
  }
};

SourceInfo::SourceInfo(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SourceInfo::~SourceInfo() = default;

Result<std::unique_ptr<SourceInfo>> SourceInfo::read(const usdt::ElfFile &elf, bool wants_lines) {
  Result<DwarfImage> image = DwarfImage::read(elf, wants_lines ? DwarfUse::kLines : DwarfUse::kTypes);
  if (!image) return std::move(image.error());
  auto impl = std::make_unique<Impl>(std::move(*image), wants_lines);
  impl->find_units();
  return std::unique_ptr<SourceInfo>(new SourceInfo(std::move(impl)));
}

uint64_t SourceInfo::needed_bytes(const usdt::ElfFile &elf, bool wants_lines) {
  return runtime::needed_bytes(elf, wants_lines ? DwarfUse::kLines : DwarfUse::kTypes);
}

const SourceFrames &SourceInfo::at(uint64_t address) {
  if (impl_->known.size() >= limits::kMaxSourceAddresses) impl_->known.clear();
  const auto [known, is_new] = impl_->known.try_emplace(address);
  if (is_new) known->second = impl_->look_up(address);
  return known->second;
}

uint64_t SourceInfo::memory_bytes() const { return impl_->image.memory_bytes() + impl_->nr_pieces * sizeof(Piece); }

}  // namespace dtrace::runtime
