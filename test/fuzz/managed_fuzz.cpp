// SPDX-License-Identifier: Apache-2.0
// Records of managed frames (bpf/dt_managed.h), and Python's and Java's tables of lines. The first bytes are the
// frame's value and the version, the rest is the pool.
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/printable.h"
#include "runtime/symbols/java_lines.h"
#include "runtime/symbols/managed_frames.h"
#include "runtime/symbols/python_lines.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes) {
  constexpr size_t kHeadBytes = 8;
  if (size_bytes < kHeadBytes) return 0;
  uint64_t frame = 0;
  std::memcpy(&frame, data, kHeadBytes);
  // A table alone, in each of its formats.
  const std::vector<std::byte> pool(reinterpret_cast<const std::byte *>(data),
                                    reinterpret_cast<const std::byte *>(data) + size_bytes);
  for (const uint32_t version : {0x0309U, 0x030aU, 0x030bU, 0x030dU})
    if (const auto line =
            dtrace::runtime::python_line(version, std::span(pool).subspan(kHeadBytes), (frame >> 48 & 1) != 0,
                                         static_cast<uint32_t>(frame), frame >> 32 & 0xffff))
      if (*line == 0 || *line > INT32_MAX) __builtin_trap();
  for (const uint32_t bias : {0U, 1U})
    if (const auto line =
            dtrace::runtime::java_line(bias, std::span(pool).subspan(kHeadBytes), static_cast<uint16_t>(frame >> 32)))
      if (*line > INT32_MAX) __builtin_trap();
  // A record; most of the frame's units are within the input.
  frame = DT_MANAGED_TAG << DT_MANAGED_TAG_SHIFT | (frame & 0x00ffffffffffffffULL & ~0xfff0ULL);
  const std::vector<dtrace::runtime::StackFrame> frames = dtrace::runtime::managed_frames(pool, frame);
  if (frames.empty()) __builtin_trap();
  for (const dtrace::runtime::StackFrame &function : frames)
    if (!dtrace::is_printable(function.symbol) || !dtrace::is_printable(function.source)) __builtin_trap();
  return 0;
}
