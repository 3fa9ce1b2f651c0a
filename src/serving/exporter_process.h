// SPDX-License-Identifier: Apache-2.0
// The exporter as the command starts it: where it listens, where it pushes to. Errors are known before tracing begins.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/exporter.h"
#include "base/owned.h"
#include "base/result.h"

namespace dtrace::command {

/// A socket that listens at "[ADDR:]PORT", and where that is: "127.0.0.1:9100", "[::1]:9100". `host` is ADDR.
struct Listener {
  Fd socket;
  std::string address, host;
};
/// Without an address, this machine's own; port 0 is any that is free. Errors: the text is not understood, the
/// system's.
Result<Listener> listen_at(const std::string &where);

/// The URL of option --otlp with the path that it has if none is given. Errors: it is no URL of HTTP.
Result<std::string> push_url(const std::string &url);

/// The environment of the exporter: what of `all` the libraries of HTTP and TLS ask for, and nothing else.
std::vector<std::string> exporter_environment(const char *const *all);

class ExporterProcess final : public Exporter {
 public:
  ExporterProcess() = default;
  ~ExporterProcess() override;
  ExporterProcess(const ExporterProcess &) = delete;
  ExporterProcess &operator=(const ExporterProcess &) = delete;

  /// Listens, and starts the exporter, if one of the two is wanted: `serve`, the operand of --serve; `otlp`, that of
  /// --otlp. `hosts`: names by which clients may call this machine.
  Result<Unit> start(const std::optional<std::string> &serve, const std::optional<std::string> &otlp,
                     const std::vector<std::string> &hosts);
  /// Waits until it serves. Errors: why it does not.
  Result<Unit> wait_until_ready();
  bool is_running() const { return pid_ > 0; }
  /// Where it serves, "127.0.0.1:9100"; empty: nowhere.
  const std::string &address() const { return listener_.address; }

  pid_t pid() const override { return pid_; }
  Fd take_control() override { return std::move(control_); }
  std::string end() override;
  Result<Unit> start_again() override { return spawn(); }
  void stop_listening() override { listener_.socket.reset(); }

 private:
  Result<Unit> spawn();

  std::string program_;
  std::vector<std::string> words_, environment_;
  Listener listener_;
  pid_t pid_ = -1;
  Fd control_;
};

}  // namespace dtrace::command
