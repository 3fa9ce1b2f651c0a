// SPDX-License-Identifier: Apache-2.0
// The lab: measures what single BPF operations cost on the running kernel, to decide what the code generator emits.
//
//   lab events [rounds=N] [CASE-PREFIX...]   ns per event of each program      (lab_events.cpp)
//   lab burst                                a million new keys, and a drain   (lab_setup.cpp)
//   lab setup                                creating, loading, attaching      (lab_setup.cpp)
//   lab placement [CASE]                     is luck decided by the load or by the attachment?
#include "lab.h"

#include <bpf/btf.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace lab {
namespace {

/// Where the BPF objects lie: beside the executable.
const std::string directory = [] {
  char path[4096];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path);
  std::string self(path, n > 0 ? n : 0);
  return self.substr(0, self.rfind('/'));
}();

// What the user-space reads of the programs find: a usual path.
alignas(64) char text[256] = "/tmp/some-file";

/// The object that holds a program, by the letter its name begins with.
const char *object_of(const std::string &prog) {
  if (prog.starts_with("c_") || prog.starts_with("burst_")) return "lab_keys.bpf.o";
  if (prog.starts_with("d_") || prog.starts_with("g_")) return "lab_records.bpf.o";
  return "lab_ops.bpf.o";
}

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

bpf_map *section_map(bpf_object *obj, const char *section) {
  for (bpf_map *m = bpf_object__next_map(obj, nullptr); m; m = bpf_object__next_map(obj, m)) {
    if (std::string_view(bpf_map__name(m)).ends_with(section)) return m;
  }
  fprintf(stderr, "no section %s\n", section);
  exit(1);
}

/// A global before the load.
template <typename T>
T &global(bpf_object *obj, const char *section, const char *name) {
  size_t size;
  void *start = bpf_map__initial_value(section_map(obj, section), &size);
  return *reinterpret_cast<T *>(static_cast<char *>(start) + global_offset(obj, section, name));
}

}  // namespace

double now_ns(clockid_t clock) {
  timespec ts;
  clock_gettime(clock, &ts);
  return static_cast<double>(ts.tv_sec) * 1e9 + static_cast<double>(ts.tv_nsec);
}

void pin(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

int ncpu() { return libbpf_num_possible_cpus(); }

double least_ns(int calls, int batches) {
  double best = 1e18;
  for (int b = 0; b < batches; b++) {
    double start = now_ns(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < calls; i++) syscall(kCall, 9999, text, 3);
    best = std::min(best, (now_ns(CLOCK_THREAD_CPUTIME_ID) - start) / calls);
  }
  return best;
}

Loaded::~Loaded() {
  detach();
  if (obj) bpf_object__close(obj);
}

void Loaded::detach() {
  for (bpf_link *l : links) bpf_link__destroy(l);
  links.clear();
}

bool Loaded::load(const std::string &prog) {
  obj = bpf_object__open_file((directory + "/" + object_of(prog)).c_str(), nullptr);
  if (!obj) return false;
  for (bpf_program *p = bpf_object__next_program(obj, nullptr); p; p = bpf_object__next_program(obj, p)) {
    bpf_program__set_autoload(p, prog == bpf_program__name(p));
  }
  for (bpf_map *m = bpf_object__next_map(obj, nullptr); m; m = bpf_object__next_map(obj, m)) {
    // The maps of a million keys are made only for their own program.
    std::string_view name = bpf_map__name(m);
    if (name.starts_with("burst_") && name != prog + "_keys") bpf_map__set_autocreate(m, false);
  }
  global<uint64_t>(obj, ".rodata", "wanted_nr") = kCall;
  global<uint32_t>(obj, ".rodata", "nr_cpus") = ncpu();
  global<uint64_t>(obj, ".rodata", "user_address") = reinterpret_cast<uint64_t>(text);
  (&global<uint8_t>(obj, ".rodata", "is_wanted"))[kCall] = 1;
  global<uint64_t>(obj, ".bss", "state") = 1;
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

uint64_t read_global(Loaded &l, const char *name) {
  bpf_map *map = section_map(l.obj, ".bss");
  std::vector<char> value(bpf_map__value_size(map));
  uint32_t zero = 0;
  bpf_map_lookup_elem(bpf_map__fd(map), &zero, value.data());
  uint64_t v;
  memcpy(&v, value.data() + global_offset(l.obj, ".bss", name), sizeof v);
  return v;
}

void fill_aom(Loaded &l, const char *name, bpf_map_type type, uint32_t flags, int key, int value, int entries,
              int slots) {
  for (int i = 0; i < slots; i++) {
    LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = flags);
    int fd = bpf_map_create(type, "inner", key, value, entries, &opts);
    if (fd < 0 || bpf_map_update_elem(l.map_fd(name), &i, &fd, 0)) perror("inner map");
    close(fd);
  }
}

int run_placement(const char *name) {
  pin(1);
  for (int i = 0; i < 8; i++) {
    Loaded l;
    if (!l.load(name)) return 1;
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

}  // namespace lab

int main(int argc, char **argv) {
  std::string mode = argc > 1 ? argv[1] : "";
  libbpf_set_print([](libbpf_print_level level, const char *format, va_list args) {
    return level == LIBBPF_WARN ? vfprintf(stderr, format, args) : 0;
  });
  if (mode == "burst") return lab::run_burst();
  if (mode == "setup") return lab::run_setup();
  if (mode == "placement") return lab::run_placement(argc > 2 ? argv[2] : "b_raw");
  if (mode == "events") {
    int rounds = 5;
    std::vector<std::string> prefixes;
    for (int i = 2; i < argc; i++) {
      if (!strncmp(argv[i], "rounds=", 7))
        rounds = atoi(argv[i] + 7);
      else
        prefixes.emplace_back(argv[i]);
    }
    return lab::run_events(prefixes, rounds);
  }
  fprintf(stderr, "usage: lab events [rounds=N] [CASE-PREFIX...] | burst | setup | placement [CASE]\n");
  return 2;
}
