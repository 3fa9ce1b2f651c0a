// SPDX-License-Identifier: Apache-2.0
// Loads one of the limit programs, says "ready" when it is attached, and on SIGINT or SIGTERM detaches and prints what
// it counted: the tracer that bench/run holds ours against. Also the two services that bench/run cannot do itself:
// `limit prog-stats` (the kernel's accounting of run time per program) and `limit startup` (BEGIN { exit(0); }).
//
// What a reader would get wrong: the cost of a row is not measured here. It is measured by the traced thread.
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "limit_layout.h"

namespace {

struct Options {
  std::string dir;              ///< where the BPF objects lie
  uint64_t nr = 0;              ///< number of the traced system call
  uint32_t max_keys = 1 << 20;  ///< many_keys: room per CPU
  uint32_t ring_bytes = 4 << 20;
  std::string binary, symbol;  ///< uprobe rows
};

[[noreturn]] void fail(const char *what) {
  fprintf(stderr, "limit: %s: %s\n", what, strerror(errno));
  exit(1);
}

struct Objects {
  bpf_object *obj = nullptr;
  std::vector<bpf_link *> links;
  std::vector<int> fds;  ///< inner maps, one per CPU

  void create_per_cpu(bpf_map_type type, uint32_t key, uint32_t value, uint32_t entries) {
    for (int cpu = 0; cpu < libbpf_num_possible_cpus(); cpu++) {
      int fd = bpf_map_create(type, "inner", key, value, entries, nullptr);
      if (fd < 0) fail("inner map");
      fds.push_back(fd);
    }
  }
  bpf_map *map(const char *name) const {
    bpf_map *m = bpf_object__find_map_by_name(obj, name);
    if (!m) fail(name);
    return m;
  }
  int map_fd(const char *name) const { return bpf_map__fd(map(name)); }
  bpf_map *section(const char *suffix) const {
    for (bpf_map *m = bpf_object__next_map(obj, nullptr); m; m = bpf_object__next_map(obj, m)) {
      if (std::string_view(bpf_map__name(m)).ends_with(suffix)) return m;
    }
    fail(suffix);
  }
};

// ---- results -------------------------------------------------------------------------------------------------------

/// First variable of a section as the programs left it. (Without a skeleton, libbpf does not map a section after the
/// load: bpf_map__initial_value() stays what it says.)
template <typename T>
T first_global(const Objects &o, const char *section) {
  bpf_map *map = o.section(section);
  std::vector<char> value(bpf_map__value_size(map));
  uint32_t zero = 0;
  if (bpf_map_lookup_elem(bpf_map__fd(map), &zero, value.data())) fail(section);
  T v;
  memcpy(&v, value.data(), sizeof v);
  return v;
}

/// `lost` is the only variable of every object's .bss.
uint64_t lost(const Objects &o) { return first_global<uint64_t>(o, ".bss"); }

void print_total(const Objects &o) {
  std::vector<uint64_t> values(libbpf_num_possible_cpus());
  uint32_t zero = 0;
  bpf_map_lookup_elem(o.map_fd("total"), &zero, values.data());
  uint64_t sum = 0;
  for (uint64_t v : values) sum += v;
  printf("total %llu\n", static_cast<unsigned long long>(sum));
}

void print_histogram(const Objects &o) {
  std::vector<quantize_value> values(libbpf_num_possible_cpus());
  uint32_t zero = 0;
  bpf_map_lookup_elem(o.map_fd("histogram"), &zero, values.data());
  uint64_t sum = 0;
  for (const quantize_value &v : values) {
    for (uint64_t n : v.buckets) sum += n;
  }
  printf("total %llu\n", static_cast<unsigned long long>(sum));
}

/// Sum over all elements of a map of counts, whatever its keys.
uint64_t sum_of(const bpf_map *map) {
  bool percpu = bpf_map__type(map) == BPF_MAP_TYPE_PERCPU_HASH;
  size_t per_key = percpu ? libbpf_num_possible_cpus() : 1;
  uint32_t count = bpf_map__max_entries(map);
  std::vector<char> keys(static_cast<size_t>(count) * bpf_map__key_size(map));
  std::vector<uint64_t> values(count * per_key);
  uint64_t out = 0;
  int err = bpf_map_lookup_batch(bpf_map__fd(map), nullptr, &out, keys.data(), values.data(), &count, nullptr);
  if (err && err != -ENOENT) fail("lookup_batch");
  uint64_t sum = 0;
  for (size_t i = 0; i < count * per_key; i++) sum += values[i];
  return sum;
}

template <typename... Names>
void print_sums(const Objects &o, Names... names) {
  printf("total %llu\n", static_cast<unsigned long long>((sum_of(o.map(names)) + ...)));
}

/// Drains one hash per CPU, merges, sorts by value and prints: what @[arg0] = count() prints at exit.
void print_many_keys(const Objects &o, uint32_t max_keys) {
  using Pair = std::pair<uint64_t, uint64_t>;
  std::vector<Pair> all;
  std::vector<uint64_t> keys(65536), values(65536);
  for (int fd : o.fds) {
    uint64_t in = 0, out = 0;
    bool first = true;
    for (;;) {
      uint32_t count = std::min<uint32_t>(keys.size(), max_keys);
      int err = bpf_map_lookup_batch(fd, first ? nullptr : &in, &out, keys.data(), values.data(), &count, nullptr);
      if (err && err != -ENOENT) fail("lookup_batch");
      for (uint32_t i = 0; i < count; i++) all.emplace_back(keys[i], values[i]);
      if (err) break;
      in = out;
      first = false;
    }
  }
  std::sort(all.begin(), all.end());
  size_t n = 0;
  for (size_t i = 0; i < all.size(); i++) {
    if (n && all[n - 1].first == all[i].first)
      all[n - 1].second += all[i].second;
    else
      all[n++] = all[i];
  }
  all.resize(n);
  std::sort(all.begin(), all.end(), [](const Pair &a, const Pair &b) {
    return a.second != b.second ? a.second < b.second : a.first < b.first;
  });
  for (const Pair &p : all) {
    printf("  %16llu %16llu\n", static_cast<unsigned long long>(p.first), static_cast<unsigned long long>(p.second));
  }
}

// ---- set-up of the rows that need more than a load and an attach ----------------------------------------------------

void fill_per_cpu(const Objects &o, const char *outer) {
  for (uint32_t cpu = 0; cpu < o.fds.size(); cpu++) {
    if (bpf_map_update_elem(o.map_fd(outer), &cpu, &o.fds[cpu], 0)) fail(outer);
  }
}

struct Printer {
  std::thread thread;
  std::atomic<bool> stop{false};
};

int print_record(void *, void *data, size_t) {
  const auto *rec = static_cast<const printf_record *>(data);
  printf("%d %d %d\n", rec->pid, rec->tid, static_cast<int>(rec->arg0));
  return 0;
}

void start_printer(Objects &o, Printer &printer) {
  ring_buffer *rings = nullptr;
  for (int fd : o.fds) {
    if (!rings)
      rings = ring_buffer__new(fd, print_record, nullptr, nullptr);
    else
      ring_buffer__add(rings, fd, print_record, nullptr);
  }
  if (!rings) fail("ring_buffer__new");
  printer.thread = std::thread([&printer, rings] {
    while (!printer.stop) {
      ring_buffer__poll(rings, 100);
      // Rest, so that the next record after the drain wakes nobody while more are coming.
      usleep(5000);
    }
    ring_buffer__consume(rings);
    ring_buffer__free(rings);
  });
}

void attach_profile(Objects &o, bpf_program *prog) {
  for (int cpu = 0; cpu < libbpf_num_possible_cpus(); cpu++) {
    perf_event_attr attr = {};
    attr.type = PERF_TYPE_SOFTWARE;
    attr.size = sizeof attr;
    attr.config = PERF_COUNT_SW_CPU_CLOCK;
    attr.freq = 1;
    attr.sample_freq = 997;
    int fd = static_cast<int>(syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC));
    if (fd < 0) {
      if (errno == ENODEV) continue;  // possible, but not online
      fail("perf_event_open");
    }
    bpf_link *link = bpf_program__attach_perf_event(prog, fd);
    if (!link) fail("attach_perf_event");
    o.links.push_back(link);
  }
}

void attach_uprobe(Objects &o, bpf_program *prog, const Options &options) {
  const char *symbol = options.symbol.c_str();
  LIBBPF_OPTS(bpf_uprobe_multi_opts, opts, .syms = &symbol, .cnt = 1);
  opts.retprobe = std::string_view(bpf_program__section_name(prog)).starts_with("uret");
  bpf_link *link = bpf_program__attach_uprobe_multi(prog, -1, options.binary.c_str(), nullptr, &opts);
  if (!link) fail("attach_uprobe_multi");
  o.links.push_back(link);
}

void attach_usdt(Objects &o, bpf_program *prog, const Options &options) {
  const size_t colon = options.symbol.find(':');
  if (colon == std::string::npos) fail("--symbol PROVIDER:NAME");
  const std::string provider = options.symbol.substr(0, colon), name = options.symbol.substr(colon + 1);
  bpf_link *link = bpf_program__attach_usdt(prog, -1, options.binary.c_str(), provider.c_str(), name.c_str(), nullptr);
  if (!link) fail("attach_usdt");
  o.links.push_back(link);
}

// ---- the rows ------------------------------------------------------------------------------------------------------

enum class Result { Total, Histogram, Keys, ManyKeys, Records, Text };

struct Row {
  const char *name;
  const char *object;
  std::vector<const char *> programs;
  Result result;
  const char *map;  ///< Result::Keys: the map to add up
};

const Row kRows[] = {
    {"count", "count", {"count"}, Result::Total, nullptr},
    {"count_btf", "count", {"count_btf"}, Result::Total, nullptr},
    {"sum", "count", {"sum"}, Result::Total, nullptr},
    {"quantize", "count", {"quantize"}, Result::Histogram, nullptr},
    {"predicate", "count", {"predicate"}, Result::Total, nullptr},
    {"pid_probefunc", "keys", {"pid_probefunc"}, Result::Keys, "by_pid_probe"},
    {"execname", "keys", {"execname"}, Result::Keys, "by_name"},
    {"assoc", "keys", {"assoc"}, Result::Keys, "array"},
    {"many_keys", "keys", {"many_keys"}, Result::ManyKeys, nullptr},
    {"copyinstr", "keys", {"copyinstr"}, Result::Text, nullptr},
    {"latency", "latency", {"latency_entry", "latency_return"}, Result::Histogram, nullptr},
    {"stack", "stacks", {"stack"}, Result::Keys, "by_stack"},
    {"stack_perf", "stacks", {"stack_perf"}, Result::Keys, "by_stack"},
    {"ustack", "stacks", {"ustack"}, Result::Keys, "by_stack"},
    {"both_stacks", "stacks", {"both"}, Result::Keys, "by_both"},
    {"printf3", "records", {"printf3"}, Result::Records, nullptr},
    {"profile", "keys", {"profile"}, Result::Keys, "by_name"},
    {"profile_nothing", "keys", {"profile_nothing"}, Result::Keys, "by_name"},
    {"uprobe_count", "uprobe", {"uprobe_count"}, Result::Total, nullptr},
    {"usdt_count", "usdt", {"usdt_count"}, Result::Total, nullptr},
    {"sysinfo", "stable", {"sysinfo"}, Result::Total, nullptr},
    {"sysinfo_nothing", "stable", {"sysinfo_nothing"}, Result::Total, nullptr},
    {"vminfo", "stable", {"vminfo_user", "vminfo_kernel"}, Result::Total, nullptr},
    {"vminfo_nothing", "stable", {"vminfo_nothing"}, Result::Total, nullptr},
    {"proc", "stable", {"proc"}, Result::Keys, "by_number"},
    {"proc_nothing", "stable", {"proc_nothing"}, Result::Total, nullptr},
    {"sched", "stable", {"sched"}, Result::Keys, "by_number"},
    {"sched_nothing", "stable", {"sched_nothing"}, Result::Total, nullptr},
    {"io", "stable", {"io_request", "io_bio"}, Result::Total, nullptr},
    {"io_nothing", "stable", {"io_nothing"}, Result::Total, nullptr},
    {"tcp", "stable", {"tcp"}, Result::Keys, "by_number"},
    {"tcp_nothing", "stable", {"tcp_nothing"}, Result::Total, nullptr},
    {"lockstat", "stable", {"lockstat_begin", "lockstat_end"}, Result::Histogram, nullptr},
    {"lockstat_nothing", "stable", {"lockstat_nothing"}, Result::Total, nullptr},
    {"uprobe_latency", "uprobe", {"uprobe_entry", "uprobe_return"}, Result::Histogram, nullptr},
};

/// Opens the object with only the row's programs and the maps they use; sets the number of the traced call.
Objects open_row(const Row &row, const Options &options) {
  Objects o;
  o.obj = bpf_object__open_file((options.dir + "/" + row.object + ".bpf.o").c_str(), nullptr);
  if (!o.obj) fail(row.object);
  for (bpf_program *p = bpf_object__next_program(o.obj, nullptr); p; p = bpf_object__next_program(o.obj, p)) {
    std::string_view name = bpf_program__name(p);
    bpf_program__set_autoload(p, std::find(row.programs.begin(), row.programs.end(), name) != row.programs.end());
  }
  size_t size;
  *static_cast<uint64_t *>(bpf_map__initial_value(o.section(".rodata"), &size)) = options.nr;
  for (const char *outer : {"many", "rings"}) {
    bpf_map *m = bpf_object__find_map_by_name(o.obj, outer);
    if (!m) continue;
    bpf_map__set_max_entries(m, libbpf_num_possible_cpus());
    if (row.result != Result::ManyKeys && row.result != Result::Records) {
      bpf_map__set_autocreate(m, false);
      continue;
    }
    // The inner maps' size is an option, so the pattern they must match is one of them.
    if (row.result == Result::ManyKeys)
      o.create_per_cpu(BPF_MAP_TYPE_HASH, 8, 8, options.max_keys);
    else
      o.create_per_cpu(BPF_MAP_TYPE_RINGBUF, 0, 0, options.ring_bytes);
    if (bpf_map__set_inner_map_fd(m, o.fds[0])) fail(outer);
  }
  return o;
}

void attach_row(Objects &o, const Options &options) {
  for (bpf_program *p = bpf_object__next_program(o.obj, nullptr); p; p = bpf_object__next_program(o.obj, p)) {
    if (!bpf_program__autoload(p)) continue;
    if (bpf_program__type(p) == BPF_PROG_TYPE_PERF_EVENT) {
      attach_profile(o, p);
    } else if (strcmp(bpf_program__section_name(p), "usdt") == 0) {
      attach_usdt(o, p, options);
    } else if (strstr(bpf_program__section_name(p), "probe.multi")) {
      attach_uprobe(o, p, options);
    } else {
      bpf_link *link = bpf_program__attach(p);
      if (!link) fail("attach");
      o.links.push_back(link);
    }
  }
}

int run_row(const Row &row, const Options &options) {
  static char out_buffer[1 << 16];
  setvbuf(stdout, out_buffer, _IOFBF, sizeof out_buffer);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, nullptr);

  Objects o = open_row(row, options);
  if (bpf_object__load(o.obj)) fail("load");
  Printer printer;
  if (row.result == Result::ManyKeys) fill_per_cpu(o, "many");
  if (row.result == Result::Records) fill_per_cpu(o, "rings");
  attach_row(o, options);
  printf("ready\n");
  fflush(stdout);
  if (row.result == Result::Records) start_printer(o, printer);

  int signal;
  sigwait(&signals, &signal);
  for (bpf_link *link : o.links) bpf_link__destroy(link);
  if (printer.thread.joinable()) {
    printer.stop = true;
    printer.thread.join();
  }
  switch (row.result) {
    case Result::Total:
      print_total(o);
      break;
    case Result::Histogram:
      print_histogram(o);
      break;
    case Result::Keys:
      print_sums(o, row.map);
      break;
    case Result::Text:
      print_sums(o, "by_text16", "by_text32", "by_text64", "by_text256");
      break;
    case Result::ManyKeys:
      print_many_keys(o, options.max_keys);
      break;
    case Result::Records:
      break;
  }
  fflush(stdout);
  if (uint64_t n = lost(o)) fprintf(stderr, "lost %llu\n", static_cast<unsigned long long>(n));
  // The kernel closes what is left: that is what a tool in a hurry does.
  fflush(stderr);
  _exit(0);
}

int run_startup(const Options &options) {
  bpf_object *obj = bpf_object__open_file((options.dir + "/startup.bpf.o").c_str(), nullptr);
  if (!obj || bpf_object__load(obj)) fail("startup");
  LIBBPF_OPTS(bpf_test_run_opts, run);
  int fd = bpf_program__fd(bpf_object__find_program_by_name(obj, "begin"));
  if (bpf_prog_test_run_opts(fd, &run)) fail("test_run");
  _exit(first_global<int>(Objects{obj, {}, {}}, ".data"));
}

/// One line per loaded program for each line read: "id type count ns", then an empty line.
int run_prog_stats() {
  int enabled = bpf_enable_stats(BPF_STATS_RUN_TIME);
  if (enabled < 0) fail("bpf_enable_stats");
  char line[64];
  printf("ready\n");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin)) {
    uint32_t id = 0;
    while (!bpf_prog_get_next_id(id, &id)) {
      int fd = bpf_prog_get_fd_by_id(id);
      if (fd < 0) continue;
      bpf_prog_info info = {};
      uint32_t len = sizeof info;
      if (!bpf_obj_get_info_by_fd(fd, &info, &len)) {
        printf("%u %u %llu %llu\n", id, info.type, info.run_cnt, info.run_time_ns);
      }
      close(fd);
    }
    printf("\n");
    fflush(stdout);
  }
  return 0;
}

std::string own_directory() {
  char path[4096];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  if (n < 0) fail("/proc/self/exe");
  std::string dir(path, n);
  return dir.substr(0, dir.rfind('/'));
}

int usage() {
  fprintf(stderr,
          "usage: limit ROW [--nr N] [--max-keys N] [--ring-bytes N] [--binary PATH --symbol NAME]\n"
          "       limit startup | prog-stats\nrows:");
  for (const Row &row : kRows) fprintf(stderr, " %s", row.name);
  fprintf(stderr, "\n");
  return 2;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 2) return usage();
  Options options;
  options.dir = own_directory();
  for (int i = 2; i + 1 < argc; i += 2) {
    std::string_view name = argv[i];
    if (name == "--nr")
      options.nr = strtoull(argv[i + 1], nullptr, 0);
    else if (name == "--max-keys")
      options.max_keys = strtoul(argv[i + 1], nullptr, 0);
    else if (name == "--ring-bytes")
      options.ring_bytes = strtoul(argv[i + 1], nullptr, 0);
    else if (name == "--binary")
      options.binary = argv[i + 1];
    else if (name == "--symbol")
      options.symbol = argv[i + 1];
    else
      return usage();
  }
  std::string_view row = argv[1];
  if (row == "startup") return run_startup(options);
  if (row == "prog-stats") return run_prog_stats();
  for (const Row &r : kRows) {
    if (row == r.name) return run_row(r, options);
  }
  return usage();
}
