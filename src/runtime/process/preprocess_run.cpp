// SPDX-License-Identifier: Apache-2.0
// cpp reads from a memory file, not from a pipe: a child that ends early can then neither block nor kill us.
#include "runtime/process/preprocess_run.h"

#include <fcntl.h>
#include <signal.h>
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
#include "runtime/process/start_program.h"

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

/// In the child, before it is cpp: its group gets SIGKILL from the kernel when the other end of `line` is closed, as it
/// is when we end, however that is. cpp and the compiler that it starts hold this end. Our end is open in the child,
/// too, until it is cpp: so it cannot have been closed before.
bool end_with_writer_of(int line) {
  return ::setpgid(0, 0) == 0 && ::fcntl(line, F_SETFD, 0) == 0 && ::fcntl(line, F_SETOWN, -::getpid()) == 0 &&
         ::fcntl(line, F_SETSIG, SIGKILL) == 0 && ::fcntl(line, F_SETFL, O_ASYNC) == 0;
}

}  // namespace

Result<std::string> preprocess(const PreprocessOptions &options, std::string_view script) {
  Result<Fd> input = memory_file(preprocess_input(options.script, script));
  if (!input) return std::move(input).error();
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Error::from_errno("pipe", errno);
  Fd read_end(ends[0]);
  Fd write_end(ends[1]);
  if (::pipe2(ends, O_CLOEXEC) != 0) return Error::from_errno("pipe", errno);
  Fd its_line(ends[0]);
  const Fd our_line(ends[1]);

  std::vector<std::string> command = preprocess_command(options);
  std::vector<char *> argv;
  argv.reserve(command.size() + 1);
  for (std::string &argument : command) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::optional<DiesWithUs> bound;
  const auto prepare = [&] {
    return ::dup2(input->get(), STDIN_FILENO) >= 0 && ::dup2(write_end.get(), STDOUT_FILENO) >= 0 &&
           end_with_writer_of(its_line.get());
  };
  // A group of its own: cpp starts a compiler, which must not outlive us either. A signal that ended us between the
  // group's beginning and our knowing of it would leave it behind.
  const Result<pid_t> started = start_program(argv[0], argv.data(), prepare, [&](pid_t pid) {
    if (options.ends_by_signals) bound.emplace(pid);
  });
  const int failure = started ? 0 : started.error().errno_value();
  if (failure == ENOENT || failure == ENOTDIR) return Error("Preprocessor not found", failure);
  if (failure != 0) return Error("Failed to exec preprocessor", failure);
  write_end.reset();
  its_line.reset();  // the kernel's signal is about theirs

  Result<std::string> text = read_to_end(read_end.get(), "failed to read from preprocessor");
  read_end.reset();
  int status = 0;
  while (::waitpid(*started, &status, 0) < 0 && errno == EINTR) {
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
