// SPDX-License-Identifier: Apache-2.0
#include "runtime/process/command_guard.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <string>

namespace dtrace::runtime {
namespace {

/// Lines are pids; 0: none. The end of the input is our end. A stopped process starts no others: when a round over the
/// family finds what the last one found, all of it is stopped, and no number can have got a new owner.
constexpr const char *kScript = R"(pid=0
while read -r line; do pid=$line; done
[ "$pid" -gt 0 ] || exit 0
stop() {
	kill -STOP "$1" || return
	family="$family $1"
	for list in /proc/"$1"/task/*/children; do
		children=
		read -r children <"$list"
		for child in $children; do stop "$child"; done
	done
}
family= before=none
while [ "$family" != "$before" ]; do
	before=$family family=
	stop "$pid"
done
kill -KILL $family
)";

}  // namespace

CommandGuard::~CommandGuard() {
  line_.reset();
  while (pid_ > 0 && ::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void CommandGuard::begin() {
  if (pid_ > 0) return;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  Fd ours(ends[0]);
  const Fd its(ends[1]);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, its.get(), STDIN_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  ::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);  // those that we were started with
#endif
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  // A session of its own: signals to our group are not for it.
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  sigset_t signals;
  ::sigfillset(&signals);
  ::posix_spawnattr_setsigdefault(&attributes, &signals);
  ::sigemptyset(&signals);
  ::posix_spawnattr_setsigmask(&attributes, &signals);
  std::string shell = "sh", option = "-c", script = kScript, name = "dtrace-guard";
  char *const argv[] = {shell.data(), option.data(), script.data(), name.data(), nullptr};
  char *const environment[] = {nullptr};
  pid_t pid = -1;
  const int failure = ::posix_spawn(&pid, "/bin/sh", &actions, &attributes, argv, environment);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return;
  pid_ = pid;
  line_ = std::move(ours);
}

void CommandGuard::watch_caller() const { send(::getpid()); }

void CommandGuard::forget() const { send(0); }

void CommandGuard::send(pid_t pid) const {
  if (!line_) return;
  char text[16];
  char *end = std::to_chars(text, text + sizeof text - 1, pid).ptr;
  *end++ = '\n';
  (void)::send(line_.get(), text, static_cast<size_t>(end - text), MSG_NOSIGNAL);  // one that has died guards nothing
}

}  // namespace dtrace::runtime
