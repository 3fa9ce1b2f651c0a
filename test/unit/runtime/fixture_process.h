// SPDX-License-Identifier: Apache-2.0
// Runs the programs of fixtures/ under a test.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "base/owned.h"

namespace dtrace::runtime {

inline std::string fixture_path(const std::string &name) { return std::string(DTRACE_FIXTURES) + "/" + name; }

/// A pipe whose write end children inherit.
struct InheritedPipe {
  Fd read_end;
  Fd write_end;

  static InheritedPipe create() {
    int fds[2] = {-1, -1};
    if (::pipe(fds) != 0) return {};
    ::fcntl(fds[0], F_SETFD, FD_CLOEXEC);
    return {Fd(fds[0]), Fd(fds[1])};
  }
  /// What was written so far, waiting up to `wait_ms` for each byte.
  std::string written(int wait_ms = 0) const {
    std::string text;
    pollfd fd{read_end.get(), POLLIN, 0};
    char c = 0;
    while (::poll(&fd, 1, wait_ms) == 1 && ::read(read_end.get(), &c, 1) == 1) text.push_back(c);
    return text;
  }
};

/// fixtures/addresses.c, running until it is stopped.
class AddressesProcess {
 public:
  enum Index { kFunction, kInFunction, kStatic, kData, kBss, kMain, kStack, kNowhere };

  explicit AddressesProcess(const std::string &path) {
    InheritedPipe out = InheritedPipe::create();
    int in[2] = {-1, -1};
    if (::pipe2(in, O_CLOEXEC) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(in[0], 0);
      ::execl(path.c_str(), path.c_str(), std::to_string(out.write_end.get()).c_str(), static_cast<char *>(nullptr));
      ::_exit(127);
    }
    ::close(in[0]);
    stdin_ = Fd(in[1]);
    out.write_end.reset();
    const ssize_t n = ::read(out.read_end.get(), addresses_.data(), sizeof(addresses_));
    is_running_ = n == static_cast<ssize_t>(sizeof(addresses_));
  }
  ~AddressesProcess() { stop(); }
  AddressesProcess(const AddressesProcess &) = delete;
  AddressesProcess &operator=(const AddressesProcess &) = delete;

  bool is_running() const { return is_running_; }
  pid_t pid() const { return pid_; }
  uint64_t operator[](Index i) const { return addresses_[i]; }

  /// Ends and reaps it.
  void stop() {
    if (pid_ <= 0) return;
    stdin_.reset();
    ::waitpid(std::exchange(pid_, -1), nullptr, 0);
    is_running_ = false;
  }

 private:
  pid_t pid_ = -1;
  bool is_running_ = false;
  Fd stdin_;
  std::array<uint64_t, 8> addresses_{};
};

}  // namespace dtrace::runtime
