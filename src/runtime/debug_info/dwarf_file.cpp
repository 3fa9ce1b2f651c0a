// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/dwarf_file.h"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <string_view>
#include <utility>

#include "digest/digest.h"
#include "runtime/usdt/debug_file.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {
namespace {

/// Units that dwz moved out of several files lie in one that they share.
std::optional<DwarfImage> shared_image(const usdt::ElfFile &elf, const FilePlace &place, DebugFetch *fetch) {
  const SharedDebugFile shared = shared_debug_file(elf);
  Fd fd = open_shared_debug_file(shared, place);
  if (!fd && fetch != nullptr && !shared.build_id.empty()) fd = fetch->find(shared.build_id, shared.name);
  if (!fd) return std::nullopt;
  const usdt::FileSource source(fd.get());
  const Result<usdt::ElfFile> file = usdt::ElfFile::open_any(source);
  if (!file) return std::nullopt;
  Result<DwarfImage> image = DwarfImage::read(*file, DwarfUse::kLocations);
  return image ? std::optional(std::move(*image)) : std::nullopt;
}

constexpr std::string_view kSections = "debug sections 1", kNames = "debug names 1";

/// Identifies the file as it was last changed, and what is kept of it, in which form. Nothing: it has no build ID.
std::optional<ObjectKey> key_of(const usdt::ElfFile &elf, int fd, std::string_view kind) {
  struct stat status{};
  const std::vector<uint8_t> id = elf.build_id();
  if (id.empty() || fstat(fd, &status) != 0) return std::nullopt;
  Digest digest;
  digest.text(kind);
  digest.text({reinterpret_cast<const char *>(id.data()), id.size()});
  for (const auto number : {static_cast<uint64_t>(status.st_dev), static_cast<uint64_t>(status.st_ino),
                            static_cast<uint64_t>(status.st_size)})
    digest.number(number);
  for (const timespec &time : {status.st_mtim, status.st_ctim}) {
    digest.number(static_cast<uint64_t>(time.tv_sec));
    digest.number(static_cast<uint64_t>(time.tv_nsec));
  }
  return digest.finish();
}

Result<DwarfImage> own_image(const usdt::ElfFile &elf, int fd, const DebugSources &sources) {
  constexpr DwarfUse kUse = DwarfUse::kLocations;
  ObjectStore *store = sources.images && has_packed_sections(elf, kUse) ? sources.images() : nullptr;
  const std::optional<ObjectKey> key = store != nullptr ? key_of(elf, fd, kSections) : std::nullopt;
  if (!key) return DwarfImage::read(elf, kUse);
  if (std::optional<std::string> kept = store->find(*key))
    if (Result<DwarfImage> image = DwarfImage::open(std::move(*kept))) return image;
  Result<DwarfImage> image = DwarfImage::unpack(elf, kUse);
  if (image) store->keep(*key, image->bytes());
  return image;
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

bool DwarfFile::keeps_names() { return names_key_ && store_() != nullptr; }

bool DwarfFile::has_other_sections() {
  if (!section_of(get(), ".debug_types").empty()) return true;
  Dwarf_Die unit;
  for (Dwarf_CU *cu = nullptr; dwarf_get_units(get(), cu, &cu, nullptr, nullptr, &unit, nullptr) == 0;)
    if (is_skeleton(&unit)) return true;
  return false;
}

std::optional<std::string> DwarfFile::kept_names() {
  return keeps_names() ? store_()->find(*names_key_) : std::nullopt;
}

void DwarfFile::keep_names(std::string_view index) {
  if (keeps_names()) store_()->keep(*names_key_, index);
}

Result<std::unique_ptr<DwarfFile>> DwarfFile::open(const UserFile &file, pid_t pid, const DebugSources &sources) {
  const usdt::FileSource source(file.fd.get());
  Result<usdt::ElfFile> own = usdt::ElfFile::open(source);
  if (!own) return std::move(own).error().during(file.path);
  const auto use = [&](const usdt::ElfFile &elf, int fd) -> Result<std::unique_ptr<DwarfFile>> {
    Result<DwarfImage> image = own_image(elf, fd, sources);
    if (!image) return Error(fmt::format("{}: {}", file.path, image.error().text()));
    const FilePlace place{pid, file.path};
    auto opened =
        std::unique_ptr<DwarfFile>(new DwarfFile(std::move(*image), shared_image(elf, place, sources.fetch), place));
    opened->store_ = sources.images;
    if (opened->store_ && opened->shared() == nullptr &&
        section_of(opened->get(), ".debug_info").size() >= sources.min_indexed_bytes)
      opened->names_key_ = key_of(elf, fd, kNames);
    return opened;
  };
  if (has_debug_sections(*own)) return use(*own, file.fd.get());
  Fd debug = open_debug_file(*own, file, pid);
  if (!debug && sources.fetch != nullptr) debug = sources.fetch->find(own->build_id(), file.path);
  if (!debug)
    return Error(fmt::format("{} has no debug information (compile with -g, or install its debug package)", file.path));
  const usdt::FileSource debug_source(debug.get());
  Result<usdt::ElfFile> elf = usdt::ElfFile::open_any(debug_source);
  if (!elf) return std::move(elf).error().during(fmt::format("the debug file of {}", file.path));
  return use(*elf, debug.get());
}

}  // namespace dtrace::runtime
