// SPDX-License-Identifier: Apache-2.0
// How soon the consumer runs once a buffer wants it, and when it must not be held up.
#pragma once

#include <cstdint>

namespace dtrace::runtime {

/// Asks the scheduler for a short slice: the calling thread is then put before others as soon as it wakes, and gets no
/// more of the CPU than before. Processes that it starts later are scheduled as ever. Does nothing on kernels without
/// slices (before 6.12), or if a policy or a higher priority was chosen before.
void run_promptly();

/// The same, and the thread gets most of a CPU while it has work: for short work that running programs wait for, in
/// effect. Needs CAP_SYS_NICE; without it, as run_promptly().
void run_first();

/// run_first() while it lives.
class RunsFirst {
 public:
  RunsFirst();
  ~RunsFirst();
  RunsFirst(const RunsFirst &) = delete;
  RunsFirst &operator=(const RunsFirst &) = delete;

 private:
  bool raised_ = false;
  int32_t nice_ = 0;         // what it had before
  uint64_t runtime_ns_ = 0;  // likewise
};

/// While it lives no ordinary task takes the CPU from the calling thread, if the system allows us that.
///
/// The kernel runs no program of a perf tracepoint, kprobe, uprobe or clock event on a CPU while a map operation of
/// bpf(2) goes on there, in any process. A consumer that is preempted in one, which kernels with lazy or full
/// preemption do, would keep them all from running until its next turn: thousands of firings. To be held for one
/// operation at a time.
class Undisturbed {
 public:
  Undisturbed();
  ~Undisturbed();
  Undisturbed(const Undisturbed &) = delete;
  Undisturbed &operator=(const Undisturbed &) = delete;

 private:
  bool raised_ = false;
  int32_t nice_ = 0;         // what it had before
  uint64_t runtime_ns_ = 0;  // likewise
  uint64_t flags_ = 0;
};

}  // namespace dtrace::runtime
