// SPDX-License-Identifier: Apache-2.0
#include "exporter/server.h"

#include <fmt/format.h>
#include <strings.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "base/printable.h"

namespace dtrace::exporter {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr unsigned kMaxConnections = 256;
constexpr unsigned kContentTooLarge = 413, kMisdirectedRequest = 421;  // older headers name them otherwise, or not
/// Descriptors beside those of connections: the listener, the tracer, texts, and what pushes and resolves names.
constexpr unsigned kOtherDescriptors = 32;
/// A body is read, so that the client reads our answer, and forgotten.
constexpr size_t kBodyBytes = 1 << 20;
constexpr size_t kConnectionBytes = 32 * 1024;  // of a request's head, and of what is sent at a time
constexpr size_t kShownHostBytes = 80;
/// Until the head of a request is whole; where many connect, the slow ones are not waited for.
constexpr milliseconds kHeadTime{10'000}, kHeadTimeCrowded{1'000};
/// Until the tracer has made a snapshot: it may be busy with an output that nobody reads.
constexpr seconds kSnapshotTime{15};
/// In all: until the answer has been taken.
constexpr seconds kWholeTime{60};

constexpr std::string_view kIndex =
    "<html><head><title>dtrace</title></head><body><a href=\"/metrics\">Metrics</a></body></html>\n";

constexpr std::string_view kTypes[] = {"text/plain; version=0.0.4; charset=utf-8",
                                       "application/openmetrics-text; version=1.0.0; charset=utf-8"};

/// OpenMetrics if the client names it; all that do take it first.
ExportedText wanted_text(MHD_Connection *connection) {
  const char *accept = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT);
  const bool open_metrics = accept != nullptr && std::strstr(accept, "application/openmetrics-text") != nullptr;
  return open_metrics ? ExportedText::kOpenMetrics : ExportedText::kPrometheus;
}

using Response = std::shared_ptr<MHD_Response>;
Response owned(MHD_Response *response) {
  return response == nullptr ? nullptr : Response(response, [](MHD_Response *gone) { MHD_destroy_response(gone); });
}

void ignore_log(void *, const char *, va_list) {}

/// Paths are compared as they were sent: "%00" would end a text.
size_t leave_escaped(void *, MHD_Connection *, char *text) { return std::strlen(text); }

struct Hosts {
  unsigned count = 0;
  std::string_view last;
};

MHD_Result note_host(void *cookie, MHD_ValueKind, const char *name, size_t name_bytes, const char *value,
                     size_t value_bytes) {
  constexpr std::string_view kHost = MHD_HTTP_HEADER_HOST;
  if (name_bytes != kHost.size() || strncasecmp(name, kHost.data(), kHost.size()) != 0) return MHD_YES;
  auto &hosts = *static_cast<Hosts *>(cookie);
  ++hosts.count;
  hosts.last = value == nullptr ? std::string_view() : std::string_view(value, value_bytes);
  return MHD_YES;
}

/// Does a request announce more body than is read?
bool announces_much(MHD_Connection *connection) {
  const char *const length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
  return length != nullptr && std::strtoull(length, nullptr, 10) > kBodyBytes;
}

}  // namespace

Result<std::unique_ptr<Server>> Server::start(Fd listener, HostNames hosts, unsigned max_descriptors,
                                              TracerLink &tracer) {
  if (max_descriptors <= kOtherDescriptors)
    return Error(fmt::format("only {} descriptors may be open (ulimit -n), and more than {} are needed",
                             max_descriptors, kOtherDescriptors));
  const unsigned max_connections = std::min(kMaxConnections, max_descriptors - kOtherDescriptors);
  std::unique_ptr<Server> server(new Server(std::move(hosts), tracer));
  server->crowded_ = max_connections / 2;
  server->daemon_.reset(MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, nullptr, nullptr, &Server::on_request,
      server.get(), MHD_OPTION_EXTERNAL_LOGGER, &ignore_log, nullptr, MHD_OPTION_LISTEN_SOCKET, listener.get(),
      MHD_OPTION_CONNECTION_LIMIT, max_connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT, kConnectionBytes,
      MHD_OPTION_CONNECTION_TIMEOUT, static_cast<unsigned>(kWholeTime.count()), MHD_OPTION_NOTIFY_CONNECTION,
      &Server::on_connection, server.get(), MHD_OPTION_URI_LOG_CALLBACK, &Server::on_path, server.get(),
      MHD_OPTION_UNESCAPE_CALLBACK, &leave_escaped, nullptr, MHD_OPTION_END));
  if (!server->daemon_) return Error("the HTTP server does not start");
  (void)listener.release();
  const MHD_DaemonInfo *info = MHD_get_daemon_info(server->daemon_.get(), MHD_DAEMON_INFO_EPOLL_FD);
  if (info == nullptr) return Error("the HTTP server has no descriptor to wait for");
  server->epoll_fd_ = info->epoll_fd;
  return server;
}

Server::~Server() {
  // What is suspended must be resumed before the daemon ends.
  for (auto &[connection, state] : connections_) {
    state.gave_up = true;
    if (std::exchange(state.waiting, nullptr) != nullptr) MHD_resume_connection(connection);
  }
  daemon_.reset();  // it reports the end of each connection
}

void Server::on_connection(void *self, MHD_Connection *connection, void **, MHD_ConnectionNotificationCode code) {
  auto &connections = static_cast<Server *>(self)->connections_;
  if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
    connections.erase(connection);
    return;
  }
  Connection &state = connections[connection];
  const MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  if (info != nullptr) state.fd = info->connect_fd;
}

Server::Connection *Server::state_of(MHD_Connection *connection) {
  const auto found = connections_.find(connection);
  return found == connections_.end() ? nullptr : &found->second;
}

void *Server::on_path(void *self, const char *path, MHD_Connection *connection) {
  if (Connection *const state = static_cast<Server *>(self)->state_of(connection); state != nullptr)
    state->path_end = path + std::strlen(path);
  return nullptr;
}

MHD_Result Server::on_request(void *self, MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *, size_t *data_bytes, void **) {
  auto &server = *static_cast<Server *>(self);
  Connection *state = server.state_of(connection);
  if (state == nullptr) return MHD_NO;
  // The first call is made when the head is whole, the last one after the body.
  const bool is_first = !std::exchange(state->asked, true);
  if (is_first && announces_much(connection)) return server.reply(connection, kContentTooLarge, "no body\n");
  if (is_first) return MHD_YES;
  if (*data_bytes != 0) {
    state->body_bytes += std::exchange(*data_bytes, 0);
    return state->body_bytes <= kBodyBytes ? MHD_YES : MHD_NO;
  }
  // The version stands behind the path, in the same memory. If it does not, the path goes on behind a NUL.
  const ptrdiff_t between = state->path_end == nullptr ? 1 : version - state->path_end;
  const bool is_near = between > 0 && between < static_cast<ptrdiff_t>(kConnectionBytes);
  if (is_near && between != 1) return server.reply(connection, MHD_HTTP_BAD_REQUEST, "malformed path\n");
  return server.answer(connection, url, method);
}

bool Server::is_for_us(MHD_Connection *connection) {
  Hosts hosts;
  (void)MHD_get_connection_values_n(connection, MHD_HEADER_KIND, &note_host, &hosts);
  if (hosts.count == 0) return true;  // HTTP/1.0, and no browser
  if (hosts.count == 1 && hosts_.accepts(hosts.last)) return true;
  if (!std::exchange(has_refused_host_, true))
    tracer_.report(
        fmt::format("refused a request for the host {}: --serve answers to addresses, localhost, and names of "
                    "-x servehost",
                    printable(hosts.last.substr(0, kShownHostBytes))));
  return false;
}

MHD_Result Server::reply(MHD_Connection *connection, unsigned status, std::string_view text) const {
  const Response response =
      owned(MHD_create_response_from_buffer(text.size(), const_cast<char *>(text.data()), MHD_RESPMEM_MUST_COPY));
  if (!response) return MHD_NO;
  (void)MHD_add_response_header(response.get(), MHD_HTTP_HEADER_CONNECTION, "close");
  if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
    (void)MHD_add_response_header(response.get(), MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
  return MHD_queue_response(connection, status, response.get());
}

MHD_Result Server::answer(MHD_Connection *connection, std::string_view path, std::string_view method) {
  Connection &state = *state_of(connection);
  if (!is_for_us(connection))
    return reply(connection, kMisdirectedRequest, "this host name is not known here: see -x servehost\n");
  if (method != MHD_HTTP_METHOD_GET && method != MHD_HTTP_METHOD_HEAD)
    return reply(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET\n");
  if (path == "/") return reply(connection, MHD_HTTP_OK, kIndex);
  if (path != "/metrics") return reply(connection, MHD_HTTP_NOT_FOUND, "only /metrics\n");
  return answer_metrics(connection, state);
}

MHD_Result Server::answer_metrics(MHD_Connection *connection, Connection &state) {
  if (state.gave_up) return reply(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "dtrace is busy\n");
  if (state.answer) return MHD_queue_response(connection, MHD_HTTP_OK, state.answer.get());
  state.wants = wanted_text(connection);
  state.waiting = connection;
  MHD_suspend_connection(connection);
  const uint32_t bit = 1u << static_cast<uint32_t>(state.wants);
  if ((asked_for_ & bit) == 0) tracer_.want(bit);
  asked_for_ |= bit;
  return MHD_YES;
}

void Server::take(ReceivedText text) {
  const auto index = static_cast<size_t>(text.kind);
  if (index >= std::size(kTypes)) return;
  asked_for_ &= ~(1u << index);
  const Response response = owned(MHD_create_response_from_fd64(text.size_bytes, text.file.get()));
  if (!response) return;
  (void)text.file.release();
  (void)MHD_add_response_header(response.get(), MHD_HTTP_HEADER_CONTENT_TYPE, kTypes[index].data());
  (void)MHD_add_response_header(response.get(), MHD_HTTP_HEADER_CONNECTION, "close");
  for (auto &[connection, state] : connections_) {
    if (state.waiting == nullptr || state.wants != text.kind) continue;
    state.waiting = nullptr;
    state.answer = response;
    MHD_resume_connection(connection);
  }
}

void Server::end_slow() {
  const Clock::time_point now = Clock::now();
  const milliseconds head_time = connections_.size() > crowded_ ? kHeadTimeCrowded : kHeadTime;
  for (auto &[connection, state] : connections_) {
    const auto age = now - state.since;
    if (state.waiting != nullptr && age > kSnapshotTime) {
      state.waiting = nullptr;
      state.gave_up = true;
      asked_for_ = 0;  // to be asked again
      MHD_resume_connection(connection);
    } else if ((!state.asked && age > head_time) || age > kWholeTime) {
      (void)shutdown(state.fd, SHUT_RDWR);
    }
  }
}

milliseconds Server::timeout(milliseconds longest) const {
  MHD_UNSIGNED_LONG_LONG wanted = 0;
  if (MHD_get_timeout(daemon_.get(), &wanted) != MHD_YES) return longest;
  return std::min(longest, milliseconds(static_cast<int64_t>(std::min<unsigned long long>(wanted, 60'000))));
}

void Server::run() {
  end_slow();
  (void)MHD_run(daemon_.get());
}

}  // namespace dtrace::exporter
