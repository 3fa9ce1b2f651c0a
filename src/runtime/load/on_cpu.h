// SPDX-License-Identifier: Apache-2.0
// This thread on one CPU for a while.
#pragma once

#include <vector>

namespace dtrace::runtime {

class OnCpu {
 public:
  /// Moves the calling thread to `cpu` until the end of the scope; moved() says whether it may go there.
  explicit OnCpu(int cpu);
  ~OnCpu();
  OnCpu(const OnCpu &) = delete;
  OnCpu &operator=(const OnCpu &) = delete;

  bool moved() const { return !before_.empty(); }

 private:
  std::vector<unsigned long> before_;  // the mask that was, empty: nothing to restore
};

}  // namespace dtrace::runtime
