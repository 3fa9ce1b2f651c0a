// SPDX-License-Identifier: Apache-2.0
#include "runtime/process/target.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "base/file_limit.h"
#include "base/read_file.h"

namespace dtrace::runtime {

namespace {

constexpr std::string_view kBlanks = " \f\n\r\t\v";

struct SignalName {
  int signal;
  std::string_view name;
};
constexpr SignalName kSignalNames[] = {
    {SIGHUP, "SIGHUP"},       {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"}, {SIGILL, "SIGILL"},     {SIGTRAP, "SIGTRAP"},
    {SIGABRT, "SIGABRT"},     {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},   {SIGKILL, "SIGKILL"},   {SIGUSR1, "SIGUSR1"},
    {SIGSEGV, "SIGSEGV"},     {SIGUSR2, "SIGUSR2"}, {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"},   {SIGTERM, "SIGTERM"},
    {SIGSTKFLT, "SIGSTKFLT"}, {SIGCHLD, "SIGCHLD"}, {SIGCONT, "SIGCONT"}, {SIGSTOP, "SIGSTOP"},   {SIGTSTP, "SIGTSTP"},
    {SIGTTIN, "SIGTTIN"},     {SIGTTOU, "SIGTTOU"}, {SIGURG, "SIGURG"},   {SIGXCPU, "SIGXCPU"},   {SIGXFSZ, "SIGXFSZ"},
    {SIGVTALRM, "SIGVTALRM"}, {SIGPROF, "SIGPROF"}, {SIGIO, "SIGIO"},     {SIGWINCH, "SIGWINCH"}, {SIGPWR, "SIGPWR"},
    {SIGSYS, "SIGSYS"},
};

Fd open_pidfd(pid_t pid) { return Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))); }

ExitNotice notice_of(pid_t pid, int status) {
  if (WIFSIGNALED(status)) return {pid, ExitNotice::Cause::kSignalled, WTERMSIG(status), WCOREDUMP(status) != 0};
  return {pid, ExitNotice::Cause::kExited, WEXITSTATUS(status), false};
}

/// In the child. Only async-signal-safe calls: waits for the word to go, then becomes the command.
[[noreturn]] void become(char *const *argv, char *const *environment, int go_fd, int failure_fd) {
  struct sigaction dfl{};
  dfl.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; signal++) ::sigaction(signal, &dfl, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  // PDEATHSIG kills the child if we die later; if we died before, the go pipe is closed and the child exits.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  restore_file_limit();

  char word = 0;
  while (::read(go_fd, &word, 1) < 0 && errno == EINTR) {
  }
  if (word != 0) {
    ::execvpe(argv[0], argv, environment);
    const int cause = errno;
    (void)!::write(failure_fd, &cause, sizeof(cause));
  }
  ::_exit(127);
}

struct Pipe {
  Fd read_end;
  Fd write_end;

  static Result<Pipe> create() {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) return Error::from_errno("pipe", errno);
    return Pipe{Fd(fds[0]), Fd(fds[1])};
  }
};

/// Why a pid that exists cannot be a target; empty if it can.
std::string objection(pid_t pid) {
  const Result<std::string> status = read_file(fmt::format("/proc/{}/status", pid));
  if (!status) return {};
  const auto field = [&status](std::string_view key) {
    const size_t at = status->find(key);
    if (at == std::string::npos) return std::string_view{};
    return std::string_view(*status).substr(at + key.size());
  };
  pid_t leader = pid;
  const std::string_view text = field("\nTgid:\t");
  std::from_chars(text.data(), text.data() + text.size(), leader);
  if (leader != pid) return fmt::format("It is a thread of process {}", leader);
  if (field("\nState:\t").starts_with('Z')) return "It has exited (zombie)";
  return {};
}

}  // namespace

std::string signal_name(int signal) {
  const auto it = std::find_if(std::begin(kSignalNames), std::end(kSignalNames),
                               [signal](const SignalName &s) { return s.signal == signal; });
  if (it != std::end(kSignalNames)) return std::string(it->name);
  if (signal == SIGRTMIN) return "SIGRTMIN";
  if (signal > SIGRTMIN && signal <= SIGRTMAX) return fmt::format("SIGRTMIN+{}", signal - SIGRTMIN);
  return fmt::format("signal {}", signal);
}

std::string ExitNotice::text() const {
  if (cause == Cause::kSignalled) {
    return fmt::format("pid {} terminated by {}{}", pid, signal_name(value), core_dumped ? " (core dumped)" : "");
  }
  if (cause == Cause::kExited && value != 0) return fmt::format("pid {} exited with status {}", pid, value);
  return fmt::format("pid {} has exited", pid);
}

Result<std::vector<std::string>> split_command(std::string_view command) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quote == 0 && kBlanks.find(c) != std::string_view::npos) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    const bool is_last = i + 1 == command.size();
    const bool escapes = quote == '"' ? !is_last && (command[i + 1] == '"' || command[i + 1] == '\\') : quote == 0;
    if (c == '\\' && escapes && !is_last) {
      words.back() += command[++i];
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else {
      words.back() += c;
    }
  }
  if (quote != 0) return Error(fmt::format("the command has an unmatched {}", quote));
  if (words.empty()) words.emplace_back();
  return words;
}

Target::Target(Target &&other) noexcept { *this = std::move(other); }

Target &Target::operator=(Target &&other) noexcept {
  if (this != &other) {
    end();
    pid_ = std::exchange(other.pid_, -1);
    pidfd_ = std::move(other.pidfd_);
    tracee_ = other.tracee_;
    is_child_ = std::exchange(other.is_child_, false);
    is_held_ = std::exchange(other.is_held_, false);
    has_ended_ = other.has_ended_;
    held_at_ = other.held_at_;
  }
  return *this;
}

Target::~Target() { end(); }

void Target::end() {
  if (!is_child_ || has_ended_ || tracee_.exit_status()) return;
  ::kill(pid_, SIGKILL);  // not reaped yet, so the pid is still its own
  int status = 0;
  do {
    while (::waitpid(pid_, &status, __WALL) < 0) {
      if (errno != EINTR) return;
    }
  } while (WIFSTOPPED(status));
  has_ended_ = true;
}

Result<Target> Target::create(std::string_view command, EvalTime when, std::span<const std::string> environment) {
  Result<std::vector<std::string>> words = split_command(command);
  if (!words) return std::move(words).error().during(fmt::format("failed to execute {}", command));
  std::vector<char *> argv;
  argv.reserve(words->size() + 1);
  for (std::string &word : *words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::vector<char *> variables;
  for (const std::string &entry : environment) variables.push_back(const_cast<char *>(entry.c_str()));  // only read
  variables.push_back(nullptr);
  const std::string doing = "failed to execute " + words->front();

  Result<Pipe> go = Pipe::create();
  if (!go) return std::move(go).error().during(doing);
  Result<Pipe> failure = Pipe::create();
  if (!failure) return std::move(failure).error().during(doing);

  const pid_t pid = ::fork();
  if (pid < 0) return Error::from_errno(doing, errno);
  if (pid == 0) {
    ::close(go->write_end.get());  // else it would wait for itself if we die
    become(argv.data(), environment.empty() ? environ : variables.data(), go->read_end.get(), failure->write_end.get());
  }

  Target target;  // from here on the child is killed on every way out
  target.pid_ = pid;
  target.is_child_ = true;
  target.is_held_ = true;
  failure->write_end.reset();
  target.pidfd_ = open_pidfd(pid);
  if (!target.pidfd_) return Error::from_errno(doing, errno);

  Result<Tracee> tracee = Tracee::seize(pid);
  if (!tracee) return std::move(tracee).error().during(doing);
  target.tracee_ = *tracee;

  const char word = 1;
  if (::write(go->write_end.get(), &word, 1) != 1) return Error::from_errno(doing, errno);
  Result<Tracee::Stop> stop = target.tracee_.wait_for_exec();
  if (!stop) return std::move(stop).error().during(doing);
  if (*stop != Tracee::Stop::kExec) {
    int cause = 0;
    if (::read(failure->read_end.get(), &cause, sizeof(cause)) == sizeof(cause)) return Error::from_errno(doing, cause);
    return Error(doing + ": it was killed before it began");
  }

  Result<EvalTime> held = run_to_hold_point(target.tracee_, pid, when);
  if (!held) return std::move(held).error().during(doing);
  target.held_at_ = *held;
  return target;
}

Result<Target> Target::grab(pid_t pid) {
  const std::string doing = fmt::format("failed to grab pid {}", pid);
  if (pid <= 0) return Error::from_errno(doing, ESRCH);

  Target target;
  target.pid_ = pid;
  target.pidfd_ = open_pidfd(pid);
  const int cause = errno;
  const std::string why = objection(pid);
  if (!why.empty()) return Error(doing + ": " + why);
  if (!target.pidfd_) return Error::from_errno(doing, cause);
  return target;
}

Result<Unit> Target::resume(const MappedFunction &mapped) {
  if (!std::exchange(is_held_, false)) return ok();
  if (tracee_.exit_status()) return ok();
  Result<Unit> followed = ok();
  if (mapped && held_at_ == EvalTime::kExec)
    followed = follow_linker(tracee_, pid_, [&](bool is_complete) { mapped(pid_, is_complete); });
  if (tracee_.exit_status()) return followed;
  const Result<Unit> detached = tracee_.detach();
  return followed ? detached : followed;
}

std::optional<ExitNotice> Target::reap() {
  if (const std::optional<int> status = tracee_.exit_status()) return notice_of(pid_, *status);
  int status = 0;
  const pid_t got = ::waitpid(pid_, &status, WNOHANG | __WALL);
  if (got == pid_ && !WIFSTOPPED(status)) return notice_of(pid_, status);
  // Somebody else reaped it, or SIGCHLD is ignored: it is gone all the same.
  if (got < 0 && errno == ECHILD) return ExitNotice{pid_, ExitNotice::Cause::kUnknown, 0, false};
  return std::nullopt;
}

std::optional<ExitNotice> Target::poll() {
  if (has_ended_) return std::nullopt;
  std::optional<ExitNotice> notice;
  if (is_child_) {
    notice = reap();
  } else {
    pollfd fd{pidfd_.get(), POLLIN, 0};
    if (::poll(&fd, 1, 0) == 1 && (fd.revents & POLLIN) != 0) notice = ExitNotice{pid_, {}, 0, false};
  }
  has_ended_ = notice.has_value();
  return notice;
}

}  // namespace dtrace::runtime
