// SPDX-License-Identifier: Apache-2.0
// A recording as its blocks, to be changed and put together again.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "recording/format.h"
#include "recording/packing.h"
#include "test/unit/recording/kept.h"

namespace dtrace::recording {

struct Block {
  BlockHead head;
  std::string payload;
  uint64_t offset = 0;  // in the file that was split
};

inline std::vector<Block> split(std::string_view file) {
  std::vector<Block> blocks;
  Unpacker unpacker;
  for (size_t offset = kFileHeadBytes; offset < file.size();) {
    BlockHeadBytes bytes{};
    file.copy(bytes.data(), bytes.size(), offset);
    Block block{.head = {}, .payload = {}, .offset = offset};
    REQUIRE(from_bytes(bytes, block.head));
    offset += bytes.size();
    REQUIRE(unpacker.unpack(block.head, file.substr(offset, block.head.packed_bytes), block.payload));
    offset += block.head.packed_bytes;
    blocks.push_back(std::move(block));
  }
  return blocks;
}

inline std::string join(const std::vector<Block> &blocks) {
  const FileHead head = file_head();
  std::string file(head.data(), head.size());
  Packer packer;
  for (const Block &block : blocks) {
    const Result<std::string_view> packed = packer.pack(block.head, block.payload);
    REQUIRE(packed);
    file += *packed;
  }
  return file;
}

inline Block block_of(BlockKind kind, std::string payload) {
  return {.head = {.kind = static_cast<uint16_t>(kind)}, .payload = std::move(payload)};
}

/// A recording with everything in it, of some hundred bytes.
inline std::string small_recording(std::vector<KeptRow> *rows = nullptr) {
  Written to;
  to.writer.define(Fact{"kernel", "6.1"});
  to.writer.define(Blob{"btf", "bytes of a format"});
  define_leaves(to.writer, 2);
  define_probe(to.writer, 1, 2);
  define_probe(to.writer, 2, 0);
  to.writer.define(
      Name{.kind = Name::Kind::kUserSymbol, .flag = true, .pid = 7, .image = 1, .address = 64, .texts = {"main"}});
  const std::vector<KeptRow> made = {
      {.probe = 1, .cpu = 0, .time_ns = 10, .thread = 1, .cells = {number(1), text("a")}},
      {.probe = 2, .cpu = 1, .time_ns = 20, .thread = 2, .cells = {}},
      {.probe = 1, .cpu = 1, .time_ns = 30, .thread = 2, .cells = {fault(1, 2), null()}},
      {.probe = 1, .cpu = 0, .time_ns = 40, .thread = 2, .cells = {nothing(), bytes("bb")}},
      {.probe = 1, .cpu = 0, .time_ns = 50, .thread = 2, .cells = {number(3), text("a")}},
  };
  for (const KeptRow &row : made) {
    add(to.writer, row);
    if (row.time_ns == 40) to.writer.flush();
  }
  to.writer.lose(Loss{.cause = "buffer", .where = "CPU 1", .count = 3});
  if (rows != nullptr) *rows = made;
  return to.finished();
}

}  // namespace dtrace::recording
