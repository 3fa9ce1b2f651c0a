// SPDX-License-Identifier: Apache-2.0
// HTTP for scrapers: GET /metrics, one request a connection. A request waits until the tracer has made a
// snapshot. Bounds: connections, bytes of a request's head and of its body, time until the head is whole, time in all.
#pragma once

#include <microhttpd.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/exporter_protocol.h"
#include "base/owned.h"
#include "base/result.h"
#include "exporter/host_names.h"
#include "exporter/tracer_link.h"

namespace dtrace::exporter {

class Server {
 public:
  /// Serves on a socket that listens, whose owner it becomes.
  /// `max_descriptors`: of this process.
  static Result<std::unique_ptr<Server>> start(Fd listener, HostNames hosts, unsigned max_descriptors,
                                               TracerLink &tracer);
  ~Server();
  Server(const Server &) = delete;
  Server &operator=(const Server &) = delete;

  /// Readable when run() has something to do.
  int poll_fd() const { return epoll_fd_; }
  /// run() is to be called after so long, whether or not the descriptor is readable.
  std::chrono::milliseconds timeout(std::chrono::milliseconds longest) const;
  /// Handles what there is; ends connections that take too long.
  void run();
  /// The answer to those that wait for it.
  void take(ReceivedText text);

 private:
  using Clock = std::chrono::steady_clock;

  struct Connection {
    Clock::time_point since = Clock::now();
    int fd = -1;
    bool asked = false;                 ///< its head was whole
    const char *path_end = nullptr;     ///< in the head, as MHD has it: where its text ends
    size_t body_bytes = 0;              ///< of a request that should have none
    MHD_Connection *waiting = nullptr;  ///< suspended until there is a snapshot
    ExportedText wants = ExportedText::kPrometheus;
    std::shared_ptr<MHD_Response> answer;
    bool gave_up = false;
  };
  struct EndDaemon {
    void operator()(MHD_Daemon *daemon) const { MHD_stop_daemon(daemon); }
  };
  Server(HostNames hosts, TracerLink &tracer) : hosts_(std::move(hosts)), tracer_(tracer) {}
  static void on_connection(void *self, MHD_Connection *connection, void **context,
                            MHD_ConnectionNotificationCode code);
  static MHD_Result on_request(void *self, MHD_Connection *connection, const char *url, const char *method,
                               const char *version, const char *data, size_t *data_bytes, void **state);
  static void *on_path(void *self, const char *path, MHD_Connection *connection);
  MHD_Result answer(MHD_Connection *connection, std::string_view path, std::string_view method);
  bool is_for_us(MHD_Connection *connection);
  MHD_Result answer_metrics(MHD_Connection *connection, Connection &state);
  MHD_Result reply(MHD_Connection *connection, unsigned status, std::string_view text) const;
  Connection *state_of(MHD_Connection *connection);
  void end_slow();

  HostNames hosts_;
  TracerLink &tracer_;
  unsigned crowded_ = 0;  // so many connections are not given much time
  bool has_refused_host_ = false;
  std::unique_ptr<MHD_Daemon, EndDaemon> daemon_;
  int epoll_fd_ = -1;
  std::map<MHD_Connection *, Connection> connections_;
  uint32_t asked_for_ = 0;  // bits of ExportedText: the tracer is to send them
};

}  // namespace dtrace::exporter
