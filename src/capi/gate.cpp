// SPDX-License-Identifier: Apache-2.0
#include "capi/gate.h"

namespace dtrace::capi {

bool Gate::enter() {
  const std::thread::id self = std::this_thread::get_id();
  std::thread::id inside{};
  if (!inside_.compare_exchange_strong(inside, self) && inside != self) {
    const std::lock_guard lock(mutex_);
    refused_.insert(self);
    has_refused_ = true;
    return false;
  }
  ++depth_;
  if (has_refused_) {
    const std::lock_guard lock(mutex_);
    refused_.erase(self);
    has_refused_ = !refused_.empty();
  }
  return true;
}

void Gate::leave() {
  if (--depth_ == 0) inside_ = std::thread::id();
}

bool Gate::is_closed_to_us() const {
  const std::thread::id self = std::this_thread::get_id();
  if (const std::thread::id inside = inside_; inside != std::thread::id() && inside != self) return true;
  if (!has_refused_) return false;
  const std::lock_guard lock(mutex_);
  return refused_.contains(self);
}

}  // namespace dtrace::capi
