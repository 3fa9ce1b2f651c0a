// SPDX-License-Identifier: Apache-2.0
// Measures what single BPF operations cost on the running kernel: the programs of lab.bpf.c, one at a time, each
// attached around a loop of one cheap system call in this very process.
//
// A figure is the traced thread's own CPU time per call, least of many short batches, minus the same of the bare
// loop. Where a program repeats its operation, the last column is (figure - figure of the base case) / repetitions.
// Rounds are interleaved over all cases, so a slow minute of the machine does not fall on one case.
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr long kCall = SYS_sched_get_priority_max;
constexpr int kRep = 16;

double now_ns(clockid_t clock) {
  timespec ts;
  clock_gettime(clock, &ts);
  return ts.tv_sec * 1e9 + ts.tv_nsec;
}

void pin(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

alignas(64) char buffer[256] = "/tmp/some-file";

/// Least ns per call over `batches` batches of `calls` calls.
double least_ns(int calls, int batches) {
  double best = 1e18;
  for (int b = 0; b < batches; b++) {
    double start = now_ns(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < calls; i++) syscall(kCall, 9999, buffer, 3);
    best = std::min(best, (now_ns(CLOCK_THREAD_CPUTIME_ID) - start) / calls);
  }
  return best;
}

const char *object_path;

int ncpu() { return libbpf_num_possible_cpus(); }

/// A loaded object with only `progs` in it.
struct Loaded {
  bpf_object *obj = nullptr;
  std::vector<bpf_link *> links;
  Loaded() = default;
  Loaded(const Loaded &) = delete;
  Loaded &operator=(const Loaded &) = delete;
  ~Loaded() {
    detach();
    if (obj) bpf_object__close(obj);
  }
  void detach() {
    for (bpf_link *l : links) bpf_link__destroy(l);
    links.clear();
  }
  bool load(const std::vector<std::string> &progs);
  bool attach();
  int map_fd(const char *name) { return bpf_object__find_map_fd_by_name(obj, name); }
  template <typename T>
  T *section_data(const char *section, size_t offset) {
    for (bpf_map *m = bpf_object__next_map(obj, nullptr); m; m = bpf_object__next_map(obj, m)) {
      if (strstr(bpf_map__name(m), section)) {
        size_t size;
        return reinterpret_cast<T *>(static_cast<char *>(bpf_map__initial_value(m, &size)) + offset);
      }
    }
    return nullptr;
  }
};

/// Offset of a global in its section, from the object's BTF.
size_t global_offset(bpf_object *obj, const char *section, const char *name) {
  const btf *b = bpf_object__btf(obj);
  int id = btf__find_by_name_kind(b, section, BTF_KIND_DATASEC);
  const btf_type *t = btf__type_by_id(b, id);
  const btf_var_secinfo *v = btf_var_secinfos(t);
  for (int i = 0; i < btf_vlen(t); i++) {
    const btf_type *var = btf__type_by_id(b, v[i].type);
    if (!strcmp(btf__name_by_offset(b, var->name_off), name)) return v[i].offset;
  }
  fprintf(stderr, "no global %s in %s\n", name, section);
  exit(1);
}

/// A global as the programs left it. (Without a skeleton, libbpf does not map the section after the load.)
uint64_t read_global(Loaded &l, const char *name) {
  for (bpf_map *m = bpf_object__next_map(l.obj, nullptr); m; m = bpf_object__next_map(l.obj, m)) {
    if (!strstr(bpf_map__name(m), ".bss")) continue;
    std::vector<char> value(bpf_map__value_size(m));
    int zero = 0;
    bpf_map_lookup_elem(bpf_map__fd(m), &zero, value.data());
    uint64_t v;
    memcpy(&v, value.data() + global_offset(l.obj, ".bss", name), sizeof v);
    return v;
  }
  return 0;
}

/// A global before the load.
template <typename T>
T &global(Loaded &l, const char *section, const char *name) {
  return *l.section_data<T>(section, global_offset(l.obj, section, name));
}

bool Loaded::load(const std::vector<std::string> &progs) {
  obj = bpf_object__open_file(object_path, nullptr);
  if (!obj) return false;
  for (bpf_program *p = bpf_object__next_program(obj, nullptr); p; p = bpf_object__next_program(obj, p)) {
    bool wanted = std::find(progs.begin(), progs.end(), bpf_program__name(p)) != progs.end();
    bpf_program__set_autoload(p, wanted);
  }
  for (bpf_map *m = bpf_object__next_map(obj, nullptr); m; m = bpf_object__next_map(obj, m)) {
    std::string name = bpf_map__name(m);
    bool big = name.starts_with("burst_");
    for (const auto &p : progs) {
      if (big && p.starts_with("burst_")) {
        std::string kind = name.substr(6);
        big = !((kind == "hp" && p == "burst_hash_prealloc") || (kind == "hn" && p == "burst_hash_noprealloc") ||
                (kind == "pp" && p == "burst_percpu_prealloc") || (kind == "pn" && p == "burst_percpu_noprealloc") ||
                (kind == "lru" && p == "burst_lru_hash"));
      }
    }
    if (big) bpf_map__set_autocreate(m, false);
  }
  global<uint64_t>(*this, ".rodata", "wanted_nr") = kCall;
  global<uint32_t>(*this, ".rodata", "nr_cpus") = ncpu();
  global<uint64_t>(*this, ".rodata", "user_address") = reinterpret_cast<uint64_t>(buffer);
  (&global<uint8_t>(*this, ".rodata", "is_wanted"))[kCall] = 1;
  global<uint64_t>(*this, ".bss", "state") = 1;
  return bpf_object__load(obj) == 0;
}

bool Loaded::attach() {
  for (bpf_program *p = bpf_object__next_program(obj, nullptr); p; p = bpf_object__next_program(obj, p)) {
    if (!bpf_program__autoload(p)) continue;
    bpf_link *l = bpf_program__attach(p);
    if (!l) return false;
    links.push_back(l);
  }
  return true;
}

/// Fills the map of maps: one inner map per slot.
void fill_aom(Loaded &l, const char *name, bpf_map_type type, uint32_t flags, int key, int value, int entries, int slots) {
  for (int i = 0; i < slots; i++) {
    LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = flags);
    int fd = bpf_map_create(type, "inner", key, value, entries, &opts);
    if (fd < 0 || bpf_map_update_elem(l.map_fd(name), &i, &fd, 0)) perror("inner map");
    close(fd);
  }
}

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
  for (const char *n : {"a_ktime", "a_ktime_boot", "a_task_btf", "a_task", "a_pid_tgid", "a_task_btf_pid",
                        "a_uid_gid", "a_smp_id", "a_numa", "a_prandom", "a_comm", "a_comm_btf", "a_probe_read8",
                        "a_probe_read64", "a_probe_read_user8", "a_probe_read_user_str14", "a_probe_read_user128", "a_pcpu_lookup", "a_arr_lookup", "a_add_plain",
                        "a_add_atomic", "a_cmpxchg", "a_subprog"})
    rep(n, "a_nothing");
  rep("a_tp_nothing", "");
  rep("a_direct8", "a_tp_nothing");
  for (const char *n :
       {"b_raw", "b_btf", "b_perf", "b_raw_table", "b_raw_table_state", "b_btf_table_state", "b_raw_global",
        "b_raw_atomic", "b_raw_untraced", "b_btf_untraced", "b_perf_untraced", "b_raw_exit_untraced", "b_btf_exit_nr",
        "b_raw_exit_nr", "b_btf_arg0", "b_raw_arg0", "c_4_percpu_prealloc", "c_4_percpu_noprealloc", "c_4_hash_atomic",
        "c_4_lru_atomic", "c_20_key_only", "c_20_percpu_prealloc", "c_20_percpu_noprealloc", "c_20_hash_atomic",
        "c_20_lru_atomic", "c_20_percpu_lru", "c_20_percpu_btfcomm", "c_20_two_banks_if", "c_168_percpu_prealloc",
        "c_168_percpu_noprealloc", "c_168_hash_atomic"})
    rep(n, "");
  auto with = [&](const char *n, const char *label, std::function<void(Loaded &, Consumer &)> f) {
    all.push_back({n, label, "", std::move(f)});
  };
  int slots = 2 * ncpu();
  with("c_4_aom_plain", "", [=](Loaded &l, Consumer &) { fill_aom(l, "c4_aom", BPF_MAP_TYPE_HASH, 0, 4, 8, 10240, slots); });
  for (const char *n : {"c_20_aom_plain", "c_20_aom_atomic"})
    with(n, "", [=](Loaded &l, Consumer &) { fill_aom(l, "c20_aom", BPF_MAP_TYPE_HASH, 0, 20, 8, 10240, slots); });
  with("c_20_aom_noprealloc", "", [=](Loaded &l, Consumer &) {
    fill_aom(l, "c20_aomn", BPF_MAP_TYPE_HASH, BPF_F_NO_PREALLOC, 20, 8, 10240, slots);
  });
  with("c_20_banks_of_percpu", "", [=](Loaded &l, Consumer &) {
    fill_aom(l, "c20_banks", BPF_MAP_TYPE_PERCPU_HASH, 0, 20, 8, 10240, 2);
  });
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
  for (const char *n : {"g_stack_get_only", "g_stack_key160", "g_stack_id", "g_stack_id_fast", "g_stack_ownhash", "g_ustack_get_only",
                        "g_ustack_key800", "g_ustack_id", "g_ustack_id_fast", "g_ustack_ownhash", "h_percpu_unclaimed",
                        "h_percpu_plain", "h_percpu_cmpxchg", "h_percpu_xchg_release", "h_array_cmpxchg"})
    rep(n, "");
  return all;
}

double deep(int depth, const std::function<double()> &f) {
  // A user stack of some depth, as real programs have; the volatile keeps the frames.
  volatile int keep = depth;
  double r = depth ? deep(depth - 1, f) : f();
  return r + (keep - depth);
}

int run_events(const std::vector<std::string> &filters, int rounds) {
  std::map<std::string, double> best;
  std::map<std::string, std::vector<double>> seen;
  std::map<std::string, uint64_t> losses;
  std::vector<Case> all = cases();
  auto wanted = [&](const std::string &name) {
    if (filters.empty()) return true;
    for (const auto &f : filters)
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
      if (!l.load({c.name})) {
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

// ---- c. bursts of new keys, and draining them ----

double ms_since(double start) { return (now_ns(CLOCK_MONOTONIC) - start) / 1e6; }

template <typename Fn>
double timed(Fn f) {
  double start = now_ns(CLOCK_MONOTONIC);
  f();
  return ms_since(start);
}

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
    int err = del ? bpf_map_lookup_and_delete_batch(fd, first ? nullptr : &in, &out, keys.data(), values.data(), &count, nullptr)
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
  d.ms = ms_since(start);
  return d;
}

int run_burst() {
  struct {
    const char *prog, *map;
    bool percpu;
  } kinds[] = {{"burst_hash_prealloc", "burst_hp", false},
               {"burst_hash_noprealloc", "burst_hn", false},
               {"burst_percpu_prealloc", "burst_pp", true},
               {"burst_percpu_noprealloc", "burst_pn", true},
               {"burst_lru_hash", "burst_lru", false}};
  pin(1);
  for (auto &k : kinds) {
    Loaded l;
    double load = timed([&] { l.load({k.prog}); });
    l.attach();
    int fd = l.map_fd(k.map);
    constexpr int kKeys = 1000000;
    for (int round = 0; round < 2; round++) {
      uint64_t lost_before = read_global(l, "lost");
      double cpu = now_ns(CLOCK_THREAD_CPUTIME_ID);
      double wall = timed([] {
        for (long i = 0; i < kKeys; i++) syscall(kCall, 1000000 + i, 0, 0);
      });
      cpu = (now_ns(CLOCK_THREAD_CPUTIME_ID) - cpu) / kKeys;
      double again = now_ns(CLOCK_THREAD_CPUTIME_ID);
      for (long i = 0; i < kKeys; i++) syscall(kCall, 1000000 + i, 0, 0);
      again = (now_ns(CLOCK_THREAD_CPUTIME_ID) - again) / kKeys;
      uint64_t lost_first = read_global(l, "lost") - lost_before;
      Drained look = drain(fd, k.percpu, false, 65536);
      Drained del = drain(fd, k.percpu, true, 65536);
      printf("%-26s load %6.1f ms  insert %6.1f ns/key (%.0f ms)  hit %6.1f ns  lost %llu  lookup_batch %6.1f ms (%zu keys)"
             "  lookup_and_delete_batch %6.1f ms (%zu keys, sum %llu)\n",
             k.prog, load, cpu, wall, again, static_cast<unsigned long long>(lost_first), look.ms, look.keys, del.ms, del.keys,
             static_cast<unsigned long long>(del.sum));
      fflush(stdout);
    }
    l.detach();
    bpf_object *obj = l.obj;
    l.obj = nullptr;
    double close_ms = timed([&] { bpf_object__close(obj); });
    printf("%-26s object close %.1f ms\n", "", close_ms);
  }
  return 0;
}

// ---- d/e. creation, load, attach ----

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
  printf("%-58s least %9.1f  median %9.1f  most %9.1f %s (n=%zu)\n", what, v.front(), v[v.size() / 2], v.back(), unit, v.size());
  fflush(stdout);
}

template <typename Fn>
std::vector<double> repeat(int n, Fn f) {
  std::vector<double> v;
  for (int i = 0; i < n; i++) v.push_back(f());
  return v;
}

double us(const std::function<void()> &f) { return timed(f) * 1000; }

int run_setup() {
  for (size_t size : {size_t{64} << 10, size_t{1} << 20, size_t{4} << 20, size_t{16} << 20}) {
    std::vector<double> create, map, close_us;
    long free_before = mem_free_kb(), free_after = 0, rss_before = rss_kb(), rss_after = 0;
    for (int i = 0; i < 10; i++) {
      int fd = -1;
      create.push_back(us([&] { fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "ring", 0, 0, size, nullptr); }));
      ring_buffer *rb = nullptr;
      map.push_back(us([&] { rb = ring_buffer__new(fd, on_record, nullptr, nullptr); }));
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
  struct {
    const char *name;
    bpf_map_type type;
    uint32_t flags;
    int entries;
  } hashes[] = {{"HASH prealloc 10240", BPF_MAP_TYPE_HASH, 0, 10240},
                {"HASH prealloc 131072", BPF_MAP_TYPE_HASH, 0, 131072},
                {"HASH prealloc 1048576", BPF_MAP_TYPE_HASH, 0, 1048576},
                {"HASH no-prealloc 10240", BPF_MAP_TYPE_HASH, BPF_F_NO_PREALLOC, 10240},
                {"HASH no-prealloc 1048576", BPF_MAP_TYPE_HASH, BPF_F_NO_PREALLOC, 1048576},
                {"PERCPU_HASH prealloc 10240", BPF_MAP_TYPE_PERCPU_HASH, 0, 10240},
                {"PERCPU_HASH prealloc 131072", BPF_MAP_TYPE_PERCPU_HASH, 0, 131072},
                {"PERCPU_HASH no-prealloc 1048576", BPF_MAP_TYPE_PERCPU_HASH, BPF_F_NO_PREALLOC, 1048576},
                {"PERCPU_ARRAY 1 of 8", BPF_MAP_TYPE_PERCPU_ARRAY, 0, 1}};
  for (auto &h : hashes) {
    std::vector<double> create, close_us;
    long before = mem_free_kb(), after = 0;
    for (int i = 0; i < 5; i++) {
      int fd = -1;
      LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = h.flags);
      int key = h.type == BPF_MAP_TYPE_PERCPU_ARRAY ? 4 : 20;
      create.push_back(us([&] { fd = bpf_map_create(h.type, "m", key, 8, h.entries, &opts); }));
      if (i == 0) after = mem_free_kb();
      close_us.push_back(us([&] { close(fd); }));
    }
    printf("%s (20-byte key): MemFree -%ld KiB\n", h.name, before - after);
    stats("  create", create);
    stats("  close", close_us);
  }

  // The wait in an update of an array of maps, quiet and with a program using it.
  {
    Loaded l;
    l.load({"c_20_aom_plain"});
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

  // Load.
  for (const char *name : {"b_raw", "b_btf", "b_perf", "c_20_percpu_prealloc", "d_percpu_watermark"}) {
    std::vector<double> open_us, load;
    for (int i = 0; i < 5; i++) {
      Loaded l;
      load.push_back(us([&] { l.load({name}); }));
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

  // Attach and detach.
  for (const char *name : {"b_raw", "b_btf", "b_perf"}) {
    std::vector<double> attach, detach;
    Loaded l;
    l.load({name});
    for (int i = 0; i < 10; i++) {
      attach.push_back(us([&] { l.attach(); }));
      detach.push_back(us([&] { l.detach(); }));
    }
    stats((std::string("attach ") + name).c_str(), attach);
    stats("  detach (destroy link)", detach);
    attach.clear();
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
  {
    Loaded l;
    l.load({"a_nothing"});
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
  return 0;
}

// Is the luck of a figure decided by the load (where the program lies) or by the attachment?
int run_placement(const char *name) {
  pin(1);
  for (int i = 0; i < 8; i++) {
    Loaded l;
    l.load({name});
    printf("load %d:", i);
    for (int k = 0; k < 6; k++) {
      l.attach();
      double ns = least_ns(3000, 20);
      double later = least_ns(3000, 20);
      l.detach();
      printf("  %6.1f %6.1f (bare %6.1f)", ns, later, least_ns(3000, 10));
    }
    printf("\n");
  }
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: lab lab.bpf.o events [rounds=N] [case-prefix...] | burst | setup\n");
    return 2;
  }
  object_path = argv[1];
  libbpf_set_print([](libbpf_print_level level, const char *format, va_list args) {
    return level == LIBBPF_WARN ? vfprintf(stderr, format, args) : 0;
  });
  std::string mode = argv[2];
  if (mode == "burst") return run_burst();
  if (mode == "setup") return run_setup();
  if (mode == "placement") return run_placement(argc > 3 ? argv[3] : "b_raw");
  int rounds = 5;
  std::vector<std::string> filters;
  for (int i = 3; i < argc; i++) {
    if (!strncmp(argv[i], "rounds=", 7))
      rounds = atoi(argv[i] + 7);
    else
      filters.emplace_back(argv[i]);
  }
  return run_events(filters, rounds);
}
