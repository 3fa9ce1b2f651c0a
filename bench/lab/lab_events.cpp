// SPDX-License-Identifier: Apache-2.0
// Times each program of the lab's objects around a loop of one cheap system call in this very process.
//
// A figure is the traced thread's own CPU time per call, least of many short batches, minus the same of the bare loop.
// Where a program repeats its operation, the last column is (figure - figure of the base case) / repetitions. Rounds
// are interleaved over all cases, so a slow minute of the machine does not fall on one case.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <thread>

#include "lab.h"

namespace lab {
namespace {

/// Repetitions of the operation in the a_ programs; see REP in lab_ops.bpf.c.
constexpr int kRep = 16;

struct Consumer {
  std::thread thread;
  std::atomic<bool> stop{false};
  ~Consumer() {
    stop = true;
    if (thread.joinable()) thread.join();
  }
};

uint64_t consumed, consumed_bytes;
int on_record(void *, void *, size_t size) {
  consumed++;
  consumed_bytes += size;
  return 0;
}
void on_sample(void *, int, void *, uint32_t size) {
  consumed++;
  consumed_bytes += size;
}

/// Drains on every wake-up, then sleeps `nap_us` before waiting again. nap < 0: no waiting, drain every -nap us.
void consume_rings(Consumer &c, ring_buffer *rb, int nap_us) {
  c.thread = std::thread([&c, rb, nap_us] {
    pin(0);
    while (!c.stop) {
      if (nap_us < 0) {
        usleep(-nap_us);
        ring_buffer__consume(rb);
      } else {
        ring_buffer__poll(rb, 100);
        if (nap_us) usleep(nap_us);
      }
    }
    ring_buffer__free(rb);
  });
}

ring_buffer *per_cpu_rings(Loaded &l) {
  ring_buffer *rb = nullptr;
  for (int i = 0; i < ncpu(); i++) {
    int fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "ring", 0, 0, 4 << 20, nullptr);
    if (bpf_map_update_elem(l.map_fd("rings"), &i, &fd, 0)) perror("rings");
    if (!rb)
      rb = ring_buffer__new(fd, on_record, nullptr, nullptr);
    else
      ring_buffer__add(rb, fd, on_record, nullptr);
    // The descriptor stays open with the ring buffer manager's epoll.
  }
  return rb;
}

struct Case {
  std::string name;
  std::string label;  ///< what differs, when one program is measured in several ways
  std::string base;   ///< case to subtract before dividing by kRep; empty: no division
  std::function<void(Loaded &, Consumer &)> setup;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  auto rep = [&](const char *n, const char *base) { all.push_back({n, "", base, nullptr}); };
  rep("a_nothing", "");
  for (const char *n : {"a_ktime",
                        "a_ktime_boot",
                        "a_task_btf",
                        "a_task",
                        "a_pid_tgid",
                        "a_task_btf_pid",
                        "a_uid_gid",
                        "a_smp_id",
                        "a_numa",
                        "a_prandom",
                        "a_comm",
                        "a_comm_btf",
                        "a_probe_read8",
                        "a_probe_read64",
                        "a_probe_read_user8",
                        "a_probe_read_user_str14",
                        "a_probe_read_user128",
                        "a_pcpu_lookup",
                        "a_arr_lookup",
                        "a_add_plain",
                        "a_add_atomic",
                        "a_cmpxchg",
                        "a_subprog"})
    rep(n, "a_nothing");
  rep("a_tp_nothing", "");
  rep("a_direct8", "a_tp_nothing");
  for (const char *n : {"b_raw",
                        "b_btf",
                        "b_perf",
                        "b_raw_table",
                        "b_raw_table_state",
                        "b_btf_table_state",
                        "b_raw_global",
                        "b_raw_atomic",
                        "b_raw_untraced",
                        "b_btf_untraced",
                        "b_perf_untraced",
                        "b_raw_exit_untraced",
                        "b_btf_exit_nr",
                        "b_raw_exit_nr",
                        "b_btf_arg0",
                        "b_raw_arg0",
                        "c_4_percpu_prealloc",
                        "c_4_percpu_noprealloc",
                        "c_4_hash_atomic",
                        "c_4_lru_atomic",
                        "c_20_key_only",
                        "c_20_percpu_prealloc",
                        "c_20_percpu_noprealloc",
                        "c_20_hash_atomic",
                        "c_20_lru_atomic",
                        "c_20_percpu_lru",
                        "c_20_percpu_btfcomm",
                        "c_20_two_banks_if",
                        "c_168_percpu_prealloc",
                        "c_168_percpu_noprealloc",
                        "c_168_hash_atomic"})
    rep(n, "");
  auto with = [&](const char *n, const char *label, std::function<void(Loaded &, Consumer &)> f) {
    all.push_back({n, label, "", std::move(f)});
  };
  int slots = 2 * ncpu();
  with("c_4_aom_plain", "",
       [=](Loaded &l, Consumer &) { fill_aom(l, "c4_aom", BPF_MAP_TYPE_HASH, 0, 4, 8, 10240, slots); });
  for (const char *n : {"c_20_aom_plain", "c_20_aom_atomic"})
    with(n, "", [=](Loaded &l, Consumer &) { fill_aom(l, "c20_aom", BPF_MAP_TYPE_HASH, 0, 20, 8, 10240, slots); });
  with("c_20_aom_noprealloc", "", [=](Loaded &l, Consumer &) {
    fill_aom(l, "c20_aomn", BPF_MAP_TYPE_HASH, BPF_F_NO_PREALLOC, 20, 8, 10240, slots);
  });
  with("c_20_banks_of_percpu", "",
       [=](Loaded &l, Consumer &) { fill_aom(l, "c20_banks", BPF_MAP_TYPE_PERCPU_HASH, 0, 20, 8, 10240, 2); });
  with("c_168_aom_plain", "",
       [=](Loaded &l, Consumer &) { fill_aom(l, "c168_aom", BPF_MAP_TYPE_HASH, 0, 168, 8, 10240, slots); });

  auto rings = [](int nap) { return [=](Loaded &l, Consumer &c) { consume_rings(c, per_cpu_rings(l), nap); }; };
  with("d_percpu_adaptive", "nap 0", rings(0));
  with("d_percpu_adaptive", "nap 5 ms", rings(5000));
  with("d_percpu_nowakeup", "drained each 5 ms", rings(-5000));
  with("d_percpu_watermark", "1 MiB", rings(0));
  with("d_percpu_counted", "each 8192", rings(0));
  with("d_percpu_force", "nap 0", rings(0));
  with("d_percpu_discard", "", rings(-5000));
  with("d_percpu_output", "drained each 5 ms", rings(-5000));
  auto shared = [](int nap) {
    return [=](Loaded &l, Consumer &c) {
      consume_rings(c, ring_buffer__new(l.map_fd("ring"), on_record, nullptr, nullptr), nap);
    };
  };
  with("d_shared_nowakeup", "drained each 5 ms", shared(-5000));
  with("d_shared_adaptive", "nap 0", shared(0));
  with("d_shared_adaptive", "nap 5 ms", shared(5000));
  auto perf = [](uint32_t wakeup_records, int nap) {
    return [=](Loaded &l, Consumer &c) {
      LIBBPF_OPTS(perf_buffer_opts, opts, .sample_period = wakeup_records);
      perf_buffer *pb = perf_buffer__new(l.map_fd("perf"), 1024, on_sample, nullptr, nullptr, &opts);
      c.thread = std::thread([&c, pb, nap] {
        pin(0);
        while (!c.stop) {
          perf_buffer__poll(pb, 100);
          if (nap) usleep(nap);
        }
        perf_buffer__free(pb);
      });
    };
  };
  with("d_perf", "wake each", perf(1, 0));
  with("d_perf", "wake each, nap 5 ms", perf(1, 5000));
  with("d_perf", "wake each 8192", perf(8192, 0));

  for (const char *n : {"f_storage_create", "f_storage_create_btf", "f_storage_lookup_create", "f_storage_miss",
                        "f_storage_create_delete", "f_hash_lookup", "f_hash_update", "f_hash_update_delete",
                        "f_hash_update_delete_noprealloc"})
    rep(n, "");
  with("f_storage_lookup", "existing", [](Loaded &l, Consumer &) {
    int pidfd = static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0));
    uint64_t value[4] = {};
    if (bpf_map_update_elem(l.map_fd("tls"), &pidfd, value, 0)) perror("task storage");
    close(pidfd);
  });
  for (const char *n : {"g_stack_get_only", "g_stack_key160", "g_stack_id", "g_stack_id_fast", "g_stack_id_perf",
                        "g_ustack_id_perf", "g_stack_ownhash", "g_ustack_get_only", "g_ustack_key800", "g_ustack_id",
                        "g_ustack_id_fast", "g_ustack_ownhash", "h_percpu_unclaimed", "h_percpu_plain",
                        "h_percpu_cmpxchg", "h_percpu_xchg_release", "h_array_cmpxchg"})
    rep(n, "");
  return all;
}

double deep(int depth, const std::function<double()> &f) {
  // A user stack of some depth, as real programs have; the volatile keeps the frames.
  volatile int keep = depth;
  double r = depth ? deep(depth - 1, f) : f();
  return r + (keep - depth);
}

}  // namespace

int run_events(const std::vector<std::string> &prefixes, int rounds) {
  std::map<std::string, double> best;
  std::map<std::string, std::vector<double>> seen;
  std::map<std::string, uint64_t> losses;
  std::vector<Case> all = cases();
  auto wanted = [&](const std::string &name) {
    if (prefixes.empty()) return true;
    for (const auto &f : prefixes)
      if (name.starts_with(f)) return true;
    return false;
  };
  pin(1);
  double bare = 1e18;
  for (int round = 0; round < rounds; round++) {
    for (const Case &c : all) {
      bool needed = wanted(c.name);
      for (const Case &o : all) needed |= wanted(o.name) && o.base == c.name;
      if (!needed) continue;
      bare = std::min(bare, least_ns(3000, 10));
      Consumer consumer;
      Loaded l;
      if (!l.load(c.name)) {
        fprintf(stderr, "%s does not load\n", c.name.c_str());
        continue;
      }
      if (c.setup) c.setup(l, consumer);
      if (!l.attach()) {
        fprintf(stderr, "%s does not attach\n", c.name.c_str());
        continue;
      }
      double ns = deep(12, [] { return least_ns(3000, 40); });
      std::string id = c.name + (c.label.empty() ? "" : " (" + c.label + ")");
      best[id] = best.contains(id) ? std::min(best[id], ns) : ns;
      seen[id].push_back(ns);
      losses[id] += read_global(l, "lost");
      l.detach();
    }
  }
  printf("bare call %.1f ns\n%-44s %9s %9s %9s %8s\n", bare, "case", "least", "median", "per op", "lost");
  for (const Case &c : all) {
    std::string id = c.name + (c.label.empty() ? "" : " (" + c.label + ")");
    if (!best.contains(id)) continue;
    auto v = seen[id];
    std::sort(v.begin(), v.end());
    printf("%-44s %9.1f %9.1f ", id.c_str(), best[id] - bare, v[v.size() / 2] - bare);
    if (c.base.empty())
      printf("%9s", "");
    else
      printf("%9.2f", (best[id] - best[c.base]) / kRep);
    printf(" %8llu\n", static_cast<unsigned long long>(losses[id]));
  }
  return 0;
}

}  // namespace lab
