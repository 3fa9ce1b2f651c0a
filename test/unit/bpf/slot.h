// SPDX-License-Identifier: Apache-2.0
// The BPF library's C, compiled for the host: its functions, and a slot of scratch memory that they work in. Strings
// are put at fixed offsets with a guard byte after each space, so that a write past it is seen.
#pragma once

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "bpf/dt_slot.h"

extern "C" {
extern __u64 dt_slot_bytes;
__s64 dt_str_compare(dt_slot *slot, __u32 a, __u32 b, __u32 size);
__s64 dt_str_char(dt_slot *slot, __u32 string, __u32 size, __u32 character, __u32 first);
__s64 dt_str_search(dt_slot *slot, __u32 string, __u32 substring, __u32 start, __u32 forward);
__s64 dt_str_begin(__s64 length, __s64 sublength, __s64 start, __u32 has_start, __u32 forward);
int dt_str_case(dt_slot *slot, __u32 copy, __u32 string, __u32 size, __u32 upper);
int dt_str_fill(dt_slot *slot, __u32 bytes, __u32 count, __u32 filler);
int dt_str_token(dt_slot *slot, __u32 text, __u32 delimiters, __u32 result, __u32 size);
__s64 dt_json(dt_slot *slot, __u32 text, __u32 size, __u32 path);
__u64 dt_number_text(dt_slot *slot, __s64 number, __u32 base, __u32 buffer);
int dt_name_process(dt_slot *slot, __u32 text, __u32 size, __u32 process);
__s64 dt_text_number(dt_slot *slot, __u32 text, __u32 size, __u32 base);
__s64 dt_part_begin(__s64 length, __s64 index, __s64 count, __u32 has_count);
__s64 dt_part_length(__s64 length, __s64 index, __s64 count, __u32 has_count);
int dt_basename(dt_slot *slot, __u32 result, __u32 path, __u32 size);
int dt_dirname(dt_slot *slot, __u32 result, __u32 path, __u32 size);
int dt_cleanpath(dt_slot *slot, __u32 result, __u32 path, __u32 size);
int dt_inet4_text(dt_slot *slot, __u32 result);
int dt_inet6_text(dt_slot *slot, __u32 result, __u32 style);
__s64 dt_divide(__s64 dividend, __s64 divisor);
__s64 dt_modulo(__s64 dividend, __s64 divisor);
}

namespace dtrace::test {

class Slot {
 public:
  static constexpr __u32 kSpace = 256;  ///< of each string, its NUL included
  static constexpr __u32 kA = sizeof(dt_slot), kB = kA + kSpace + 8, kOut = kB + kSpace + 8;

  Slot() : memory_(kOut + kSpace + 8, kGuard) {
    std::memset(memory_.data(), 0, sizeof(dt_slot));
    dt_slot_bytes = memory_.size();
  }
  ~Slot() {
    for (const __u32 end : {kA + kSpace, kB + kSpace, kOut + kSpace}) {
      for (__u32 i = 0; i < 8; ++i) CHECK(memory_[end + i] == kGuard);
    }
  }
  Slot(const Slot &) = delete;
  Slot &operator=(const Slot &) = delete;

  dt_slot *get() { return reinterpret_cast<dt_slot *>(memory_.data()); }
  dt_loop &loop() { return get()->loop; }
  /// Text and a NUL at an offset; what is behind it is not zero, as in a reused slot.
  __u32 put(__u32 at, std::string_view text) {
    std::memset(&memory_[at], kGuard, kSpace);
    std::memcpy(&memory_[at], text.data(), text.size());
    memory_[at + text.size()] = 0;
    return at;
  }
  std::string text(__u64 at) const { return reinterpret_cast<const char *>(&memory_[at]); }
  std::string text(__u64 at, size_t length) const { return {reinterpret_cast<const char *>(&memory_[at]), length}; }

 private:
  static constexpr unsigned char kGuard = 0xa5;
  std::vector<unsigned char> memory_;
};

}  // namespace dtrace::test
