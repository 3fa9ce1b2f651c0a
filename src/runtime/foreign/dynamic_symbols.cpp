// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/dynamic_symbols.h"

#include <elf.h>

#include <array>
#include <span>
#include <string>

namespace dtrace::runtime {
namespace {

constexpr unsigned kMaxInBucket = 4096;
constexpr uint64_t kHeaderBytes = 16;

uint32_t gnu_hash(std::string_view name) {
  uint32_t hash = 5381;
  for (const char c : name) hash = hash * 33 + static_cast<unsigned char>(c);
  return hash;
}

}  // namespace

template <typename Number>
std::optional<Number> DynamicSymbols::number(const usdt::Section &table, uint64_t offset) const {
  Number number{};
  if (offset > table.size_bytes || table.size_bytes - offset < sizeof number) return std::nullopt;
  if (!source_->read(table.offset + offset, std::as_writable_bytes(std::span(&number, 1)))) return std::nullopt;
  return number;
}

std::optional<DynamicSymbols> DynamicSymbols::open(const usdt::ByteSource &source, const usdt::ElfFile &elf) {
  const usdt::Section *hashes = elf.first_of(SHT_GNU_HASH);
  const usdt::Section *symbols = elf.first_of(SHT_DYNSYM);
  if (hashes == nullptr || symbols == nullptr || !elf.is_64bit() || symbols->link >= elf.sections().size())
    return std::nullopt;
  DynamicSymbols made;
  made.source_ = &source;
  made.hashes_ = *hashes;
  made.symbols_ = *symbols;
  made.strings_ = elf.sections()[symbols->link];
  const auto header = made.number<std::array<uint32_t, 4>>(*hashes, 0);
  if (!header || (*header)[0] == 0 || (*header)[2] == 0) return std::nullopt;
  made.nr_buckets_ = (*header)[0];
  made.first_ = (*header)[1];
  made.nr_words_ = (*header)[2];
  made.shift_ = (*header)[3];
  return made;
}

std::optional<DynamicSymbols::Found> DynamicSymbols::find(std::string_view name) const {
  constexpr unsigned kWordBits = 64;
  const uint32_t hash = gnu_hash(name);
  const auto filter = number<uint64_t>(hashes_, kHeaderBytes + hash / kWordBits % nr_words_ * sizeof(uint64_t));
  if (!filter || (*filter >> (hash % kWordBits) & *filter >> ((hash >> (shift_ & 31)) % kWordBits) & 1) == 0)
    return std::nullopt;
  const uint64_t buckets = kHeaderBytes + uint64_t{nr_words_} * sizeof(uint64_t);
  const uint64_t chains = buckets + uint64_t{nr_buckets_} * sizeof(uint32_t);
  const auto bucket = number<uint32_t>(hashes_, buckets + hash % nr_buckets_ * sizeof(uint32_t));
  if (!bucket || *bucket < first_ || *bucket == 0) return std::nullopt;
  std::string read(name.size() + 1, 'x');
  for (uint64_t at = *bucket; at < uint64_t{*bucket} + kMaxInBucket; ++at) {
    const auto chained = number<uint32_t>(hashes_, chains + (at - first_) * sizeof(uint32_t));
    if (!chained) return std::nullopt;
    if ((*chained | 1) == (hash | 1)) {
      const auto symbol = number<Elf64_Sym>(symbols_, at * sizeof(Elf64_Sym));
      if (!symbol) return std::nullopt;
      if (symbol->st_shndx != SHN_UNDEF && symbol->st_name < strings_.size_bytes &&
          strings_.size_bytes - symbol->st_name >= read.size() &&
          source_->read(strings_.offset + symbol->st_name, std::as_writable_bytes(std::span(read))) &&
          read.back() == '\0' && std::string_view(read).substr(0, name.size()) == name)
        return Found{symbol->st_value, symbol->st_size};
    }
    if ((*chained & 1) != 0) return std::nullopt;  // the last of the bucket
  }
  return std::nullopt;
}

}  // namespace dtrace::runtime
