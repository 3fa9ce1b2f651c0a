// SPDX-License-Identifier: Apache-2.0
// Puts inner maps into the slots of arrays of maps. The kernel lets each such call wait for an RCU grace period (10 to
// 50 ms), so calls run on threads of their own, beside each other and beside whatever else a start has to do.
#pragma once

#include <cstdint>
#include <future>
#include <span>
#include <vector>

#include "base/owned.h"
#include "base/result.h"

namespace dtrace::runtime {

class SlotFiller {
 public:
  /// Begins to put `inner` into consecutive slots of the array of maps `outer`; absent ones are left out. The
  /// descriptors must stay open until settle() has returned.
  void fill(int outer, uint32_t first, std::span<const Fd> inner);

  /// Waits until all that was begun is done. The first error of any.
  Result<Unit> settle();

 private:
  std::vector<std::future<Result<Unit>>> running_;
};

}  // namespace dtrace::runtime
