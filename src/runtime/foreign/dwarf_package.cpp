// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/dwarf_package.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "base/foreign_limits.h"

namespace dtrace::runtime {
namespace {

constexpr uint64_t kMaxUnits = 1 << 19;  // of a package: the largest browsers have a tenth
constexpr std::string_view kCutShort = "its index of units reaches outside of the file";

/// Sections by the numbers that the index has for them (DW_SECT_*), of version 2 and of version 5.
std::string_view section_name(uint64_t version, uint32_t number) {
  constexpr std::string_view kOld[] = {"", "info", "types", "abbrev", "line", "loc", "str_offsets", "macinfo", "macro"};
  constexpr std::string_view kNew[] = {"",         "info",        "",      "abbrev",  "line",
                                       "loclists", "str_offsets", "macro", "rnglists"};
  if (version < 5) return number < std::size(kOld) ? kOld[number] : std::string_view();
  return number < std::size(kNew) ? kNew[number] : std::string_view();
}

bool is_read(std::string_view name) {
  return name == "info" || name == "abbrev" || name == "loc" || name == "loclists" || name == "rnglists" ||
         name == "str_offsets" || name == "line";
}

uint32_t word_at(std::span<const std::byte> bytes, size_t at) {
  uint32_t word = 0;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

/// Strings that the offsets name, and the offsets by which they are found among these. `head_bytes`: what is before the
/// first offset. False: the strings have more than `most_bytes`.
bool gather_strings(std::vector<std::byte> &offsets, size_t head_bytes, std::span<const std::byte> all,
                    std::vector<std::byte> &strings, uint64_t most_bytes) {
  std::unordered_map<uint32_t, uint32_t> moved;
  strings.push_back(std::byte{0});  // of what names nothing
  for (size_t at = head_bytes; at + 4 <= offsets.size(); at += 4) {
    const uint32_t from = word_at(offsets, at);
    const auto [place, is_new] = moved.try_emplace(from, 0);
    if (is_new) {
      const std::string_view text = usdt::string_in(all, from, limits::kMaxSymbolNameBytes);
      if (text.size() >= most_bytes - std::min<uint64_t>(most_bytes, strings.size())) return false;
      if (!text.empty()) {
        place->second = static_cast<uint32_t>(strings.size());
        const auto *first = reinterpret_cast<const std::byte *>(text.data());
        strings.insert(strings.end(), first, first + text.size());
        strings.push_back(std::byte{0});
      }
    }
    std::memcpy(offsets.data() + at, &place->second, sizeof place->second);
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<DwarfPackage>> DwarfPackage::open(Fd file) {
  std::unique_ptr<DwarfPackage> package(new DwarfPackage());
  package->file_ = std::move(file);
  package->bytes_left_ = limits::kMaxDwarfBytes;
  package->source_ = std::make_unique<usdt::FileSource>(package->file_.get());
  Result<usdt::ElfFile> elf = usdt::ElfFile::open_any(*package->source_);
  if (!elf) return std::move(elf).error();
  package->elf_ = std::make_unique<usdt::ElfFile>(std::move(*elf));
  if (Result<dtrace::Unit> read = package->read_index(); !read) return std::move(read).error();
  return package;
}

std::vector<uint64_t> DwarfPackage::ids(size_t most) const {
  std::vector<uint64_t> found;
  for (auto unit = units_.begin(); unit != units_.end() && found.size() < most; ++unit) found.push_back(unit->first);
  return found;
}

const std::vector<std::byte> &DwarfPackage::section(std::string_view name) {
  const auto [known, is_new] = sections_.try_emplace(std::string(name));
  if (!is_new) return known->second;
  const std::string whole = name.ends_with("_index") ? std::string(".debug_").append(name)
                                                     : std::string(".debug_").append(name).append(".dwo");
  if (const usdt::Section *found = elf_->section(whole)) known->second = unpacked_section(*elf_, *found, bytes_left_);
  bytes_left_ -= std::min<uint64_t>(bytes_left_, known->second.size());
  return known->second;
}

Result<dtrace::Unit> DwarfPackage::read_index() {
  const std::vector<std::byte> &index = section("cu_index");
  usdt::Cursor head(index);
  const uint64_t version = head.number(2);  // of version 2 a word, whose upper half is 0
  head.skip(2);
  const uint64_t nr_columns = head.number(4), nr_units = head.number(4), nr_slots = head.number(4);
  if (!head.ok() || (version != 2 && version != 5))
    return Error("it has no index of units, or one of a kind that is not known");
  if (nr_columns > 16 || nr_units > kMaxUnits || nr_slots > 2 * kMaxUnits) return Error(std::string(kCutShort));
  constexpr size_t kHeadBytes = 16;
  const size_t rows = kHeadBytes + nr_slots * 8, columns = rows + nr_slots * 4, offsets = columns + nr_columns * 4;
  const size_t sizes = offsets + nr_units * nr_columns * 4;
  if (index.size() < sizes + nr_units * nr_columns * 4) return Error(std::string(kCutShort));
  for (size_t slot = 0; slot < nr_slots; ++slot) {
    const uint32_t row = word_at(index, rows + slot * 4);
    if (row == 0 || row > nr_units) continue;
    uint64_t id = 0;
    std::memcpy(&id, index.data() + kHeadBytes + slot * 8, sizeof id);
    std::vector<Part> &parts = units_[id];
    parts.clear();
    for (size_t column = 0; column < nr_columns; ++column) {
      const std::string_view name = section_name(version, word_at(index, columns + column * 4));
      const size_t at = ((row - 1) * nr_columns + column) * 4;
      if (is_read(name)) parts.push_back({name, word_at(index, offsets + at), word_at(index, sizes + at)});
    }
  }
  return ok();
}

Result<std::vector<DwarfSection>> DwarfPackage::unit(uint64_t id, uint64_t most_bytes) {
  std::vector<DwarfSection> made;
  std::vector<std::byte> strings;
  for (const Part &part : units_.at(id)) {
    const std::vector<std::byte> &all = section(part.section);
    if (part.offset > all.size() || part.size_bytes > all.size() - part.offset)
      return Error("a unit reaches outside of its section");
    if (part.size_bytes > most_bytes) return Error("more debug information than is read");
    most_bytes -= part.size_bytes;
    const auto first = all.begin() + part.offset;
    DwarfSection copy{std::string(".debug_").append(part.section), {first, first + part.size_bytes}};
    if (part.section == "str_offsets") {
      // DWARF 5 has a head: length, version, padding.
      const bool has_head = part.size_bytes >= 8 && word_at(copy.bytes, 0) == part.size_bytes - 4;
      if (!gather_strings(copy.bytes, has_head ? 8 : 0, section("str"), strings, most_bytes))
        return Error("more debug information than is read");
    }
    made.push_back(std::move(copy));
  }
  if (strings.size() > most_bytes) return Error("more debug information than is read");
  if (!strings.empty()) made.push_back({".debug_str", std::move(strings)});
  return made;
}

}  // namespace dtrace::runtime
