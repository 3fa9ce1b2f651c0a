// SPDX-License-Identifier: Apache-2.0
// A job queue in C++, to show that probes go into methods, templates and lambdas alike. Usage: jobs COUNT
#include <chrono>
#include <cstdlib>
#include <functional>
#include <queue>
#include <string>

#include "jobs_probes.h"

namespace {

using Clock = std::chrono::steady_clock;

template <typename Work>
class Queue {
 public:
  void push(std::string name, unsigned long priority, Work work) {
    JOBS_PUSH(name.c_str(), priority);
    jobs_.push({std::move(name), Clock::now(), std::move(work)});
  }

  void run_all() {
    for (; !jobs_.empty(); jobs_.pop()) run(jobs_.front());
  }

 private:
  struct Job {
    std::string name;
    Clock::time_point pushed;
    Work work;
  };

  static void run(const Job &job) {
    const auto waited = [&] {
      return static_cast<long>(std::chrono::nanoseconds(Clock::now() - job.pushed).count());
    };
    JOBS_RUN_START(job.name.c_str());
    job.work();
    // Reading the clock costs something: only while somebody looks.
    if (JOBS_RUN_DONE_ENABLED()) {
      const long waited_ns = waited();
      JOBS_RUN_DONE(job.name.c_str(), waited_ns);
    }
  }

  std::queue<Job> jobs_;
};

}  // namespace

int main(int argc, char **argv) {
  Queue<std::function<void()>> queue;
  const int count = argc > 1 ? std::atoi(argv[1]) : 3;
  int done = 0;
  for (int i = 0; i < count; ++i)
    queue.push("job-" + std::to_string(i), static_cast<unsigned long>(i % 3), [&done] { ++done; });
  queue.run_all();
  return done == count ? 0 : 1;
}
