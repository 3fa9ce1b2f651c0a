// SPDX-License-Identifier: Apache-2.0
// Which thread is in the library with a handle. One thread may be. It may call the library again from a function that
// the library calls, a callback.
//
// A thread that is refused must not touch the handle, not even to leave an error there. The gate keeps that it was.
#pragma once

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

namespace dtrace::capi {

class Gate {
 public:
  /// False: another thread is in the library. No lock if nothing was ever refused: a signal handler may interrupt.
  bool enter();
  void leave();
  /// The calling thread is in the library, and has called it from a callback.
  bool is_inside_callback() const { return depth_ > 1; }
  /// The calling thread was refused, or would be: what the handle has belongs to another thread.
  bool is_closed_to_us() const;

 private:
  std::atomic<std::thread::id> inside_{};  ///< no thread: nobody is
  int depth_ = 0;                          ///< of that thread
  std::atomic<bool> has_refused_{false};
  mutable std::mutex mutex_;
  std::set<std::thread::id> refused_;  ///< since they were in the library last
};

/// In the library while it lives; false if another thread is.
class Visit {
 public:
  explicit Visit(Gate &gate) : gate_(gate), is_inside_(gate.enter()) {}
  ~Visit() {
    if (is_inside_) gate_.leave();
  }
  Visit(const Visit &) = delete;
  Visit &operator=(const Visit &) = delete;
  explicit operator bool() const { return is_inside_; }

 private:
  Gate &gate_;
  bool is_inside_;
};

}  // namespace dtrace::capi
