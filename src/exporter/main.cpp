// SPDX-License-Identifier: Apache-2.0
// dtrace-exporter: the process that speaks HTTP for `dtrace --serve` and `--otlp`, so that nothing that the network
// sends is read by a process that may do anything. It has no privileges, no descriptor of the tracer's but a socket,
// few system calls, and ends when the tracer does. Started by dtrace: descriptor 3 is the socket, descriptor 4 listens
// (--serve).
#include <fcntl.h>
#include <poll.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "exporter/host_names.h"
#include "exporter/privileges.h"
#include "exporter/pusher.h"
#include "exporter/server.h"
#include "exporter/system_calls.h"
#include "exporter/tracer_link.h"

namespace dtrace::exporter {
namespace {

constexpr std::chrono::milliseconds kLooks{1000};

struct Parts {
  TracerLink &tracer;
  std::unique_ptr<Server> server;
  std::unique_ptr<Pusher> pusher;
};

void wait(Parts &parts) {
  const int server = parts.server ? parts.server->poll_fd() : -1;
  const std::chrono::milliseconds longest = parts.server ? parts.server->timeout(kLooks) : kLooks;
  if (parts.pusher) {
    curl_waitfd others[2] = {{parts.tracer.fd(), CURL_WAIT_POLLIN, 0}, {server, CURL_WAIT_POLLIN, 0}};
    parts.pusher->wait(longest, others, server >= 0 ? 2 : 1);
    return;
  }
  pollfd fds[] = {{parts.tracer.fd(), POLLIN, 0}, {server, POLLIN, 0}};
  (void)poll(fds, std::size(fds), static_cast<int>(longest.count()));
}

void run(Parts &parts) {
  while (!parts.tracer.is_closed()) {
    wait(parts);
    while (std::optional<ReceivedText> text = parts.tracer.receive()) {
      if (text->kind == ExportedText::kOtlp && parts.pusher)
        parts.pusher->take(std::move(*text));
      else if (parts.server)
        parts.server->take(std::move(*text));
    }
    if (parts.server) parts.server->run();
    if (!parts.pusher) continue;
    parts.pusher->run();
    if (parts.pusher->is_done())
      return parts.tracer.tell(parts.pusher->has_failed() ? FromExporter::kNotDone : FromExporter::kDone);
  }
}

struct Wanted {
  bool serves = false;
  const char *url = nullptr;
  std::vector<std::string> hosts;
};

Wanted wanted_by(int argc, char **argv) {
  Wanted wanted;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--serve") == 0)
      wanted.serves = true;
    else if (std::strcmp(argv[i], "--otlp") == 0 && i + 1 < argc)
      wanted.url = argv[++i];
    else if (std::strcmp(argv[i], "--host") == 0 && i + 1 < argc)
      wanted.hosts.emplace_back(argv[++i]);
  }
  if (utsname names{}; uname(&names) == 0) wanted.hosts.emplace_back(names.nodename);
  return wanted;
}

/// Gives up what is not needed, then starts what was asked for: nothing of the network is read before.
Result<Unit> start(const Wanted &wanted, Parts &parts) {
  if (Result<Unit> left = leave_surroundings(wanted.serves ? kExporterListenFd + 1 : kExporterControlFd + 1); !left)
    return left;
  if (Result<Unit> dropped = drop_privileges(); !dropped) return dropped;
  if (Result<Unit> restricted = restrict_system_calls(); !restricted) return restricted;
  if (wanted.serves) {
    Result<std::unique_ptr<Server>> server =
        Server::start(Fd(kExporterListenFd), HostNames(wanted.hosts), max_descriptors(), parts.tracer);
    if (!server) return server.error();
    parts.server = std::move(*server);
  }
  if (wanted.url != nullptr) {
    Result<std::unique_ptr<Pusher>> pusher = Pusher::start(wanted.url, parts.tracer);
    if (!pusher) return pusher.error();
    parts.pusher = std::move(*pusher);
  }
  return ok();
}

int main_of(int argc, char **argv) {
  std::signal(SIGPIPE, SIG_IGN);
  // The terminal's signals are for the tracer, whose end is ours.
  for (const int ignored : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) std::signal(ignored, SIG_IGN);
  const Wanted wanted = wanted_by(argc, argv);
  if ((!wanted.serves && wanted.url == nullptr) || fcntl(kExporterControlFd, F_GETFD) < 0) {
    std::fputs("dtrace-exporter: started by dtrace --serve and --otlp, not by users\n", stderr);
    return 2;
  }
  TracerLink tracer{Fd(kExporterControlFd)};
  Parts parts{tracer, nullptr, nullptr};
  if (const Result<Unit> started = start(wanted, parts); !started) {
    tracer.report("dtrace-exporter: " + started.error().text());
    return 1;
  }
  tracer.tell(FromExporter::kReady);
  run(parts);
  return 0;
}

}  // namespace
}  // namespace dtrace::exporter

int main(int argc, char **argv) {
  try {
    // Nothing is left to be written, and what sanitizers do at an end is not among the calls that are left.
    std::_Exit(dtrace::exporter::main_of(argc, argv));
  } catch (const std::bad_alloc &) {
    return 1;
  }
}
