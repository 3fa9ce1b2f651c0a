// SPDX-License-Identifier: Apache-2.0
#include "main/signals.h"

#include <sys/eventfd.h>
#include <csignal>

namespace dtrace {
namespace {

// A signal handler reaches nothing else.
std::atomic<int> interrupts{0};
std::atomic<bool> abandoned{false};
std::atomic<int> event_fd{-1};

void on_signal(int) {
  if (++interrupts > 1) abandoned = true;
  const uint64_t one = 1;
  if (int fd = event_fd; fd >= 0) {
    ssize_t ignored = write(fd, &one, sizeof one);
    (void)ignored;
  }
}

}  // namespace

Interrupts::Interrupts() : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  event_fd = event_.get();
  for (int number : {SIGINT, SIGTERM}) {
    struct sigaction inherited{};
    sigaction(number, nullptr, &inherited);
    if (inherited.sa_handler == SIG_IGN) continue;
    struct sigaction action{};
    action.sa_handler = on_signal;  // no SA_RESTART: a blocked write must notice
    sigaction(number, &action, nullptr);
  }
}

Interrupts::~Interrupts() { event_fd = -1; }

int Interrupts::count() const { return interrupts; }

const std::atomic<bool> *Interrupts::abandon() const { return &abandoned; }

}  // namespace dtrace
