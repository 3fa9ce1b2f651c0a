// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/process_memory.h"

#include <sys/uio.h>

#include <algorithm>
#include <cstring>

namespace dtrace::runtime {

bool ProcessMemory::read(uint64_t address, std::span<std::byte> out) const {
  iovec local{out.data(), out.size()};
  iovec remote{reinterpret_cast<void *>(address), out.size()};
  return process_vm_readv(pid_, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(out.size());
}

const CachedPages::Page *CachedPages::page(uint64_t number) {
  if (const auto known = pages_.find(number); known != pages_.end()) return known->second.get();
  if (left_ == 0) return nullptr;
  --left_;
  auto made = std::make_unique<Page>();
  if (!source_.read(number * kPageBytes, *made)) made.reset();
  return pages_.emplace(number, std::move(made)).first->second.get();
}

bool CachedPages::read(uint64_t address, std::span<std::byte> out) {
  while (!out.empty()) {
    const Page *from = page(address / kPageBytes);
    if (from == nullptr) return false;
    const uint64_t offset = address % kPageBytes;
    const size_t bytes = std::min<size_t>(out.size(), kPageBytes - offset);
    std::memcpy(out.data(), from->data() + offset, bytes);
    out = out.subspan(bytes);
    address += bytes;
  }
  return true;
}

std::optional<std::string> CachedPages::string(uint64_t address, size_t max_bytes) {
  std::string made;
  while (made.size() <= max_bytes) {
    const Page *from = page(address / kPageBytes);
    if (from == nullptr) return std::nullopt;
    const uint64_t offset = address % kPageBytes;
    const auto *start = reinterpret_cast<const char *>(from->data()) + offset;
    const size_t length = strnlen(start, kPageBytes - offset);
    made.append(start, length);
    if (length < kPageBytes - offset) return made.size() <= max_bytes ? std::optional(made) : std::nullopt;
    address += length;
  }
  return std::nullopt;
}

}  // namespace dtrace::runtime
