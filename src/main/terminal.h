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
  bool wants_positions() const override { return wants_positions_; }
  void want_positions() { wants_positions_ = true; }
  /// From here on, notes are remarks on faults that are not on standard error.
  void mute_notes() { mutes_notes_ = true; }
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
  bool mutes_notes_ = false, wants_positions_ = false;
};

}  // namespace dtrace::command
