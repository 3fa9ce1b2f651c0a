// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/walks.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/owned.h"
#include "bpf/dt_abi.h"

namespace dtrace::runtime {
namespace {

const WalkHook &hook_of(const AttachedWalk &walk) { return *walk.plan->hook.as<WalkHook>(); }

}  // namespace

void Walks::start(Clock::time_point now) {
  for (const AttachedWalk &walk : enabling_.walks()) {
    const WalkHook &hook = hook_of(walk);
    if (hook.when != WalkHook::When::kEvery) continue;
    if (std::ranges::find(periods_, hook.period_ns, &Period::period_ns) == periods_.end())
      periods_.push_back({hook.period_ns, now + std::chrono::nanoseconds(hook.period_ns)});
  }
}

Walks::Clock::time_point Walks::next() const {
  const auto first = std::ranges::min_element(periods_, {}, &Period::next);
  return first == periods_.end() ? Clock::time_point::max() : first->next;
}

Result<Unit> Walks::run_due(Clock::time_point now, const Between &between) {
  for (Period &due : periods_) {
    if (now < due.next) continue;
    if (Result<Unit> made = run(WalkHook::When::kEvery, due.period_ns, between); !made) return made;
    due.next += std::chrono::nanoseconds(due.period_ns);
    const Clock::time_point after = Clock::now();
    if (after < due.next) continue;
    const uint64_t late = static_cast<uint64_t>((after - due.next).count()) / due.period_ns;
    due.next += std::chrono::nanoseconds(late * due.period_ns);
    skipped_ += late;
  }
  return ok();
}

Result<Unit> Walks::run(WalkHook::When when, const Between &between) { return run(when, 0, between); }

Result<Unit> Walks::run(WalkHook::When when, uint64_t period_ns, const Between &between) {
  const auto is_meant = [&](const AttachedWalk &walk, bool has_table) {
    const WalkHook &hook = hook_of(walk);
    return hook.when == when && hook.period_ns == period_ns && hook.table.empty() != has_table;
  };
  bool made = false;
  for (const AttachedWalk &each : enabling_.walks()) {
    if (!is_meant(each, true)) continue;
    if (Result<Unit> walked = walk(each, between); !walked) return walked;
    made = true;
  }
  // Records of the walks come before those of its end, which another CPU may have.
  if (made && !between()) return ok();
  for (const AttachedWalk &each : enabling_.walks())
    if (is_meant(each, false))
      if (Result<Unit> ran = enabling_.run(*each.plan, "the probe of a walk's end"); !ran) return ran;
  return ok();
}

Result<Unit> Walks::walk(const AttachedWalk &walk, const Between &between) {
  const auto failed = [&](int error) {
    return Error::from_errno(fmt::format("cannot walk the kernel's {} table", hook_of(walk).table), error);
  };
  const Fd objects(bpf_iter_create(bpf_link__fd(walk.link)));
  if (!objects) return failed(errno);
  __u64 &left = enabling_.control().walk_left;
  const uint64_t part = objects_in_a_part();
  for (;;) {
    __atomic_store_n(&left, part, __ATOMIC_RELAXED);
    char none[1];
    const ssize_t got = read(objects.get(), none, sizeof none);
    if (got == 0) return ok();
    // EAGAIN: the part is done, or the kernel has walked a million objects at once.
    if (got < 0 && errno != EAGAIN && errno != EINTR) return failed(errno);
    if (!between()) return ok();
  }
}

uint64_t Walks::objects_in_a_part() const {
  constexpr uint64_t kMaxObjects = 2000;
  uint64_t record_bytes = 1;
  for (const ClausePlan &clause : enabling_.plan().clauses) record_bytes += clause.size_bytes;
  const std::vector<Ring> &rings = enabling_.buffers().rings();
  if (rings.empty()) return kMaxObjects;
  return std::clamp<uint64_t>(rings.front().size_bytes() / 2 / record_bytes, 1, kMaxObjects);
}

}  // namespace dtrace::runtime
