// SPDX-License-Identifier: Apache-2.0
// The traced program: does a known number of cheap system calls and says what each cost its own thread. It obeys lines
// on standard input and answers each with one line, so that a tracer can come and go between two batches:
//
//   batch KIND CALLS BATCHES   ns per call: least and median over the batches        -> "LEAST MEDIAN CALLS_DONE"
//   keys N FIRST               N calls with arg0 = FIRST, FIRST + 1, ...              -> "N NS_PER_CALL"
//   rate PER_SECOND SECONDS    calls in bursts of a millisecond's worth              -> "CALLS SECONDS"
//   rows PER_SECOND SECONDS    the same, with arguments as reads of several files have -> "CALLS SECONDS"
//   threads T N                T threads on all allowed CPUs, N calls each, no pause  -> "SENT SECONDS"
//   tick USEC                  a call every USEC microseconds until the next line     -> "CALLS"
//   spin MSEC                  computes on every CPU, without a system call           -> "MSEC"
//   pid                                                                              -> "PID"
//
// The traced call is sched_get_priority_max(arg0): next to free, fails for most arguments, and nobody else calls it, so
// counts are exact. The untraced call is sched_get_priority_min. KIND: traced; untraced; string, which is
// sethostname("/etc/ld.so.abc", -1), refused before the name is read; uprobe, a call of bench_target(); usdt, the probe
// bench:::step; loop, loop-probe and loop-enabled: the same loop bare, with the probe bench:::idle, which nobody should
// trace, and with the test whether it is enabled. Events of the stable providers: read, of a byte; fault, a page's
// first access; signal, one that is ignored; switch, to another thread and back; disk, a read of 4 KB of this program's
// file; connect, refused by this machine; lock, a pipe that two threads write to and read from at once.
//
// What a reader would get wrong: the time is CLOCK_THREAD_CPUTIME_ID. A preempted batch costs nothing; a tracer's
// consumer on another CPU is not in it.
#define _SDT_HAS_SEMAPHORES 1
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/sdt.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

extern "C" {
// The target of the uprobe rows. It must begin with a push, as most functions do: the kernel emulates that one, where
// it would single-step a move (15 times the cost).
int bench_target(int x);
#if defined(__x86_64__)
asm(".text\n.globl bench_target\n.type bench_target, @function\nbench_target:\n"
    "push %rbp\nmov %rsp, %rbp\nmov %edi, %eax\npop %rbp\nret\n.size bench_target, . - bench_target\n");
#else
__attribute__((noinline, used)) int bench_target(int x) {
  asm volatile("" : "+r"(x) : : "memory");
  return x;
}
#endif
}

// How many tracers each probe has; the kernel counts.
extern "C" {
__attribute__((section(".probes"))) volatile unsigned short bench_step_semaphore = 0;
__attribute__((section(".probes"))) volatile unsigned short bench_idle_semaphore = 0;
}

namespace {

constexpr long kTraced = SYS_sched_get_priority_max;
constexpr long kUntraced = SYS_sched_get_priority_min;
// 14 characters: a usual path.
alignas(64) char text[256] = "/etc/ld.so.abc";

double now_ns(clockid_t clock) {
  timespec ts;
  clock_gettime(clock, &ts);
  return static_cast<double>(ts.tv_sec) * 1e9 + static_cast<double>(ts.tv_nsec);
}

template <typename Fn>
double cpu_ns_per_call(int calls, Fn call) {
  double start = now_ns(CLOCK_THREAD_CPUTIME_ID);
  for (int i = 0; i < calls; i++) call(i);
  return (now_ns(CLOCK_THREAD_CPUTIME_ID) - start) / calls;
}

void traced(long arg0) { syscall(kTraced, arg0, text, 0); }

// ---- events of the stable providers; a failed call leaves none, which the tracers' totals show
// -----------------------

double fault_pages(int calls) {
  constexpr size_t kPages = 64, kPageBytes = 4096;
  static char *pages = static_cast<char *>(
      mmap(nullptr, kPages * kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  madvise(pages, kPages * kPageBytes, MADV_NOHUGEPAGE);
  return cpu_ns_per_call(calls, [&](int i) {
    const size_t page = static_cast<size_t>(i) % kPages;
    if (page == 0) madvise(pages, kPages * kPageBytes, MADV_DONTNEED);
    *static_cast<volatile char *>(pages + page * kPageBytes) = 1;
  });
}

double switch_threads(int calls) {
  int there = eventfd(0, 0), back = eventfd(0, 0);
  std::thread other([&] {
    uint64_t n;
    for (int i = 0; i < calls; i++)
      if (read(there, &n, sizeof n) < 0 || write(back, &(n = 1), sizeof n) < 0) return;
  });
  const double ns = cpu_ns_per_call(calls, [&](int) {
    uint64_t n = 1;
    if (write(there, &n, sizeof n) < 0 || read(back, &n, sizeof n) < 0) abort();
  });
  other.join();
  close(there);
  close(back);
  return ns;
}

double read_disk(int calls) {
  static const int file = open("/proc/self/exe", O_RDONLY | O_DIRECT);
  alignas(4096) static char block[4096];
  return cpu_ns_per_call(calls, [](int) {
    if (pread(file, block, sizeof block, 0) < 0) abort();
  });
}

double connect_in_vain(int calls) {
  sockaddr_in discard = {};
  discard.sin_family = AF_INET;
  discard.sin_port = htons(9);
  discard.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return cpu_ns_per_call(calls, [&](int) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    (void)connect(fd, reinterpret_cast<sockaddr *>(&discard), sizeof discard);
    close(fd);
  });
}

double share_pipe(int calls) {
  int ends[2];
  if (pipe2(ends, O_NONBLOCK) != 0) abort();
  fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
  // So many bytes that the lock is held for microseconds.
  const auto use = [&ends](int) {
    char bytes[32768] = "";
    if (write(ends[1], bytes, sizeof bytes) < 0 || read(ends[0], bytes, sizeof bytes) < 0) return;
  };
  std::thread other([&] {
    cpu_set_t all;
    CPU_ZERO(&all);
    for (long i = 0; i < sysconf(_SC_NPROCESSORS_ONLN); i++) CPU_SET(i, &all);
    sched_setaffinity(0, sizeof all, &all);
    (void)cpu_ns_per_call(calls, use);
  });
  const double ns = cpu_ns_per_call(calls, use);
  other.join();
  close(ends[0]);
  close(ends[1]);
  return ns;
}

double one_batch(const std::string &kind, int calls) {
  if (kind == "read") {
    static const int zeros = open("/dev/zero", O_RDONLY);
    return cpu_ns_per_call(calls, [](int) { syscall(SYS_read, zeros, text + 128, 1); });
  }
  if (kind == "signal") return cpu_ns_per_call(calls, [](int) { kill(getpid(), SIGURG); });
  if (kind == "fault") return fault_pages(calls);
  if (kind == "switch") return switch_threads(calls);
  if (kind == "disk") return read_disk(calls);
  if (kind == "connect") return connect_in_vain(calls);
  if (kind == "lock") return share_pipe(calls);
  if (kind == "untraced") return cpu_ns_per_call(calls, [](int) { syscall(kUntraced, 9999, text, 0); });
  if (kind == "string") return cpu_ns_per_call(calls, [](int) { syscall(SYS_sethostname, text, -1); });
  if (kind == "uprobe") return cpu_ns_per_call(calls, [](int i) { bench_target(i); });
  if (kind == "usdt") return cpu_ns_per_call(calls, [](int i) { DTRACE_PROBE1(bench, step, i); });
  // The barrier keeps the loop a loop; it costs nothing.
  auto barrier = [](int i) { asm volatile("" : : "r"(i) : "memory"); };
  if (kind == "loop") return cpu_ns_per_call(calls, barrier);
  if (kind == "loop-probe")
    return cpu_ns_per_call(calls, [&](int i) {
      barrier(i);
      DTRACE_PROBE1(bench, idle, i);
    });
  if (kind == "loop-enabled")
    return cpu_ns_per_call(calls, [&](int i) {
      barrier(i);
      if (__builtin_expect(bench_idle_semaphore != 0, 0)) traced(9999);
    });
  return cpu_ns_per_call(calls, [](int) { traced(9999); });
}

/// A user stack of `depth` frames, kept by using the result after the call.
__attribute__((noinline)) double deep_batch(int depth, const std::string &kind, int calls) {
  volatile int keep = depth;
  double ns = depth > 0 ? deep_batch(depth - 1, kind, calls) : one_batch(kind, calls);
  return ns + (keep - depth);
}

void batch(const std::string &kind, int calls, int batches) {
  std::vector<double> ns;
  for (int i = 0; i < batches; i++) ns.push_back(deep_batch(12, kind, calls));
  std::sort(ns.begin(), ns.end());
  printf("%.2f %.2f %lld\n", ns.front(), ns[ns.size() / 2], static_cast<long long>(calls) * batches);
}

void keys(long n, long first) {
  double start = now_ns(CLOCK_THREAD_CPUTIME_ID);
  for (long i = 0; i < n; i++) traced(first + i);
  printf("%ld %.2f\n", n, (now_ns(CLOCK_THREAD_CPUTIME_ID) - start) / static_cast<double>(n));
}

template <typename Fn>
void rate(double per_second, double seconds, Fn call) {
  double begin = now_ns(CLOCK_MONOTONIC);
  long long done = 0;
  long long wanted = static_cast<long long>(per_second * seconds);
  while (done < wanted) {
    double elapsed = (now_ns(CLOCK_MONOTONIC) - begin) / 1e9;
    // At most 2 ms behind: a stall of the machine is not made up for by a burst.
    long long due = std::min<long long>(wanted, static_cast<long long>(elapsed * per_second));
    long long burst = std::min<long long>(due - done, static_cast<long long>(per_second / 500));
    for (long long i = 0; i < burst; i++) call();
    done += burst;
    if (burst == 0) usleep(200);
  }
  printf("%lld %.3f\n", done, (now_ns(CLOCK_MONOTONIC) - begin) / 1e9);
}

/// A descriptor, a length and the offset that the reads before have led to: 3 random bits and 12.
class Reads {
 public:
  void operator()() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    const long file = static_cast<long>(state_ >> 61), length = static_cast<long>(state_ & 0xfff);
    syscall(kTraced, 1000 + file, length, offsets_[file] += length);
  }

 private:
  uint64_t state_ = 0x9e3779b97f4a7c15;
  long offsets_[8] = {};
};

void threads(int count, long calls) {
  // The pin of the measuring thread must not hold for these.
  cpu_set_t all;
  CPU_ZERO(&all);
  for (long i = 0; i < sysconf(_SC_NPROCESSORS_ONLN); i++) CPU_SET(i, &all);
  double begin = now_ns(CLOCK_MONOTONIC);
  std::vector<std::thread> ts;
  for (int t = 0; t < count; t++) {
    ts.emplace_back([&all, calls] {
      sched_setaffinity(0, sizeof all, &all);
      for (long i = 0; i < calls; i++) traced(9999);
    });
  }
  for (auto &t : ts) t.join();
  printf("%lld %.3f\n", static_cast<long long>(calls) * count, (now_ns(CLOCK_MONOTONIC) - begin) / 1e9);
}

void tick(int usec) {
  long long calls = 0;
  pollfd in = {0, POLLIN, 0};
  timespec pause = {usec / 1000000, (usec % 1000000) * 1000L};
  while (ppoll(&in, 1, &pause, nullptr) == 0) {
    traced(9999);
    calls++;
  }
  printf("%lld\n", calls);
}

/// One thread per CPU: a firing on a CPU that was asleep costs twice, and is not what is compared.
void spin(int msec) {
  double end = now_ns(CLOCK_MONOTONIC) + msec * 1e6;
  std::vector<std::thread> ts;
  for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++) {
    ts.emplace_back([cpu, end] {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      sched_setaffinity(0, sizeof one, &one);
      volatile uint64_t x = 0;
      while (now_ns(CLOCK_MONOTONIC) < end) {
        for (int i = 0; i < 100000; i++) x = x * 31 + i;
      }
    });
  }
  for (auto &t : ts) t.join();
  printf("%d\n", msec);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc == 3 && !strcmp(argv[1], "--cpu")) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(atoi(argv[2]), &set);
    sched_setaffinity(0, sizeof set, &set);
  }
  // Lines are read unbuffered: tick must see with poll() that the next one has come.
  setvbuf(stdin, nullptr, _IONBF, 0);
  char line[256];
  while (fgets(line, sizeof line, stdin)) {
    char kind[32] = "";
    long a = 0, b = 0;
    double x = 0, y = 0;
    if (sscanf(line, "batch %31s %ld %ld", kind, &a, &b) == 3)
      batch(kind, static_cast<int>(a), static_cast<int>(b));
    else if (sscanf(line, "keys %ld %ld", &a, &b) == 2)
      keys(a, b);
    else if (sscanf(line, "rate %lf %lf", &x, &y) == 2)
      rate(x, y, [] { traced(9999); });
    else if (sscanf(line, "rows %lf %lf", &x, &y) == 2)
      rate(x, y, Reads());
    else if (sscanf(line, "threads %ld %ld", &a, &b) == 2)
      threads(static_cast<int>(a), b);
    else if (sscanf(line, "tick %ld", &a) == 1)
      tick(static_cast<int>(a));
    else if (sscanf(line, "spin %ld", &a) == 1)
      spin(static_cast<int>(a));
    else if (!strncmp(line, "pid", 3))
      printf("%d\n", getpid());
    else
      printf("error\n");
    fflush(stdout);
  }
  return 0;
}
