// SPDX-License-Identifier: Apache-2.0
#include "serving/exporter_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <memory>

#include "base/exporter_protocol.h"
#include "base/printable.h"

extern char **environ;

namespace dtrace::command {
namespace {

constexpr std::string_view kOwnAddress = "127.0.0.1";
constexpr int kBacklog = 64;
constexpr int kFirstFreeFd = 16;  // for copies: above all that the exporter gets

/// Variables that the exporter keeps: certificates of servers, and proxies. Those of sanitizers are for tests.
constexpr std::string_view kEnvironment[] = {
    "SSL_CERT_FILE", "SSL_CERT_DIR", "http_proxy",    "https_proxy", "HTTPS_PROXY",
    "all_proxy",     "ALL_PROXY",    "no_proxy",      "NO_PROXY",
#ifdef __SANITIZE_ADDRESS__
    "ASAN_OPTIONS",  "LSAN_OPTIONS", "UBSAN_OPTIONS",
#endif
};

struct HostPort {
  std::string host, port;
};

/// "9100", "127.0.0.1:9100", "[::1]:9100".
std::optional<HostPort> split(const std::string &where) {
  const size_t colon = where.rfind(':');
  HostPort parts{std::string(kOwnAddress), where};
  if (colon != std::string::npos) parts = {where.substr(0, colon), where.substr(colon + 1)};
  if (parts.host.size() > 2 && parts.host.front() == '[' && parts.host.back() == ']')
    parts.host = parts.host.substr(1, parts.host.size() - 2);
  else if (parts.host.find(':') != std::string::npos)
    return std::nullopt;
  const bool is_number = !parts.port.empty() && parts.port.find_first_not_of("0123456789") == std::string::npos;
  if (parts.host.empty() || !is_number || parts.port.size() > 5 || std::stoul(parts.port) > 65535) return std::nullopt;
  return parts;
}

std::string address_of(int socket) {
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  char host[NI_MAXHOST] = "", port[NI_MAXSERV] = "";
  auto *const address = reinterpret_cast<sockaddr *>(&bound);
  if (getsockname(socket, address, &size) != 0 ||
      getnameinfo(address, size, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return "?";
  return bound.ss_family == AF_INET6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

/// Beside the command in the build tree, in libexec where it is installed.
std::string find_exporter() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  const std::string self(path, static_cast<size_t>(std::max<ssize_t>(length, 0)));
  const std::string folder = self.substr(0, self.rfind('/'));
  for (const std::string &candidate :
       {folder + "/dtrace-exporter", folder + "/../" DTRACE_LIBEXEC_DIR "/dtrace-exporter"})
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  return {};
}

std::vector<char *> pointers_of(std::vector<std::string> &texts) {
  std::vector<char *> pointers;
  for (std::string &text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// A program that gets nothing of ours but what it is given: no descriptors, variables, folder, terminal or signal
/// mask.
class SpawnPlan {
 public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    // A session of its own: the terminal and its signals are for us.
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnPlan() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnPlan(const SpawnPlan &) = delete;
  SpawnPlan &operator=(const SpawnPlan &) = delete;

  // The steps are taken in the child, in the order of these calls.
  void open_nowhere(int fd) { note(posix_spawn_file_actions_addopen(&actions_, fd, "/dev/null", O_RDWR, 0)); }
  void give(int fd, int as) { note(posix_spawn_file_actions_adddup2(&actions_, fd, as)); }
  void close_from(int fd) { note(posix_spawn_file_actions_addclosefrom_np(&actions_, fd)); }
  void go_to_root() { note(posix_spawn_file_actions_addchdir_np(&actions_, "/")); }
  /// 0 or an errno.
  int spawn(pid_t &pid, const std::string &program, std::vector<std::string> &words,
            std::vector<std::string> &environment) {
    if (failed_ != 0) return failed_;
    return posix_spawn(&pid, program.c_str(), &actions_, &attributes_, pointers_of(words).data(),
                       pointers_of(environment).data());
  }

 private:
  void note(int error) {
    if (failed_ == 0) failed_ = error;
  }

  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
  int failed_ = 0;
};

}  // namespace

Result<Listener> listen_at(const std::string &where) {
  const std::optional<HostPort> parts = split(where);
  if (!parts)
    return Error(fmt::format("--serve {}: write [ADDRESS:]PORT, as in 9100, 127.0.0.1:9100 or [::1]:9100", where));
  addrinfo hints{};
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo *found = nullptr;
  if (const int error = getaddrinfo(parts->host.c_str(), parts->port.c_str(), &hints, &found); error != 0)
    return Error(fmt::format("--serve {}: {}", where, gai_strerror(error)));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> addresses(found, &freeaddrinfo);
  Fd socket(::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int one = 1;
  if (!socket || setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 ||
      bind(socket.get(), found->ai_addr, found->ai_addrlen) != 0 || listen(socket.get(), kBacklog) != 0)
    return Error::from_errno(fmt::format("--serve {}: cannot listen", where), errno);
  std::string address = address_of(socket.get());
  return Listener{std::move(socket), std::move(address), parts->host};
}

Result<std::string> push_url(const std::string &url) {
  const size_t begin = url.starts_with("http://") ? 7 : url.starts_with("https://") ? 8 : 0;
  const bool has_blank = url.find_first_of(" \t\r\n") != std::string::npos;
  if (begin == 0 || url.size() == begin || url[begin] == '/' || has_blank)
    return Error(fmt::format("--otlp {}: write a URL, as in http://127.0.0.1:4318", url));
  const size_t slash = url.find('/', begin);
  if (slash == std::string::npos) return url + "/v1/metrics";
  return slash + 1 == url.size() ? url + "v1/metrics" : url;
}

std::vector<std::string> exporter_environment(const char *const *all) {
  std::vector<std::string> kept;
  for (; *all != nullptr; ++all) {
    const std::string_view row = *all;
    const size_t name_bytes = row.find('=');
    if (name_bytes != std::string_view::npos &&
        std::ranges::find(kEnvironment, row.substr(0, name_bytes)) != std::end(kEnvironment))
      kept.emplace_back(row);
  }
  return kept;
}

Result<Unit> ExporterProcess::start(const std::optional<std::string> &serve, const std::optional<std::string> &otlp,
                                    const std::vector<std::string> &hosts) {
  if (!serve && !otlp) return ok();
  program_ = find_exporter();
  if (program_.empty()) return Error("--serve and --otlp need dtrace-exporter, which is not installed");
  words_ = {"dtrace-exporter"};
  if (serve) {
    Result<Listener> made = listen_at(*serve);
    if (!made) return made.error();
    listener_ = std::move(*made);
    words_.insert(words_.end(), {"--serve", "--host", listener_.host});
    for (const std::string &host : hosts) words_.insert(words_.end(), {"--host", host});
  }
  if (otlp) {
    const Result<std::string> url = push_url(*otlp);
    if (!url) return url.error();
    words_.insert(words_.end(), {"--otlp", *url});
  }
  environment_ = exporter_environment(environ);
  return spawn();
}

Result<Unit> ExporterProcess::spawn() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return Error::from_errno("cannot start dtrace-exporter: socketpair", errno);
  control_ = Fd(ends[0]);
  const Fd other_end(ends[1]);
  // Above those that it gets, so that neither replaces the other.
  const Fd its_control(fcntl(other_end.get(), F_DUPFD_CLOEXEC, kFirstFreeFd));
  const Fd its_listener(listener_.socket ? fcntl(listener_.socket.get(), F_DUPFD_CLOEXEC, kFirstFreeFd) : -1);
  if (!its_control || (listener_.socket && !its_listener))
    return Error::from_errno("cannot start dtrace-exporter: a descriptor for it", errno);

  SpawnPlan plan;
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) plan.open_nowhere(fd);
  plan.give(its_control.get(), kExporterControlFd);
  if (its_listener) plan.give(its_listener.get(), kExporterListenFd);
  plan.close_from(its_listener ? kExporterListenFd + 1 : kExporterControlFd + 1);
  plan.go_to_root();
  const int error = plan.spawn(pid_, program_, words_, environment_);
  if (error == 0) return ok();
  pid_ = -1;
  return Error::from_errno(program_, error);
}

Result<Unit> ExporterProcess::wait_until_ready() {
  std::string said;
  for (FromExporter message;;) {
    const ssize_t size = recv(control_.get(), &message, sizeof message, 0);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    if (message.kind == FromExporter::kReady) return ok();
    if (message.kind == FromExporter::kReport) said.assign(message.text, strnlen(message.text, sizeof message.text));
  }
  const std::string how = end();
  return Error(said.empty() ? fmt::format("dtrace-exporter {} at its start", how) : printable(said));
}

std::string ExporterProcess::end() {
  control_.reset();
  if (pid_ <= 0) return "has ended";
  (void)kill(pid_, SIGKILL);  // it has nothing to finish; no effect if it ends already
  int status = 0;
  pid_t waited = -1;
  while ((waited = waitpid(pid_, &status, 0)) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  if (waited < 0) return "has ended";  // SIGCHLD is ignored
  if (WIFSIGNALED(status))
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("exited with status {}", WEXITSTATUS(status));
}

ExporterProcess::~ExporterProcess() { (void)end(); }

}  // namespace dtrace::command
