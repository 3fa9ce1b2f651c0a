// SPDX-License-Identifier: Apache-2.0
#include "recording/contents.h"

#include <fmt/format.h>

#include <algorithm>

#include "recording/fields.h"
#include "recording/message.h"

namespace dtrace::recording {
namespace {

Error at(uint64_t offset, Error error) {
  return std::move(error).during(fmt::format("the block at offset {} is damaged", offset));
}

Error damaged_at(uint64_t offset, std::string_view why) { return at(offset, Error(std::string(why))); }

/// Why a head's numbers cannot be; empty: they can.
std::string_view refusal(const BlockHead &head) {
  uint32_t max = kMaxDefinitionBlockBytes;
  switch (static_cast<BlockKind>(head.kind)) {
    case BlockKind::kRows:
      // A row takes three bytes or more: its probe, its time, its thread.
      if (head.nr_rows == 0 || head.nr_rows > kMaxRowsOfBlock || head.nr_rows > head.raw_bytes / 3)
        return "its number of rows is wrong";
      if (head.first_ns > head.last_ns) return "its times are wrong";
      max = kMaxRowBlockBytes;
      break;
    case BlockKind::kBlob:
      max = kMaxBlobBlockBytes;
      break;
    case BlockKind::kDefinitions:
    case BlockKind::kEnd:
      break;
  }
  // What cannot be compressed becomes little larger.
  return head.raw_bytes > max || head.packed_bytes > max + max / 128 ? "it is too large" : std::string_view();
}

class Walk {
 public:
  Walk(Bytes &bytes, Unpacker &unpacker) : bytes_(bytes), unpacker_(unpacker), size_(bytes.size()) {
    contents_.definitions.max_memory_bytes = max_memory_bytes(size_);
  }

  Result<Contents> all() {
    if (Result<Unit> head = read_file_head(); !head) return std::move(head).error();
    uint64_t offset = kFileHeadBytes;
    while (!is_at_end_ && contents_.cut.empty()) {
      const Result<uint64_t> next = step(offset);
      if (!next) return next.error();
      offset = *next;
    }
    if (is_at_end_ && offset != size_)
      return Error(fmt::format("bytes follow the end of the recording at offset {}", offset));
    return std::move(contents_);
  }

 private:
  Result<Unit> read_file_head() {
    FileHead head{};
    const Result<size_t> got = bytes_.read(0, head);
    if (!got) return got.error();
    uint16_t major = 0;
    if (*got < head.size()) return Error("no recording: the file is too short");
    switch (check_file_head(head, major)) {
      case FileHeadIs::kGood:
        return ok();
      case FileHeadIs::kForeign:
        return Error("no recording");
      case FileHeadIs::kNewer:
        return Error(fmt::format("the recording has version {} of its format; this dtrace reads versions up to {}",
                                 major, kMajorVersion));
      case FileHeadIs::kDamaged:
        break;
    }
    return Error("the head of the recording is damaged");
  }

  /// Takes the block at `offset`, if there is one, and returns where the next one is.
  Result<uint64_t> step(uint64_t offset) {
    if (offset == size_) return cut(offset, fmt::format("the recording ends at offset {}, without its end", offset));
    if (size_ - offset < kBlockHeadBytes) return cut_within(offset);
    BlockHeadBytes head_bytes{};
    const Result<size_t> got = bytes_.read(offset, head_bytes);
    if (!got) return got.error();
    if (*got < head_bytes.size()) return cut_within(offset);
    BlockHead head;
    if (!from_bytes(head_bytes, head)) {
      // A file system that lost power keeps a file's size, and not always what was written last.
      if (std::ranges::all_of(head_bytes, [](char byte) { return byte == 0; }))
        return cut(offset, fmt::format("from offset {} on the recording has zeros", offset));
      return damaged_at(offset, "its head is wrong");
    }
    const uint64_t next = offset + kBlockHeadBytes + head.packed_bytes;
    if (const std::string_view why = refusal(head); is_known(head) && !why.empty()) return damaged_at(offset, why);
    if (next > size_) return cut_within(offset);
    if (is_known(head))
      if (Result<Unit> taken = take(head, offset); !taken) return std::move(taken).error();
    ++nr_blocks_;
    return next;
  }

  Result<uint64_t> cut(uint64_t offset, std::string why) {
    contents_.cut = std::move(why);
    return offset;
  }

  Result<uint64_t> cut_within(uint64_t offset) {
    return cut(offset, fmt::format("the recording ends at offset {}, within the block at offset {}", size_, offset));
  }

  static bool is_known(const BlockHead &head) {
    return head.kind >= static_cast<uint16_t>(BlockKind::kDefinitions) &&
           head.kind <= static_cast<uint16_t>(BlockKind::kEnd);
  }

  Result<Unit> take(const BlockHead &head, uint64_t offset) {
    const auto kind = static_cast<BlockKind>(head.kind);
    if (kind == BlockKind::kRows) return take_rows(head, offset);
    if (Result<BlockHead> read = read_block(bytes_, unpacker_, offset, head.packed_bytes, packed_, payload_); !read)
      return std::move(read).error();
    Result<Unit> taken = kind == BlockKind::kDefinitions ? read_definitions(payload_, contents_.definitions)
                         : kind == BlockKind::kBlob      ? read_blob(payload_, contents_.definitions)
                                                         : take_end();
    if (!taken) return at(offset, std::move(taken).error());
    // A large blob needs its memory once only.
    if (kind == BlockKind::kBlob) packed_ = payload_ = std::string();
    return ok();
  }

  Result<Unit> take_rows(const BlockHead &head, uint64_t offset) {
    std::vector<IndexEntry> &blocks = contents_.rows[head.cpu];
    const uint64_t before = blocks.empty() ? 0 : blocks.back().reached_ns;
    blocks.push_back({.offset = offset,
                      .first_ns = head.first_ns,
                      .reached_ns = std::max(before, head.last_ns),
                      .nr_rows = head.nr_rows,
                      .packed_bytes = head.packed_bytes});
    contents_.nr_rows += head.nr_rows;
    contents_.first_ns = std::min(contents_.first_ns.value_or(head.first_ns), head.first_ns);
    contents_.last_ns = std::max(contents_.last_ns.value_or(head.last_ns), head.last_ns);
    return ok();
  }

  Result<Unit> take_end() {
    is_at_end_ = true;
    std::optional<uint64_t> nr_rows, nr_blocks;
    try {
      Message<EndField> message(payload_.data(), payload_.size());
      while (message.next()) switch (message.tag_and_type()) {
          case number_of(EndField::kRows):
            nr_rows = message.get_uint64();
            break;
          case number_of(EndField::kBlocks):
            nr_blocks = message.get_uint64();
            break;
          default:
            message.skip();
        }
    } catch (const protozero::exception &damage) {
      return Error(damage.what());
    }
    if (nr_rows && *nr_rows != contents_.nr_rows)
      return Error(fmt::format("it counts {} rows, and the blocks have {}", *nr_rows, contents_.nr_rows));
    if (nr_blocks && *nr_blocks != nr_blocks_)
      return Error(fmt::format("it counts {} blocks before it, and there are {}", *nr_blocks, nr_blocks_));
    return ok();
  }

  Bytes &bytes_;
  Unpacker &unpacker_;
  const uint64_t size_;
  Contents contents_;
  std::string packed_, payload_;
  uint64_t nr_blocks_ = 0;
  bool is_at_end_ = false;
};

}  // namespace

Result<Contents> walk(Bytes &bytes, Unpacker &unpacker) { return Walk(bytes, unpacker).all(); }

Result<BlockHead> read_block(Bytes &bytes, Unpacker &unpacker, uint64_t offset, uint32_t packed_bytes,
                             std::string &packed, std::string &payload) {
  packed.resize(kBlockHeadBytes + packed_bytes);
  const Result<size_t> got = bytes.read(offset, packed);
  if (!got) return got.error();
  if (*got < packed.size()) return damaged_at(offset, "the file has become shorter");
  BlockHeadBytes head_bytes{};
  std::copy_n(packed.begin(), head_bytes.size(), head_bytes.begin());
  BlockHead head;
  if (!from_bytes(head_bytes, head) || !refusal(head).empty() || head.packed_bytes != packed_bytes)
    return damaged_at(offset, "its head has changed");
  if (Result<Unit> done = unpacker.unpack(head, std::string_view(packed).substr(kBlockHeadBytes), payload); !done)
    return at(offset, std::move(done).error());
  return head;
}

}  // namespace dtrace::recording
