// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/scheduling.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace dtrace::runtime {
namespace {

/// struct sched_attr of the first kernel that had it: <linux/sched/types.h> and <sched.h> cannot be included together.
struct Attributes {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime_ns;  // of ordinary policies: the slice
  uint64_t deadline_ns;
  uint64_t period_ns;
};

constexpr uint64_t kResetOnFork = 1;
constexpr uint64_t kSliceNs = 500'000;  // others have 3 ms
constexpr int32_t kFirstNice = -10;     // nine times the weight of an ordinary thread

bool get(Attributes &attributes) { return syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) == 0; }
bool set(Attributes attributes) {
  attributes.size = sizeof attributes;
  return syscall(SYS_sched_setattr, 0, &attributes, 0) == 0;
}

}  // namespace

void run_promptly() {
  Attributes attributes{};
  if (!get(attributes)) return;
  if (attributes.policy != SCHED_OTHER || attributes.nice < 0) return;
  attributes.flags |= kResetOnFork;
  attributes.runtime_ns = kSliceNs;
  (void)set(attributes);
}

void run_first() {
  Attributes attributes{};
  if (!get(attributes) || attributes.policy != SCHED_OTHER || attributes.nice <= kFirstNice) return;
  attributes.flags |= kResetOnFork;
  attributes.nice = kFirstNice;
  attributes.runtime_ns = kSliceNs;
  if (!set(attributes)) run_promptly();
}

RunsFirst::RunsFirst() {
  Attributes before{};
  if (!get(before) || before.policy != SCHED_OTHER || before.nice <= kFirstNice) return;
  nice_ = before.nice;
  runtime_ns_ = before.runtime_ns;
  run_first();
  raised_ = true;
}

RunsFirst::~RunsFirst() {
  Attributes attributes{};
  if (!raised_ || !get(attributes)) return;
  attributes.nice = nice_;
  attributes.runtime_ns = runtime_ns_;
  (void)set(attributes);
}

Undisturbed::Undisturbed() {
  Attributes attributes{};
  if (!get(attributes) || attributes.policy != SCHED_OTHER) return;
  nice_ = attributes.nice;
  runtime_ns_ = attributes.runtime_ns;
  flags_ = attributes.flags;
  Attributes lowest{};
  lowest.policy = SCHED_FIFO;
  lowest.flags = kResetOnFork;
  lowest.priority = 1;
  raised_ = set(lowest);
}

Undisturbed::~Undisturbed() {
  if (!raised_) return;
  Attributes before{};
  before.policy = SCHED_OTHER;
  before.flags = flags_;
  before.nice = nice_;
  before.runtime_ns = runtime_ns_;
  (void)set(before);
}

}  // namespace dtrace::runtime
