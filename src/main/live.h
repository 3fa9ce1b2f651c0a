// SPDX-License-Identifier: Apache-2.0
// --live: the aggregations of a run on a screen, as they change.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/options.h"
#include "main/kept_streams.h"
#include "main/screen.h"
#include "runtime/live/live_picture.h"
#include "runtime/live/live_tables.h"
#include "runtime/output/formats.h"
#include "tracer/trace_loop.h"

namespace dtrace::command {

/// The terminal, and what is kept from it. Declared in this order: the screen goes first.
struct LiveTerminal {
  explicit LiveTerminal(Screen shown) : screen(std::move(shown)) {}
  KeptStreams kept;
  Screen screen;
};

class Live {
 public:
  /// `parts`: those of a sink; all of it outlives this.
  Live(LiveTerminal &terminal, const runtime::SinkParts &parts, const Options &options);

  Result<Unit> begin() { return terminal_.screen.enter(); }
  /// Between two steps of `loop`: takes keys, follows the window, and draws. `q` is an interrupt, as Ctrl-C is.
  void turn(tracer::TraceLoop &loop);
  /// The screen goes, and what was kept is shown. Errors: it cannot be.
  Result<Unit> end();

  /// How long a step may take.
  static constexpr std::chrono::milliseconds kStep{50};

 private:
  using Clock = std::chrono::steady_clock;

  void take(int key);
  /// A key while the filter is typed.
  void type(int key);
  void choose_order(int step);
  void update(tracer::TraceLoop &loop);
  void draw(const tracer::TraceLoop &loop);
  void stop();
  const runtime::LiveTable *table() const;

  LiveTerminal &terminal_;
  runtime::RowValues values_;
  runtime::LiveTables tables_;
  runtime::LiveChoice choice_;
  std::string title_;
  runtime::LiveStyle style_;
  std::chrono::milliseconds interval_;
  Clock::time_point begin_, updated_, next_update_, next_draw_;
  bool is_changed_ = true;
};

}  // namespace dtrace::command
