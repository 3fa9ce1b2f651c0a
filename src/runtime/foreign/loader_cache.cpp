// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/loader_cache.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/read_file.h"

namespace dtrace::runtime {
namespace {

constexpr char kCachePath[] = "/etc/ld.so.cache";
constexpr size_t kMaxCacheBytes = 64 << 20;

/// glibc 2.2 and later. Offsets of texts count from the header.
struct CacheHeader {
  char magic[20];
  uint32_t count;
  uint32_t text_bytes;
  uint32_t unused[5];
};
struct CacheEntry {
  int32_t flags;
  uint32_t name, path;
  uint32_t system_version;
  uint64_t capabilities;
};
static_assert(sizeof(CacheHeader) == 48 && sizeof(CacheEntry) == 24);
constexpr std::string_view kCacheMagic = "glibc-ld.so.cache1.1";

/// The format before it, which may stand in front.
struct OldCacheHeader {
  char magic[12];
  uint32_t count;
};
constexpr size_t kOldCacheEntryBytes = 12;
constexpr std::string_view kOldCacheMagic = "ld.so-1.7.0";

template <typename T>
bool copy_from_cache(std::string_view bytes, size_t at, T *value) {
  if (at > bytes.size() || bytes.size() - at < sizeof *value) return false;
  std::memcpy(value, bytes.data() + at, sizeof *value);
  return true;
}

std::string_view cache_text(std::string_view bytes, size_t at) {
  if (at >= bytes.size()) return {};
  const size_t end = bytes.find('\0', at);
  return end == std::string_view::npos ? std::string_view() : bytes.substr(at, end - at);
}

}  // namespace

std::vector<CachedLibrary> parse_loader_cache(std::string_view bytes) {
  std::vector<CachedLibrary> libraries;
  OldCacheHeader old{};
  if (bytes.starts_with(kOldCacheMagic) && copy_from_cache(bytes, 0, &old)) {
    constexpr size_t kAlignment = alignof(uint64_t);
    const size_t end = sizeof old + size_t{old.count} * kOldCacheEntryBytes;
    bytes.remove_prefix(std::min(bytes.size(), (end + kAlignment - 1) / kAlignment * kAlignment));
  }
  CacheHeader header{};
  if (!bytes.starts_with(kCacheMagic) || !copy_from_cache(bytes, 0, &header)) return libraries;
  CacheEntry entry{};
  for (uint32_t i = 0; i < header.count && copy_from_cache(bytes, sizeof header + i * sizeof entry, &entry); ++i) {
    const std::string_view name = cache_text(bytes, entry.name), path = cache_text(bytes, entry.path);
    if (!name.empty() && path.starts_with('/')) libraries.push_back({std::string(name), std::string(path)});
  }
  return libraries;
}

std::vector<CachedLibrary> cached_libraries() {
  const Result<std::string> bytes = read_file(kCachePath, kMaxCacheBytes);
  return bytes ? parse_loader_cache(*bytes) : std::vector<CachedLibrary>();
}

}  // namespace dtrace::runtime
