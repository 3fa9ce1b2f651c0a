// SPDX-License-Identifier: Apache-2.0
#include "runtime/live/live_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

#include "base/clock.h"
#include "base/printable.h"
#include "frontend/lang/aggregating.h"
#include "runtime/print/quantile.h"
#include "runtime/print/units.h"

namespace dtrace::runtime {
namespace {

constexpr double kNsPerSecond = 1e9;

std::string upper_case(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

/// Keys as bytes: equal bytes are equal keys. Each has its length before it.
struct KeyBytes {
  std::string &out;
  void number(uint64_t number) const { out.append(reinterpret_cast<const char *>(&number), sizeof number); }
  void bytes(std::string_view bytes) const {
    number(bytes.size());
    out += bytes;
  }
  void frames(std::span<const uint64_t> frames) const {
    bytes({reinterpret_cast<const char *>(frames.data()), frames.size_bytes()});
  }
  void operator()(const Integer &key) const { number(key.as_unsigned()); }
  void operator()(const Text &key) const { bytes(key.view()); }
  void operator()(const Bytes &key) const { bytes(key.bytes); }
  void operator()(const KernelStack &key) const { frames(key.frames); }
  void operator()(const UserStack &key) const {
    number(static_cast<uint64_t>(key.pid) << 32 | key.end);
    frames(key.frames);
  }
  void operator()(const Symbol &key) const {
    number(static_cast<uint64_t>(key.pid));
    number(key.address);
  }
  void operator()(const Floating &key) const { bytes(fmt::format("{}", key.value)); }
};

std::string bytes_of(const AggregationEntry &entry) {
  std::string bytes;
  for (const Value &key : entry.keys) std::visit(KeyBytes{bytes}, key);
  return bytes;
}

uint64_t sum_of(std::span<const uint64_t> words) { return std::accumulate(words.begin(), words.end(), uint64_t{0}); }

/// The number whose growth is the rate; none: that of min() and max() would mean nothing.
std::optional<uint64_t> counter_of(const AggregationShape &shape, std::span<const uint64_t> words) {
  using enum AggregatingFunction;
  switch (shape.function) {
    case kCount:
    case kSum:
    case kAvg:
    case kStddev:
      return words[0];
    case kMin:
    case kMax:
      return std::nullopt;
    case kQuantize:
    case kLquantize:
    case kLlquantize:
      return sum_of(words);
  }
  return std::nullopt;
}

/// Buckets that any entry has reached, ends included; first > last: none.
struct Reached {
  uint32_t first = UINT32_MAX, last = 0;
};
Reached reached_by(const AggregationView &view) {
  Reached reached;
  for (const AggregationEntry &entry : view.entries)
    for (uint32_t bucket = 0; bucket < entry.words.size(); ++bucket)
      if (entry.words[bucket] != 0) {
        reached.first = std::min(reached.first, bucket);
        reached.last = std::max(reached.last, bucket);
      }
  return reached;
}

std::vector<uint8_t> levels_of(std::span<const uint64_t> words, Reached reached) {
  if (reached.first > reached.last) return {};
  const size_t buckets = reached.last - reached.first + 1;
  const size_t joined = (buckets + LiveTable::kMaxBars - 1) / LiveTable::kMaxBars;
  std::vector<double> heights((buckets + joined - 1) / joined);
  for (size_t i = 0; i < buckets; ++i)
    heights[i / joined] += std::max(0.0, static_cast<double>(static_cast<int64_t>(words[reached.first + i])));
  const double highest = *std::ranges::max_element(heights);
  std::vector<uint8_t> levels;
  for (const double height : heights)
    levels.push_back(height == 0 ? 0
                                 : static_cast<uint8_t>(std::max(1.0, height / highest * LiveTable::kMaxLevel + 0.5)));
  return levels;
}

/// "count()", "quantize()": what the table shows.
std::string_view name_of(AggregatingFunction function) { return row(row(function).builtin).name; }

int compare(const LiveRow &a, const LiveRow &b, size_t column) {
  const auto order = [](const auto &x, const auto &y) { return x < y ? -1 : y < x ? 1 : 0; };
  if (column == LiveOrder::kValue)
    return a.is_signed ? order(a.value, b.value)
                       : order(static_cast<uint64_t>(a.value), static_cast<uint64_t>(b.value));
  if (column == LiveOrder::kRate) return order(a.rate.value_or(-1), b.rate.value_or(-1));
  const size_t key = column - LiveOrder::kFirstKey;
  const LiveKey &one = (*a.keys)[key], &other = (*b.keys)[key];
  const int by_number = order(one.order, other.order);
  return by_number != 0 ? by_number : order(one.text, other.text);
}

}  // namespace

void LiveTable::sort(LiveOrder order) {
  if (order.column >= nr_columns()) order = {};
  std::ranges::sort(rows, [&](const LiveRow &a, const LiveRow &b) {
    const int wanted = compare(a, b, order.column);
    if (wanted != 0) return order.is_ascending ? wanted < 0 : wanted > 0;
    for (size_t column = LiveOrder::kFirstKey; column < nr_columns(); ++column)  // so that equal rows stay in place
      if (const int by_key = compare(a, b, column); by_key != 0) return by_key < 0;
    return false;
  });
}

LiveTable LiveTable::with(std::string_view text) const {
  LiveTable some = *this;
  some.nr_all = rows.size();
  std::erase_if(some.rows, [&](const LiveRow &row) {
    return std::ranges::none_of(*row.keys,
                                [&](const LiveKey &key) { return key.text.find(text) != std::string::npos; });
  });
  return some;
}

LiveTables::Keys LiveTables::texts_of(const AggregationPlan &plan, const AggregationEntry &entry) const {
  auto keys = std::make_shared<std::vector<LiveKey>>();
  for (size_t i = 0; i < entry.keys.size(); ++i)
    keys->push_back({printable(values_.text(entry.keys[i], i < plan.keys.size() ? plan.keys[i].type : TypeId{})),
                     order_prefix(entry.keys[i])});
  keys->resize(std::max(keys->size(), plan.key_texts.size()));
  return keys;
}

void LiveTables::name(LiveTable &table, std::vector<Unnamed> unnamed, const AggregationPlan &plan,
                      uint64_t until_ns) const {
  const auto value = [&](const Unnamed &one) -> const LiveRow & { return table.rows[one.row]; };
  std::ranges::sort(
      unnamed, [&](const Unnamed &a, const Unnamed &b) { return compare(value(a), value(b), LiveOrder::kValue) > 0; });
  const auto placeholder =
      std::make_shared<const std::vector<LiveKey>>(plan.key_texts.size(), LiveKey{std::string(kUnnamed), 0});
  for (const Unnamed &one : unnamed) {
    if (&one == unnamed.data() || monotonic_ns() < until_ns) one.known->keys = texts_of(plan, *one.entry);
    table.rows[one.row].keys = one.known->keys != nullptr ? one.known->keys : placeholder;
  }
}

LiveTable LiveTables::table_of(const AggregationView &view, double seconds, uint64_t name_until_ns) {
  const AggregationPlan &plan = plan_.aggregations[view.id];
  LiveTable table;
  table.id = view.id;
  table.title = fmt::format("@{} = {}()", view.name == "_" ? "" : view.name, name_of(view.shape.function));
  table.is_histogram = view.shape.is_histogram();
  table.quantity = table.is_histogram ? Quantity() : normalised(plan.quantity, view.normal);
  table.rate_has_unit = view.shape.function == AggregatingFunction::kSum;
  const bool is_sampled = plan.quantity.kind == Quantity::Kind::kSamples;
  table.value_name = table.is_histogram ? "COUNT" : is_sampled ? "SAMPLES" : upper_case(name_of(view.shape.function));
  for (const std::string &text : plan.key_texts) table.key_names.push_back(printable(one_line(text)));
  const Reached reached = table.is_histogram ? reached_by(view) : Reached{};
  const KnownEntries before = std::exchange(known_[view.id], {});
  KnownEntries &now = known_[view.id];
  now.reserve(view.entries.size());
  std::vector<Unnamed> unnamed;
  for (const AggregationEntry &entry : view.entries) {
    const std::string bytes = bytes_of(entry);
    const auto known = before.find(bytes);
    const bool is_new = known == before.end();
    LiveRow row;
    if (!is_new) row.keys = known->second.keys;
    const std::optional<uint64_t> counter = counter_of(view.shape, entry.words);
    if (table.is_histogram) {
      row.value = normalised(static_cast<int64_t>(*counter), view.normal);
      row.middle = with_unit(quantile_text(view.shape, entry.words, {50, 100}), plan.quantity);
      row.high = with_unit(quantile_text(view.shape, entry.words, {99, 100}), plan.quantity);
      row.levels = levels_of(entry.words, reached);
    } else {
      const ScalarResult result = scalar_result(view.shape, entry.words, view.normal);
      row.value = result.value;
      row.is_signed = result.is_signed;
    }
    if (counter) {
      const auto count = static_cast<int64_t>(*counter);
      const auto old = static_cast<int64_t>(is_new ? 0 : known->second.counter);
      // A sum of signed values may fall by itself; anything else falls only if it was cleared.
      const bool may_fall = view.shape.function == AggregatingFunction::kSum && !plan.is_never_negative;
      const bool was_cleared = !may_fall && count < old;
      const double grown = static_cast<double>(was_cleared ? count : count - old);
      const bool counts_events = view.shape.function != AggregatingFunction::kSum &&
                                 view.shape.function != AggregatingFunction::kCount && !table.is_histogram;
      const double normal =
          counts_events || view.normal == 0 ? 1 : static_cast<double>(static_cast<int64_t>(view.normal));
      row.rate = seconds > 0 ? grown / seconds / normal : 0;
    }
    Known &kept = now.emplace(bytes, Known{row.keys, counter.value_or(0)}).first->second;
    if (row.keys == nullptr) unnamed.push_back({table.rows.size(), &entry, &kept});
    table.rows.push_back(std::move(row));
  }
  name(table, std::move(unnamed), plan, name_until_ns);
  return table;
}

void LiveTables::update(AggregationViews views, uint64_t now_ns, const std::map<uint32_t, LiveOrder> &orders,
                        uint64_t name_until_ns) {
  const double seconds = static_cast<double>(now_ns - before_ns_) / kNsPerSecond;
  before_ns_ = now_ns;
  tables_.clear();
  for (const AggregationView *view : views) {
    LiveTable &table = tables_.emplace_back(table_of(*view, seconds, name_until_ns));
    const auto order = orders.find(table.id);
    table.sort(order == orders.end() ? LiveOrder{} : order->second);
  }
}

void LiveTables::sort(uint32_t id, LiveOrder order) {
  for (LiveTable &table : tables_)
    if (table.id == id) table.sort(order);
}

}  // namespace dtrace::runtime
