// SPDX-License-Identifier: Apache-2.0
// Puts inner maps into the slots of arrays of maps. The kernel puts them there at once, but lets the call wait for an
// RCU grace period (10 to 50 ms; seconds on a loaded machine), so calls run on threads of their own, and the
// caller waits only until the maps are in their slots.
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

  /// Waits until programs find all maps in their slots. The first error of any. The calls may still run: the destructor
  /// waits for them.
  Result<Unit> settle();

 private:
  struct Call {
    std::future<Result<Unit>> done;
    int outer = -1;
    uint32_t last_slot = 0;  ///< the one that is filled last
    uint32_t last_id = 0;    ///< of the map that it gets then; 0: not known
  };
  static Result<Unit> wait_for(Call &call);

  std::vector<Call> running_;                      // settle() has not seen them yet
  std::vector<std::future<Result<Unit>>> ending_;  // their maps are in their slots
};

}  // namespace dtrace::runtime
