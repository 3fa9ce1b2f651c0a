// SPDX-License-Identifier: Apache-2.0
// What it costs to attach to every kernel function and to detach again, done by hand: the table of addresses is read,
// each function gets a cookie, and the links are made, kept for a second and removed. Prints the times.
//
//     functions FOLDER-OF-OBJECTS [entry | return | both] [apart]
//
// With `apart` the program could tell the functions apart, as D's can: by cookies, which the kernel finds by where a
// function begins, and no longer where the tracer's call is.
//
// For kernels with kprobe_multi (in a virtual machine: test/vm/run); the same in D is fbt:::entry { @ = count(); },
// with `both` fbt::: { @ = count(); }.
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

long milliseconds_since(Clock::time_point start) {
  return static_cast<long>(std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count());
}

[[noreturn]] void fail(const char *what) {
  fprintf(stderr, "functions: %s: %s\n", what, strerror(errno));
  exit(1);
}

/// From the tracer's calls to where functions begin: a landing mark before the call is the beginning.
void move_to_begin(bpf_object *object, std::vector<unsigned long> &addresses) {
  bpf_map *map = bpf_object__find_map_by_name(object, ".bss");
  const size_t bytes = bpf_map__value_size(map);
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);
  if (memory == MAP_FAILED || bytes < (addresses.size() + 1) * sizeof(uint64_t)) fail("table");
  auto *words = static_cast<uint64_t *>(memory);
  std::copy(addresses.begin(), addresses.end(), words + 1);
  char packet[64] = {};
  LIBBPF_OPTS(bpf_test_run_opts, run, .data_in = packet, .data_size_in = sizeof packet,
              .repeat = static_cast<int>(addresses.size()));
  if (bpf_prog_test_run_opts(bpf_program__fd(bpf_object__find_program_by_name(object, "marks")), &run) != 0)
    fail("run");
  for (size_t i = 0; i < addresses.size(); i++)
    if (words[i + 1] == 0xfa1e0ff3 || words[i + 1] == 0xd6401f0f || words[i + 1] == 0x001f0f66) addresses[i] -= 4;
}

}  // namespace

int main(int argc, char **argv) {
  const std::string dir = argc > 1 ? argv[1] : ".", mode = argc > 2 ? argv[2] : "entry";
  const Clock::time_point start = Clock::now();
  bpf_object *object = bpf_object__open_file((dir + "/functions.bpf.o").c_str(), nullptr);
  if (object == nullptr || bpf_object__load(object) != 0) fail("load");

  std::vector<unsigned long> addresses;
  std::vector<__u64> cookies;
  std::ifstream list("/sys/kernel/tracing/available_filter_functions_addrs");
  for (std::string line; std::getline(list, line);) {
    addresses.push_back(strtoul(line.c_str(), nullptr, 16));
    cookies.push_back(cookies.size());
  }
  if (argc > 3 && strcmp(argv[3], "apart") == 0) move_to_begin(object, addresses);
  std::vector<bpf_link *> links;
  for (const bool at_return : {false, true}) {
    if (mode != "both" && mode != (at_return ? "return" : "entry")) continue;
    LIBBPF_OPTS(bpf_kprobe_multi_opts, opts);
    opts.addrs = addresses.data();
    opts.cookies = cookies.data();
    opts.cnt = addresses.size();
    opts.retprobe = at_return;
    bpf_program *program = bpf_object__find_program_by_name(object, "function");
    links.push_back(bpf_program__attach_kprobe_multi_opts(program, nullptr, &opts));
    if (links.back() == nullptr) fail("attach");
  }
  const long armed_ms = milliseconds_since(start);
  sleep(1);

  const Clock::time_point stop = Clock::now();
  for (bpf_link *link : links) bpf_link__destroy(link);
  const long disarmed_ms = milliseconds_since(stop);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  printf("%zu functions, %s: armed in %ld ms, disarmed in %ld ms, %ld KiB resident\n", addresses.size(), mode.c_str(),
         armed_ms, disarmed_ms, usage.ru_maxrss);
  bpf_object__close(object);
  return 0;
}
