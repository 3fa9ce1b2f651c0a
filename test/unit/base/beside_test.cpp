// SPDX-License-Identifier: Apache-2.0
#include "base/beside.h"

#include <dlfcn.h>
#include <pthread.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <memory>
#include <thread>

namespace {

bool no_more_threads = false;

}  // namespace

/// Instead of libc's: a control group at its limit of processes answers so.
extern "C" int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                              void *argument) {
  if (no_more_threads) return EAGAIN;
  static const auto real = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return real(thread, attributes, start, argument);
}

namespace dtrace {
namespace {

TEST_CASE("work beside takes no signals, and the caller's are as before") {
  sigset_t before, inside, after;
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  std::thread::id worker;
  begin_beside([&] {
    worker = std::this_thread::get_id();
    pthread_sigmask(SIG_SETMASK, nullptr, &inside);
  }).get();
  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  CHECK(worker != std::this_thread::get_id());
  CHECK(sigismember(&inside, SIGINT) == 1);
  CHECK(sigismember(&after, SIGINT) == sigismember(&before, SIGINT));
}

TEST_CASE("without threads the work is done at once, on this one, and once") {
  no_more_threads = true;
  int runs = 0;
  auto done = begin_beside([&, owned = std::make_unique<int>(7)] {
    ++runs;
    return *owned;
  });
  no_more_threads = false;
  CHECK(runs == 1);
  CHECK(done.get() == 7);
  CHECK(runs == 1);
}

}  // namespace
}  // namespace dtrace
