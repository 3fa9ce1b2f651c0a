// SPDX-License-Identifier: Apache-2.0
// What the lab's three modes share: a loaded object with one program in it, and the timing of the traced loop.
//
// What a reader would get wrong: a global is set before the load (global()) and read after it (read_global()); without
// a skeleton, libbpf does not map the section.
#ifndef BENCH_LAB_H
#define BENCH_LAB_H

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/syscall.h>

#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

namespace lab {

/// The traced call: next to free, and nobody else makes it.
constexpr long kCall = SYS_sched_get_priority_max;

double now_ns(clockid_t clock);
void pin(int cpu);
int ncpu();

/// Least ns of this thread's CPU per call over `batches` batches of `calls` calls.
double least_ns(int calls, int batches);

/// A loaded object with one of its programs in it.
struct Loaded {
  bpf_object *obj = nullptr;
  std::vector<bpf_link *> links;

  Loaded() = default;
  Loaded(const Loaded &) = delete;
  Loaded &operator=(const Loaded &) = delete;
  ~Loaded();
  /// False, with libbpf's message on standard error, when the kernel refuses.
  bool load(const std::string &prog);
  bool attach();
  void detach();
  int map_fd(const char *name) { return bpf_object__find_map_fd_by_name(obj, name); }
};

/// A global as the programs left it.
uint64_t read_global(Loaded &l, const char *name);

/// Fills a map of maps: one inner map per slot.
void fill_aom(Loaded &l, const char *name, bpf_map_type type, uint32_t flags, int key, int value, int entries,
              int slots);

// The modes.
int run_events(const std::vector<std::string> &prefixes, int rounds);
int run_burst();
int run_setup();
int run_placement(const char *name);

template <typename Fn>
double timed_ms(Fn f) {
  double start = now_ns(CLOCK_MONOTONIC);
  f();
  return (now_ns(CLOCK_MONOTONIC) - start) / 1e6;
}

}  // namespace lab

#endif
