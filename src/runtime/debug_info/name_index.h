// SPDX-License-Identifier: Apache-2.0
// Names of a debug file as they are kept between runs: hashes of names, and where the entries are.
//
// What a reader would get wrong: an index is bytes from a file. That it is kept at all says that its store found them
// undamaged, but no offset in it is believed: libdw answers for an offset without an entry, and DwarfNames compares
// names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dtrace::runtime {

class NameIndex {
 public:
  using Entry = std::pair<uint64_t, uint64_t>;  ///< a key, and the offset of an entry in .debug_info
  /// The bytes to keep. Entries of one key stay in their order.
  static std::string bytes_of(std::vector<Entry> entries);
  /// In: such bytes, or any. Nothing: they make no sense, or are of another version.
  static std::optional<NameIndex> open(std::string bytes);

  /// Offsets of a key's entries, in order; at most `most`.
  std::vector<uint64_t> find(uint64_t key, size_t most) const;
  size_t size() const { return count_; }

 private:
  Entry entry(size_t i) const;

  std::string bytes_;
  size_t count_ = 0;
};

}  // namespace dtrace::runtime
