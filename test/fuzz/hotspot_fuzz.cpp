// SPDX-License-Identifier: Apache-2.0
// Any bytes as the memory of a Java virtual machine: what is published about it fits what programs expect.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "runtime/foreign/vm_structs.h"
#include "runtime/unwind/hotspot_runtime.h"

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

/// The bytes again and again, so that most addresses can be read.
class Wrapped final : public usdt::ByteSource {
 public:
  explicit Wrapped(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  bool read(uint64_t address, std::span<std::byte> out) const override {
    if (bytes_.empty() || address >> 48 != 0) return false;
    for (std::byte &byte : out) byte = static_cast<std::byte>(bytes_[address++ % bytes_.size()]);
    return true;
  }

 private:
  std::span<const uint8_t> bytes_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const Wrapped memory({data, size});
  CachedPages pages(memory, 64);
  const Result<VmStructs> structs = VmStructs::read(pages, [&](std::string_view name) {
    return std::optional<uint64_t>(std::hash<std::string_view>()(name) % std::max<size_t>(size, 1));
  });
  if (!structs) return 0;
  const std::optional<HotspotRuntime> runtime = HotspotRuntime::open(*structs);
  if (!runtime) return 0;
  const std::optional<dt_hotspot> now = runtime->read(memory);
  if (!now) return 0;
  if (now->name > DT_HOTSPOT_BLOB_BYTES - 8 || now->frame_size > DT_HOTSPOT_BLOB_BYTES - 4 ||
      now->code > DT_HOTSPOT_BLOB_BYTES - 4)
    std::abort();
  if (now->const_bytes > DT_HOTSPOT_CONST_BYTES || now->const_words > DT_HOTSPOT_CONST_BYTES - 4 ||
      now->const_flags > DT_HOTSPOT_CONST_BYTES - 2 || now->const_code > DT_HOTSPOT_CONST_BYTES - 2)
    std::abort();
  if ((now->place_bytes != 0 && now->place_bytes != 16) || now->immutable > DT_HOTSPOT_BLOB_BYTES - 8 ||
      now->metadata_base > DT_HOTSPOT_BLOB_BYTES - 8 ||
      (now->scopes_is_offset == 0 && now->scopes > DT_HOTSPOT_BLOB_BYTES - 8) || now->number_bias > 1)
    std::abort();
  for (const dt_hotspot_heap &heap : now->heaps)
    if (heap.size_bytes != 0 && heap.start - now->cache_start > now->cache_bytes) std::abort();
  return 0;
}
