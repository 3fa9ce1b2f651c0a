// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/slot_filler.h"

#include <bpf/bpf.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "base/beside.h"

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

uint32_t id_of(int map) {
  bpf_map_info info{};
  uint32_t size_bytes = sizeof info;
  return bpf_obj_get_info_by_fd(map, &info, &size_bytes) == 0 ? info.id : 0;
}

bool is_done(const std::future<Result<Unit>> &call) {
  return call.wait_for(std::chrono::seconds(0)) != std::future_status::timeout;
}

constexpr std::chrono::microseconds kFirstLook{20}, kLongestLook{1000};

}  // namespace

void SlotFiller::fill(int outer, uint32_t first, std::span<const Fd> inner) {
  std::vector<uint32_t> keys, fds;
  for (size_t i = 0; i < inner.size(); ++i) {
    if (!inner[i]) continue;
    keys.push_back(first + static_cast<uint32_t>(i));
    fds.push_back(static_cast<uint32_t>(inner[i].get()));
  }
  if (fds.empty()) return;
  Call &call = running_.emplace_back();
  call.outer = outer;
  call.last_slot = keys.back();
  call.last_id = id_of(static_cast<int>(fds.back()));
  call.done =
      begin_beside([outer, keys = std::move(keys), fds = std::move(fds)] { return fill_slots(outer, keys, fds); });
}

Result<Unit> SlotFiller::wait_for(Call &call) {
  // There is no event for it.
  for (std::chrono::microseconds pause = kFirstLook; !is_done(call.done); pause = std::min(2 * pause, kLongestLook)) {
    uint32_t id = 0;
    if (call.last_id != 0 && bpf_map_lookup_elem(call.outer, &call.last_slot, &id) == 0 && id == call.last_id)
      return ok();
    std::this_thread::sleep_for(pause);
  }
  return call.done.get();
}

Result<Unit> SlotFiller::settle() {
  std::erase_if(ending_, is_done);
  Result<Unit> all = ok();
  for (Call &call : std::exchange(running_, {})) {
    if (Result<Unit> filled = wait_for(call); !filled && all) all = std::move(filled);
    if (call.done.valid()) ending_.push_back(std::move(call.done));
  }
  return all;
}

}  // namespace dtrace::runtime
