// SPDX-License-Identifier: Apache-2.0
// Rotation of files that are written as long as a run lasts: FILE is renamed to FILE.1, FILE.1 to FILE.2, and so on,
// and a new FILE begins.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>

#include "base/options.h"
#include "base/owned.h"
#include "base/result.h"

namespace dtrace::runtime {

/// When a file is replaced, and what becomes of it.
struct Rotation {
  uint64_t size_bytes = 0;          ///< the row that makes the file so large is its last; 0: any size
  std::chrono::nanoseconds age{0};  ///< 0: any age
  unsigned keep = 0;                ///< old files; what is older is removed
  bool is_wanted() const { return size_bytes != 0 || age.count() != 0; }
};

/// As options rotatesize, rotatetime and rotatekeep have it. Errors: too many files are to be kept.
Result<Rotation> rotation_of(const Options &options);

/// When the file that is open is to be replaced.
class NextRotation {
 public:
  explicit NextRotation(const Rotation &rotation) : rotation_(rotation) { begin_file(); }
  void begin_file() { put_off(0); }
  /// It could not be replaced, and goes on.
  void put_off(uint64_t file_bytes) {
    bytes_ = file_bytes + rotation_.size_bytes;
    time_ = Clock::now() + rotation_.age;
  }
  bool is_due(uint64_t file_bytes) const {
    const bool is_large = rotation_.size_bytes != 0 && file_bytes >= bytes_;
    return is_large || (rotation_.age.count() != 0 && Clock::now() >= time_);
  }
  unsigned keep() const { return rotation_.keep; }

 private:
  using Clock = std::chrono::steady_clock;
  Rotation rotation_;
  uint64_t bytes_ = 0;
  Clock::time_point time_;
};

/// Is the file of that path the one that is open?
bool is_same_file(const std::string &path, int fd);
/// A new file beside `path`, of that mode; `name` is its path.
Result<Fd> make_beside(const std::string &path, mode_t mode, std::string &name);
/// Renames `path`, whose open file is `fd`, and the older ones of `keep`. Out: a new file of that path and mode, empty.
/// Errors: the system's; the names are then as they were, but older files may have become one older.
Result<Fd> replace_file(const std::string &path, int fd, unsigned keep);

}  // namespace dtrace::runtime
