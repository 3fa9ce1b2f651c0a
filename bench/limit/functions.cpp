// SPDX-License-Identifier: Apache-2.0
// What it costs to probe every kernel function and to let go of it again, done by hand: the table of addresses is read,
// each function gets a cookie, and the links are made, kept for a second and removed. Prints the times.
//
//     functions FOLDER-OF-OBJECTS [entry | return | both]
//
// For kernels with kprobe_multi (in a virtual machine: test/vm/run); the same in D is fbt:::entry { @ = count(); },
// with `both` fbt::: { @ = count(); }.
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/resource.h>
#include <unistd.h>

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
