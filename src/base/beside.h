// SPDX-License-Identifier: Apache-2.0
// Work on a thread of its own, where there can be one.
#pragma once

#include <csignal>
#include <future>
#include <memory>
#include <system_error>
#include <type_traits>
#include <utility>

namespace dtrace {

/// All signals are blocked as long as this lives. A thread that is started meanwhile takes none: they reach the main
/// thread, and interrupt what that waits for.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked &) = delete;
  SignalsBlocked &operator=(const SignalsBlocked &) = delete;

 private:
  sigset_t before_{};
};

/// Begins `work` on a thread without signals. Where no more threads can be had (a limit of the control group), it is
/// done when this returns. The destructor of the future waits for it. Exceptions of `work` come from get();
/// std::bad_alloc from here.
template <typename Work>
std::future<std::invoke_result_t<Work &>> begin_beside(Work work) {
  const auto shared = std::make_shared<Work>(std::move(work));
  const auto call = [shared] { return (*shared)(); };
  {
    const SignalsBlocked blocked;
    try {
      return std::async(std::launch::async, call);
    } catch (const std::system_error &) {
    }
  }
  auto done = std::async(std::launch::deferred, call);
  done.wait();
  return done;
}

}  // namespace dtrace
