// SPDX-License-Identifier: Apache-2.0
#include "runtime/late/late_tally.h"

#include <utility>

#include "runtime/foreign/process_maps.h"

namespace dtrace::runtime {

bool LateTally::has_waited(pid_t pid, uint64_t mapped_ns, uint64_t set_ns) const {
  return std::ranges::any_of(waits_, [&](const auto &wait) { return wait.covers(pid, mapped_ns, set_ns); });
}

void LateTally::note_set(std::span<const SitePlan> sites, std::optional<pid_t> held, uint64_t now_ns,
                         bool only_waiters) {
  for (const SitePlan &plan : sites) {
    const UserSite &site = plan.site;
    if (site.file == nullptr) continue;
    uint64_t longest_ns = 0;
    bool is_heard = site.pid != 0 && site.pid == held;
    const std::string file(object_name(site.file->path));
    for (const Mapped &mapped : mapped_) {
      const bool is_meant = mapped.inode == site.file->inode && (site.pid == 0 || site.pid == mapped.pid);
      is_heard |= is_meant;
      if (!is_meant || mapped.pid == held || has_waited(mapped.pid, mapped.time_ns, now_ns)) continue;
      const bool waits = waiters_.contains(mapped.pid);
      if (only_waiters && !waits) continue;
      if (waits)
        uncertain_.push_back({mapped.pid, mapped.time_ns, now_ns, file});
      else
        longest_ns = std::max(longest_ns, now_ns - std::min(now_ns, mapped.time_ns));
    }
    if (!is_heard && unheard_since_ns_) longest_ns = now_ns - std::min(now_ns, *unheard_since_ns_);
    if (longest_ns != 0) late_[file].add(longest_ns);
  }
}

void LateTally::end_look(uint64_t now_ns, const std::function<bool(pid_t)> &is_gone) {
  for (const Mapped &mapped : std::exchange(mapped_, {}))
    if (waiters_.contains(mapped.pid) && !has_waited(mapped.pid, mapped.time_ns, now_ns) && is_gone(mapped.pid))
      late_[mapped.file].add(now_ns - mapped.time_ns);
  unheard_since_ns_.reset();
}

std::map<std::string, LateTally::Late> LateTally::take(bool is_end) {
  std::erase_if(uncertain_, [&](const Uncertain &one) { return has_waited(one.pid, one.mapped_ns, one.set_ns); });
  if (is_end)
    for (const Uncertain &one : std::exchange(uncertain_, {})) late_[one.file].add(one.set_ns - one.mapped_ns);
  return std::exchange(late_, {});
}

}  // namespace dtrace::runtime
