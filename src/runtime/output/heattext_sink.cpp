// SPDX-License-Identifier: Apache-2.0
// A heat map as text: time across, buckets up, a cell for each; 256 colours on a terminal, characters elsewhere.
//
//     @ = quantize(), by execname: 12 snapshots, 12.0 s
//             1024 |  .   *|
//              512 |:=@=::%|
//                  0 s      12.0 s
//     . 1  : 2  - 5 ... @ 312 values
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/printable.h"
#include "runtime/output/colour.h"
#include "runtime/output/heat_sink.h"
#include "runtime/print/histogram.h"
#include "runtime/print/units.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kShades = ".:-=+*#%@";
// Colours of the palette of 256, from dark to bright: distinguishable by brightness alone.
constexpr int kColours[] = {17, 18, 54, 90, 126, 162, 203, 215, 229};
static_assert(kShades.size() == std::size(kColours));
constexpr int kLevels = static_cast<int>(std::size(kColours));
constexpr std::string_view kReset = "\033[0m";
constexpr size_t kUsualColumns = 80, kLabelColumns = 16, kMaxRows = 48, kWidestCell = 4;
constexpr double kNsPerSecond = 1e9;

/// What a cell of the picture counts: rows from the lowest bucket up.
struct Grid {
  std::vector<std::vector<int64_t>> rows;  // by row, then by column
  std::vector<std::string> labels;
  size_t joined = 1;  // snapshots a column
  int64_t most = 0;
};

Grid grid_of(const HeatMap &map, HeatRange range, size_t most_columns) {
  Grid grid;
  grid.joined = (map.columns.size() + most_columns - 1) / most_columns;
  const size_t columns = (map.columns.size() + grid.joined - 1) / grid.joined;
  std::vector<size_t> row_of(range.last - range.first + 1);
  std::vector<std::string> labels;
  for (uint32_t bucket = range.first; bucket <= range.last; ++bucket) {
    const std::optional<std::string> label = bucket_label(map.shape, bucket, false);
    if (label) labels.push_back(with_unit(*label, map.quantity));
    row_of[bucket - range.first] = labels.empty() ? 0 : labels.size() - 1;
  }
  const size_t rows_joined = std::max<size_t>((labels.size() + kMaxRows - 1) / kMaxRows, 1);
  for (size_t i = 0; i < labels.size(); i += rows_joined) grid.labels.push_back(labels[i]);
  grid.rows.assign(grid.labels.size(), std::vector<int64_t>(columns));
  for (size_t i = 0; i < map.columns.size(); ++i)
    for (const HeatCell &cell : map.columns[i].cells)
      grid.rows[row_of[cell.bucket - range.first] / rows_joined][i / grid.joined] += cell.count;
  for (const std::vector<int64_t> &row : grid.rows) grid.most = std::max(grid.most, *std::ranges::max_element(row));
  return grid;
}

/// 0: nothing; else 1 to kLevels, by the logarithm, so that rare values are seen.
int level_of(int64_t count, int64_t most) {
  if (count <= 0) return 0;
  if (most <= 1) return kLevels;
  const double share = std::log(static_cast<double>(count)) / std::log(static_cast<double>(most));
  return std::clamp(1 + static_cast<int>(share * (kLevels - 1) + 0.5), 1, kLevels);
}

/// The least count of a level.
int64_t least_of(int level, int64_t most) {
  const double share = (level - 1.5) / (kLevels - 1);
  auto count = static_cast<int64_t>(std::exp(std::max(share, 0.0) * std::log(static_cast<double>(most))));
  while (count > 1 && level_of(count - 1, most) >= level) --count;
  while (level_of(count, most) < level) ++count;
  return count;
}

std::string seconds(uint64_t ns) { return fmt::format("{:.1f} s", static_cast<double>(ns) / kNsPerSecond); }

class HeattextSink final : public HeatSink {
 public:
  explicit HeattextSink(const SinkParts &parts) : HeatSink(parts, "heattext") {}

  void refresh(const Options &options) override {
    HeatSink::refresh(options);
    option_ = options.string(Opt::color);
  }

 private:
  std::string picture(const std::vector<HeatMap> &maps, const RunFacts &) const override {
    const bool is_terminal = parts_.output.is_terminal();
    const bool colour = shows_colour(option_, is_terminal);
    winsize window{};
    const bool known = is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col != 0;
    const size_t columns = known ? window.ws_col : kUsualColumns;
    std::string text = parts_.title.empty() ? std::string() : printable(parts_.title) + "\n";
    for (const HeatMap &map : maps) {
      if (&map != maps.data()) text += '\n';
      append_map(text, map, columns, colour);
    }
    return maps.empty() ? text + std::string(kNoHistograms) + "\n" : text;
  }

  static void append_map(std::string &text, const HeatMap &map, size_t columns, bool colour) {
    const HeatRange range = reached_buckets(map);
    const uint64_t lasted_ns = map.columns.empty() ? 0 : map.columns.back().end_ns - map.columns.front().begin_ns;
    text += fmt::format("{} = {}()", map.name, row(row(map.shape.function).builtin).name);
    if (!map.key_names.empty()) text += fmt::format(", by {}", fmt::join(map.key_names, ", "));
    const size_t snapshots = map.columns.size() * map.joined;
    text += fmt::format(": {} snapshot{}", snapshots, snapshots == 1 ? "" : "s");
    if (lasted_ns != 0) text += fmt::format(", {}", seconds(lasted_ns));
    text += '\n';
    if (range.first > range.last) {
      text += "no values\n";
      return;
    }
    const size_t room = columns > kLabelColumns + 4 ? columns - kLabelColumns - 4 : 1;
    const Grid grid = grid_of(map, range, room);
    const size_t nr_cells = grid.rows.front().size();
    const size_t width = std::clamp<size_t>(room / nr_cells, 1, kWidestCell);
    for (size_t i = grid.rows.size(); i-- > 0;) {
      text += fmt::format("{:>{}} |", grid.labels[i], kLabelColumns);
      append_cells(text, grid.rows[i], grid.most, width, colour);
      text += "|\n";
    }
    const size_t axis = nr_cells * width + 2;
    const std::string end = seconds(lasted_ns);
    if (lasted_ns != 0)
      text += fmt::format("{:{}}0 s{:>{}}\n", "", kLabelColumns + 1, end,
                          axis < 3 + end.size() ? end.size() + 1 : axis - 3);
    if (grid.joined * map.joined != 1) text += fmt::format("each column: {} snapshots\n", grid.joined * map.joined);
    append_legend(text, grid.most, colour);
  }

  static void append_cells(std::string &text, const std::vector<int64_t> &row, int64_t most, size_t width,
                           bool colour) {
    int current = 0;
    for (const int64_t count : row) {
      const int level = level_of(count, most);
      if (!colour) {
        text.append(width, count < 0 ? '<' : level == 0 ? ' ' : kShades[static_cast<size_t>(level - 1)]);
        continue;
      }
      if (level != current)
        text += level == 0 ? std::string(kReset) : fmt::format("\033[48;5;{}m", kColours[level - 1]);
      current = level;
      text.append(width, count < 0 ? '<' : ' ');
    }
    if (current != 0) text += kReset;
  }

  /// What each level begins at; levels that no count has are left out.
  static void append_legend(std::string &text, int64_t most, bool colour) {
    int64_t before = 0;
    for (int level = 1; level <= kLevels; ++level) {
      if (most <= 1 && level != kLevels) continue;
      const int64_t least = least_of(level, most);
      if (least > most || level_of(least, most) != level || least == before) continue;
      before = least;
      const auto index = static_cast<size_t>(level - 1);
      text += colour ? fmt::format("\033[48;5;{}m  {} {}  ", kColours[index], kReset, least)
                     : fmt::format("{} {}  ", kShades[index], least);
    }
    text += "values or more\n";
  }

  std::string option_;
};

}  // namespace

std::unique_ptr<Sink> make_heattext_sink(const SinkParts &parts) { return std::make_unique<HeattextSink>(parts); }

}  // namespace dtrace::runtime
