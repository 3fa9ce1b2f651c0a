// SPDX-License-Identifier: Apache-2.0
// The command as a client of the tracer: messages go to standard error, and signals ask for the end.
#pragma once

#include <optional>
#include <string_view>

#include "main/signals.h"
#include "tracer/client.h"

namespace dtrace::command {

/// "dtrace: TEXT" on standard error.
void report(std::string_view text);
/// Text for standard error as it is.
void complain(std::string_view text);

class Terminal final : public tracer::Client {
 public:
  void report(std::string_view text) override { command::report(text); }
  void note(std::string_view text) override;
  void debug(std::string_view step) override;
  void log(std::string_view text) override { complain(text); }
  void progress(std::string_view what, size_t done, size_t total) override;

  /// From here on signals that would end us ask for the end of tracing; `reopens`: SIGHUP for files to be opened again.
  const Interrupts &watch_signals(bool reopens) { return interrupts_.emplace(reopens); }
  bool lends_signals() const override { return true; }
  bool end_requested() const override { return interrupts_ && interrupts_->requested(); }
  bool end_abandoned() const override { return interrupts_ && interrupts_->abandoned(); }
  int end_fd() const override { return interrupts_ ? interrupts_->fd() : -1; }
  std::optional<Error> give_up(std::chrono::nanoseconds waiting) const override {
    return interrupts_ ? interrupts_->give_up(waiting) : std::nullopt;
  }

 private:
  std::optional<Interrupts> interrupts_;
};

}  // namespace dtrace::command
