// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/slot_filler.h"

#include <bpf/bpf.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

namespace dtrace::runtime {
namespace {

Result<Unit> fill_slots(int outer, std::vector<uint32_t> keys, std::vector<uint32_t> fds) {
  auto count = static_cast<uint32_t>(keys.size());
  LIBBPF_OPTS(bpf_map_batch_opts, opts);
  if (bpf_map_update_batch(outer, keys.data(), fds.data(), &count, &opts) == 0) return ok();
  for (size_t i = 0; i < keys.size(); ++i)  // kernels without the batch operation on arrays of maps
    if (bpf_map_update_elem(outer, &keys[i], &fds[i], BPF_ANY) != 0)
      return Error::from_errno("cannot fill an array of maps", errno);
  return ok();
}

/// Block signals here so that SIGINT reaches the main thread and interrupts its write().
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

}  // namespace

void SlotFiller::fill(int outer, uint32_t first, std::span<const Fd> inner) {
  std::vector<uint32_t> keys, fds;
  for (size_t i = 0; i < inner.size(); ++i) {
    if (!inner[i]) continue;
    keys.push_back(first + static_cast<uint32_t>(i));
    fds.push_back(static_cast<uint32_t>(inner[i].get()));
  }
  const SignalsBlocked blocked;  // a new thread inherits the mask
  try {
    running_.push_back(std::async(std::launch::async, fill_slots, outer, keys, fds));
  } catch (const std::system_error &) {  // no more threads: settle() does it
    running_.push_back(std::async(std::launch::deferred, fill_slots, outer, std::move(keys), std::move(fds)));
  }
}

Result<Unit> SlotFiller::settle() {
  Result<Unit> all = ok();
  for (std::future<Result<Unit>> &one : std::exchange(running_, {}))
    if (Result<Unit> done = one.get(); !done && all) all = std::move(done);
  return all;
}

}  // namespace dtrace::runtime
