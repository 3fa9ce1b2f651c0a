// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/jit_dump.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/foreign_limits.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {
namespace {

// From tools/perf/Documentation/jitdump-specification.txt in the kernel's sources.
constexpr uint32_t kMagic = 0x4a695444;  // "JiTD", in the byte order of this machine
constexpr uint32_t kCodeLoad = 0, kCodeMove = 1;
constexpr size_t kFileHeaderBytes = 40, kRecordHeaderBytes = 16, kLoadBytes = 56;

constexpr size_t kPieceBytes = 128 << 10;  // more than a record without its code

}  // namespace

bool is_jit_dump(std::string_view path) {
  const size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  return name.starts_with("jit-") && name.ends_with(".dump");
}

void JitDump::read_on(int fd, uint64_t file_bytes, const Events &events) {
  std::vector<std::byte> piece;
  uint64_t piece_at = 0;
  // The bytes from `at` on, as many as the file and a piece have.
  const auto bytes_at = [&](uint64_t at, size_t wanted_bytes) {
    if (at < piece_at || at + wanted_bytes > piece_at + piece.size()) {
      piece.resize(kPieceBytes);
      const ssize_t got = ::pread(fd, piece.data(), piece.size(), static_cast<off_t>(at));
      piece.resize(got < 0 ? 0 : static_cast<size_t>(got));
      piece_at = at;
    }
    const uint64_t offset = at - piece_at;
    return std::span<const std::byte>(piece).subspan(std::min<size_t>(offset, piece.size()));
  };

  file_bytes = std::min(file_bytes, limits::kMaxPerfMapBytes);
  if (at_ == 0 && file_bytes >= kFileHeaderBytes) {
    usdt::Cursor header(bytes_at(0, kFileHeaderBytes));
    is_broken_ = header.word() != kMagic;
    header.skip(4);  // version: new ones append to records
    at_ = header.word();
    is_broken_ |= !header.ok() || at_ < kFileHeaderBytes;
  }
  while (!is_broken_ && at_ != 0 && at_ < file_bytes && file_bytes - at_ >= kRecordHeaderBytes) {
    usdt::Cursor header(bytes_at(at_, kRecordHeaderBytes));
    const uint32_t kind = header.word(), size_bytes = header.word();
    if (!header.ok()) return;
    if (size_bytes < kRecordHeaderBytes) {
      is_broken_ = true;  // the next record's position is unknown
      return;
    }
    if (size_bytes > file_bytes - at_) return;  // unfinished
    if (kind == kCodeLoad || kind == kCodeMove) {
      const size_t wanted_bytes = std::min<size_t>(size_bytes, kLoadBytes + limits::kMaxPerfMapLineBytes);
      usdt::Cursor record(
          bytes_at(at_, wanted_bytes).first(std::min(wanted_bytes, bytes_at(at_, wanted_bytes).size())));
      record.skip(kRecordHeaderBytes + 4 + 4 + 8);  // process, thread, virtual address
      const uint64_t first = record.number(8), second = record.number(8), third = record.number(8);
      if (kind == kCodeLoad) {  // address, bytes, number
        const std::string_view name = record.string();
        if (record.ok()) events.loaded(first, second, name);
      } else if (record.ok()) {  // from, to, bytes
        events.moved(first, second, third);
      }
    }
    at_ += size_bytes;
  }
}

}  // namespace dtrace::runtime
