// SPDX-License-Identifier: Apache-2.0
// The client of the tracer: gets messages for people beside what the programs print, and may ask for the end.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace dtrace::tracer {

class Client {
 public:
  virtual ~Client() = default;

  /// One message, without "dtrace: " and newline: "pid 42 exited with status 1", "warning: ...".
  virtual void report(std::string_view text) = 0;
  /// A remark on what was reported or is shown.
  virtual void note(std::string_view text) { report(text); }
  /// Are remarks wanted that say where in the program a fault was? The first lines of faults are what scripts read.
  virtual bool wants_positions() const { return false; }
  /// Option debug: a step was done.
  virtual void debug(std::string_view step) { (void)step; }
  /// What the kernel's verifier says of programs (option bpflog), as it is.
  virtual void log(std::string_view text) { (void)text; }
  /// What takes long goes on, `done` of `total`, about once a second. The same numbers: it is done.
  virtual void progress(std::string_view what, size_t done, size_t total) { (void)what, (void)done, (void)total; }

  /// Signals that end this process may be caught for as long as it takes to end a process of ours with it.
  virtual bool lends_signals() const { return false; }
  /// The end was asked for.
  virtual bool end_requested() const { return false; }
  /// It was asked for again: what has not been shown is counted and not shown.
  virtual bool end_abandoned() const { return false; }
  /// Readable from the first request on; -1: the end is never requested while tracing waits.
  virtual int end_fd() const { return -1; }
  /// Why a call that was interrupted is to be given up, after it made no progress for `waiting`.
  virtual std::optional<Error> give_up(std::chrono::nanoseconds waiting) const {
    (void)waiting;
    return std::nullopt;
  }
};

}  // namespace dtrace::tracer
