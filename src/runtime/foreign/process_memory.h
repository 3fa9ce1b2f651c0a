// SPDX-License-Identifier: Apache-2.0
// The memory of a process as bytes at addresses. The process may change it, or end, while it is read.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "usdt/elf_file.h"

namespace dtrace::runtime {

class ProcessMemory final : public usdt::ByteSource {
 public:
  explicit ProcessMemory(pid_t pid) : pid_(pid) {}
  bool read(uint64_t address, std::span<std::byte> out) const override;

 private:
  pid_t pid_;
};

/// Reads whole pages and keeps them, for readers of many small things. After `max_pages` nothing more can be read.
class CachedPages {
 public:
  /// `source` must outlive this.
  CachedPages(const usdt::ByteSource &source, size_t max_pages) : source_(source), left_(max_pages) {}

  bool read(uint64_t address, std::span<std::byte> out);
  template <typename Number>
  std::optional<Number> number(uint64_t address) {
    Number number{};
    if (!read(address, std::as_writable_bytes(std::span(&number, 1)))) return std::nullopt;
    return number;
  }
  /// The NUL-terminated string there; nothing: it cannot be read, or is longer than `max_bytes`.
  std::optional<std::string> string(uint64_t address, size_t max_bytes);

 private:
  static constexpr uint64_t kPageBytes = 4096;
  using Page = std::array<std::byte, kPageBytes>;
  const Page *page(uint64_t number);

  const usdt::ByteSource &source_;
  size_t left_;
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;  // null: the page cannot be read
};

}  // namespace dtrace::runtime
