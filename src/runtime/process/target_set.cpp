// SPDX-License-Identifier: Apache-2.0
#include "runtime/process/target_set.h"

#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "runtime/process/pid_namespace.h"

namespace dtrace::runtime {

Result<pid_t> TargetSet::create(std::string_view command, EvalTime when, std::span<const std::string> environment) {
  if (Result<Unit> checked = check_proc_namespace(); !checked) return std::move(checked).error();
  return add(Target::create(command, when, environment));
}

Result<pid_t> TargetSet::grab(pid_t pid) {
  if (Result<Unit> checked = check_proc_namespace(); !checked) return std::move(checked).error();
  return add(Target::grab(pid));
}

Result<pid_t> TargetSet::add(Result<Target> target) {
  if (!target) return std::move(target).error();
  if (!epoll_) {
    epoll_ = Fd(::epoll_create1(EPOLL_CLOEXEC));
    if (!epoll_) return Error::from_errno("epoll_create1", errno);
  }
  epoll_event event{};
  event.events = EPOLLIN;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, target->poll_fd(), &event) != 0) {
    return Error::from_errno("epoll_ctl", errno);
  }
  targets_.push_back(std::move(*target));
  return targets_.back().pid();
}

Result<Unit> TargetSet::resume_all(const MappedFunction &mapped) {
  for (Target &target : targets_) {
    if (Result<Unit> resumed = target.resume(mapped); !resumed) return resumed;
  }
  return ok();
}

Result<Unit> TargetSet::resume(pid_t pid, const MappedFunction &mapped) {
  for (Target &target : targets_)
    if (target.pid() == pid) return target.resume(mapped);
  return ok();
}

void TargetSet::release(pid_t pid) {
  for (const Target &target : targets_)
    if (target.pid() == pid) ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, target.poll_fd(), nullptr);
  std::erase_if(targets_, [pid](const Target &target) { return target.pid() == pid; });
}

std::optional<ExitNotice> TargetSet::poll() {
  for (Target &target : targets_) {
    std::optional<ExitNotice> notice = target.poll();
    if (!notice) continue;
    // A pidfd stays readable for ever.
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, target.poll_fd(), nullptr);
    return notice;
  }
  return std::nullopt;
}

bool TargetSet::all_ended() const {
  return !targets_.empty() &&
         std::all_of(targets_.begin(), targets_.end(), [](const Target &target) { return target.has_ended(); });
}

}  // namespace dtrace::runtime
