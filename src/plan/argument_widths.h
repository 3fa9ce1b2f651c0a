// SPDX-License-Identifier: Apache-2.0
// How much of its register an argument or a result is, in the bits of a site's variant (user_site.h).
#pragma once

#include <bit>
#include <cstdint>

namespace dtrace {

/// How much of a register each of arg0, arg1, ... is, by its type: nobody promises what the bits above hold.
struct ArgWidths {
  static constexpr uint32_t kBits = 3;          ///< of an argument: log2 of its bytes, and kSigned
  static constexpr uint32_t kMaxArguments = 6;  ///< those in registers; others are whole words
  static constexpr uint32_t kLog2Mask = 3;
  static constexpr uint32_t kSigned = 4;
  static constexpr uint32_t kWord = 3;
  uint32_t packed = 0333333;  ///< the first argument's in the lowest bits

  constexpr uint32_t of(unsigned n) const { return n < kMaxArguments ? packed >> n * kBits & 7 : kWord; }
  constexpr void set(unsigned n, uint32_t size_bytes, bool is_signed) {
    if (n >= kMaxArguments) return;
    const auto log2 = static_cast<uint32_t>(std::countr_zero(size_bytes));
    packed = (packed & ~(7U << n * kBits)) | (log2 | (is_signed ? kSigned : 0)) << n * kBits;
  }
};

/// Where a system call of 32-bit code has its arguments: numbers of registers, in the order of such calls.
struct NarrowArguments {
  static constexpr uint32_t kBits = 4;  ///< of an argument: number of a register, and kTwo
  static constexpr uint32_t kRegisters = 6;
  static constexpr uint32_t kNumberMask = 7;
  static constexpr uint32_t kTwo = 8;  ///< the upper half is in the next register
  uint32_t packed = 0x543210;          ///< the first argument's in the lowest bits

  constexpr uint32_t of(unsigned n) const { return packed >> n * kBits & (kNumberMask | kTwo); }
  constexpr void set(unsigned n, uint32_t number, bool in_two) {
    packed = (packed & ~(0xfU << n * kBits)) | (number | (in_two ? kTwo : 0)) << n * kBits;
  }
};

/// How a kernel function's value comes back in its register, as the variant of a return's site. A link for all
/// functions costs a second and more to make, so those of one width have none of their own.
struct ReturnWidth {
  static constexpr uint32_t kLog2Mask = ArgWidths::kLog2Mask;  ///< log2 of its bytes
  static constexpr uint32_t kSigned = ArgWidths::kSigned;
};

}  // namespace dtrace
