// SPDX-License-Identifier: Apache-2.0
// Losses that are shown once and, if there were more, at the end: they come as long as tracing goes on. The ledger has
// them at once.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/events/loss.h"

namespace dtrace::runtime {

class HeldLosses {
 public:
  /// Those of `fresh` that are to be shown now, and those that were held until now. `is_end`: nothing is held any more.
  std::vector<Loss> due(std::span<const Loss> fresh, bool is_end) {
    std::vector<Loss> shown;
    for (const Loss &loss : fresh) {
      if (!is_held(loss.cause))
        shown.push_back(loss);
      else if (held_)
        held_->count += loss.count;
      else
        held_ = loss;
    }
    if (held_ && (is_end || !was_shown_)) {
      shown.push_back(*held_);
      held_.reset();
      was_shown_ = true;
    }
    return shown;
  }

 private:
  static bool is_held(Cause cause) { return cause == Cause::kNotServed; }

  std::optional<Loss> held_;  // the sum: they have neither clause nor CPU
  bool was_shown_ = false;
};

}  // namespace dtrace::runtime
