// SPDX-License-Identifier: Apache-2.0
// What is read of a Java virtual machine: its tables, from memory that is made up, and from memory that lies.
#include <catch2/catch.hpp>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "bpf/dt_managed.h"
#include "runtime/foreign/vm_structs.h"
#include "runtime/unwind/hotspot_runtime.h"

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

/// Memory at addresses from 4096 on, with the tables of a machine whose code cache has two heaps.
class Machine {
 public:
  Machine() : bytes_(kBytes) {
    variable("gHotSpotVMStructEntryArrayStride", 56);
    variable("gHotSpotVMStructEntryTypeNameOffset", 0);
    variable("gHotSpotVMStructEntryFieldNameOffset", 8);
    variable("gHotSpotVMStructEntryTypeStringOffset", 16);
    variable("gHotSpotVMStructEntryIsStaticOffset", 24);
    variable("gHotSpotVMStructEntryOffsetOffset", 32);
    variable("gHotSpotVMStructEntryAddressOffset", 40);
    variable("gHotSpotVMTypeEntryArrayStride", 24);
    variable("gHotSpotVMTypeEntryTypeNameOffset", 0);
    variable("gHotSpotVMTypeEntrySizeOffset", 8);
  }

  uint64_t take(uint64_t size_bytes) {
    const uint64_t at = end_;
    end_ += (size_bytes + 7) / 8 * 8;
    return at;
  }
  template <typename Number>
  void put(uint64_t address, Number value) {
    std::memcpy(bytes_.data() + (address - kStart), &value, sizeof value);
  }
  uint64_t text(const std::string &text) {
    const uint64_t at = take(text.size() + 1);
    std::memcpy(bytes_.data() + (at - kStart), text.c_str(), text.size() + 1);
    return at;
  }
  void variable(const std::string &name, uint64_t value) {
    symbols_[name] = take(8);
    put(symbols_[name], value);
  }

  struct Entry {
    const char *type, *field, *type_text;
    bool is_static;
    uint64_t value;
  };
  using Sizes = std::vector<std::pair<const char *, uint64_t>>;
  void tables(const std::vector<Entry> &entries, const Sizes &sizes) {
    const uint64_t table = take(56 * (entries.size() + 1));
    for (size_t i = 0; i < entries.size(); ++i) {
      const Entry &entry = entries[i];
      const uint64_t at = table + 56 * i;
      put(at, text(entry.type));
      put(at + 8, text(entry.field));
      put(at + 16, text(entry.type_text));
      put<uint32_t>(at + 24, entry.is_static ? 1 : 0);
      put(at + (entry.is_static ? 40 : 32), entry.value);
    }
    variable("gHotSpotVMStructs", table);
    const uint64_t types = take(24 * (sizes.size() + 1));
    for (size_t i = 0; i < sizes.size(); ++i) {
      put(types + 24 * i, text(sizes[i].first));
      put(types + 24 * i + 8, sizes[i].second);
    }
    variable("gHotSpotVMTypes", types);
  }

  Result<VmStructs> structs(size_t max_pages = 64) const {
    const Source source(*this);
    CachedPages pages(source, max_pages);
    return VmStructs::read(pages, [&](std::string_view name) -> std::optional<uint64_t> {
      const auto found = symbols_.find(name);
      return found == symbols_.end() ? std::nullopt : std::optional(found->second);
    });
  }

  class Source final : public usdt::ByteSource {
   public:
    explicit Source(const Machine &machine) : machine_(machine) {}
    bool read(uint64_t address, std::span<std::byte> out) const override {
      if (address < kStart || address - kStart > kBytes || out.size() > kBytes - (address - kStart)) return false;
      std::memcpy(out.data(), machine_.bytes_.data() + (address - kStart), out.size());
      return true;
    }

   private:
    const Machine &machine_;
  };

 private:
  static constexpr uint64_t kStart = 4096, kBytes = 1 << 16;
  std::vector<std::byte> bytes_;
  uint64_t end_ = kStart;
  std::map<std::string, uint64_t, std::less<>> symbols_;
};

struct Cache {
  uint64_t heaps, low, high, interpreter, list, version;
};

using Entries = std::vector<Machine::Entry>;

/// JDK 17's structures of lines and of compiled methods, as its tables have them.
const Entries kLines17 = {
    {"ConstMethod", "_constMethod_size", "int", false, 24},
    {"ConstMethod", "_flags", "u2", false, 28},
    {"ConstMethod", "_code_size", "u2", false, 32},
    {"ConstantPool", "_source_file_name_index", "u2", false, 54},
    {"PcDesc", "_pc_offset", "int", false, 0},
    {"PcDesc", "_scope_decode_offset", "int", false, 4},
};
const Entries kScopes17 = {
    {"CompiledMethod", "_scopes_data_begin", "address", false, 120},
    {"nmethod", "_metadata_offset", "int", false, 260},
    {"nmethod", "_scopes_pcs_offset", "int", false, 268},
    {"nmethod", "_dependencies_offset", "int", false, 272},
};
/// JDK 25's.
const Entries kLines25 = {
    {"ConstMethod", "_constMethod_size", "int", false, 24},
    {"ConstMethod", "_flags._flags", "u4", false, 28},
    {"ConstMethod", "_code_size", "u2", false, 34},
    {"ConstantPool", "_source_file_name_index", "u2", false, 54},
    {"PcDesc", "_pc_offset", "int", false, 0},
    {"PcDesc", "_scope_decode_offset", "int", false, 4},
};
const Entries kScopes25 = {
    {"nmethod", "_immutable_data", "address", false, 96},  {"nmethod", "_scopes_pcs_offset", "int", false, 196},
    {"nmethod", "_scopes_data_offset", "int", false, 200}, {"CodeBlob", "_mutable_data", "address", false, 16},
    {"CodeBlob", "_relocation_size", "int", false, 28},
};

/// JDK 17's structures, and `more`. The code cache lies at 0x100000, and has no memory here.
Cache fill(Machine &machine, const Entries &more = {}, Machine::Sizes sizes = {}, int32_t version = 17) {
  Cache cache{};
  cache.version = machine.take(8);
  machine.put(cache.version, version);
  cache.heaps = machine.take(8);
  cache.low = machine.take(8);
  cache.high = machine.take(8);
  cache.interpreter = machine.take(8);
  Entries entries = {
      {"CodeCache", "_heaps", "GrowableArray<CodeHeap*>*", true, cache.heaps},
      {"CodeCache", "_low_bound", "address", true, cache.low},
      {"CodeCache", "_high_bound", "address", true, cache.high},
      {"AbstractInterpreter", "_code", "StubQueue*", true, cache.interpreter},
      {version < 15 ? "GenericGrowableArray" : "GrowableArrayBase", "_len", "int", false, 0},
      {"GrowableArray<int>", "_data", "int*", false, 8},
      {"CodeHeap", "_memory", "VirtualSpace", false, 8},
      {"CodeHeap", "_segmap", "VirtualSpace", false, 40},
      {"CodeHeap", "_log2_segment_size", "int", false, 72},
      {"VirtualSpace", "_low_boundary", "char*", false, 0},
      {"VirtualSpace", "_high_boundary", "char*", false, 8},
      {"VirtualSpace", "_low", "char*", false, 16},
      {"StubQueue", "_stub_buffer", "address", false, 8},
      {"StubQueue", "_buffer_limit", "int", false, 20},
      {"CodeBlob", "_name", "const char*", false, 96},
      {"CodeBlob", "_frame_size", "int", false, 28},
      {"CodeBlob", "_frame_complete_offset", "int", false, 20},
      {"CodeBlob", "_code_begin", "address", false, 32},
      {"CompiledMethod", "_method", "Method*", false, 112},
      {"Method", "_constMethod", "ConstMethod*", false, 8},
      {"ConstMethod", "_constants", "ConstantPool*", false, 8},
      {"ConstMethod", "_name_index", "u2", false, 34},
      {"ConstantPool", "_length", "int", false, 60},
      {"ConstantPool", "_pool_holder", "InstanceKlass*", false, 24},
      {"Klass", "_name", "Symbol*", false, 24},
      {"Symbol", "_length", "u2", false, 4},
      {"Symbol", "_body[0]", "u1", false, 6},
      {"Abstract_VM_Version", "_vm_major_version", "int", true, cache.version},
  };
  entries.insert(entries.end(), more.begin(), more.end());
  sizes.insert(sizes.end(), {{"HeapBlock", 16}, {"ConstantPool", 72}});
  machine.tables(entries, sizes);
  const uint64_t array = machine.take(16), queue = machine.take(32);
  cache.list = machine.take(16);
  machine.put(cache.heaps, array);
  machine.put(cache.low, uint64_t{0x100000});
  machine.put(cache.high, uint64_t{0x300000});
  machine.put(cache.interpreter, queue);
  machine.put<uint32_t>(array, 2);
  machine.put(array + 8, cache.list);
  machine.put(queue + 8, uint64_t{0x110000});
  machine.put<uint32_t>(queue + 20, 0x8000);
  for (uint64_t i = 0; i < 2; ++i) {
    const uint64_t heap = machine.take(80);
    machine.put(cache.list + 8 * i, heap);
    machine.put(heap + 8, 0x100000 + i * 0x100000);
    machine.put(heap + 16, 0x200000 + i * 0x100000);
    machine.put(heap + 40 + 16, 0x900000 + i);
    machine.put<uint32_t>(heap + 72, 7);
  }
  return cache;
}

}  // namespace

TEST_CASE("hotspot: the code cache by the machine's own tables", "[unwind]") {
  Machine machine;
  fill(machine);
  const Result<VmStructs> structs = machine.structs();
  REQUIRE(structs);
  CHECK(structs->size_of("HeapBlock") == 16);
  CHECK(structs->offset("CodeBlob._name") == 96);
  CHECK_FALSE(structs->address("CodeBlob._name"));
  CHECK_FALSE(structs->offset("CodeBlob._kind"));
  const std::optional<HotspotRuntime> runtime = HotspotRuntime::open(*structs);
  REQUIRE(runtime);
  const std::optional<dt_hotspot> now = runtime->read(Machine::Source(machine));
  REQUIRE(now);
  CHECK(now->language == DT_MANAGED_JAVA);
  CHECK(now->cache_start == 0x100000);
  CHECK(now->cache_bytes == 0x200000);
  CHECK(now->interpreter_start == 0x110000);
  CHECK(now->interpreter_bytes == 0x8000);
  CHECK(now->heaps[0].start == 0x100000);
  CHECK(now->heaps[1].start == 0x200000);
  CHECK(now->heaps[1].size_bytes == 0x100000);
  CHECK(now->heaps[1].segment_map == 0x900001);
  CHECK(now->heaps[1].segment_shift == 7);
  CHECK(now->heaps[2].size_bytes == 0);
  CHECK(now->block_header_bytes == 16);
  CHECK(now->frame_size == 28);
  CHECK(now->frame_complete_bytes == 4);
  CHECK(now->code == 32);
  CHECK(now->code_is_offset == 0);
  CHECK(now->method == 112);
  CHECK(now->const_name == 34);
  CHECK(now->constants_bytes == 72);
  CHECK(now->symbol_body == 6);
}

namespace {

Entries both(Entries a, const Entries &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::optional<dt_hotspot> known(const Entries &entries, const Machine::Sizes &sizes, int32_t version) {
  Machine machine;
  fill(machine, entries, sizes, version);
  const std::optional<HotspotRuntime> runtime = HotspotRuntime::open(*machine.structs());
  return runtime ? runtime->read(Machine::Source(machine)) : std::nullopt;
}

}  // namespace

TEST_CASE("hotspot: where lines and scopes are", "[unwind]") {
  const std::optional<dt_hotspot> before = known(both(kLines17, kScopes17), {{"ConstMethod", 48}, {"PcDesc", 16}}, 17);
  REQUIRE(before);
  CHECK(before->const_bytes == 48);
  CHECK(before->const_words == 24);
  CHECK(before->const_flags == 28);
  CHECK(before->const_code == 32);
  CHECK(before->constants_file == 54);
  CHECK(before->place_bytes == 16);
  CHECK(before->place_scope == 4);
  CHECK(before->immutable == 0);
  CHECK(before->places == 268);
  CHECK(before->places_end == 272);
  CHECK(before->scopes == 120);
  CHECK(before->scopes_is_offset == 0);
  CHECK(before->metadata_base == 0);
  CHECK(before->metadata == 260);
  CHECK(before->number_bias == 0);

  const std::optional<dt_hotspot> now = known(both(kLines25, kScopes25), {{"ConstMethod", 56}, {"PcDesc", 16}}, 25);
  REQUIRE(now);
  CHECK(now->const_bytes == 56);
  CHECK(now->const_flags == 28);
  CHECK(now->place_bytes == 16);
  CHECK(now->immutable == 96);
  CHECK(now->places == 196);
  CHECK(now->places_end == 200);
  CHECK(now->scopes == 200);
  CHECK(now->scopes_is_offset == 1);
  CHECK(now->metadata_base == 16);
  CHECK(now->metadata == 28);
  CHECK(now->number_bias == 1);
}

TEST_CASE("hotspot: JDK 11, whose arrays have another name", "[unwind]") {
  const std::optional<dt_hotspot> now = known(both(kLines17, kScopes17), {{"ConstMethod", 48}, {"PcDesc", 16}}, 11);
  REQUIRE(now);
  CHECK(now->heaps[1].start == 0x200000);
  CHECK(now->place_bytes == 16);
  CHECK(now->number_bias == 0);
}

TEST_CASE("hotspot: without what leads to them there are no lines and no scopes, but names", "[unwind]") {
  const Machine::Sizes sizes{{"ConstMethod", 48}, {"PcDesc", 16}};
  const std::optional<dt_hotspot> no_scopes = known(kLines17, sizes, 17);
  REQUIRE(no_scopes);
  CHECK(no_scopes->const_bytes == 48);
  CHECK(no_scopes->place_bytes == 0);
  const std::optional<dt_hotspot> no_lines = known(kScopes17, sizes, 17);
  REQUIRE(no_lines);
  CHECK(no_lines->const_bytes == 0);
  for (const Machine::Sizes &odd : {Machine::Sizes{{"ConstMethod", 4096}, {"PcDesc", 24}}, Machine::Sizes{}}) {
    const std::optional<dt_hotspot> neither = known(both(kLines17, kScopes17), odd, 17);
    REQUIRE(neither);
    CHECK(neither->const_bytes == 0);
    CHECK(neither->place_bytes == 0);
    CHECK(neither->method == 112);
  }
  Entries far = both(kLines17, kScopes17);
  far.push_back({"CompiledMethod", "_scopes_data_begin", "address", false, 1 << 20});
  std::erase_if(far, [](const Machine::Entry &entry) {
    return std::string_view(entry.field) == "_scopes_data_begin" && entry.value == 120;
  });
  REQUIRE(known(far, sizes, 17));
  CHECK(known(far, sizes, 17)->place_bytes == 0);
}

TEST_CASE("hotspot: a machine that has not begun, or lies, has no code cache", "[unwind]") {
  Machine machine;
  const Cache cache = fill(machine);
  const std::optional<HotspotRuntime> runtime = HotspotRuntime::open(*machine.structs());
  REQUIRE(runtime);
  const Machine::Source source(machine);
  SECTION("no heaps yet") { machine.put(cache.heaps, uint64_t{0}); }
  SECTION("a heap outside of the cache") { machine.put(cache.high, uint64_t{0x280000}); }
  SECTION("a cache of no size") { machine.put(cache.high, uint64_t{0x100000}); }
  SECTION("a huge cache") { machine.put(cache.high, uint64_t{1} << 40); }
  SECTION("a heap that cannot be read") { machine.put(cache.list, uint64_t{1}); }
  SECTION("an interpreter elsewhere") { machine.put(cache.low, uint64_t{0x180000}); }
  CHECK_FALSE(runtime->read(source));
}

TEST_CASE("hotspot: the code cache is known before the interpreter is made", "[unwind]") {
  Machine machine;
  const Cache cache = fill(machine);
  const std::optional<HotspotRuntime> runtime = HotspotRuntime::open(*machine.structs());
  REQUIRE(runtime);
  machine.put(cache.interpreter, uint64_t{0});
  const std::optional<dt_hotspot> now = runtime->read(Machine::Source(machine));
  REQUIRE(now);
  CHECK(now->cache_start == 0x100000);
  CHECK(now->heaps[1].start == 0x200000);
  CHECK(now->interpreter_bytes == 0);
}

TEST_CASE("hotspot: tables that are not there, or have no end", "[unwind]") {
  Machine machine;
  CHECK_FALSE(machine.structs());  // no tables
  machine.tables({{"CodeBlob", "_name", "const char*", false, 96}}, {{"HeapBlock", 16}});
  const Result<VmStructs> few = machine.structs();
  REQUIRE(few);
  CHECK_FALSE(HotspotRuntime::open(*few));
  CHECK_FALSE(machine.structs(0));  // no memory may be read
  machine.variable("gHotSpotVMStructEntryArrayStride", 0);
  CHECK_FALSE(machine.structs());
  machine.variable("gHotSpotVMStructEntryArrayStride", uint64_t{1} << 40);
  CHECK_FALSE(machine.structs());
}
