// SPDX-License-Identifier: Apache-2.0
// One picture of a live screen: lines of text that fit a window, from tables and from what the user has chosen.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/live/live_tables.h"

namespace dtrace::runtime {

struct LiveSize {
  size_t columns = 80, lines = 24;
  friend bool operator==(const LiveSize &, const LiveSize &) = default;
};

/// What the user has chosen.
struct LiveChoice {
  size_t table = 0;                      ///< the one that keys act on: index of LiveTables::tables()
  bool alone = false;                    ///< only that one is shown
  size_t first_row = 0;                  ///< of that one, at the top
  std::map<uint32_t, LiveOrder> orders;  ///< by LiveTable::id
  bool paused = false;
  bool help = false;
  bool losses = false;  ///< what was lost is shown
  std::string filter;   ///< rows that have it in a key are shown; empty: all
  bool typing = false;  ///< the filter is being typed
};

/// What the screen shows beside the tables.
struct LiveStatus {
  uint64_t interval_ms = 1000;
  uint64_t seconds = 0;             ///< since tracing began
  uint64_t age_ms = 0;              ///< of what the tables show
  uint64_t lost = 0;                ///< what was lost until now, of all causes
  std::vector<std::string> losses;  ///< lines that say of what
  std::vector<std::string> output;  ///< the last lines that the program and dtrace have printed
  std::string title{};              ///< in place of the command's name; empty: none is wanted
};

struct LiveStyle {
  bool colour = true;
  bool utf8 = true;
};

/// Lines of a picture, at most `size.lines`, each at most `size.columns` wide, with escape sequences for attributes.
std::vector<std::string> live_picture(const std::vector<LiveTable> &tables, const LiveChoice &choice,
                                      const LiveStatus &status, LiveSize size, LiveStyle style);

/// The columns that UTF-8 text takes on a terminal.
size_t text_columns(std::string_view text);
/// The beginning of `text` that fits `columns`.
std::string_view fitting(std::string_view text, size_t columns);

}  // namespace dtrace::runtime
