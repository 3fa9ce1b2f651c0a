// SPDX-License-Identifier: Apache-2.0
// The frame of a recording: the head of the file, and the head of each block. doc/recording-format.md describes both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dtrace::recording {

// The version of what is written. A reader takes any minor version of its major version.
constexpr uint16_t kMajorVersion = 1;
constexpr uint16_t kMinorVersion = 0;

/// The first byte is no text, and a transfer as text damages the line ends.
constexpr std::string_view kMagic =
    "\x89"
    "DTREC\r\n";

constexpr size_t kFileHeadBytes = 20;
constexpr size_t kBlockHeadBytes = 52;

using FileHead = std::array<char, kFileHeadBytes>;
using BlockHeadBytes = std::array<char, kBlockHeadBytes>;

FileHead file_head();

enum class FileHeadIs : uint8_t {
  kGood,
  kForeign,  ///< of no recording
  kNewer,    ///< of another major version: `major`
  kDamaged,
};
FileHeadIs check_file_head(const FileHead &head, uint16_t &major);

enum class BlockKind : uint16_t { kDefinitions = 1, kBlob = 2, kRows = 3, kEnd = 4 };
enum class Coding : uint16_t { kZstd = 1 };

/// What precedes a payload. Rows alone use `cpu`, `nr_rows` and the times; others have 0 there.
struct BlockHead {
  uint16_t kind = 0;  ///< BlockKind
  uint16_t coding = static_cast<uint16_t>(Coding::kZstd);
  uint32_t cpu = 0;
  uint32_t nr_rows = 0;
  uint64_t first_ns = 0, last_ns = 0;  ///< the smallest and the greatest time of a row
  uint32_t packed_bytes = 0;           ///< of the payload, as it follows
  uint32_t raw_bytes = 0;              ///< once it is decompressed
  uint32_t packed_crc = 0;             ///< CRC-32 of the payload, as it follows
};

BlockHeadBytes to_bytes(const BlockHead &head);
/// False: it is damaged, or no head.
bool from_bytes(const BlockHeadBytes &bytes, BlockHead &head);

uint32_t crc32_of(std::string_view bytes);

// Limits on what a reader takes. A writer stays far below them.
constexpr uint32_t kMaxRowBlockBytes = 16 << 20;
constexpr uint32_t kMaxRowsOfBlock = 1 << 20;
constexpr size_t kMaxTextsOfBlock = 4 << 20;    // 16 bytes each in memory
constexpr size_t kMaxColumnsOfBlock = 1 << 20;  // 100
constexpr uint32_t kMaxDefinitionBlockBytes = 16 << 20;
constexpr uint32_t kMaxBlobBlockBytes = 256 << 20;
constexpr size_t kMaxCells = 4096;  // of a row

/// Limit on the memory of all definitions of a file, and on that of the blocks which are decoded at a time. A small
/// file can decompress to much: dtrace's own take less than a tenth of this.
constexpr uint64_t max_memory_bytes(uint64_t file_bytes) {
  constexpr uint64_t kMax = uint64_t{4} << 30, kAlways = 64 << 20, kTimes = 256;
  return file_bytes < (kMax - kAlways) / kTimes ? kAlways + kTimes * file_bytes : kMax;
}

}  // namespace dtrace::recording
