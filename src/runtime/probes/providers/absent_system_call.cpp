// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/providers/absent_system_call.h"

#include <fmt/format.h>

#include <algorithm>

namespace dtrace::runtime {
namespace {

struct Replaced {
  std::string_view name, by;
};

/// What the C library calls instead.
constexpr Replaced kReplaced[] = {
    {"access", "faccessat"},
    {"alarm", "setitimer"},
    {"chmod", "fchmodat"},
    {"chown", "fchownat"},
    {"creat", "openat"},
    {"dup2", "dup3"},
    {"epoll_create", "epoll_create1"},
    {"epoll_wait", "epoll_pwait"},
    {"eventfd", "eventfd2"},
    {"fork", "clone"},
    {"futimesat", "utimensat"},
    {"getdents", "getdents64"},
    {"getpgrp", "getpgid"},
    {"inotify_init", "inotify_init1"},
    {"lchown", "fchownat"},
    {"link", "linkat"},
    {"lstat", "newfstatat"},
    {"mkdir", "mkdirat"},
    {"mknod", "mknodat"},
    {"open", "openat"},
    {"pause", "ppoll"},
    {"pipe", "pipe2"},
    {"poll", "ppoll"},
    {"readlink", "readlinkat"},
    {"rename", "renameat"},
    {"rmdir", "unlinkat"},
    {"select", "pselect6"},
    {"signalfd", "signalfd4"},
    {"stat", "newfstatat"},
    {"symlink", "symlinkat"},
    {"time", "gettimeofday"},
    {"unlink", "unlinkat"},
    {"utime", "utimensat"},
    {"utimes", "utimensat"},
    {"vfork", "clone"},
};

}  // namespace

Absence absent_system_call(std::span<const arch::SystemCall> calls, std::string_view name) {
  const auto has = [&](std::string_view call) {
    return std::ranges::find(calls, call, &arch::SystemCall::name) != calls.end();
  };
  const auto *row = std::ranges::find(kReplaced, name, &Replaced::name);
  if (row == std::end(kReplaced) || has(name) || !has(row->by)) return {};
  return {fmt::format("this machine has no system call {}: programs call {}; with -Z a script may name both", name,
                      row->by),
          true};
}

}  // namespace dtrace::runtime
