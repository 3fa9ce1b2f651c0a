// SPDX-License-Identifier: Apache-2.0
// Runs a compiled program on the rows of a recording, in the order of their times, as if they fired now.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/options.h"
#include "codegen/planning/layout.h"
#include "recording/reader.h"
#include "replay/file_catalog.h"
#include "replay/file_time.h"
#include "replay/firings.h"
#include "replay/row_leaves.h"
#include "runtime/events/sink.h"
#include "runtime/symbols/symbolizer.h"
#include "tracer/client.h"

namespace dtrace::replay {

/// How many CPUs the recorded machine has, at least 1.
unsigned nr_cpus_of(const recording::Reader &recording);

class Replay {
 public:
  /// All of it outlives the replay.
  struct Parts {
    recording::Reader &recording;
    codegen::Layout &layout;
    const tree::Unit &unit;
    TypeTable &types;
    const Options &options;
    FileCatalog &catalog;
    runtime::Symbolizer &symbolizer;
    /// runtime::StackSharing's. Null: stacks of processes are not shared.
    std::function<std::optional<uint64_t>(runtime::UserImage image, uint64_t address)> shared_address{};
    runtime::Sink &sink;
    tracer::Client &client;
    FileTime &time;  ///< follows the firings
    std::function<std::string(uint32_t clause)> position_of{};
    /// The text of an expression, for messages.
    std::function<std::string(const tree::Expr &expr)> text_of{};
  };
  explicit Replay(Parts parts);

  /// To the end of the recording, to exit(), or to the client's request. Exit status, as that of a live run.
  int run();
  /// Why the recording could not be read to its end.
  const std::optional<Error> &failure() const { return failure_; }
  uint64_t nr_abandoned() const { return firings_.nr_abandoned(); }
  /// Rows that were read.
  uint64_t nr_rows() const { return nr_rows_; }

 private:
  /// A clock that was not recorded, and when it fires next.
  struct Clock {
    ProbeId probe;
    uint64_t period_ns = 0, next_ns = 0;
  };

  std::optional<recording::Row> next_row();
  void fire(const recording::Row &row);
  /// A probe that has no row, at a time.
  void fire_without_row(ProbeId probe, uint64_t time_ns);
  /// Clocks up to a time. False: the run ends.
  bool fire_clocks(uint64_t until_ns);
  /// Everything between BEGIN and END.
  void run_rows(std::optional<recording::Row> row);
  void run_end();
  /// The row of END, which was not reached. The recording is read from near its end.
  std::optional<recording::Row> find_end();
  /// The client or the output ends the run; asked every so many firings.
  bool is_to_end();
  std::vector<runtime::Loss> recorded_losses() const;
  void report_not_told() const;

  Parts parts_;
  Options options_;  // of the run: setopt() changes them, and no compiled program
  RowLeaves leaves_;
  std::map<std::pair<uint32_t, const tree::Expr *>, uint64_t> not_told_;  // by clause: firings
  Firings firings_;
  std::vector<Clock> clocks_;
  std::optional<Error> failure_;
  uint64_t nr_rows_ = 0, until_ns_ = UINT64_MAX;
  uint32_t nr_until_check_ = 0;
  bool is_to_end_ = false, has_end_ = false;
};

}  // namespace dtrace::replay
