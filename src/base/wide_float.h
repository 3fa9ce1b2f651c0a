// SPDX-License-Identifier: Apache-2.0
// Floating-point numbers of 16 bytes, as programs have them in memory.
#pragma once

#include <cfloat>
#include <cstring>

namespace dtrace {

/// `bytes` has 16. `is_quad`: it is IEEE 754's binary128, also where `long double` is another format (x86-64).
inline long double wide_float(const void *bytes, bool is_quad) {
#if LDBL_MANT_DIG != 113 && defined(__SIZEOF_FLOAT128__)
  if (is_quad) {
    __extension__ __float128 quad;
    std::memcpy(&quad, bytes, sizeof quad);
    return static_cast<long double>(quad);
  }
#endif
  static_cast<void>(is_quad);
  long double value = 0;
  static_assert(sizeof value == 16);
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace dtrace
