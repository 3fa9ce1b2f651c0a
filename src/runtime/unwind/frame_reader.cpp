// SPDX-License-Identifier: Apache-2.0
#include "runtime/unwind/frame_reader.h"

#include "base/leb128.h"

namespace dtrace::runtime {
namespace {

// DW_EH_PE_*: how pointers of .eh_frame are encoded (Linux Standard Base, "DWARF Extensions").
constexpr uint8_t kFormatMask = 0x0f, kBaseMask = 0x70, kIndirect = 0x80;
enum Format : uint8_t {
  kAbsolute = 0x00,
  kUleb = 0x01,
  kUnsigned2 = 0x02,
  kUnsigned4 = 0x03,
  kUnsigned8 = 0x04,
  kSleb = 0x09,
  kSigned2 = 0x0a,
  kSigned4 = 0x0b,
  kSigned8 = 0x0c,
};
enum Base : uint8_t { kNoBase = 0x00, kOwnPlace = 0x10, kDataRelative = 0x30 };

}  // namespace

std::span<const std::byte> FrameReader::bytes(uint64_t count) {
  if (count > bytes_.size() - at_) {
    is_whole_ = false;
    at_ = bytes_.size();
    return {};
  }
  const std::span<const std::byte> piece = bytes_.subspan(at_, count);
  at_ += count;
  return piece;
}

uint64_t FrameReader::uleb() {
  return read_uleb128([this] { return u8(); });
}
int64_t FrameReader::sleb() {
  return read_sleb128([this] { return u8(); });
}

uint64_t FrameReader::pointer(uint8_t encoding, uint64_t data_base) {
  const uint64_t place = address();
  uint64_t value = 0;
  switch (encoding & kFormatMask) {
    case kAbsolute:
    case kUnsigned8:
    case kSigned8:
      value = u64();
      break;
    case kUnsigned4:
      value = u32();
      break;
    case kSigned4:
      value = static_cast<uint64_t>(static_cast<int32_t>(u32()));
      break;
    case kUnsigned2:
      value = u16();
      break;
    case kSigned2:
      value = static_cast<uint64_t>(static_cast<int16_t>(u16()));
      break;
    case kUleb:
      value = uleb();
      break;
    case kSleb:
      value = static_cast<uint64_t>(sleb());
      break;
    default:
      is_whole_ = false;
      return 0;
  }
  switch (encoding & kBaseMask) {
    case kNoBase:
      break;
    case kOwnPlace:
      value += place;
      break;
    case kDataRelative:
      value += data_base;
      break;
    default:
      is_whole_ = false;
  }
  if ((encoding & kIndirect) != 0) is_whole_ = false;  // through memory of the process: no code range is
  return value;
}

}  // namespace dtrace::runtime
