// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/dwarf_file.h"

#include <dwarf.h>
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

/// The first unit of -gsplit-dwarf names the file that has its types.
bool is_split(Dwarf *dwarf) {
  Dwarf_CU *cu = nullptr;
  Dwarf_Die unit;
  return dwarf_get_units(dwarf, cu, &cu, nullptr, nullptr, &unit, nullptr) == 0 &&
         (dwarf_hasattr(&unit, DW_AT_dwo_name) != 0 || dwarf_hasattr(&unit, DW_AT_GNU_dwo_name) != 0);
}

bool has_debug_sections(const usdt::ElfFile &elf) {
  for (const std::string_view name : {".debug_info", ".zdebug_info"})
    if (const usdt::Section *section = elf.section(name); section != nullptr && section->size_bytes != 0)
      if (section->type != SHT_NOBITS) return true;  // else it was moved into a debug file
  return false;
}

}  // namespace

DwarfFile::DwarfFile(DwarfImage image, std::optional<DwarfImage> shared)
    : shared_(std::move(shared)), image_(std::move(image)) {
  if (shared_) image_.share(*shared_);
}

Result<std::unique_ptr<DwarfFile>> DwarfFile::open(const UserFile &file, pid_t pid) {
  const usdt::FileSource source(file.fd.get());
  Result<usdt::ElfFile> own = usdt::ElfFile::open(source);
  if (!own) return std::move(own).error().during(file.path);
  const auto use = [&](const usdt::ElfFile &elf) -> Result<std::unique_ptr<DwarfFile>> {
    Result<DwarfImage> image = DwarfImage::read(elf, DwarfUse::kLocations);
    if (!image) return Error(fmt::format("{}: {}", file.path, image.error().text()));
    if (is_split(image->get()))
      return Error(
          fmt::format("{}: its debug information is in .dwo files (-gsplit-dwarf), which are not read", file.path));
    return std::unique_ptr<DwarfFile>(new DwarfFile(std::move(*image), shared_image(elf, {pid, file.path})));
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
