// SPDX-License-Identifier: Apache-2.0
#include "runtime/unwind/hotspot_runtime.h"

#include <elf.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/foreign_limits.h"
#include "bpf/dt_managed.h"

namespace dtrace::runtime {
namespace {

constexpr uint64_t kMaxCacheBytes = uint64_t{1} << 32;  // the machine allows 2 GiB
constexpr unsigned kMaxSegmentShift = 16;
constexpr uint64_t kMaxBlockHeaderBytes = 64;
constexpr uint32_t kFirstBiased = 20;  // the first JDK whose numbers have no byte 0
constexpr std::string_view kSymbolPrefix = "gHotSpotVM";
constexpr size_t kMaxSymbolsWanted = 64;

using Symbols = std::map<std::string, uint64_t, std::less<>>;

/// The variables that lead to the tables, by name: the file's own addresses.
Symbols table_symbols(const usdt::ElfFile &elf) {
  Symbols found;
  const usdt::Section *table = elf.first_of(SHT_DYNSYM);
  if (table == nullptr) return found;
  (void)elf.each_symbol(*table, [&](const usdt::RawSymbol &symbol, std::string_view name) {
    if (name.starts_with(kSymbolPrefix) && symbol.section != SHN_UNDEF) found.emplace(name, symbol.value);
    return found.size() < kMaxSymbolsWanted;
  });
  return found;
}

/// The address in the process less the file's own, of a mapping of code.
std::optional<uint64_t> bias_of(const usdt::ElfFile &elf, const MapEntry &map) {
  for (const usdt::Segment &segment : elf.segments()) {
    if (segment.type != PT_LOAD || (segment.flags & PF_X) == 0) continue;
    // A mapping begins at a page, and so before the segment.
    if (map.offset <= segment.offset && segment.offset - map.offset < map.end - map.start)
      return map.start + (segment.offset - map.offset) - segment.address;
  }
  return std::nullopt;
}

/// Offsets of members, as BPF programs take them; is_whole is false if one is missing.
class Members {
 public:
  explicit Members(const VmStructs &structs) : structs_(structs) {}
  /// Takes the offset of a member of `size_bytes`; the program reads `max_bytes` of the structure.
  void take(__u16 &to, std::string_view name, uint64_t max_bytes, uint64_t size_bytes) {
    const std::optional<uint64_t> found = structs_.offset(name);
    is_whole &= found && max_bytes >= size_bytes && *found <= max_bytes - size_bytes;
    to = static_cast<__u16>(found.value_or(0));
  }
  bool has(std::string_view name) const { return structs_.offset(name).has_value(); }

  bool is_whole = true;

 private:
  const VmStructs &structs_;
};

/// Finds the tables of lines; leaves `to` unchanged if the machine does not describe them.
void find_lines(const VmStructs &structs, dt_hotspot &to) {
  dt_hotspot made = to;
  Members members(structs);
  const std::optional<uint64_t> size_bytes = structs.size_of("ConstMethod");
  if (!size_bytes || *size_bytes > DT_HOTSPOT_CONST_BYTES) return;
  made.const_bytes = static_cast<__u16>(*size_bytes);
  members.take(made.const_words, "ConstMethod._constMethod_size", *size_bytes, sizeof(int32_t));
  const bool is_flat = members.has("ConstMethod._flags");
  members.take(made.const_flags, is_flat ? "ConstMethod._flags" : "ConstMethod._flags._flags", *size_bytes,
               sizeof(uint16_t));
  members.take(made.const_code, "ConstMethod._code_size", *size_bytes, sizeof(uint16_t));
  if (!members.is_whole) return;
  if (const std::optional<uint64_t> file = structs.offset("ConstantPool._source_file_name_index");
      file && *file < limits::kMaxVmStructBytes)
    made.constants_file = static_cast<__u16>(*file);
  to = made;
}

/// Finds the scopes of compiled methods, which JDK 25 keeps in another way than JDK 17 to 22.
void find_scopes(const VmStructs &structs, dt_hotspot &to) {
  dt_hotspot made = to;
  Members members(structs);
  constexpr uint64_t kPlaceBytes = 16, kAny = limits::kMaxVmStructBytes;
  const std::optional<uint64_t> place_bytes = structs.size_of("PcDesc");
  if (place_bytes != kPlaceBytes) return;
  made.place_bytes = kPlaceBytes;
  members.take(made.place_offset, "PcDesc._pc_offset", kPlaceBytes, sizeof(int32_t));
  members.take(made.place_scope, "PcDesc._scope_decode_offset", kPlaceBytes, sizeof(int32_t));
  members.take(made.places, "nmethod._scopes_pcs_offset", kAny, sizeof(int32_t));
  constexpr uint64_t kBlob = DT_HOTSPOT_BLOB_BYTES, kPointer = sizeof(uint64_t);
  if (members.has("CompiledMethod._scopes_data_begin")) {  // until JDK 22
    members.take(made.scopes, "CompiledMethod._scopes_data_begin", kBlob, kPointer);
    members.take(made.places_end, "nmethod._dependencies_offset", kAny, sizeof(int32_t));
    members.take(made.metadata, "nmethod._metadata_offset", kAny, sizeof(int32_t));
  } else {
    made.scopes_is_offset = 1;
    members.take(made.immutable, "nmethod._immutable_data", kBlob, kPointer);
    members.take(made.scopes, "nmethod._scopes_data_offset", kAny, sizeof(int32_t));
    made.places_end = made.scopes;
    members.take(made.metadata_base, "CodeBlob._mutable_data", kBlob, kPointer);
    members.take(made.metadata, "CodeBlob._relocation_size", kAny, sizeof(int32_t));
  }
  if (members.is_whole) to = made;
}

}  // namespace

bool is_hotspot(const MapEntry &map) { return map.is_file() && map.executable && object_name(map.path) == "libjvm.so"; }

std::optional<HotspotRuntime> HotspotRuntime::open(const VmStructs &structs) {
  HotspotRuntime made;
  Layout &to = made.layout_;
  bool is_whole = true;
  const auto take = [&](auto &place, std::optional<uint64_t> value, uint64_t limit) {
    is_whole &= value && *value < limit;
    place = static_cast<std::remove_reference_t<decltype(place)>>(value.value_or(0));
  };
  const std::pair<uint64_t Layout::*, const char *> addresses[] = {
      {&Layout::heaps, "CodeCache._heaps"},
      {&Layout::low_bound, "CodeCache._low_bound"},
      {&Layout::high_bound, "CodeCache._high_bound"},
      {&Layout::interpreter, "AbstractInterpreter._code"},
  };
  for (const auto &[member, name] : addresses) take(to.*member, structs.address(name), UINT64_MAX);
  const std::pair<uint64_t Layout::*, const char *> offsets[] = {
      {&Layout::array_data, "GrowableArray<int>._data"},
      {&Layout::heap_memory, "CodeHeap._memory"},
      {&Layout::heap_segment_map, "CodeHeap._segmap"},
      {&Layout::heap_segment_shift, "CodeHeap._log2_segment_size"},
      {&Layout::space_low_boundary, "VirtualSpace._low_boundary"},
      {&Layout::space_high_boundary, "VirtualSpace._high_boundary"},
      {&Layout::space_low, "VirtualSpace._low"},
      {&Layout::queue_buffer, "StubQueue._stub_buffer"},
      {&Layout::queue_limit, "StubQueue._buffer_limit"},
  };
  for (const auto &[member, name] : offsets) take(to.*member, structs.offset(name), limits::kMaxVmStructBytes);
  // Its name until JDK 15 is the second one.
  const std::optional<uint64_t> length = structs.offset("GrowableArrayBase._len");
  take(to.array_length, length ? length : structs.offset("GenericGrowableArray._len"), limits::kMaxVmStructBytes);

  dt_hotspot &known = made.known_;
  known.language = DT_MANAGED_JAVA;
  take(known.block_header_bytes, structs.size_of("HeapBlock"), kMaxBlockHeaderBytes);
  take(known.name, structs.offset("CodeBlob._name"), DT_HOTSPOT_BLOB_BYTES - sizeof(uint64_t) + 1);
  take(known.frame_size, structs.offset("CodeBlob._frame_size"), DT_HOTSPOT_BLOB_BYTES - sizeof(uint32_t) + 1);
  take(known.frame_complete, structs.offset("CodeBlob._frame_complete_offset"),
       DT_HOTSPOT_BLOB_BYTES - sizeof(uint32_t) + 1);
  const VmStructs::Field *complete = structs.field("CodeBlob._frame_complete_offset");
  known.frame_complete_bytes = complete != nullptr && complete->type == "int16_t" ? sizeof(int16_t) : sizeof(int32_t);
  if (complete != nullptr && complete->type != "int" && complete->type != "int16_t") return std::nullopt;
  // An address until JDK 22, an offset since.
  known.code_is_offset = structs.field("CodeBlob._code_begin") == nullptr ? 1 : 0;
  if (known.code_is_offset != 0)
    take(known.code, structs.offset("CodeBlob._code_offset"), DT_HOTSPOT_BLOB_BYTES - sizeof(uint32_t) + 1);
  else
    take(known.code, structs.offset("CodeBlob._code_begin"), DT_HOTSPOT_BLOB_BYTES - sizeof(uint64_t) + 1);
  // Compiled methods were a structure of their own until JDK 22.
  const std::optional<uint64_t> method = structs.offset("CompiledMethod._method");
  take(known.method, method ? method : structs.offset("nmethod._method"), DT_HOTSPOT_BLOB_BYTES - sizeof(uint64_t) + 1);
  take(known.method_const, structs.offset("Method._constMethod"), limits::kMaxVmStructBytes);
  take(known.const_constants, structs.offset("ConstMethod._constants"), DT_HOTSPOT_CONST_BYTES - sizeof(uint64_t) + 1);
  take(known.const_name, structs.offset("ConstMethod._name_index"), DT_HOTSPOT_CONST_BYTES - sizeof(uint16_t) + 1);
  take(known.constants_length, structs.offset("ConstantPool._length"), limits::kMaxVmStructBytes);
  take(known.constants_holder, structs.offset("ConstantPool._pool_holder"), limits::kMaxVmStructBytes);
  take(known.constants_bytes, structs.size_of("ConstantPool"), limits::kMaxVmStructBytes);
  take(known.klass_name, structs.offset("Klass._name"), limits::kMaxVmStructBytes);
  take(known.symbol_length, structs.offset("Symbol._length"), limits::kMaxVmStructBytes);
  take(known.symbol_body, structs.offset("Symbol._body[0]"), limits::kMaxVmStructBytes);
  Members blob(structs);
  if (blob.has("CodeBlob._size")) blob.take(known.blob_size, "CodeBlob._size", DT_HOTSPOT_BLOB_BYTES, sizeof(int32_t));
  const VmStructs::Field *size = structs.field("CodeBlob._frame_size");
  if (!is_whole || !blob.is_whole || size->type != "int") return std::nullopt;
  // The encoding of numbers depends on the version.
  if (const std::optional<uint64_t> version = structs.address("Abstract_VM_Version._vm_major_version")) {
    to.version = *version;
    find_lines(structs, known);
    find_scopes(structs, known);
  }
  return made;
}

std::optional<HotspotRuntime> HotspotRuntime::open(pid_t pid, const MapEntry &map, uint16_t elf_machine) {
  const Result<Fd> fd = open_mapped_file(pid, map);
  if (!fd) return std::nullopt;
  const usdt::FileSource source(fd->get());
  const Result<usdt::ElfFile> elf = usdt::ElfFile::open(source);
  // The walk knows code of its own machine (bpf/programs/unwind_hotspot_*.h).
  if (!elf || elf->machine_number() != elf_machine || !elf->is_64bit()) return std::nullopt;
  const std::optional<uint64_t> bias = bias_of(*elf, map);
  if (!bias) return std::nullopt;
  const Symbols symbols = table_symbols(*elf);
  const ProcessMemory memory(pid);
  CachedPages pages(memory, limits::kMaxVmStructPages);
  const Result<VmStructs> structs = VmStructs::read(pages, [&](std::string_view name) -> std::optional<uint64_t> {
    const auto found = symbols.find(name);
    return found == symbols.end() ? std::nullopt : std::optional(found->second + *bias);
  });
  return structs ? open(*structs) : std::nullopt;
}

std::optional<dt_hotspot> HotspotRuntime::read(const usdt::ByteSource &memory) const {
  dt_hotspot now = known_;
  bool is_whole = true;
  const auto word = [&](uint64_t address) {
    uint64_t value = 0;
    is_whole &= memory.read(address, std::as_writable_bytes(std::span(&value, 1)));
    return value;
  };
  const auto number = [&](uint64_t address) {
    uint32_t value = 0;
    is_whole &= memory.read(address, std::as_writable_bytes(std::span(&value, 1)));
    return value;
  };
  if (layout_.version != 0) now.number_bias = number(layout_.version) >= kFirstBiased ? 1 : 0;
  now.cache_start = word(layout_.low_bound);
  now.cache_bytes = word(layout_.high_bound) - now.cache_start;
  const uint64_t heaps = word(layout_.heaps), interpreter = word(layout_.interpreter);
  if (!is_whole || heaps == 0 || now.cache_bytes == 0 || now.cache_bytes > kMaxCacheBytes) return std::nullopt;
  const uint32_t nr_heaps = number(heaps + layout_.array_length);
  const uint64_t list = word(heaps + layout_.array_data);
  if (!is_whole || nr_heaps == 0 || nr_heaps > DT_HOTSPOT_HEAPS) return std::nullopt;
  for (uint32_t i = 0; i < nr_heaps; ++i) {
    const uint64_t heap = word(list + sizeof(uint64_t) * i);
    dt_hotspot_heap &to = now.heaps[i];
    to.start = word(heap + layout_.heap_memory + layout_.space_low_boundary);
    to.size_bytes = word(heap + layout_.heap_memory + layout_.space_high_boundary) - to.start;
    to.segment_map = word(heap + layout_.heap_segment_map + layout_.space_low);
    to.segment_shift = number(heap + layout_.heap_segment_shift);
    if (!is_whole || to.segment_map == 0 || to.segment_shift > kMaxSegmentShift || to.start < now.cache_start ||
        to.size_bytes > now.cache_bytes || to.start - now.cache_start > now.cache_bytes - to.size_bytes)
      return std::nullopt;
  }
  // The first stubs run before the interpreter is made.
  if (interpreter == 0) return now;
  now.interpreter_start = word(interpreter + layout_.queue_buffer);
  now.interpreter_bytes = number(interpreter + layout_.queue_limit);
  if (!is_whole || now.interpreter_start - now.cache_start >= now.cache_bytes) return std::nullopt;
  return now;
}

}  // namespace dtrace::runtime
