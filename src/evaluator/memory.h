// SPDX-License-Identifier: Apache-2.0
// The memory of an evaluated program, to which its pointers may point: blocks of alloca() and copyin(), and values
// whose address was taken. Their addresses are none of this process: each is looked up before it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dtrace::evaluator {

/// A value in memory: a variable, an element of an array, a string that was computed.
struct Storage {
  std::vector<std::byte> bytes;
  bool is_null = false;  ///< of a string: there is none
};

class Memory {
 public:
  /// `scratch_bytes`: of all blocks that one clause may allocate.
  explicit Memory(uint64_t scratch_bytes) : most_allocated_((scratch_bytes + 7) & ~uint64_t{7}) {}

  /// Blocks and values of the last clause are gone.
  void begin_clause();
  /// alloca(): a block of zeros. Faults: NOSCRATCH.
  uint64_t allocate(uint64_t size_bytes);
  /// copyin(): a block of these bytes, which counts for no limit.
  uint64_t put(std::span<const std::byte> bytes);
  /// Where `storage` is from now on; it stays there as long as this lives, and must live as long.
  uint64_t address_of(Storage &storage);
  /// Where `bytes` are until the clause ends.
  uint64_t address_of_value(std::vector<std::byte> bytes);

  /// The address of a string literal, for good; equal ones have the same.
  uint64_t address_of_literal(std::string_view text);

  /// The bytes at an address; empty: there are not so many.
  std::span<const std::byte> at(uint64_t address, uint64_t size_bytes) const { return find(address, size_bytes); }
  /// The same of those that a program may write to: blocks and variables. Faults: BADADDR.
  std::span<std::byte> writable(uint64_t address, uint64_t size_bytes) const;
  /// The bytes from an address to the next NUL, at most `most`; empty text: the address is not ours.
  std::string_view text_at(uint64_t address, uint64_t most) const;
  bool has(uint64_t address) const { return !rest_of(address).empty(); }

 private:
  std::span<std::byte> find(uint64_t address, uint64_t size_bytes) const;
  std::span<std::byte> rest_of(uint64_t address) const;  ///< of the value there
  uint64_t map(Storage &storage);

  uint64_t most_allocated_, allocated_ = 0;
  mutable std::vector<std::byte> blocks_;
  std::deque<Storage> values_;             // of this clause
  std::vector<uint64_t> value_addresses_;  // of `values_`
  std::map<uint64_t, Storage *> mapped_;
  std::unordered_map<const Storage *, uint64_t> addresses_;
  std::map<std::string, Storage, std::less<>> literals_;
  uint64_t next_address_ = kFirstValue;

  // Where no kernel that dtrace runs on has anything.
  static constexpr uint64_t kBlocks = 0xfff0'0000'0000'0000, kFirstValue = 0xfff1'0000'0000'0000;
};

}  // namespace dtrace::evaluator
