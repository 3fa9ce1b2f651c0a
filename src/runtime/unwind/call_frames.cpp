// SPDX-License-Identifier: Apache-2.0
#include "runtime/unwind/call_frames.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/foreign_limits.h"
#include "runtime/unwind/frame_reader.h"

namespace dtrace::runtime {
namespace {

using namespace limits;

constexpr uint8_t kTableEncoding = 0x3b;  // DW_EH_PE_datarel | DW_EH_PE_sdata4: what every linker writes
constexpr uint8_t kAbsentPointer = 0xff;  // DW_EH_PE_omit
constexpr uint64_t kWindowBytes = 16 << 10;

bool fits(int64_t offset) { return offset >= INT32_MIN && offset <= INT32_MAX; }

}  // namespace

Result<CallFrames> CallFrames::open(const usdt::ByteSource &source, const arch::FrameRegisters &registers) {
  Result<usdt::ElfFile> file = usdt::ElfFile::open(source);
  if (!file) return std::move(file).error();
  return open(source, *file, registers);
}

Result<CallFrames> CallFrames::open(const usdt::ByteSource &source, const usdt::ElfFile &file,
                                    const arch::FrameRegisters &registers) {
  const usdt::Section *section = file.section(".eh_frame");
  const usdt::Section *header = file.section(".eh_frame_hdr");
  if (section == nullptr || section->size_bytes == 0) return Error("no .eh_frame");
  if (section->size_bytes > kMaxFrameSectionBytes || source.has_hole(section->offset, section->size_bytes))
    return Error(".eh_frame is too large");
  CallFrames frames(source, registers);
  frames.section_ = {section->address, section->offset, section->size_bytes};
  if (header == nullptr || !frames.read_table({header->address, header->offset, header->size_bytes}))
    frames.scan_entries();
  return frames;
}

bool CallFrames::read_table(const Place &header) {
  constexpr uint64_t kEntryBytes = 8;
  header_address_ = header.address;
  std::vector<std::byte> bytes(std::min<uint64_t>(header.size_bytes, 64));
  if (!source_->read(header.offset, bytes)) return false;
  FrameReader reader(bytes, header.address);
  const uint8_t version = reader.u8(), section_encoding = reader.u8(), count_encoding = reader.u8(),
                table_encoding = reader.u8();
  if (version != 1 || table_encoding != kTableEncoding || count_encoding == kAbsentPointer) return false;
  if (reader.pointer(section_encoding, header.address) != section_.address) return false;
  const uint64_t count = reader.pointer(count_encoding, header.address);
  const uint64_t table_offset = reader.address() - header.address;
  if (!reader.is_whole() || count > kMaxFrameEntries || count > (header.size_bytes - table_offset) / kEntryBytes)
    return false;
  std::vector<std::byte> table(count * kEntryBytes);
  if (source_->has_hole(header.offset, header.size_bytes) || !source_->read(header.offset + table_offset, table))
    return false;
  FrameReader rows(table, header.address + table_offset);
  index_.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t code = rows.pointer(kTableEncoding, header.address);
    const uint64_t entry = rows.pointer(kTableEncoding, header.address);
    const auto code_from = static_cast<int64_t>(code - section_.address);
    if (entry - section_.address >= section_.size_bytes || !fits(code_from)) continue;
    index_.push_back({static_cast<int32_t>(code_from), static_cast<int32_t>(entry - section_.address)});
  }
  const auto by_code = [](const IndexEntry &a, const IndexEntry &b) { return a.code < b.code; };
  if (!std::ranges::is_sorted(index_, by_code)) std::ranges::stable_sort(index_, by_code);
  return true;
}

/// A file without a table: every entry is read once.
void CallFrames::scan_entries() {
  uint64_t offset = 0, nr_read = 0;
  while (offset + 4 <= section_.size_bytes && nr_read++ < kMaxFrameEntries) {
    uint64_t body_offset = 0;
    const std::span<const std::byte> body = body_at(offset, body_offset);
    if (body.empty()) break;
    const uint64_t next = body_offset + body.size();
    if (const std::optional<Entry> entry = entry_at(offset)) {
      const auto code_from = static_cast<int64_t>(entry->code.start - section_.address);
      if (fits(code_from) && fits(static_cast<int64_t>(offset)))
        index_.push_back({static_cast<int32_t>(code_from), static_cast<int32_t>(offset)});
    }
    offset = next;
  }
  std::ranges::stable_sort(index_, [](const IndexEntry &a, const IndexEntry &b) { return a.code < b.code; });
}

std::span<const std::byte> CallFrames::view(uint64_t offset, uint64_t size_bytes) {
  if (offset > section_.size_bytes || size_bytes > section_.size_bytes - offset) return {};
  const bool is_here = offset >= window_offset_ && offset + size_bytes <= window_offset_ + window_.size();
  if (!is_here) {
    window_offset_ = offset;
    window_.resize(std::min(std::max(size_bytes, kWindowBytes), section_.size_bytes - offset));
    if (!source_->read(section_.offset + offset, window_)) {
      window_.clear();
      return {};
    }
  }
  return std::span<const std::byte>(window_).subspan(offset - window_offset_, size_bytes);
}

std::span<const std::byte> CallFrames::body_at(uint64_t offset, uint64_t &body_offset) {
  const std::span<const std::byte> head = view(offset, 4);
  if (head.empty()) return {};
  const uint32_t size_bytes = FrameReader(head, 0).u32();
  // 0 is the end. Lengths of 64 bits are for sections that are too large for us.
  if (size_bytes == 0 || size_bytes > kMaxFrameEntryBytes) return {};
  body_offset = offset + 4;
  return view(body_offset, size_bytes);
}

const CommonEntry *CallFrames::common_at(uint64_t offset) {
  if (const auto known = common_.find(offset); known != common_.end()) return &known->second;
  if (common_.size() >= kMaxCommonEntries) return nullptr;
  uint64_t body_offset = 0;
  const std::span<const std::byte> body = body_at(offset, body_offset);
  if (body.empty()) return nullptr;
  FrameReader reader(body, section_.address + body_offset);
  if (reader.u32() != 0) return nullptr;  // no CIE
  const uint8_t version = reader.u8();
  if (version != 1 && version != 3) return nullptr;
  std::string_view augmentation(reinterpret_cast<const char *>(body.data()) + 5, body.size() - 5);
  augmentation = augmentation.substr(0, augmentation.find('\0'));
  reader.skip(augmentation.size() + 1);
  CommonEntry common;
  common.code_align = reader.uleb();
  common.data_align = reader.sleb();
  common.return_register = version == 1 ? reader.u8() : reader.uleb();
  if (augmentation.starts_with('z')) {
    common.has_augmentation_size = true;
    FrameReader data(reader.bytes(reader.uleb()), 0);
    for (const char letter : augmentation.substr(1)) {
      if (letter == 'R') {
        common.pointer_encoding = data.u8();
      } else if (letter == 'P') {
        const uint8_t encoding = data.u8();
        data.pointer(encoding & 0x0f, 0);
      } else if (letter == 'L') {
        data.u8();
      } else if (letter == 'S') {
        common.is_signal = true;
      } else if (letter != 'B') {  // aarch64: which key signs return addresses
        break;
      }
    }
    if (!data.is_whole()) return nullptr;
  } else if (!augmentation.empty()) {
    return nullptr;
  }
  const std::span<const std::byte> rest =
      reader.bytes(body.size() - (reader.address() - section_.address - body_offset));
  if (!reader.is_whole()) return nullptr;
  common.instructions.assign(rest.begin(), rest.end());
  return &common_.emplace(offset, std::move(common)).first->second;
}

std::optional<CallFrames::Entry> CallFrames::entry_at(uint64_t offset) {
  uint64_t body_offset = 0;
  const std::span<const std::byte> body = body_at(offset, body_offset);
  if (body.empty()) return std::nullopt;
  const std::vector<std::byte> copy(body.begin(), body.end());  // the window moves to the CIE
  FrameReader reader(copy, section_.address + body_offset);
  const uint32_t back = reader.u32();
  if (back == 0 || back > body_offset) return std::nullopt;
  Entry entry;
  entry.common = common_at(body_offset - back);
  if (entry.common == nullptr) return std::nullopt;
  const uint8_t encoding = entry.common->pointer_encoding;
  entry.code.start = reader.pointer(encoding, header_address_);
  const uint64_t size_bytes = reader.pointer(encoding & 0x0f, 0);
  if (__builtin_add_overflow(entry.code.start, size_bytes, &entry.code.end)) return std::nullopt;
  if (entry.common->has_augmentation_size) reader.skip(reader.uleb());
  const std::span<const std::byte> rest =
      reader.bytes(copy.size() - (reader.address() - section_.address - body_offset));
  if (!reader.is_whole()) return std::nullopt;
  entry.instructions.assign(rest.begin(), rest.end());
  return entry;
}

std::vector<FrameRow> CallFrames::rows(uint64_t start, uint64_t end) {
  std::vector<FrameRow> rows;
  uint64_t reached = start;
  const auto add = [&](uint64_t from, uint64_t to, const dt_unwind_rule &rule) {
    from = std::max(from, reached);
    to = std::min(to, end);
    if (from >= to) return;
    if (from > reached && (rows.empty() || !(rows.back().rule == dt_unwind_rule{})))
      rows.push_back({reached, {}});  // nobody's code
    if (rows.empty() || !(rows.back().rule == rule)) rows.push_back({from, rule});
    reached = to;
  };
  const auto code_of = [&](const IndexEntry &entry) {
    return section_.address + static_cast<uint64_t>(int64_t{entry.code});
  };
  auto at = std::upper_bound(index_.begin(), index_.end(), start,
                             [&](uint64_t address, const IndexEntry &entry) { return address < code_of(entry); });
  if (at != index_.begin()) --at;
  uint64_t nr_operations = kMaxFrameOperations;
  for (; at != index_.end() && code_of(*at) < end && nr_operations != 0; ++at) {
    --nr_operations;
    const std::optional<Entry> entry = entry_at(static_cast<uint64_t>(int64_t{at->entry}));
    if (!entry || entry->code.start != code_of(*at)) continue;
    // The next function's entry knows better where it begins.
    CodeRange code = entry->code;
    if (at + 1 != index_.end() && code_of(at[1]) > code.start) code.end = std::min(code.end, code_of(at[1]));
    if (code.end <= start) continue;
    run_frame_program(*entry->common, entry->instructions, {code.start, std::min(code.end, end)}, registers_,
                      nr_operations, add);
  }
  add(reached, end, {});
  return rows;
}

}  // namespace dtrace::runtime
