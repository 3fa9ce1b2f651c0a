// SPDX-License-Identifier: Apache-2.0
#include "runtime/live/live_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "runtime/print/units.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kReset = "\033[0m", kReverse = "\033[7m", kBold = "\033[1m";
constexpr std::string_view kKeyColour = "\033[36m", kBarColour = "\033[32m", kLossColour = "\033[31m";
constexpr size_t kHeaderLines = 2;  // of a table: its title, and the names of its columns
constexpr size_t kLeastTableLines = kHeaderLines + 2;
constexpr size_t kGap = 2;                    // between columns
constexpr uint64_t kOld = 3;                  // updates that are missing when the age of the tables is shown
constexpr size_t kNarrow = 40, kMedium = 60;  // histograms: below that no bars, and no quantiles
constexpr size_t kLeastKey = 6;               // columns to which long keys are cut

constexpr std::string_view kHelp[] = {
    "q, Ctrl-C      end tracing; what was printed follows",
    "Left, Right    sort by the column to the left, to the right (<, >)",
    "r              reverse the order",
    "Space, p       pause the screen; tracing goes on",
    "Tab            keys act on the next aggregation",
    "Enter          show that aggregation alone, or all again",
    "Up, Down, PgUp, PgDn, Home    move through its rows (k, j)",
    "+, -           refresh more often, less often",
    "Ctrl-Z         stop; Ctrl-L  draw anew",
    "/              show rows that have a text in a key: type it, then Enter; empty: all rows",
    "l              what was lost, by cause",
    "h, ?           this help",
};

uint32_t code_point(std::string_view bytes) {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(bytes[i])); };
  switch (bytes.size()) {
    case 2:
      return (byte(0) & 0x1f) << 6 | (byte(1) & 0x3f);
    case 3:
      return (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
    case 4:
      return (byte(0) & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f);
    default:
      return byte(0);
  }
}

struct Interval {
  uint32_t first, last;
};
// Unicode's East Asian wide characters and combining marks, by blocks.
constexpr Interval kWide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},  {0x3041, 0x33ff}, {0x3400, 0x4dbf},
                              {0x4e00, 0x9fff},   {0xa000, 0xa4cf},  {0xac00, 0xd7a3}, {0xf900, 0xfaff},
                              {0xfe30, 0xfe6f},   {0xff00, 0xff60},  {0xffe0, 0xffe6}, {0x1f300, 0x1f64f},
                              {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
constexpr Interval kNoWidth[] = {{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},
                                 {0x64b, 0x65f},   {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x2064},
                                 {0x20d0, 0x20f0}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}};

bool is_in(std::span<const Interval> intervals, uint32_t point) {
  return std::ranges::any_of(intervals, [=](Interval i) { return i.first <= point && point <= i.last; });
}

size_t columns_of(uint32_t point) { return is_in(kNoWidth, point) ? 0 : is_in(kWide, point) ? 2 : 1; }

size_t character_bytes(std::string_view text) { return std::max<size_t>(utf8_length(text), 1); }

/// The end of `text` that fits.
std::string_view fitting_end(std::string_view text, size_t columns) {
  size_t total = text_columns(text);
  while (total > columns) {
    const size_t bytes = character_bytes(text);
    total -= columns_of(code_point(text.substr(0, bytes)));
    text.remove_prefix(bytes);
  }
  return text;
}

std::string rate_text(const LiveTable &table, const std::optional<double> &rate) {
  if (!rate) return "-";
  if (table.rate_has_unit && has_unit(table.quantity))
    return quantity_text(static_cast<int64_t>(*rate), table.quantity);
  return std::fabs(*rate) < 1000 ? fmt::format("{:.1f}", *rate) : fmt::format("{:.0f}", *rate);
}

std::string value_text(const LiveTable &table, const LiveRow &row) {
  if (has_unit(table.quantity)) return quantity_text(row.value, table.quantity);
  return row.is_signed ? fmt::format("{}", row.value) : fmt::format("{}", static_cast<uint64_t>(row.value));
}

class Picture {
 public:
  Picture(const std::vector<LiveTable> &tables, const LiveChoice &choice, const LiveStatus &status, LiveSize size,
          LiveStyle style)
      : tables_(tables), choice_(choice), status_(status), size_(size), style_(style) {}

  std::vector<std::string> draw() {
    if (size_.lines == 0 || size_.columns == 0) return {};
    const bool has_title = size_.lines > 1, has_footer = size_.lines > kLeastTableLines + 1;
    if (has_title) title();
    const size_t end = size_.lines - (has_footer ? 1 : 0);
    const bool has_tables = !choice_.help && !choice_.losses;
    const size_t output_lines = has_tables ? nr_output_lines(end - lines_.size()) : 0;
    if (choice_.help)
      help(end);
    else if (choice_.losses)
      losses(end);
    else
      tables(end - output_lines);
    if (output_lines != 0) {
      lines_.resize(end - output_lines);
      output(output_lines);
    }
    if (has_footer) {
      lines_.resize(end);
      footer();
    }
    if (lines_.size() > size_.lines) lines_.resize(size_.lines);
    return std::move(lines_);
  }

 private:
  struct Column {
    std::string name;
    size_t width = 0;
    bool is_number = false;
    bool cut_at_start = false;  // of stacks the last frames say most
    size_t order = SIZE_MAX;    // of LiveOrder; none: rows are not ordered by it
    std::string_view colour;
  };

  void bar(std::string_view text, std::string_view attribute) {
    const std::string_view shown = fitting(text, size_.columns);
    lines_.push_back(fmt::format("{}{}{:{}}{}", attribute, shown, "", size_.columns - text_columns(shown), kReset));
  }

  void title() {
    const bool few = size_.columns < kMedium;
    std::string text = !status_.title.empty() ? status_.title : few ? "dtrace" : "dtrace --live";
    text += fmt::format("  {}:{:02}", status_.seconds / 60, status_.seconds % 60);
    if (choice_.paused) text += "  PAUSED";
    if (status_.lost != 0) text += fmt::format("  {} lost", status_.lost);
    // The update takes longer than it should, or the screen is paused.
    if (status_.age_ms >= kOld * status_.interval_ms) text += fmt::format("  {} s old", status_.age_ms / 1000);
    if (!few) {
      text +=
          fmt::format("  every {}", status_.interval_ms % 1000 == 0 ? fmt::format("{} s", status_.interval_ms / 1000)
                                                                    : fmt::format("{} ms", status_.interval_ms));
      if (tables_.size() > 1) text += fmt::format("  {} of {} aggregations", focus() + 1, tables_.size());
    }
    bar(text, status_.lost != 0 && style_.colour ? fmt::format("{}{}", kReverse, kLossColour) : std::string(kReverse));
  }

  void footer() {
    if (choice_.typing) return bar("/" + choice_.filter + "_", kReverse);
    bar("q quit  ? help  < > sort  r reverse  space pause  Tab next  / filter  l lost", kReverse);
  }

  void losses(size_t end) {
    if (status_.losses.empty() && lines_.size() < end) lines_.emplace_back(fitting("Nothing was lost.", size_.columns));
    for (const std::string &line : status_.losses)
      if (lines_.size() < end) lines_.emplace_back(fitting(line, size_.columns));
  }

  void help(size_t end) {
    for (const std::string_view line : kHelp)
      if (lines_.size() < end) lines_.emplace_back(fitting(line, size_.columns));
  }

  size_t focus() const { return tables_.empty() ? 0 : std::min(choice_.table, tables_.size() - 1); }

  /// At most a third of the window, with a line above it.
  size_t nr_output_lines(size_t room) const {
    if (status_.output.empty() || room < kLeastTableLines + 2) return 0;
    return std::min({status_.output.size() + 1, std::max<size_t>(room / 3, 2), room - kLeastTableLines});
  }

  void output(size_t room) {
    lines_.push_back(rule("output"));
    const size_t shown = std::min(room - 1, status_.output.size());
    for (size_t i = status_.output.size() - shown; i < status_.output.size(); ++i)
      lines_.emplace_back(fitting(status_.output[i], size_.columns));
  }

  std::string rule(std::string_view name) const {
    const std::string_view dash = style_.utf8 ? "─" : "-";
    std::string line = fmt::format("{0}{0} {1} ", dash, name);
    for (size_t columns = text_columns(line); columns < size_.columns; ++columns) line += dash;
    return std::string(fitting(line, size_.columns));
  }

  /// From the table that keys act on; those before it are shown if there is room for all.
  void tables(size_t end) {
    if (tables_.empty()) {
      if (lines_.size() < end) lines_.emplace_back(fitting("The program has no aggregations.", size_.columns));
      return;
    }
    const size_t room = end - std::min(end, lines_.size());
    if (choice_.alone || room < kLeastTableLines * tables_.size()) return table(tables_[focus()], room, true);
    // Each gets what it needs; what remains is shared by those that need more.
    std::vector<size_t> wanted, given(tables_.size(), kLeastTableLines);
    for (const LiveTable &table : tables_)
      wanted.push_back(std::max(kLeastTableLines, table.rows.size() + kHeaderLines));
    for (size_t left = room - kLeastTableLines * tables_.size(); left > 0;) {
      const size_t before = left;
      for (size_t i = 0; i < tables_.size() && left > 0; ++i)
        if (given[i] < wanted[i]) {
          ++given[i];
          --left;
        }
      if (left == before) break;
    }
    for (size_t i = 0; i < tables_.size(); ++i) {
      const size_t first = lines_.size();
      table(tables_[i], given[i], i == focus());
      lines_.resize(first + given[i]);
    }
  }

  std::vector<Column> columns_of_table(const LiveTable &table, size_t first, size_t end) const {
    std::vector<Column> columns;
    columns.push_back({table.value_name, 0, true, false, LiveOrder::kValue, {}});
    columns.push_back({"RATE/s", 0, true, false, LiveOrder::kRate, {}});
    if (table.is_histogram && size_.columns >= kNarrow) {
      // The values in a bucket are not known, only its end.
      const std::string_view at_most = style_.utf8 ? "≤" : "<=";
      columns.push_back({fmt::format("P50{}", at_most), 0, true, false, SIZE_MAX, {}});
      columns.push_back({fmt::format("P99{}", at_most), 0, true, false, SIZE_MAX, {}});
      if (size_.columns >= kMedium) columns.push_back({"DISTRIBUTION", 0, false, false, SIZE_MAX, kBarColour});
    }
    for (size_t i = 0; i < table.key_names.size(); ++i) {
      const bool is_stack = table.key_names[i].find("stack") != std::string::npos;
      columns.push_back({table.key_names[i], 0, false, is_stack, LiveOrder::kFirstKey + i, kKeyColour});
    }
    const size_t nr_keys = table.key_names.size();
    for (size_t i = 0; i < columns.size(); ++i) {
      Column &column = columns[i];
      column.width = text_columns(column.name) + (column.order == SIZE_MAX ? 0 : 1);  // room for the mark of the order
      for (size_t row = first; row < end; ++row)
        column.width = std::max(column.width, text_columns(cell(table, i, columns.size() - nr_keys, row)));
    }
    shrink(columns);
    return columns;
  }

  /// Long texts give way, the longest first.
  void shrink(std::vector<Column> &columns) const {
    size_t total = kGap * (columns.size() - 1);
    for (const Column &column : columns) total += column.width;
    while (total > size_.columns) {
      const auto longest = std::ranges::max_element(
          columns, {}, [](const Column &column) { return column.is_number ? 0 : column.width; });
      if (longest->is_number || longest->width <= kLeastKey) return;
      --longest->width;
      --total;
    }
  }

  std::string bars(const LiveRow &row) const {
    static constexpr std::string_view kBlocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static constexpr std::string_view kShades = " .:-=+*#@";
    std::string text;
    for (const uint8_t level : row.levels) style_.utf8 ? text += kBlocks[level] : text += kShades[level];
    return text;
  }

  /// Text of a cell; `nr_numbers`: columns before the keys.
  std::string cell(const LiveTable &table, size_t column, size_t nr_numbers, size_t row) const {
    const LiveRow &shown = table.rows[row];
    if (column >= nr_numbers) return (*shown.keys)[column - nr_numbers].text;
    switch (column) {
      case 0:
        return value_text(table, shown);
      case 1:
        return rate_text(table, shown.rate);
      case 2:
        return shown.middle;
      case 3:
        return shown.high;
      default:
        return bars(shown);
    }
  }

  static std::string padded(const Column &column, std::string_view text) {
    const size_t columns = text_columns(text);
    if (columns > column.width && !column.is_number)
      text = column.cut_at_start ? fitting_end(text, column.width) : fitting(text, column.width);
    const size_t shown = text_columns(text);
    const size_t blanks = column.width > shown ? column.width - shown : 0;
    return column.is_number ? std::string(blanks, ' ').append(text) : std::string(text).append(blanks, ' ');
  }

  void table(const LiveTable &table, size_t room, bool has_focus) {
    if (room == 0) return;
    const size_t header = room >= kLeastTableLines ? kHeaderLines : room >= 2 ? 1 : 0;
    const size_t visible = room - header;
    const size_t most = table.rows.size() > visible ? table.rows.size() - visible : 0;
    const size_t first = has_focus ? std::min(choice_.first_row, most) : 0;
    const size_t end = std::min(first + visible, table.rows.size());
    if (header == kHeaderLines) {
      std::string text =
          fmt::format("{}  {} {}", table.title, table.rows.size(), table.rows.size() == 1 ? "row" : "rows");
      if (table.nr_all != 0) text += fmt::format(" of {} with {}", table.nr_all, choice_.filter);
      if (first != 0 || end < table.rows.size()) text += fmt::format("  {}-{}", first + 1, end);
      if (has_focus && tables_.size() > 1 && !choice_.alone) text = "> " + text;
      lines_.push_back(fmt::format("{}{}{}", kBold, fitting(text, size_.columns), kReset));
    }
    const std::vector<Column> columns = columns_of_table(table, first, end);
    if (header != 0) lines_.push_back(names(columns, order_of(table)));
    const size_t nr_numbers = columns.size() - table.key_names.size();
    for (size_t row = first; row < end; ++row) {
      std::vector<std::string> cells;
      for (size_t i = 0; i < columns.size(); ++i) cells.push_back(padded(columns[i], cell(table, i, nr_numbers, row)));
      lines_.push_back(line(columns, cells, style_.colour));
    }
  }

  LiveOrder order_of(const LiveTable &table) const {
    const auto found = choice_.orders.find(table.id);
    return found == choice_.orders.end() ? LiveOrder{} : found->second;
  }

  std::string names(const std::vector<Column> &columns, LiveOrder order) const {
    std::vector<std::string> cells;
    for (const Column &column : columns) {
      std::string name = column.name;
      if (column.order == order.column)
        name += style_.utf8 ? (order.is_ascending ? "▲" : "▼") : (order.is_ascending ? "^" : "v");
      cells.push_back(padded(column, name));
    }
    return fmt::format("{}{}{}", kBold, line(columns, cells, false), kReset);
  }

  /// Cells one behind the other, to the edge of the window.
  std::string line(const std::vector<Column> &columns, const std::vector<std::string> &cells, bool colour) const {
    std::string text;
    size_t left = size_.columns;
    for (size_t i = 0; i < cells.size() && left > 0; ++i) {
      if (i != 0) {
        const size_t gap = std::min(kGap, left);
        text.append(gap, ' ');
        left -= gap;
      }
      const std::string_view shown = fitting(cells[i], left);
      left -= text_columns(shown);
      const bool coloured = colour && !columns[i].colour.empty() && !shown.empty();
      text += coloured ? fmt::format("{}{}{}", columns[i].colour, shown, kReset) : std::string(shown);
    }
    return text;
  }

  const std::vector<LiveTable> &tables_;
  const LiveChoice &choice_;
  const LiveStatus &status_;
  LiveSize size_;
  LiveStyle style_;
  std::vector<std::string> lines_;
};

}  // namespace

size_t text_columns(std::string_view text) {
  size_t columns = 0;
  while (!text.empty()) {
    const size_t bytes = character_bytes(text);
    columns += columns_of(code_point(text.substr(0, bytes)));
    text.remove_prefix(bytes);
  }
  return columns;
}

std::string_view fitting(std::string_view text, size_t columns) {
  size_t taken = 0, at = 0;
  while (at < text.size()) {
    const size_t bytes = character_bytes(text.substr(at));
    const size_t width = columns_of(code_point(text.substr(at, bytes)));
    if (taken + width > columns) break;
    taken += width;
    at += bytes;
  }
  return text.substr(0, at);
}

std::vector<std::string> live_picture(const std::vector<LiveTable> &tables, const LiveChoice &choice,
                                      const LiveStatus &status, LiveSize size, LiveStyle style) {
  if (choice.filter.empty()) return Picture(tables, choice, status, size, style).draw();
  std::vector<LiveTable> some;
  for (const LiveTable &table : tables) some.push_back(table.with(choice.filter));
  return Picture(some, choice, status, size, style).draw();
}

}  // namespace dtrace::runtime
