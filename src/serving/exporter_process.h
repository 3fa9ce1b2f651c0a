// SPDX-License-Identifier: Apache-2.0
// The exporter as the command starts it: where it listens, where it pushes to. Errors are known before tracing begins.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/owned.h"
#include "base/result.h"

namespace dtrace::command {

/// A socket that listens at "[ADDR:]PORT", and where that is: "127.0.0.1:9100", "[::1]:9100".
struct Listener {
  Fd socket;
  std::string address;
};
/// Without an address, this machine's own; port 0 is any that is free. Errors: the text is not understood, the
/// system's.
Result<Listener> listen_at(const std::string &where);

/// The URL of option --otlp with the path that it has if none is given. Errors: it is no URL of HTTP.
Result<std::string> push_url(const std::string &url);

class ExporterProcess {
 public:
  ExporterProcess() = default;
  ~ExporterProcess();
  ExporterProcess(const ExporterProcess &) = delete;
  ExporterProcess &operator=(const ExporterProcess &) = delete;

  /// Starts it if one of the two is wanted: `serve`, the operand of --serve; `otlp`, that of --otlp. Reports where it
  /// serves.
  Result<Unit> start(const std::optional<std::string> &serve, const std::optional<std::string> &otlp,
                     const std::function<void(std::string_view)> &report);
  bool is_running() const { return pid_ > 0; }
  pid_t pid() const { return pid_; }
  /// The socket to it, for the tracer.
  Fd take_control() { return std::move(control_); }

 private:
  pid_t pid_ = -1;
  Fd control_;
};

}  // namespace dtrace::command
