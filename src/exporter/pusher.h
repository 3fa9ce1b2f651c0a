// SPDX-License-Identifier: Apache-2.0
// Pushes texts of metrics to a collector by OTLP/HTTP. The newest text replaces one that still waits for another try:
// its numbers count from the start of tracing, so nothing is lost by that.
#pragma once

#include <curl/curl.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/owned.h"
#include "base/result.h"
#include "exporter/tracer_link.h"

namespace dtrace::exporter {

class Pusher {
 public:
  static Result<std::unique_ptr<Pusher>> start(std::string url, TracerLink &tracer);
  ~Pusher();
  Pusher(const Pusher &) = delete;
  Pusher &operator=(const Pusher &) = delete;

  void take(ReceivedText text);
  void run();
  /// Waits for what it does, for `others`, and not longer than `longest`.
  void wait(std::chrono::milliseconds longest, curl_waitfd *others, unsigned nr_others);
  /// The last text has been pushed, or given up.
  bool is_done() const { return is_done_; }
  /// It was given up.
  bool has_failed() const { return has_failed_; }

 private:
  using Clock = std::chrono::steady_clock;

  Pusher(std::string url, TracerLink &tracer) : url_(std::move(url)), tracer_(tracer) {}
  void begin();
  void end(CURLcode code);
  void failed(const std::string &reason, bool may_help_again);
  static size_t on_answer(char *data, size_t size, size_t count, void *self);

  std::string url_;
  TracerLink &tracer_;
  CURLM *multi_ = nullptr;
  CURL *easy_ = nullptr;
  curl_slist *headers_ = nullptr;
  Mapping body_;                      // of the push that goes on
  std::optional<ReceivedText> next_;  // waits for its turn
  bool is_busy_ = false;
  bool is_last_ = false;  // what is being pushed
  bool is_done_ = false;
  bool has_failed_ = false;  // the last push
  bool was_failing_ = false;
  std::string answer_;
  Clock::time_point try_again_{}, deadline_ = Clock::time_point::max();
  std::chrono::seconds backoff_{1};
};

}  // namespace dtrace::exporter
