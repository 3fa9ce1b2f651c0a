// SPDX-License-Identifier: Apache-2.0
// Times what happens outside of a firing: a burst of new keys and draining them, creating maps, loading, attaching,
// detaching, and the wait for a grace period.
#include <linux/perf_event.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <functional>
#include <thread>

#include "lab.h"

namespace lab {
namespace {

struct Drained {
  double ms = 0;
  size_t keys = 0;
  uint64_t sum = 0;
};

Drained drain(int fd, bool percpu, bool del, uint32_t step) {
  Drained d;
  std::vector<uint64_t> keys(step);
  std::vector<uint64_t> values(static_cast<size_t>(step) * (percpu ? ncpu() : 1));
  double start = now_ns(CLOCK_MONOTONIC);
  uint64_t in = 0, out = 0;
  bool first = true;
  for (;;) {
    uint32_t count = step;
    int err = del ? bpf_map_lookup_and_delete_batch(fd, first ? nullptr : &in, &out, keys.data(), values.data(), &count,
                                                    nullptr)
                  : bpf_map_lookup_batch(fd, first ? nullptr : &in, &out, keys.data(), values.data(), &count, nullptr);
    if (err && err != -ENOENT) {
      printf("  batch: %s after %zu keys\n", strerror(-err), d.keys);
      break;
    }
    d.keys += count;
    for (size_t i = 0; i < static_cast<size_t>(count) * (percpu ? ncpu() : 1); i++) d.sum += values[i];
    if (err) break;
    in = out;
    first = false;
  }
  d.ms = (now_ns(CLOCK_MONOTONIC) - start) / 1e6;
  return d;
}

/// New keys from all CPUs at once: does an allocation fail when it competes?
void burst_everywhere(Loaded &l, const char *prog, int fd, bool percpu) {
  constexpr long kKeys = 400000;
  uint64_t lost = read_global(l, "lost");
  std::vector<std::thread> threads;
  for (int cpu = 0; cpu < ncpu(); cpu++) {
    threads.emplace_back([cpu] {
      pin(cpu);
      for (long i = 0; i < kKeys; i++) syscall(kCall, 1000000 + cpu * kKeys + i, 0, 0);
    });
  }
  for (auto &t : threads) t.join();
  lost = read_global(l, "lost") - lost;
  Drained del = drain(fd, percpu, true, 65536);
  printf("%-26s %d CPUs x %ld new keys at once: %zu kept, %llu lost\n", prog, ncpu(), kKeys, del.keys,
         static_cast<unsigned long long>(lost));
}

}  // namespace

int run_burst() {
  struct {
    const char *prog;
    bool percpu;
  } kinds[] = {{"burst_hash_prealloc", false},
               {"burst_hash_noprealloc", false},
               {"burst_percpu_prealloc", true},
               {"burst_percpu_noprealloc", true},
               {"burst_lru_hash", false}};
  pin(1);
  for (auto &k : kinds) {
    Loaded l;
    double load = timed_ms([&] { l.load(k.prog); });
    l.attach();
    int fd = l.map_fd((std::string(k.prog) + "_keys").c_str());
    constexpr int kKeys = 1000000;
    for (int round = 0; round < 2; round++) {
      uint64_t lost_before = read_global(l, "lost");
      double cpu = now_ns(CLOCK_THREAD_CPUTIME_ID);
      double wall = timed_ms([] {
        for (long i = 0; i < kKeys; i++) syscall(kCall, 1000000 + i, 0, 0);
      });
      cpu = (now_ns(CLOCK_THREAD_CPUTIME_ID) - cpu) / kKeys;
      double again = now_ns(CLOCK_THREAD_CPUTIME_ID);
      for (long i = 0; i < kKeys; i++) syscall(kCall, 1000000 + i, 0, 0);
      again = (now_ns(CLOCK_THREAD_CPUTIME_ID) - again) / kKeys;
      uint64_t lost_first = read_global(l, "lost") - lost_before;
      Drained look = drain(fd, k.percpu, false, 65536);
      Drained del = drain(fd, k.percpu, true, 65536);
      printf(
          "%-26s load %6.1f ms  insert %6.1f ns/key (%.0f ms)  hit %6.1f ns  lost %llu  lookup_batch %6.1f ms (%zu "
          "keys)"
          "  lookup_and_delete_batch %6.1f ms (%zu keys, sum %llu)\n",
          k.prog, load, cpu, wall, again, static_cast<unsigned long long>(lost_first), look.ms, look.keys, del.ms,
          del.keys, static_cast<unsigned long long>(del.sum));
      fflush(stdout);
    }
    burst_everywhere(l, k.prog, fd, k.percpu);
    l.detach();
    bpf_object *obj = l.obj;
    l.obj = nullptr;
    double close_ms = timed_ms([&] { bpf_object__close(obj); });
    printf("%-26s object close %.1f ms\n", "", close_ms);
  }
  return 0;
}

// ---- d/e. creation, load, attach ----

namespace {

int ignore_record(void *, void *, size_t) { return 0; }

long rss_kb() {
  long pages = 0, rss = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f && fscanf(f, "%ld %ld", &pages, &rss) != 2) rss = 0;
  if (f) fclose(f);
  return rss * 4;
}
long mem_free_kb() {
  char line[256];
  long v = 0;
  FILE *f = fopen("/proc/meminfo", "r");
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "MemFree: %ld", &v) == 1) break;
  if (f) fclose(f);
  return v;
}

void stats(const char *what, std::vector<double> v, const char *unit = "us") {
  std::sort(v.begin(), v.end());
  printf("%-58s least %9.1f  median %9.1f  most %9.1f %s (n=%zu)\n", what, v.front(), v[v.size() / 2], v.back(), unit,
         v.size());
  fflush(stdout);
}

template <typename Fn>
std::vector<double> repeat(int n, Fn f) {
  std::vector<double> v;
  for (int i = 0; i < n; i++) v.push_back(f());
  return v;
}

double us(const std::function<void()> &f) { return timed_ms(f) * 1000; }

void time_rings() {
  for (size_t size : {size_t{64} << 10, size_t{1} << 20, size_t{4} << 20, size_t{16} << 20}) {
    std::vector<double> create, map, close_us;
    long free_before = mem_free_kb(), free_after = 0, rss_before = rss_kb(), rss_after = 0;
    for (int i = 0; i < 10; i++) {
      int fd = -1;
      create.push_back(us([&] { fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "ring", 0, 0, size, nullptr); }));
      ring_buffer *rb = nullptr;
      map.push_back(us([&] { rb = ring_buffer__new(fd, ignore_record, nullptr, nullptr); }));
      if (i == 0) {
        free_after = mem_free_kb();
        rss_after = rss_kb();
      }
      close_us.push_back(us([&] {
        ring_buffer__free(rb);
        close(fd);
      }));
    }
    printf("ring of %zu KiB: process RSS +%ld KiB, system MemFree -%ld KiB\n", size >> 10, rss_after - rss_before,
           free_before - free_after);
    stats("  create", create);
    stats("  mmap through ring_buffer__new", map);
    stats("  free", close_us);
  }
}

void time_hashes() {
  struct {
    const char *name;
    bpf_map_type type;
    uint32_t flags;
    int entries;
    uint32_t value = 8;
  } hashes[] = {{"HASH prealloc 10240", BPF_MAP_TYPE_HASH, 0, 10240},
                {"HASH prealloc 131072", BPF_MAP_TYPE_HASH, 0, 131072},
                {"HASH prealloc 1048576", BPF_MAP_TYPE_HASH, 0, 1048576},
                {"HASH no-prealloc 10240", BPF_MAP_TYPE_HASH, BPF_F_NO_PREALLOC, 10240},
                {"HASH no-prealloc 1048576", BPF_MAP_TYPE_HASH, BPF_F_NO_PREALLOC, 1048576},
                {"PERCPU_HASH prealloc 10240", BPF_MAP_TYPE_PERCPU_HASH, 0, 10240},
                {"PERCPU_HASH prealloc 131072", BPF_MAP_TYPE_PERCPU_HASH, 0, 131072},
                {"PERCPU_HASH no-prealloc 1048576", BPF_MAP_TYPE_PERCPU_HASH, BPF_F_NO_PREALLOC, 1048576},
                {"STACK_TRACE 16384 of 20 frames", BPF_MAP_TYPE_STACK_TRACE, 0, 16384, 160},
                {"STACK_TRACE 16384 of 100 frames", BPF_MAP_TYPE_STACK_TRACE, 0, 16384, 800},
                {"STACK_TRACE 2048 of 100 frames", BPF_MAP_TYPE_STACK_TRACE, 0, 2048, 800},
                {"PERCPU_ARRAY 1 of 8", BPF_MAP_TYPE_PERCPU_ARRAY, 0, 1}};
  for (auto &h : hashes) {
    std::vector<double> create, close_us;
    long before = mem_free_kb(), after = 0;
    for (int i = 0; i < 5; i++) {
      int fd = -1;
      LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = h.flags);
      int key = h.type == BPF_MAP_TYPE_PERCPU_ARRAY || h.type == BPF_MAP_TYPE_STACK_TRACE ? 4 : 20;
      create.push_back(us([&] { fd = bpf_map_create(h.type, "m", key, h.value, h.entries, &opts); }));
      if (i == 0) after = mem_free_kb();
      close_us.push_back(us([&] { close(fd); }));
    }
    printf("%s (20-byte key): MemFree -%ld KiB\n", h.name, before - after);
    stats("  create", create);
    stats("  close", close_us);
  }
}

void time_grace_periods() {
  // The wait in an update of an array of maps, quiet and with a program using it.
  {
    Loaded l;
    l.load("c_20_aom_plain");
    fill_aom(l, "c20_aom", BPF_MAP_TYPE_HASH, 0, 20, 8, 10240, 4);
    int spare = bpf_map_create(BPF_MAP_TYPE_HASH, "inner", 20, 8, 10240, nullptr);
    int outer = l.map_fd("c20_aom");
    int zero = 0;
    auto update = [&] { return us([&] { bpf_map_update_elem(outer, &zero, &spare, 0); }); };
    stats("ARRAY_OF_MAPS update, object loaded, nothing attached", repeat(30, update));
    l.attach();
    stats("ARRAY_OF_MAPS update, attached, idle machine", repeat(30, update));
    std::atomic<bool> stop{false};
    std::thread busy([&] {
      pin(1);
      while (!stop) syscall(kCall, 1, 0, 0);
    });
    stats("ARRAY_OF_MAPS update, a CPU firing all the time", repeat(30, update));
    // An ARRAY_OF_MAPS of its own that no program uses: the wait is the same, so any such update is a barrier.
    LIBBPF_OPTS(bpf_map_create_opts, opts, .inner_map_fd = static_cast<uint32_t>(spare));
    int own = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "barrier", 4, 4, 1, &opts);
    stats("ARRAY_OF_MAPS update, a map of its own as a barrier",
          repeat(30, [&] { return us([&] { bpf_map_update_elem(own, &zero, &spare, 0); }); }));
    stats("membarrier(MEMBARRIER_CMD_GLOBAL)", repeat(30, [] { return us([] { syscall(SYS_membarrier, 1, 0, 0); }); }));
    stop = true;
    busy.join();
  }
}

void time_loads() {
  // Load.
  for (const char *name : {"b_raw", "b_btf", "b_perf", "c_20_percpu_prealloc", "d_percpu_watermark"}) {
    std::vector<double> open_us, load;
    for (int i = 0; i < 5; i++) {
      Loaded l;
      load.push_back(us([&] { l.load(name); }));
    }
    stats((std::string("open + load whole object (all small maps) for ") + name).c_str(), load);
  }
  {
    // The bare prog_load, without libbpf's maps and BTF.
    bpf_insn insns[] = {{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
                        {.code = BPF_JMP | BPF_EXIT, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0}};
    std::vector<double> load, close_us;
    for (int i = 0; i < 20; i++) {
      int fd = -1;
      load.push_back(us([&] { fd = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "two", "GPL", insns, 2, nullptr); }));
      close_us.push_back(us([&] { close(fd); }));
    }
    stats("bpf_prog_load of two instructions", load);
    stats("  close", close_us);
  }
}

void time_links() {
  // Attach and detach.
  for (const char *name : {"b_raw", "b_btf", "b_perf"}) {
    std::vector<double> attach, detach;
    Loaded l;
    l.load(name);
    for (int i = 0; i < 10; i++) {
      attach.push_back(us([&] { l.attach(); }));
      detach.push_back(us([&] { l.detach(); }));
    }
    stats((std::string("attach ") + name).c_str(), attach);
    stats("  detach (destroy link)", detach);
    // A program takes only one link on a perf tracepoint.
    if (!strcmp(name, "b_perf")) continue;
    detach.clear();
    for (int i = 0; i < 5; i++) {
      l.attach();
      l.attach();
      detach.push_back(us([&] { l.detach(); }));
    }
    stats("  detach two links, one after the other", detach);
    detach.clear();
    for (int i = 0; i < 5; i++) {
      l.attach();
      l.attach();
      detach.push_back(us([&] {
        std::vector<std::thread> ts;
        for (bpf_link *k : l.links) ts.emplace_back([k] { bpf_link__destroy(k); });
        for (auto &t : ts) t.join();
        l.links.clear();
      }));
    }
    stats("  detach two links, in two threads", detach);
  }
}

void time_perf_events() {
  {
    LIBBPF_OPTS(bpf_prog_load_opts, popts);
    bpf_insn insns[] = {{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
                        {.code = BPF_JMP | BPF_EXIT, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0}};
    int prog = bpf_prog_load(BPF_PROG_TYPE_PERF_EVENT, "pe", "GPL", insns, 2, &popts);
    std::vector<double> attach, detach;
    for (int i = 0; i < 20; i++) {
      int fd = -1, link = -1;
      attach.push_back(us([&] {
        perf_event_attr attr = {};
        attr.type = PERF_TYPE_SOFTWARE;
        attr.size = sizeof attr;
        attr.config = PERF_COUNT_SW_CPU_CLOCK;
        attr.freq = 1;
        attr.sample_freq = 997;
        fd = static_cast<int>(syscall(SYS_perf_event_open, &attr, -1, i % 2, -1, PERF_FLAG_FD_CLOEXEC));
        link = bpf_link_create(prog, fd, BPF_PERF_EVENT, nullptr);
      }));
      detach.push_back(us([&] {
        close(link);
        close(fd);
      }));
    }
    stats("perf_event open + link on one CPU", attach);
    stats("  close", detach);
    close(prog);
  }
}

}  // namespace

int run_setup() {
  time_rings();
  time_hashes();
  time_grace_periods();
  time_loads();
  time_links();
  time_perf_events();
  return 0;
}

}  // namespace lab
