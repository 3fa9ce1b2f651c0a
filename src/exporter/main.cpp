// SPDX-License-Identifier: Apache-2.0
// dtrace-exporter: the process that speaks HTTP for `dtrace --serve` and `--otlp`, so that nothing that the network
// sends is read by a process that may do anything. It has no privileges, no descriptor of the tracer's but a socket,
// and ends when the tracer does. Started by dtrace: descriptor 3 is the socket, descriptor 4 listens (--serve).
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "exporter/privileges.h"
#include "exporter/pusher.h"
#include "exporter/server.h"
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
    if (parts.pusher->is_done()) return parts.tracer.tell(FromExporter::kDone);
  }
}

int main_of(int argc, char **argv) {
  std::signal(SIGPIPE, SIG_IGN);
  // The terminal's signals are for the tracer, whose end is ours.
  for (const int ignored : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) std::signal(ignored, SIG_IGN);
  bool serves = false;
  const char *url = nullptr;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--serve") == 0)
      serves = true;
    else if (std::strcmp(argv[i], "--otlp") == 0 && i + 1 < argc)
      url = argv[++i];
  }
  if ((!serves && url == nullptr) || fcntl(kExporterControlFd, F_GETFD) < 0) {
    std::fputs("dtrace-exporter: started by dtrace --serve and --otlp, not by users\n", stderr);
    return 2;
  }
  // Closes the tracer's streams here: otherwise a reader of its output would not see end of file when the tracer exits.
  const Fd nowhere(open("/dev/null", O_RDWR | O_CLOEXEC));
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) (void)dup2(nowhere.get(), fd);
  TracerLink tracer{Fd(kExporterControlFd)};
  const auto fail = [&](const Error &error) {
    tracer.report(error.text());
    return 1;
  };
  if (const Result<Unit> dropped = drop_privileges(); !dropped) return fail(dropped.error());
  Parts parts{tracer, nullptr, nullptr};
  if (serves) {
    Result<std::unique_ptr<Server>> server = Server::start(Fd(kExporterListenFd), tracer);
    if (!server) return fail(server.error());
    parts.server = std::move(*server);
  }
  if (url != nullptr) {
    Result<std::unique_ptr<Pusher>> pusher = Pusher::start(url, tracer);
    if (!pusher) return fail(pusher.error());
    parts.pusher = std::move(*pusher);
  }
  run(parts);
  return 0;
}

}  // namespace
}  // namespace dtrace::exporter

int main(int argc, char **argv) {
  try {
    return dtrace::exporter::main_of(argc, argv);
  } catch (const std::bad_alloc &) {
    return 1;
  }
}
