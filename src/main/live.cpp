// SPDX-License-Identifier: Apache-2.0
#include "main/live.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <numeric>
#include <sstream>

#include "base/clock.h"
#include "base/printable.h"
#include "runtime/output/colour.h"
#include "runtime/print/histogram.h"

namespace dtrace::command {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kUsual{1000}, kShortest{100}, kLongest{60'000};
constexpr milliseconds kDraws{250};  // what the program prints is looked at so often
/// An update may take a part of the time: of large aggregations it takes long.
constexpr int kShare = 5;
constexpr size_t kOutputLines = 100;
constexpr int kControlL = 12, kControlU = 21, kControlZ = 26, kPage = 10;
constexpr int kBackspace = 8, kDelete = 127;
constexpr size_t kLongestFilter = 60;
/// Names of new stacks may take so much of an update. What is left waits for the next, and counts go on.
constexpr milliseconds kNaming{200};

bool draws_utf8(const Options &options) {
  const std::string &encoding = options.string(Opt::encoding);
  return encoding != "ascii" && runtime::packed_in_utf8(runtime::Encoding::kUnset, std::getenv("TERM"));
}

}  // namespace

Live::Live(LiveTerminal &terminal, const runtime::SinkParts &parts, const Options &options)
    : terminal_(terminal),
      values_(parts),
      tables_(parts.plan, values_, monotonic_ns()),
      title_(printable(options.string(Opt::title))),
      style_{runtime::shows_colour(options.string(Opt::color), true), draws_utf8(options)},
      interval_(
          options.number(Opt::aggrate) > 0
              ? std::clamp(std::chrono::ceil<milliseconds>(std::chrono::nanoseconds(options.number(Opt::aggrate))),
                           kShortest, kLongest)
              : kUsual),
      begin_(Clock::now()),
      updated_(begin_) {
  values_.refresh(options);
}

void Live::turn(tracer::TraceLoop &loop) {
  if (terminal_.screen.take_resume()) {
    (void)terminal_.screen.enter();
    is_changed_ = true;
  }
  for (const int key : terminal_.screen.keys()) {
    choice_.typing ? type(key) : take(key);
    is_changed_ = true;
  }
  if (terminal_.screen.take_resize()) {
    terminal_.screen.forget();
    is_changed_ = true;
  }
  const Clock::time_point now = Clock::now();
  if (!choice_.paused && now >= next_update_) {
    update(loop);
    next_update_ = std::max(now + interval_, Clock::now() + kShare * (Clock::now() - now));
    is_changed_ = true;
  }
  if (!is_changed_ && now < next_draw_) return;
  draw(loop);
  next_draw_ = now + kDraws;
  is_changed_ = false;
}

Result<Unit> Live::end() {
  terminal_.screen.leave();
  return terminal_.kept.end();
}

const runtime::LiveTable *Live::table() const {
  const std::vector<runtime::LiveTable> &all = tables_.tables();
  return all.empty() ? nullptr : &all[std::min(choice_.table, all.size() - 1)];
}

void Live::choose_order(int step) {
  const runtime::LiveTable *const table = this->table();
  if (table == nullptr) return;
  runtime::LiveOrder &order = choice_.orders[table->id];
  const auto columns = static_cast<int>(table->nr_columns());
  if (step == 0) {
    order.is_ascending = !order.is_ascending;
  } else {
    order.column = static_cast<size_t>((static_cast<int>(order.column) + step + columns) % columns);
    order.is_ascending = order.column >= runtime::LiveOrder::kFirstKey;  // names from a to z, numbers from the largest
  }
  choice_.first_row = 0;
  tables_.sort(table->id, order);
}

void Live::take(int key) {
  const auto scroll = [this](int rows) {
    const runtime::LiveTable *const table = this->table();
    const auto most = static_cast<int64_t>(table == nullptr || table->rows.empty() ? 0 : table->rows.size() - 1);
    choice_.first_row =
        static_cast<size_t>(std::clamp(static_cast<int64_t>(choice_.first_row) + rows, int64_t{0}, most));
  };
  switch (key) {
    case 'q':
    case 'Q':
      (void)std::raise(SIGINT);
      break;
    case '<':
    case static_cast<int>(Key::kLeft):
      return choose_order(-1);
    case '>':
    case static_cast<int>(Key::kRight):
      return choose_order(1);
    case 'r':
    case 'R':
      return choose_order(0);
    case ' ':
    case 'p':
      choice_.paused = !choice_.paused;
      break;
    case '/':
      choice_.typing = true;
      choice_.filter.clear();
      choice_.first_row = 0;
      break;
    case 'l':
    case 'L':
      choice_.losses = !choice_.losses;
      choice_.help = false;
      break;
    case '\t':
      choice_.table = tables_.tables().empty() ? 0 : (choice_.table + 1) % tables_.tables().size();
      choice_.first_row = 0;
      break;
    case '\r':
    case '\n':
      choice_.alone = !choice_.alone;
      break;
    case 'k':
    case static_cast<int>(Key::kUp):
      return scroll(-1);
    case 'j':
    case static_cast<int>(Key::kDown):
      return scroll(1);
    case static_cast<int>(Key::kPageUp):
      return scroll(-kPage);
    case static_cast<int>(Key::kPageDown):
      return scroll(kPage);
    case static_cast<int>(Key::kHome):
      choice_.first_row = 0;
      break;
    case static_cast<int>(Key::kEnd):
      return scroll(INT32_MAX);
    case '+':
      interval_ = std::max(interval_ / 2, kShortest);
      next_update_ = {};
      break;
    case '-':
      interval_ = std::min(interval_ * 2, kLongest);
      break;
    case 'h':
    case '?':
      choice_.help = !choice_.help;
      break;
    case kControlL:
      terminal_.screen.forget();
      break;
    case kControlZ:
      return stop();
    default:
      choice_.help = choice_.losses = false;
      break;
  }
}

void Live::type(int key) {
  switch (key) {
    case '\r':
    case '\n':
      choice_.typing = false;
      break;
    case kBackspace:
    case kDelete:
      while (!choice_.filter.empty() && (static_cast<unsigned char>(choice_.filter.back()) & 0xc0) == 0x80)
        choice_.filter.pop_back();  // the rest of a character of UTF-8
      if (!choice_.filter.empty()) choice_.filter.pop_back();
      break;
    case kControlU:
      choice_.filter.clear();
      break;
    default:
      if (key >= ' ' && key <= UINT8_MAX && choice_.filter.size() < kLongestFilter)
        choice_.filter += static_cast<char>(key);
      break;
  }
}

/// As the terminal does it for Ctrl-Z, which stops commands of -c as well.
void Live::stop() {
  terminal_.screen.leave();
  (void)kill(0, SIGTSTP);
  (void)terminal_.screen.enter();
}

void Live::update(tracer::TraceLoop &loop) {
  if (!loop.snapshot()) return;  // the loop reports why, when it takes one itself
  const uint64_t name_until_ns = monotonic_ns() + static_cast<uint64_t>(std::chrono::nanoseconds(kNaming).count());
  loop.visit_aggregations([this, name_until_ns](runtime::AggregationViews views, runtime::AggregationChanges &) {
    tables_.update(views, monotonic_ns(), choice_.orders, name_until_ns);
  });
  updated_ = Clock::now();
}

void Live::draw(const tracer::TraceLoop &loop) {
  runtime::LiveStatus status;
  status.title = title_;
  status.interval_ms = static_cast<uint64_t>(interval_.count());
  status.seconds =
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin_).count());
  status.age_ms = static_cast<uint64_t>(std::chrono::duration_cast<milliseconds>(Clock::now() - updated_).count());
  for (const runtime::Loss &loss : loop.ledger().total()) status.lost += loss.count;
  if (choice_.losses && status.lost != 0) {
    std::istringstream lines(loop.ledger().text());
    for (std::string line; std::getline(lines, line);) status.losses.push_back(line);
  }
  status.output = terminal_.kept.last_lines(kOutputLines);
  terminal_.screen.draw(runtime::live_picture(tables_.tables(), choice_, status, terminal_.screen.size(), style_));
}

}  // namespace dtrace::command
