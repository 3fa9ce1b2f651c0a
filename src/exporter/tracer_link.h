// SPDX-License-Identifier: Apache-2.0
// The exporter's end of the socket to the tracer.
#pragma once

#include <optional>
#include <string_view>

#include "base/exporter_protocol.h"
#include "base/owned.h"

namespace dtrace::exporter {

/// A text of metrics, in memory that nobody changes any more.
struct ReceivedText {
  ExportedText kind = ExportedText::kPrometheus;
  bool is_last = false;
  Fd file;
  uint64_t size_bytes = 0;
};

class TracerLink {
 public:
  explicit TracerLink(Fd socket) : socket_(std::move(socket)) {}

  int fd() const { return socket_.get(); }
  /// The tracer has gone.
  bool is_closed() const { return closed_; }
  void want(uint32_t texts);
  void report(std::string_view text);
  void tell(FromExporter::Kind kind);
  /// The next text that has come; nothing: none has.
  std::optional<ReceivedText> receive();

 private:
  void send(const FromExporter &message);

  Fd socket_;
  bool closed_ = false;
};

}  // namespace dtrace::exporter
