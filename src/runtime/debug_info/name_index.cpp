// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/name_index.h"

#include <algorithm>
#include <cstring>

namespace dtrace::runtime {
namespace {

constexpr std::string_view kVersion = "DTNAMES2";
constexpr size_t kEntryBytes = 2 * sizeof(uint64_t);

uint64_t number_at(std::string_view bytes, size_t offset) {
  uint64_t number = 0;
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

}  // namespace

std::string NameIndex::bytes_of(std::vector<Entry> entries) {
  std::ranges::stable_sort(entries, {}, &Entry::first);
  std::string bytes(kVersion);
  bytes.reserve(kVersion.size() + entries.size() * kEntryBytes);
  for (const auto &[key, offset] : entries)
    for (const uint64_t number : {key, offset}) bytes.append(reinterpret_cast<const char *>(&number), sizeof number);
  return bytes;
}

std::optional<NameIndex> NameIndex::open(std::string bytes) {
  if (!bytes.starts_with(kVersion) || (bytes.size() - kVersion.size()) % kEntryBytes != 0) return std::nullopt;
  NameIndex index;
  index.count_ = (bytes.size() - kVersion.size()) / kEntryBytes;
  index.bytes_ = std::move(bytes);
  return index;
}

NameIndex::Entry NameIndex::entry(size_t i) const {
  const size_t at = kVersion.size() + i * kEntryBytes;
  return {number_at(bytes_, at), number_at(bytes_, at + sizeof(uint64_t))};
}

std::vector<uint64_t> NameIndex::find(uint64_t key, size_t most) const {
  size_t low = 0, high = count_;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (entry(middle).first < key)
      low = middle + 1;
    else
      high = middle;
  }
  std::vector<uint64_t> offsets;
  for (; low < count_ && offsets.size() < most && entry(low).first == key; ++low) offsets.push_back(entry(low).second);
  return offsets;
}

}  // namespace dtrace::runtime
