// SPDX-License-Identifier: Apache-2.0
#include "serving/exporter_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <vector>

#include "base/exporter_protocol.h"

extern char **environ;

namespace dtrace::command {
namespace {

constexpr std::string_view kOwnAddress = "127.0.0.1";
constexpr int kBacklog = 64;

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
  return Listener{std::move(socket), std::move(address)};
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

Result<Unit> ExporterProcess::start(const std::optional<std::string> &serve, const std::optional<std::string> &otlp,
                                    const std::function<void(std::string_view)> &report) {
  if (!serve && !otlp) return ok();
  const std::string program = find_exporter();
  if (program.empty()) return Error("--serve and --otlp need dtrace-exporter, which is not installed");
  Listener listener;
  std::vector<std::string> words = {"dtrace-exporter"};
  if (serve) {
    Result<Listener> made = listen_at(*serve);
    if (!made) return made.error();
    listener = std::move(*made);
    words.emplace_back("--serve");
  }
  if (otlp) {
    const Result<std::string> url = push_url(*otlp);
    if (!url) return url.error();
    words.insert(words.end(), {"--otlp", *url});
  }
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return Error::from_errno("socketpair", errno);
  control_ = Fd(ends[0]);
  // Above those that it gets, so that neither replaces the other.
  const Fd its_control(fcntl(ends[1], F_DUPFD_CLOEXEC, 16));
  ::close(ends[1]);
  const Fd its_listener(listener.socket ? fcntl(listener.socket.get(), F_DUPFD_CLOEXEC, 16) : -1);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, its_control.get(), kExporterControlFd);
  if (its_listener) posix_spawn_file_actions_adddup2(&actions, its_listener.get(), kExporterListenFd);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // the terminal's signals are for us
  std::vector<char *> arguments;
  for (std::string &word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int error = posix_spawn(&pid_, program.c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    pid_ = -1;
    return Error::from_errno(program, error);
  }
  if (serve) report(fmt::format("serving metrics at http://{}/metrics", listener.address));
  return ok();
}

ExporterProcess::~ExporterProcess() {
  if (pid_ <= 0) return;
  control_.reset();
  (void)kill(pid_, SIGKILL);  // it has nothing to finish
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace dtrace::command
