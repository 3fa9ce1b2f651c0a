// SPDX-License-Identifier: Apache-2.0
#include "recording/packing.h"

#include <zstd.h>

#include <algorithm>

namespace dtrace::recording {

// Measured with rows of three numbers: level 1 takes 4 % more bytes, level 6 saves none.
constexpr int kLevel = 3;
constexpr size_t kKeptBytes = 1 << 20;

void Packer::Free::operator()(ZSTD_CCtx_s *context) const { ZSTD_freeCCtx(context); }
void Unpacker::Free::operator()(ZSTD_DCtx_s *context) const { ZSTD_freeDCtx(context); }

Packer::Packer() : context_(ZSTD_createCCtx()) {}
Packer::~Packer() = default;

Result<std::string_view> Packer::pack(BlockHead head, std::string_view payload) {
  if (context_ == nullptr) return Error("no memory to compress a recording");
  const size_t bound = kBlockHeadBytes + ZSTD_compressBound(payload.size());
  // Once a large blob has been written, its memory is not needed again.
  if (block_.size() > kKeptBytes && block_.size() > 2 * bound) block_ = std::string();
  if (block_.size() < bound) block_.resize(bound);
  const size_t packed = ZSTD_compressCCtx(context_.get(), block_.data() + kBlockHeadBytes,
                                          block_.size() - kBlockHeadBytes, payload.data(), payload.size(), kLevel);
  if (ZSTD_isError(packed)) return Error(std::string("cannot compress a recording: ") + ZSTD_getErrorName(packed));
  head.raw_bytes = static_cast<uint32_t>(payload.size());
  head.packed_bytes = static_cast<uint32_t>(packed);
  head.packed_crc = crc32_of({block_.data() + kBlockHeadBytes, packed});
  std::ranges::copy(to_bytes(head), block_.begin());
  return std::string_view(block_).substr(0, kBlockHeadBytes + packed);
}

Unpacker::Unpacker() : context_(ZSTD_createDCtx()) {}
Unpacker::~Unpacker() = default;

Result<Unit> Unpacker::unpack(const BlockHead &head, std::string_view packed, std::string &raw) {
  if (context_ == nullptr) return Error("no memory to decompress a recording");
  if (head.coding != static_cast<uint16_t>(Coding::kZstd))
    return Error("it is coded in a way that this version does not know");
  if (crc32_of(packed) != head.packed_crc) return Error("its checksum is wrong");
  // What the frame says of its size costs nothing to ask, and spares the memory if the head says something else.
  if (ZSTD_getFrameContentSize(packed.data(), packed.size()) != head.raw_bytes) return Error("its size is wrong");
  raw.resize(head.raw_bytes);
  const size_t got = ZSTD_decompressDCtx(context_.get(), raw.data(), raw.size(), packed.data(), packed.size());
  if (ZSTD_isError(got)) return Error(std::string("it cannot be decompressed: ") + ZSTD_getErrorName(got));
  if (got != raw.size()) return Error("its size is wrong");
  return ok();
}

}  // namespace dtrace::recording
