// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/thread_storage.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "arch/machine.h"
#include "runtime/foreign/process_memory.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {
namespace {

constexpr uint64_t kMemberBytes = 8;

/// How a machine lays out what is around the thread pointer.
struct ThreadLayout {
  uint16_t elf_machine;
  bool is_below;            ///< static TLS lies below the thread pointer
  int64_t vector;           ///< where the pointer to the thread's vector of blocks (DTV) is, from the thread pointer
  uint64_t reserved_bytes;  ///< between the thread pointer and the program's variables, where they are above it
};
constexpr ThreadLayout kLayouts[] = {{EM_X86_64, true, 8, 0}, {EM_AARCH64, false, 0, 16}};

constexpr uint64_t rounded_up(uint64_t value, uint64_t align) {
  return align <= 1 ? value : (value + align - 1) / align * align;
}

/// The segment of thread-local variables. Errors: the file has none.
Result<usdt::Segment> segment_of(const UserObject &object) {
  const usdt::FileSource source(object.file()->fd.get());
  const Result<usdt::ElfFile> elf = usdt::ElfFile::open(source);
  if (!elf) return Error(elf.error().text());
  const auto segment = std::ranges::find(elf->segments(), uint32_t{PT_TLS}, &usdt::Segment::type);
  if (segment == elf->segments().end()) return Error("its file has no thread-local variables");
  if (!std::has_single_bit(std::max<uint64_t>(segment->align_bytes, 1))) return Error("its file is damaged");
  return *segment;
}

int64_t offset_in(const usdt::Segment &segment, const ThreadVariable &variable) {
  const uint64_t from_start = variable.number - segment.address;
  const bool is_address =
      variable.may_be_address && variable.number >= segment.address && from_start < segment.memory_bytes;
  return static_cast<int64_t>(is_address ? from_start : variable.number);
}

/// From the thread pointer to the variables of the program itself, which come first.
int64_t of_program(const usdt::Segment &segment, const ThreadLayout &layout) {
  if (!layout.is_below) return static_cast<int64_t>(rounded_up(layout.reserved_bytes, segment.align_bytes));
  return -static_cast<int64_t>(rounded_up(segment.memory_bytes, segment.align_bytes));
}

/// What is where in glibc's private part of the link map, as it tells debuggers: three words of 4 bytes, the bits of
/// the member, the number of its elements, its offset.
class LinkMaps {
 public:
  LinkMaps(pid_t pid, const std::vector<MappedObject> &all) : memory_(pid), pages_(memory_, kMaxPages), all_(all) {}

  struct Storage {
    int64_t offset = 0;
    uint64_t module = 0;
  };
  /// What the link map has for the library that is loaded at this bias.
  Result<Storage> of(uint64_t bias) {
    const std::optional<uint64_t> offset = member("_thread_db_link_map_l_tls_offset");
    const std::optional<uint64_t> module = member("_thread_db_link_map_l_tls_modid");
    if (!offset || !module)
      return Error("it is in a library, and only glibc describes where variables of libraries are");
    for (std::optional<uint64_t> map = first(); map && *map != 0; map = pages_.number<uint64_t>(*map + kNext)) {
      if (++nr_maps_ > kMaxMaps) break;
      if (pages_.number<uint64_t>(*map) != bias) continue;
      const auto where = pages_.number<int64_t>(*map + *offset);
      const auto number = pages_.number<uint64_t>(*map + *module);
      if (!where || !number) break;
      return Storage{*where, *number};
    }
    return Error("the dynamic linker's list of libraries does not have it");
  }
  /// Bytes of an element of a thread's vector of blocks.
  uint64_t element_bytes() {
    const std::optional<uint64_t> at = symbol("libc", "_thread_db_dtv_dtv");
    return (at ? pages_.number<uint32_t>(*at).value_or(0) : 0) / 8;
  }

 private:
  static constexpr size_t kMaxPages = 4096;
  static constexpr size_t kMaxMaps = 16384;
  static constexpr uint64_t kFirst = 8;  // r_debug.r_map, <link.h>
  static constexpr uint64_t kNext = 24;  // link_map.l_next

  std::optional<uint64_t> symbol(std::string_view module, std::string_view name) {
    for (const MappedObject &mapped : all_) {
      if (!module_matches(module, mapped)) continue;
      const ElfSymbols *symbols = mapped.object->symbols();
      if (symbols == nullptr) continue;
      const std::vector<ElfSymbol> found = symbols->by_name(name);
      const std::optional<uint64_t> bias = symbols->load_bias(mapped.start, mapped.start_offset, true);
      if (!found.empty() && bias) return found.front().address + *bias;
    }
    return std::nullopt;
  }
  std::optional<uint64_t> member(std::string_view name) {
    const std::optional<uint64_t> at = symbol("libc", name);
    const std::optional<uint32_t> bits = at ? pages_.number<uint32_t>(*at) : std::nullopt;
    if (!bits || *bits != kMemberBytes * 8) return std::nullopt;
    return pages_.number<uint32_t>(*at + 2 * sizeof(uint32_t));
  }
  std::optional<uint64_t> first() {
    const std::optional<uint64_t> list = symbol("ld.so", "_r_debug");
    return list ? pages_.number<uint64_t>(*list + kFirst) : std::nullopt;
  }

  ProcessMemory memory_;
  CachedPages pages_;
  const std::vector<MappedObject> &all_;
  size_t nr_maps_ = 0;
};

/// A library that can be executed (glibc's are) has an interpreter, too; only programs are marked, or have addresses.
bool is_program(const UserObject &object) {
  constexpr uint64_t kMaxDynamicBytes = 1 << 16;
  constexpr uint64_t kPieFlag = 0x08000000;  // DF_1_PIE
  const usdt::FileSource source(object.file()->fd.get());
  const Result<usdt::ElfFile> elf = usdt::ElfFile::open(source);
  if (!elf) return false;
  if (!elf->is_position_independent()) return true;
  const usdt::Section *dynamic = elf->first_of(SHT_DYNAMIC);
  if (dynamic == nullptr) return false;
  const std::vector<std::byte> bytes = elf->contents(*dynamic, kMaxDynamicBytes);
  for (usdt::Cursor cursor(bytes); cursor.left() >= 2 * sizeof(uint64_t);) {
    const uint64_t tag = cursor.number(8), value = cursor.number(8);
    if (tag == DT_FLAGS_1 && (value & kPieFlag) != 0) return true;
  }
  return false;
}

}  // namespace

Result<std::vector<int64_t>> thread_steps_of_program(UserObject &object, ThreadVariable variable) {
  if (!object.is_64bit()) return Error("the program is a 32-bit one");
  const auto layout = std::ranges::find(kLayouts, arch::host_machine().elf_machine, &ThreadLayout::elf_machine);
  if (layout == std::end(kLayouts))
    return Error("dtrace does not know the layout of thread-local storage on this machine");
  if (!is_program(object)) return Error("a library's variables have another address in each process");
  const Result<usdt::Segment> segment = segment_of(object);
  if (!segment) return Error(segment.error().text());
  return std::vector{of_program(*segment, *layout) + offset_in(*segment, variable)};
}

Result<std::vector<int64_t>> thread_steps(pid_t pid, const std::vector<MappedObject> &all, const MappedObject &object,
                                          ThreadVariable variable) {
  if (!object.object->is_64bit()) return Error("the program is a 32-bit one");
  const auto layout = std::ranges::find(kLayouts, arch::host_machine().elf_machine, &ThreadLayout::elf_machine);
  if (layout == std::end(kLayouts))
    return Error("dtrace does not know the layout of thread-local storage on this machine");
  const Result<usdt::Segment> segment = segment_of(*object.object);
  if (!segment) return Error(segment.error().text());
  const int64_t at = offset_in(*segment, variable);
  if (object.is_program) return std::vector{of_program(*segment, *layout) + at};
  const ElfSymbols *symbols = object.object->symbols();
  const std::optional<uint64_t> bias =
      symbols != nullptr ? symbols->load_bias(object.start, object.start_offset, true) : std::nullopt;
  if (!bias) return Error("where the file is in the process is not known");
  LinkMaps maps(pid, all);
  const Result<LinkMaps::Storage> storage = maps.of(*bias);
  if (!storage) return Error(storage.error().text());
  // 0 or less: the library is not in static TLS.
  if (storage->offset > 0) return std::vector{(layout->is_below ? -storage->offset : storage->offset) + at};
  const uint64_t element_bytes = maps.element_bytes();
  if (element_bytes == 0 || storage->module == 0) return Error("the dynamic linker has given it no storage");
  return std::vector{layout->vector, static_cast<int64_t>(storage->module * element_bytes), at};
}

}  // namespace dtrace::runtime
