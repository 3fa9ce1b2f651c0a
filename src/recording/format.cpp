// SPDX-License-Identifier: Apache-2.0
#include "recording/format.h"

#include <zlib.h>

#include <algorithm>

namespace dtrace::recording {
namespace {

constexpr uint32_t kBlockMark = 0x4b4c4244;  // "DBLK"

/// Numbers one after another, the lowest byte first.
struct Put {
  char *to;
  template <typename T>
  void operator()(T value) {
    for (size_t i = 0; i < sizeof(T); ++i) *to++ = static_cast<char>(value >> (8 * i));
  }
};

struct Get {
  const char *from;
  template <typename T>
  void operator()(T &value) {
    value = 0;
    for (size_t i = 0; i < sizeof(T); ++i)
      value = static_cast<T>(value | static_cast<T>(static_cast<T>(static_cast<uint8_t>(*from++)) << (8 * i)));
  }
};

/// The checksum of all but the last four bytes, which hold it.
template <size_t N>
uint32_t own_crc(const std::array<char, N> &bytes) {
  return crc32_of({bytes.data(), N - sizeof(uint32_t)});
}

template <size_t N>
uint32_t stated_crc(const std::array<char, N> &bytes) {
  uint32_t crc = 0;
  Get{bytes.data() + N - sizeof crc}(crc);
  return crc;
}

}  // namespace

uint32_t crc32_of(std::string_view bytes) {
  return static_cast<uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size()));
}

FileHead file_head() {
  FileHead head{};
  std::ranges::copy(kMagic, head.begin());
  Put put{head.data() + kMagic.size()};
  put(kMajorVersion);
  put(kMinorVersion);
  put(uint32_t{0});
  put(own_crc(head));
  return head;
}

FileHeadIs check_file_head(const FileHead &head, uint16_t &major) {
  if (!std::string_view(head.data(), head.size()).starts_with(kMagic)) return FileHeadIs::kForeign;
  Get{head.data() + kMagic.size()}(major);
  // Before the checksum: another version may have it elsewhere.
  if (major > kMajorVersion) return FileHeadIs::kNewer;
  return major == 0 || own_crc(head) != stated_crc(head) ? FileHeadIs::kDamaged : FileHeadIs::kGood;
}

BlockHeadBytes to_bytes(const BlockHead &head) {
  BlockHeadBytes bytes{};
  Put put{bytes.data()};
  put(kBlockMark);
  put(head.kind);
  put(head.coding);
  put(head.cpu);
  put(head.nr_rows);
  put(head.first_ns);
  put(head.last_ns);
  put(head.packed_bytes);
  put(head.raw_bytes);
  put(uint32_t{0});
  put(head.packed_crc);
  put(own_crc(bytes));
  return bytes;
}

bool from_bytes(const BlockHeadBytes &bytes, BlockHead &head) {
  uint32_t mark = 0, reserved = 0;
  Get get{bytes.data()};
  get(mark);
  get(head.kind);
  get(head.coding);
  get(head.cpu);
  get(head.nr_rows);
  get(head.first_ns);
  get(head.last_ns);
  get(head.packed_bytes);
  get(head.raw_bytes);
  get(reserved);
  get(head.packed_crc);
  return mark == kBlockMark && own_crc(bytes) == stated_crc(bytes);
}

}  // namespace dtrace::recording
