// SPDX-License-Identifier: Apache-2.0
#include "runtime/late/stack_rules.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include "base/beside.h"
#include "runtime/foreign/process_parent.h"
#include "runtime/load/enabling.h"
#include "runtime/load/grace_period.h"
#include "runtime/load/scheduling.h"
#include "runtime/usdt/process_files.h"

namespace dtrace::runtime {
namespace {

using std::chrono::milliseconds;

/// A process that asks again for what it has got asks for what cannot be had: it may ask again after a while.
constexpr milliseconds kAskedInVain{200};
constexpr milliseconds kLookForEnded{5000};
/// How long the start of tracing waits for the rules of busy processes at most.
constexpr milliseconds kBusyTake{1000};
/// So many files are open as processes need. Beyond these, we look whether some have ended this often.
constexpr size_t kManyOpenFiles = 64;
constexpr milliseconds kLookForEndedAgain{50};
/// Another look at a process waits for pages that are being brought, but not longer than this.
constexpr milliseconds kLookWaits{20};
constexpr unsigned kMaxAncestors = 64;
constexpr size_t kStackWords = 512;    // a page of it
constexpr unsigned kPagesAtOnce = 32;  // between two looks at what has been asked for: a few hundred microseconds

/// A program that reads a table while it is replaced finds that out by the word of its page: a walk is cut, and no
/// frame wrong.
void wait_for_programs() { (void)wait_for_running_programs(); }

}  // namespace

Result<std::unique_ptr<StackRules>> StackRules::start(Enabling &enabling, const arch::Machine &machine,
                                                      const std::vector<int> &cpus) {
  const int pool = enabling.map_fd("dt_unwind_pool");
  if (pool < 0) return std::unique_ptr<StackRules>();
  const size_t size_bytes = size_t{enabling.map_entries("dt_unwind_pool")} * DT_UNWIND_BLOCK_BYTES;
  void *address = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, pool, 0);
  if (address == MAP_FAILED) return Error::from_errno("cannot map the rules of user stacks", errno);
  std::unique_ptr<StackRules> rules(new StackRules(Mapping(address, size_bytes), enabling, machine));
  if (Result<Unit> opened = rules->open(enabling.map_fd("dt_unwind_asks"), cpus); !opened)
    return std::move(opened.error());
  return rules;
}

StackRules::StackRules(Mapping memory, Enabling &enabling, const arch::Machine &machine)
    : memory_(std::move(memory)),
      processes_fd_(enabling.map_fd("dt_unwind_processes")),
      files_fd_(enabling.map_fd("dt_unwind_files")),
      managed_(enabling.managed()),
      pool_({static_cast<std::byte *>(memory_.data()), memory_.size_bytes()}, machine.frame_registers.offsets,
            wait_for_programs),
      rules_(
          pool_, machine,
          [this](pid_t pid, const dt_unwind_process *process) {
            if (process == nullptr) return bpf_map_delete_elem(processes_fd_, &pid) == 0;
            return bpf_map_update_elem(processes_fd_, &pid, process, BPF_ANY) == 0;
          },
          [this](const dt_unwind_file_key &key, const dt_unwind_file *file) {
            if (file == nullptr) return bpf_map_delete_elem(files_fd_, &key) == 0;
            return bpf_map_update_elem(files_fd_, &key, file, BPF_ANY) == 0;
          },
          [this] { return shows_managed(); }) {}

Result<Unit> StackRules::open(int asks_fd, const std::vector<int> &cpus) {
  const auto take = [](void *self, void *data, size_t size_bytes) {
    if (size_bytes >= sizeof(dt_unwind_ask))
      static_cast<StackRules *>(self)->take_ask(*static_cast<const dt_unwind_ask *>(data));
    return 0;
  };
  asks_ = {ring_buffer__new(asks_fd, take, this, nullptr), ring_buffer__free};
  if (asks_ == nullptr) return Error::from_errno("cannot read what programs ask for", errno);
  stop_ = Fd(eventfd(0, EFD_CLOEXEC));
  wake_ = Fd(eventfd(0, EFD_CLOEXEC));
  if (!stop_ || !wake_) return Error::from_errno("cannot create an eventfd", errno);
  // Without it, programs ask.
  if (Result<MappingWatch> watch = MappingWatch::open(cpus)) watch_ = std::move(*watch);
  const SignalsBlocked blocked;  // the thread takes no signal of the client's
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error &error) {
    return Error::from_errno("cannot start the thread that reads call frame information", error.code().value());
  }
  return ok();
}

/// Programs that can show the functions of a runtime are loaded before its mappings are published. Until then, stacks
/// of its processes have no table.
bool StackRules::shows_managed() {
  if (!shows_managed_) {
    const Result<Unit> loaded = managed_.load();
    shows_managed_ = static_cast<bool>(loaded);
    if (!loaded) {
      failure_ = loaded.error().text();
      has_failure_ = true;
    }
  }
  return *shows_managed_;
}

std::optional<std::string> StackRules::take_failure() {
  if (!has_failure_) return std::nullopt;
  const std::lock_guard lock(mutex_);
  has_failure_ = false;
  return std::exchange(failure_, std::nullopt);
}

StackRules::~StackRules() {
  if (!thread_.joinable()) return;
  const uint64_t one = 1;
  (void)!write(stop_.get(), &one, sizeof one);
  thread_.join();
}

void StackRules::complete(pid_t pid) {
  const std::lock_guard lock(mutex_);
  targets_.insert(pid);
  has_targets_ = true;
  know(pid, ProcessRules::Depth::kAll);
  rules_.fill_process(pid);
}

void StackRules::complete_all() {
  const std::lock_guard lock(mutex_);
  to_know_ = all_processes();
  busy_.emplace(to_know_);
  std::ranges::reverse(to_know_);  // taken from the end: those that have been there for long first
  if (!to_know_.empty()) wake();
}

void StackRules::complete_busy() {
  if (!busy_) return;
  std::vector<pid_t> busy = busy_->busiest_first();
  busy_.reset();
  std::ranges::reverse(busy);
  std::unique_lock lock(mutex_);
  to_complete_ = std::move(busy);
  complete_until_ = Clock::now() + kBusyTake;
  wake();
  completed_.wait_until(lock, complete_until_, [this] { return to_complete_.empty(); });
  // The others have their turn while tracing runs.
  to_know_.insert(to_know_.end(), to_complete_.begin(), to_complete_.end());
  to_complete_.clear();
}

/// One of the processes that complete_busy() waits for.
void StackRules::complete_next() {
  const RunsFirst first;
  const pid_t pid = to_complete_.back();
  to_complete_.pop_back();
  know(pid, ProcessRules::Depth::kAll);
  rules_.fill_process(pid, [this] { return Clock::now() >= complete_until_; });
  if (to_complete_.empty()) completed_.notify_all();
}

void StackRules::wake() {
  const uint64_t one = 1;
  (void)!write(wake_.get(), &one, sizeof one);
}

/// Is the process a target, or descends it from one that has not ended?
bool StackRules::is_target(pid_t pid) {
  if (!has_targets_) return true;
  pid_t at = pid;
  for (unsigned i = 0; i < kMaxAncestors && at > 1 && !targets_.contains(at); ++i) at = parent_of(at);
  if (!targets_.contains(at)) return false;
  targets_.insert(pid);
  return true;
}

void StackRules::know(pid_t pid, ProcessRules::Depth depth) {
  if (rules_.know(pid, depth) == ProcessRules::Outcome::kNews) {
    pool_.forget_ask(static_cast<uint32_t>(pid));
    // Its code runs at once, so pages are brought before programs ask for them.
    if (is_target(pid)) rules_.want_all(pid);
  } else {
    asked_.try_emplace(pid, Clock::now() + kAskedInVain);
  }
  if (const std::optional<milliseconds> next = rules_.next_look(pid)) {
    const auto at = again_.try_emplace(pid, Clock::now() + *next).first;
    at->second = std::min(at->second, Clock::now() + *next);
  }
  has_more_ = true;
  unopened_ += rules_.take_unopened();
  if (rules_.nr_open_files() > kManyOpenFiles && Clock::now() > looked_ + kLookForEndedAgain) look_for_ended();
}

void StackRules::look_for_ended() {
  rules_.forget_ended();
  std::erase_if(targets_, [this](pid_t pid) { return !rules_.knows(pid); });
  looked_ = Clock::now();
}

void StackRules::take_ask(const dt_unwind_ask &ask) {
  const auto pid = static_cast<pid_t>(ask.pid);
  if (ask.wanted == DT_UNWIND_WANT_PAGE)
    rules_.answer(static_cast<uint32_t>(ask.place));
  else
    know(pid);
  // The same stack will come again, and would ask for one page each time.
  std::array<uint64_t, kStackWords> words{};
  iovec local{words.data(), sizeof words};
  iovec remote{reinterpret_cast<void *>(ask.stack & ~uint64_t{7}), sizeof words};
  const ssize_t bytes = process_vm_readv(pid, &local, 1, &remote, 1, 0);
  if (bytes > 0) rules_.answer_stack(pid, std::span(words).first(static_cast<size_t>(bytes) / sizeof(uint64_t)));
  has_more_ = true;
}

void StackRules::take_mappings() {
  const MappingWatch::News news = watch_->take();
  for (const pid_t pid : news.pids) know(pid);
  // Programs ask for the mappings of which the kernel's records were lost.
}

void StackRules::forget_asks() {
  const Clock::time_point now = Clock::now();
  std::erase_if(asked_, [&](const auto &asked) {
    if (asked.second > now) return false;
    pool_.forget_ask(static_cast<uint32_t>(asked.first));
    return true;
  });
}

void StackRules::look_again() {
  const Clock::time_point before = Clock::now() - (has_more_ ? kLookWaits : milliseconds(0));
  std::vector<pid_t> due;
  for (const auto &[pid, when] : again_)
    if (when <= before) due.push_back(pid);
  for (const pid_t pid : due) {
    again_.erase(pid);
    know(pid, ProcessRules::Depth::kAll);
  }
}

void StackRules::serve(bool has_mappings) {
  (void)ring_buffer__consume(asks_.get());
  if (has_mappings) take_mappings();
  forget_asks();
  look_again();
  if (!to_complete_.empty()) {
    complete_next();
  } else if (!to_know_.empty()) {
    const pid_t pid = to_know_.back();
    to_know_.pop_back();
    know(pid);
    rules_.want_all(pid);
  }
  if (has_more_) has_more_ = rules_.fill(kPagesAtOnce);
  if (Clock::now() > looked_ + kLookForEnded) look_for_ended();
}

void StackRules::run() {
  bool runs_first = false;
  {
    const std::lock_guard lock(mutex_);
    looked_ = Clock::now();
  }
  for (;;) {
    pollfd fds[4] = {{stop_.get(), POLLIN, 0},
                     {ring_buffer__epoll_fd(asks_.get()), POLLIN, 0},
                     {watch_ ? watch_->poll_fd() : -1, POLLIN, 0},
                     {wake_.get(), POLLIN, 0}};
    int timeout_ms = 0;
    {
      const std::lock_guard lock(mutex_);
      if (!has_more_ && to_know_.empty() && to_complete_.empty()) {
        Clock::time_point next = looked_ + kLookForEnded;
        for (const auto *waiting : {&asked_, &again_})
          for (const auto &[pid, when] : *waiting) next = std::min(next, when);
        timeout_ms =
            static_cast<int>(std::max<int64_t>(0, std::chrono::ceil<milliseconds>(next - Clock::now()).count()));
      }
    }
    (void)poll(fds, std::size(fds), timeout_ms);
    if (fds[0].revents != 0) return;
    uint64_t woken = 0;
    if (fds[3].revents != 0) (void)!read(wake_.get(), &woken, sizeof woken);
    const std::lock_guard lock(mutex_);
    // All processes of a machine are no short work.
    if (has_targets_ && !std::exchange(runs_first, true)) run_first();
    try {
      serve(fds[2].revents != 0);
    } catch (const std::bad_alloc &) {
      // Stacks that miss what could not be brought are cut, and say so.
      has_more_ = false;
      to_know_.clear();
      to_complete_.clear();
      completed_.notify_all();
    }
  }
}

}  // namespace dtrace::runtime
