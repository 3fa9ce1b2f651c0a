// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/dwarf_file.h"

#include <elf.h>
#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "runtime/usdt/debug_file.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {
namespace {

/// Units that dwz moved out of several files lie in one that they share.
std::optional<DwarfImage> shared_image(const usdt::ElfFile &elf, const FilePlace &place) {
  const Fd fd = open_shared_debug_file(shared_debug_file(elf), place);
  if (!fd) return std::nullopt;
  const usdt::FileSource source(fd.get());
  const Result<usdt::ElfFile> file = usdt::ElfFile::open_any(source);
  if (!file) return std::nullopt;
  Result<DwarfImage> image = DwarfImage::read(*file, DwarfUse::kLocations);
  return image ? std::optional(std::move(*image)) : std::nullopt;
}

bool has_debug_sections(const usdt::ElfFile &elf) {
  for (const std::string_view name : {".debug_info", ".zdebug_info"})
    if (const usdt::Section *section = elf.section(name); section != nullptr && section->size_bytes != 0)
      if (section->type != SHT_NOBITS) return true;  // else it was moved into a debug file
  return false;
}

}  // namespace

DwarfFile::DwarfFile(DwarfImage image, std::optional<DwarfImage> shared, FilePlace place)
    : shared_(std::move(shared)), image_(std::move(image)), split_(image_.get(), std::move(place)) {
  if (shared_) image_.share(*shared_);
}

Result<Dwarf_Die> DwarfFile::whole_unit(Dwarf_Die unit) {
  if (!is_skeleton(&unit)) return unit;
  Result<Dwarf_Die> whole = split_.unit(&unit);
  if (!whole) missing_unit_ = whole.error().text();
  return whole;
}

Result<Unit> DwarfFile::read_split_units() {
  Dwarf_Die unit;
  for (Dwarf_CU *cu = nullptr;
       budget_.entries != 0 && dwarf_get_units(get(), cu, &cu, nullptr, nullptr, &unit, nullptr) == 0;) {
    --budget_.entries;
    if (Result<Dwarf_Die> whole = whole_unit(unit); !whole) return std::move(whole).error();
  }
  return ok();
}

Result<std::unique_ptr<DwarfFile>> DwarfFile::open(const UserFile &file, pid_t pid) {
  const usdt::FileSource source(file.fd.get());
  Result<usdt::ElfFile> own = usdt::ElfFile::open(source);
  if (!own) return std::move(own).error().during(file.path);
  const auto use = [&](const usdt::ElfFile &elf) -> Result<std::unique_ptr<DwarfFile>> {
    Result<DwarfImage> image = DwarfImage::read(elf, DwarfUse::kLocations);
    if (!image) return Error(fmt::format("{}: {}", file.path, image.error().text()));
    const FilePlace place{pid, file.path};
    return std::unique_ptr<DwarfFile>(new DwarfFile(std::move(*image), shared_image(elf, place), place));
  };
  if (has_debug_sections(*own)) return use(*own);
  const Fd debug = open_debug_file(*own, file, pid);
  if (!debug)
    return Error(fmt::format("{} has no debug information (compile with -g, or install its debug package)", file.path));
  const usdt::FileSource debug_source(debug.get());
  Result<usdt::ElfFile> elf = usdt::ElfFile::open_any(debug_source);
  if (!elf) return std::move(elf).error().during(fmt::format("the debug file of {}", file.path));
  return use(*elf);
}

}  // namespace dtrace::runtime
