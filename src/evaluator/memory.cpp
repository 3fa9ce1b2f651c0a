// SPDX-License-Identifier: Apache-2.0
#include "evaluator/memory.h"

#include <algorithm>

#include "evaluator/fault.h"

namespace dtrace::evaluator {
namespace {

constexpr uint64_t kGap = 8;  // between blocks, so that the end of one is not the next

constexpr uint64_t aligned(uint64_t size_bytes) { return (size_bytes + 7) & ~uint64_t{7}; }

}  // namespace

void Memory::begin_clause() {
  allocated_ = 0;
  blocks_.clear();
  values_.clear();
  for (const uint64_t address : value_addresses_) mapped_.erase(address);
  value_addresses_.clear();
}

uint64_t Memory::allocate(uint64_t size_bytes) {
  if (size_bytes > most_allocated_ || allocated_ + aligned(size_bytes) > most_allocated_)
    throw Fault{DT_FAULT_NOSCRATCH};
  allocated_ += aligned(size_bytes);
  return put(std::vector<std::byte>(size_bytes));
}

uint64_t Memory::put(std::span<const std::byte> bytes) {
  const uint64_t begin = blocks_.empty() ? 0 : aligned(blocks_.size() + kGap);
  // No bytes take no room: the next block begins there, too.
  if (bytes.empty()) return kBlocks + begin;
  blocks_.resize(begin);
  blocks_.insert(blocks_.end(), bytes.begin(), bytes.end());
  return kBlocks + begin;
}

uint64_t Memory::map(Storage &storage) {
  const uint64_t address = next_address_;
  next_address_ += aligned(storage.bytes.size() + kGap);
  mapped_.emplace(address, &storage);
  return address;
}

uint64_t Memory::address_of(Storage &storage) {
  const auto [known, is_new] = addresses_.try_emplace(&storage, 0);
  if (is_new) known->second = map(storage);
  return known->second;
}

uint64_t Memory::address_of_value(std::vector<std::byte> bytes) {
  values_.push_back({.bytes = std::move(bytes)});
  value_addresses_.push_back(map(values_.back()));
  return value_addresses_.back();
}

uint64_t Memory::address_of_literal(std::string_view text) {
  auto known = literals_.find(text);
  if (known == literals_.end()) {
    known = literals_.try_emplace(std::string(text)).first;
    const std::span<const std::byte> with_nul = std::as_bytes(std::span(known->first.c_str(), text.size() + 1));
    known->second.bytes.assign(with_nul.begin(), with_nul.end());
  }
  return address_of(known->second);
}

std::span<std::byte> Memory::rest_of(uint64_t address) const {
  if (address >= kBlocks && address - kBlocks < blocks_.size()) return std::span(blocks_).subspan(address - kBlocks);
  auto next = mapped_.upper_bound(address);
  if (next == mapped_.begin()) return {};
  const auto &[begin, storage] = *--next;
  if (address - begin >= storage->bytes.size()) return {};
  return std::span(storage->bytes).subspan(address - begin);
}

std::span<std::byte> Memory::find(uint64_t address, uint64_t size_bytes) const {
  const std::span<std::byte> rest = rest_of(address);
  return rest.size() < size_bytes ? std::span<std::byte>() : rest.first(size_bytes);
}

std::span<std::byte> Memory::writable(uint64_t address, uint64_t size_bytes) const {
  const bool is_value = std::ranges::any_of(value_addresses_, [&](uint64_t begin) {
    return address >= begin && address - begin < mapped_.at(begin)->bytes.size();
  });
  const std::span<std::byte> bytes = is_value ? std::span<std::byte>() : find(address, size_bytes);
  if (bytes.size() != size_bytes) throw Fault{DT_FAULT_BADADDR, address};
  return bytes;
}

std::string_view Memory::text_at(uint64_t address, uint64_t most) const {
  const std::span<std::byte> rest = rest_of(address);
  const std::string_view text(reinterpret_cast<const char *>(rest.data()), std::min<size_t>(rest.size(), most));
  return text.substr(0, text.find('\0'));
}

}  // namespace dtrace::evaluator
