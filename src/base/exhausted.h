// SPDX-License-Identifier: Apache-2.0
// Refusals that are about what is left to us, and not about the file that was asked for.
#pragma once

#include <cerrno>

namespace dtrace {

/// Is this errno of a call that had no descriptor or no memory left?
constexpr bool is_exhausted(int cause) {
  return cause == EMFILE || cause == ENFILE || cause == ENOMEM || cause == ENOBUFS;
}

}  // namespace dtrace
