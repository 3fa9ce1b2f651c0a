// SPDX-License-Identifier: Apache-2.0
// The unit of a number, if the program makes it plain. Pictures show it; text output never does.
#pragma once

#include <cstdint>

namespace dtrace {

struct Quantity {
  enum class Kind : uint8_t {
    kNumber,   ///< of something, or nobody knows
    kTime,     ///< `step` nanoseconds each
    kBytes,    ///< `step` bytes each
    kSamples,  ///< firings of a profile probe
  };
  Kind kind = Kind::kNumber;
  int64_t step = 1;
  friend bool operator==(const Quantity &, const Quantity &) = default;
};

}  // namespace dtrace
