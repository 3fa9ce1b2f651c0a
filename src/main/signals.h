// SPDX-License-Identifier: Apache-2.0
// Signals that ask for the end. The first request ends tracing in order and prints what there is; a second request
// abandons what has not been printed. Signals within kOneRequest of the first one are the same request: `timeout` sends
// SIGTERM to its child and then to the whole group, and a terminal sends SIGINT to a wrapper which sends it again.
#pragma once

#include <time.h>

#include <chrono>
#include <optional>

#include "base/owned.h"
#include "base/result.h"

namespace dtrace::command {

/// Shells without job control start background jobs with SIGINT and SIGQUIT ignored, but `kill -INT` is how a script
/// ends dtrace. From here on these end us at once; Interrupts does it in order. Called first of all: a signal that
/// comes while it is ignored is lost.
void heed_ignored_signals();
/// As dtrace was started: for what is no tracing, a background job stays one.
void ignore_signals_again();

class Interrupts {
 public:
  static constexpr std::chrono::seconds kOneRequest{1};
  /// After the first request, output that is not read for this long is abandoned.
  static constexpr std::chrono::seconds kPatience{3};

  /// Installs the handlers, which stay: a signal after the destructor comes too late to change anything. SIGHUP and the
  /// like stay ignored if dtrace was started so (nohup). SIGINT does not: background jobs of scripts are started so.
  /// `reopens`: SIGHUP asks for output files to be opened again, and for the end only if our terminal has gone.
  explicit Interrupts(bool reopens);
  ~Interrupts();
  Interrupts(const Interrupts &) = delete;
  Interrupts &operator=(const Interrupts &) = delete;

  bool requested() const;
  /// A second request came.
  bool abandoned() const;
  /// Are output files to be opened again? Says so once.
  bool take_reopen() const;
  /// Readable from the first request on, and while take_reopen() has something to say.
  int fd() const { return event_.get(); }
  /// Why a call that was interrupted is to be given up; `waiting` is for how long it has made no progress. From the
  /// first request on, calls that block are interrupted every 100 ms, so that they can ask.
  std::optional<Error> give_up(std::chrono::nanoseconds waiting) const;
  /// The reader of our output went away, and SIGPIPE would have killed us.
  bool dies_of_pipe() const { return dies_of_pipe_; }

 private:
  Fd event_;
  std::optional<timer_t> ticks_;
  bool dies_of_pipe_ = false;
  bool had_terminal_ = false;
};

}  // namespace dtrace::command
