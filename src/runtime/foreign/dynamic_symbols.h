// SPDX-License-Identifier: Apache-2.0
// Symbols that a file exports, by name: by its hash table, a few reads of the file however many it exports.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "usdt/elf_file.h"

namespace dtrace::runtime {

class DynamicSymbols {
 public:
  /// Nothing: the file has no GNU hash table, or a damaged one. `source` and `elf` must outlive it.
  static std::optional<DynamicSymbols> open(const usdt::ByteSource &source, const usdt::ElfFile &elf);

  struct Found {
    uint64_t address = 0, size_bytes = 0;
  };
  /// A symbol that is defined in the file.
  std::optional<Found> find(std::string_view name) const;

 private:
  DynamicSymbols() = default;
  /// The number in the file at `offset` of its table, of so many bytes.
  template <typename Number>
  std::optional<Number> number(const usdt::Section &table, uint64_t offset) const;

  const usdt::ByteSource *source_ = nullptr;
  usdt::Section hashes_, symbols_, strings_;
  uint32_t nr_buckets_ = 0, first_ = 0, nr_words_ = 0, shift_ = 0;
};

}  // namespace dtrace::runtime
