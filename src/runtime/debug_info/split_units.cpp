// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/split_units.h"

#include <dwarf.h>
#include <fmt/format.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/printable.h"
#include "runtime/foreign/dwarf_entry.h"
#include "runtime/foreign/open.h"
#include "runtime/foreign/split_base.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kSuffix = ".dwo";

std::string text_of(Dwarf_Die *die, unsigned attribute) {
  Dwarf_Attribute found;
  const char *text = dwarf_attr(die, attribute, &found) == nullptr ? nullptr : dwarf_formstring(&found);
  return text == nullptr ? std::string() : std::string(text);
}

std::string file_name(Dwarf_Die *skeleton) {
  const std::string name = text_of(skeleton, DW_AT_dwo_name);
  return name.empty() ? text_of(skeleton, DW_AT_GNU_dwo_name) : name;
}

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }
std::string folder_of(std::string_view path) { return std::string(path.substr(0, path.rfind('/') + 1)); }

/// In DWARF 5 it is in the unit's head, before an attribute.
std::optional<uint64_t> id_of(Dwarf_Die *unit) {
  uint64_t id = 0;
  Dwarf_Half version = 0;
  uint8_t type = 0;
  if (dwarf_cu_info(unit->cu, &version, &type, nullptr, nullptr, &id, nullptr, nullptr) == 0 && version >= 5) return id;
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_attr(unit, DW_AT_GNU_dwo_id, &found) == nullptr || dwarf_formudata(&found, &value) != 0)
    return std::nullopt;
  return value;
}

std::optional<uint64_t> base_of(Dwarf_Die *skeleton, std::initializer_list<unsigned> attributes) {
  for (const unsigned attribute : attributes) {
    Dwarf_Attribute found;
    Dwarf_Word base = 0;
    if (dwarf_attr(skeleton, attribute, &found) != nullptr && dwarf_formudata(&found, &base) == 0) return base;
  }
  return std::nullopt;
}

std::optional<uint64_t> address_base(Dwarf_Die *skeleton) {
  return base_of(skeleton, {DW_AT_addr_base, DW_AT_GNU_addr_base});
}

/// Ranges of DWARF 4, 64-bit: pairs of addresses. Two zeros end a list; a pair whose first is all ones states another
/// base.
void add_base(std::span<std::byte> ranges, uint64_t base) {
  bool is_counted = true;
  for (size_t at = 0; at + 2 * sizeof base <= ranges.size(); at += 2 * sizeof base) {
    std::array<uint64_t, 2> pair{};
    std::memcpy(pair.data(), ranges.data() + at, sizeof pair);
    if (pair[0] == 0 && pair[1] == 0) {
      is_counted = true;
    } else if (pair[0] == UINT64_MAX) {
      is_counted = false;
    } else if (is_counted) {
      for (uint64_t &address : pair) address += base;
      std::memcpy(ranges.data() + at, pair.data(), sizeof pair);
    }
  }
}

Fd or_none(Result<Fd> file) { return file ? std::move(*file) : Fd(); }

}  // namespace

bool is_skeleton(Dwarf_Die *unit) {
  return dwarf_hasattr(unit, DW_AT_dwo_name) != 0 || dwarf_hasattr(unit, DW_AT_GNU_dwo_name) != 0;
}

Result<Dwarf_Die> SplitUnits::unit(Dwarf_Die *skeleton) {
  const auto [known, is_new] = units_.try_emplace(dwarf_dieoffset(skeleton));
  Read &unit = known->second;
  if (is_new) {
    Result<Dwarf_Die> read = this->read(skeleton, unit);
    if (read)
      unit.die = *read;
    else
      unit.failure = read.error().text();
  }
  if (!unit.failure.empty()) return Error(unit.failure);
  return unit.die;
}

void SplitUnits::open_package() {
  if (std::exchange(has_looked_for_package_, true)) return;
  const Result<Fd> root = root_of(program_.pid != 0 ? program_.pid : getpid());
  if (!root) return;
  Fd file = or_none(open_in_root(*root, program_.path + ".dwp"));
  if (!file) return;
  Result<std::unique_ptr<DwarfPackage>> package = DwarfPackage::open(std::move(file));
  if (package)
    package_ = std::move(*package);
  else
    package_failure_ = fmt::format("{}.dwp: {}", program_.path, package.error().text());
}

/// From the package, else from the file where the compiler put it, else from one of that name beside the program.
Result<std::vector<DwarfSection>> SplitUnits::sections_of(Dwarf_Die *skeleton, uint64_t id) {
  open_package();
  if (package_ != nullptr && package_->has(id)) {
    Result<std::vector<DwarfSection>> parts = package_->unit(id, bytes_left_);
    if (!parts) return std::move(parts).error().during(program_.path + ".dwp");
    return parts;
  }
  const std::string name = file_name(skeleton);
  const std::string path = name.starts_with('/') ? name : text_of(skeleton, DW_AT_comp_dir) + '/' + name;
  const Result<Fd> root = root_of(program_.pid != 0 ? program_.pid : getpid());
  if (!root) return root.error();
  Result<Fd> file = open_in_root(*root, path);
  if (!file) {
    Fd beside = or_none(open_in_root(*root, folder_of(program_.path).append(base_name(name))));
    if (!beside && !package_failure_.empty()) return Error(package_failure_);
    if (!beside) return std::move(file).error().during("a part of its debug information (-gsplit-dwarf) is not there");
    file = std::move(beside);
  }
  const usdt::FileSource source(file->get());
  Result<usdt::ElfFile> elf = usdt::ElfFile::open_any(source);
  if (!elf) return std::move(elf).error().during(printable(path));
  std::vector<DwarfSection> sections;
  uint64_t left = bytes_left_;
  for (const usdt::Section &section : elf->sections()) {
    constexpr std::string_view kRead[] = {"info", "abbrev",   "str",      "str_offsets", "line",
                                          "loc",  "loclists", "rnglists", "types"};
    constexpr std::string_view kPrefix = ".debug_";
    std::string_view own = section.name;
    if (!own.starts_with(kPrefix) || !own.ends_with(kSuffix)) continue;
    own.remove_prefix(kPrefix.size());
    own.remove_suffix(kSuffix.size());
    if (std::ranges::find(kRead, own) == std::end(kRead)) continue;
    if (section.size_bytes > left)
      return Error(fmt::format("{}: more debug information than is read", printable(path)));
    sections.push_back({std::string(kPrefix).append(own), unpacked_section(*elf, section, left)});
    left -= std::min<uint64_t>(left, sections.back().bytes.size());
  }
  if (sections.empty()) return Error(fmt::format("{}: no debug information", printable(path)));
  return sections;
}

/// Addresses and, before DWARF 5, ranges, which the program has: from where the unit's begin, so that those of the
/// image begin at 0.
void SplitUnits::add_addresses(Dwarf_Die *skeleton, std::vector<DwarfSection> &sections) {
  if (address_bases_.empty()) {
    Dwarf_Die unit;
    uint64_t left = limits::kMaxDwarfEntries;
    for (Dwarf_CU *cu = nullptr;
         left-- != 0 && dwarf_get_units(skeletons_, cu, &cu, nullptr, nullptr, &unit, nullptr) == 0;)
      if (const std::optional<uint64_t> base = address_base(&unit)) address_bases_.push_back(*base);
    std::ranges::sort(address_bases_);
  }
  const auto add = [&](const char *name, uint64_t begin, uint64_t end) {
    const std::span<const std::byte> all = section_of(skeletons_, name);
    begin = std::min<uint64_t>(begin, all.size());
    end = std::min({end, static_cast<uint64_t>(all.size()), begin + bytes_left_});
    if (begin < end)
      sections.push_back(
          {name, {all.begin() + static_cast<ptrdiff_t>(begin), all.begin() + static_cast<ptrdiff_t>(end)}});
  };
  if (const std::optional<uint64_t> base = address_base(skeleton)) {
    const auto next = std::ranges::upper_bound(address_bases_, *base);
    add(".debug_addr", *base, next == address_bases_.end() ? UINT64_MAX : *next);
  }
  if (dwarf_hasattr(skeleton, DW_AT_GNU_dwo_name) == 0) return;
  const size_t before = sections.size();
  add(".debug_ranges", base_of(skeleton, {DW_AT_GNU_ranges_base}).value_or(0), UINT64_MAX);
  Dwarf_Addr base = 0;
  if (sections.size() > before && dwarf_lowpc(skeleton, &base) == 0 && base != 0) add_base(sections.back().bytes, base);
}

Result<Dwarf_Die> SplitUnits::read(Dwarf_Die *skeleton, Read &unit) {
  const std::optional<uint64_t> id = id_of(skeleton);
  if (!id) return Error(fmt::format("{}: a unit of its debug information does not name its file", program_.path));
  Result<std::vector<DwarfSection>> sections = sections_of(skeleton, *id);
  if (!sections) return Error(fmt::format("{}: {}", program_.path, sections.error().text()));
  add_addresses(skeleton, *sections);
  Dwarf_Addr base = 0;
  const bool is_new = dwarf_hasattr(skeleton, DW_AT_GNU_dwo_name) == 0;
  if (is_new && dwarf_lowpc(skeleton, &base) == 0 && base != 0 && !state_split_base(*sections, *id, base))
    return Error(fmt::format("{}: {} counts addresses from a base that dtrace cannot give it", program_.path,
                             printable(file_name(skeleton))));
  for (const DwarfSection &section : *sections) bytes_left_ -= std::min<uint64_t>(bytes_left_, section.bytes.size());
  GElf_Ehdr head{};
  if (gelf_getehdr(dwarf_getelf(skeletons_), &head) == nullptr) return Error("no ELF file");
  Result<DwarfImage> image = DwarfImage::of(*sections, head.e_machine);
  const std::string name = printable(file_name(skeleton));
  if (!image) return Error(fmt::format("{}: {}: {}", program_.path, name, image.error().text()));
  unit.image = std::move(*image);
  Dwarf_Die die;
  uint64_t left = limits::kMaxDwarfEntries;
  for (Dwarf_CU *cu = nullptr;
       left-- != 0 && dwarf_get_units(unit.image->get(), cu, &cu, nullptr, nullptr, &die, nullptr) == 0;)
    if (dwarf_tag(&die) == DW_TAG_compile_unit && id_of(&die) == id) return die;
  return Error(fmt::format("{}: {} is from another build", program_.path, name));
}

}  // namespace dtrace::runtime
