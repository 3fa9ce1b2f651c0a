// SPDX-License-Identifier: Apache-2.0
// Gives queued events to the program: calls its functions, and writes text to its file or passes it to its handler.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <span>

#include "capi/errors.h"
#include "capi/events.h"

namespace dtrace::capi {

template <typename Function>
struct Handler {
  Function *function = nullptr;
  void *arg = nullptr;
};

/// Set by the dtrace_handle_*() functions.
struct Handlers {
  Handler<dtrace_handle_buffered_f> buffered;
  Handler<dtrace_handle_drop_f> drop;
  Handler<dtrace_handle_err_f> fault;
  Handler<dtrace_handle_message_f> message;
};

/// Receivers of rows: the arguments of dtrace_work().
struct Receivers {
  FILE *file = nullptr;
  dtrace_consume_probe_f *probe = nullptr;
  dtrace_consume_rec_f *record = nullptr;
  void *arg = nullptr;
};

class Delivery {
 public:
  Delivery(dtrace_hdl_t *handle, const Handlers &handlers) : handle_(handle), handlers_(handlers) {}

  /// All of them, the first ones first. After a failure what has not been handed over is still there.
  Failed hand_over(Events &events, const Receivers &to);
  /// What is there of rows that have not ended.
  Failed hand_over_open(std::span<const std::shared_ptr<Row>> rows, const Receivers &to);
  /// Text that is of no row.
  Failed show(std::span<const TextPart> parts, FILE *file);

 private:
  Failed hand_over(Row &row, const Receivers &to);
  Failed hand_over(const Fault &fault);
  Failed hand_over(const Drop &drop);
  Failed show(std::span<const TextPart> parts, FILE *file, dtrace_probedata_t *probe, const dtrace_recdesc_t *record);
  FILE *target(FILE *file) const { return redirected_ && file != nullptr ? redirected_.get() : file; }

  dtrace_hdl_t *handle_;
  const Handlers &handlers_;
  std::shared_ptr<FILE> redirected_;  // by freopen()
  std::map<dtrace_dropkind_t, uint64_t> drops_;
};

}  // namespace dtrace::capi
