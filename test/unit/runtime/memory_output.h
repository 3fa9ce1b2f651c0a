// SPDX-License-Identifier: Apache-2.0
// An output whose text can be looked at, and which fails on request.
#pragma once

#include <algorithm>
#include <cerrno>
#include <map>
#include <string>
#include <string_view>

#include "runtime/print/output.h"

namespace dtrace::runtime {

/// Text kept in memory.
class MemoryOutput final : public Output {
 public:
  /// What was written to `path`; "" is the original target.
  const std::string &written(const std::string &path = {}) { return targets_[path]; }
  /// Makes the next writes fail, once so many bytes of each were taken.
  void fail_writes(int errno_value, size_t bytes_taken_before = 0) {
    errno_ = errno_value;
    taken_before_ = bytes_taken_before;
  }

 protected:
  Result<Unit> write(std::string_view text, size_t &written) override {
    written = errno_ != 0 ? std::min(taken_before_, text.size()) : text.size();
    targets_[current_] += text.substr(0, written);
    if (errno_ != 0) return Error::from_errno("write", errno_);
    return ok();
  }
  void cut_target(size_t count) override {
    std::string &target = targets_[current_];
    target.resize(target.size() - std::min(count, target.size()));
  }
  Result<Unit> open_target(const std::string &path) override {
    current_ = path;
    return ok();
  }
  void restore_target() override { current_.clear(); }
  void truncate_target() override { targets_[current_].clear(); }

 private:
  std::map<std::string, std::string> targets_;
  std::string current_;
  int errno_ = 0;
  size_t taken_before_ = 0;
};

}  // namespace dtrace::runtime
