// SPDX-License-Identifier: Apache-2.0
// cpp reads from a memory file, not from a pipe: a child that ends early can then neither block nor kill us.
#include "runtime/process/preprocess_run.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <vector>

#include "base/owned.h"
#include "base/read_file.h"
#include "runtime/process/command.h"

extern char **environ;

namespace dtrace::runtime {

namespace {

Result<Fd> memory_file(std::string_view text) {
  Fd fd(::memfd_create("dtrace-script", MFD_CLOEXEC));
  if (!fd) return Error::from_errno("memfd_create", errno);
  for (size_t written = 0; written < text.size();) {
    ssize_t n = ::write(fd.get(), text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Error::from_errno("failed to write script", errno);
    written += static_cast<size_t>(n);
  }
  if (::lseek(fd.get(), 0, SEEK_SET) < 0) return Error::from_errno("lseek", errno);
  return fd;
}

/// posix_spawn's file actions, destroyed with it.
class SpawnActions {
 public:
  SpawnActions() { ::posix_spawn_file_actions_init(&actions_); }
  ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions &) = delete;
  SpawnActions &operator=(const SpawnActions &) = delete;
  void dup2(int from, int to) { ::posix_spawn_file_actions_adddup2(&actions_, from, to); }
  const posix_spawn_file_actions_t *get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

/// While it lives, signals to this thread wait.
class SignalsWait {
 public:
  SignalsWait() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~SignalsWait() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsWait(const SignalsWait &) = delete;
  SignalsWait &operator=(const SignalsWait &) = delete;
  const sigset_t &before() const { return before_; }

 private:
  sigset_t before_;
};

}  // namespace

Result<std::string> preprocess(const PreprocessOptions &options, std::string_view script) {
  Result<Fd> input = memory_file(preprocess_input(options.script, script));
  if (!input) return std::move(input).error();
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Error::from_errno("pipe", errno);
  Fd read_end(ends[0]);
  Fd write_end(ends[1]);

  std::vector<std::string> command = preprocess_command(options);
  std::vector<char *> argv;
  argv.reserve(command.size() + 1);
  for (std::string &argument : command) argv.push_back(argument.data());
  argv.push_back(nullptr);
  SpawnActions actions;
  actions.dup2(input->get(), STDIN_FILENO);
  actions.dup2(write_end.get(), STDOUT_FILENO);
  pid_t pid = -1;
  int failure = 0;
  std::optional<DiesWithUs> bound;
  {
    // A group of its own: cpp starts a compiler, which must not outlive us either. A signal that ended us between the
    // group's beginning and our knowing of it would leave it behind.
    const SignalsWait wait;
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    ::posix_spawnattr_setsigmask(&attributes, &wait.before());
    failure = ::posix_spawnp(&pid, argv[0], actions.get(), &attributes, argv.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    if (failure == 0 && options.ends_by_signals) bound.emplace(pid);
  }
  if (failure == ENOENT || failure == ENOTDIR) return Error("Preprocessor not found", failure);
  if (failure != 0) return Error("Failed to exec preprocessor", failure);
  write_end.reset();

  Result<std::string> text = read_to_end(read_end.get(), "failed to read from preprocessor");
  read_end.reset();
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!text) return text;
  if (!WIFEXITED(status) || WEXITSTATUS(status) == 127) return Error("Failed to exec preprocessor");
  if (WEXITSTATUS(status) != 0) return Error("Preprocessor failed to process input program");
  return text;
}

void ask_uname(PreprocessOptions &options) {
  utsname names{};
  if (::uname(&names) != 0) return;
  options.system_name = names.sysname;
  options.system_release = names.release;
  options.machine = names.machine;
}

}  // namespace dtrace::runtime
