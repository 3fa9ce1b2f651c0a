// SPDX-License-Identifier: Apache-2.0
// Aggregations in order and in columns. Rows leave through Output one by one: a million entries are never one text.
#include "runtime/print/aggregation_print.h"

#include <algorithm>
#include <numeric>

#include "runtime/print/pad.h"

namespace dtrace::runtime {

namespace {

constexpr int kTextKeyWidth = 50;
constexpr int kPackedTextWidth = 16;
constexpr int kValueWidth = 16;
constexpr uint32_t kLastValue = Piece::kValue | Piece::kLast;
constexpr uint32_t kLastFormat = Piece::kFormat | Piece::kLast;

// ---------------------------------------------------------------- order

/// Compares key by key from position `first`, wrapping round.
int compare_keys(std::span<const Value> a, std::span<const Value> b, size_t first) {
  const size_t count = std::min(a.size(), b.size());
  if (first >= count) first = 0;
  for (size_t i = 0; i < count; i++) {
    const size_t at = (first + i) % count;
    if (const int order = compare_values(a[at], b[at]); order != 0) return order;
  }
  return 0;
}

int compare_ranks(const ValueRank &a, const ValueRank &b) {
  if (a.weight != b.weight) return a.weight < b.weight ? -1 : 1;
  return a.tie < b.tie ? -1 : a.tie > b.tie;
}

/// One printed row of joined aggregations: null where an aggregation lacks the key.
using JoinedRow = std::vector<const AggregationEntry *>;

const std::vector<Value> &keys_of(const JoinedRow &row) {
  return (*std::ranges::find_if(row, [](const AggregationEntry *entry) { return entry != nullptr; }))->keys;
}

/// Rows of equal keys, in order of keys.
std::vector<JoinedRow> join(std::span<const AggregationView *const> views) {
  struct Ref {
    size_t view;
    const AggregationEntry *entry;
  };
  std::vector<Ref> refs;
  for (size_t i = 0; i < views.size(); i++)
    for (const AggregationEntry &entry : views[i]->entries) refs.push_back({i, &entry});
  std::ranges::sort(refs, [](const Ref &a, const Ref &b) {
    const int order = compare_keys(a.entry->keys, b.entry->keys, 0);
    return order != 0 ? order < 0 : a.view < b.view;
  });

  std::vector<JoinedRow> rows;
  const AggregationEntry *last = nullptr;
  for (const Ref &ref : refs) {
    if (last == nullptr || compare_keys(last->keys, ref.entry->keys, 0) != 0) rows.emplace_back(views.size(), nullptr);
    rows.back()[ref.view] = ref.entry;
    last = ref.entry;
  }
  return rows;
}

/// Rank of a joined row's value; a missing one ranks as zero.
ValueRank rank_of(const AggregationView &view, const AggregationEntry *entry) {
  return entry == nullptr ? ValueRank{} : value_rank(view.shape, entry->words);
}

void sort_joined(std::vector<JoinedRow> &rows, std::span<const AggregationView *const> views,
                 const SortOptions &options) {
  const size_t count = views.size();
  const size_t first = options.aggregation_position < count ? options.aggregation_position : 0;
  std::vector<ValueRank> ranks(rows.size() * count);
  for (size_t row = 0; row < rows.size(); row++)
    for (size_t i = 0; i < count; i++) ranks[row * count + i] = rank_of(*views[i], rows[row][i]);

  std::vector<uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  const auto by_value = [&](uint32_t a, uint32_t b) {
    for (size_t i = 0; i < count; i++) {
      const size_t at = (first + i) % count;
      if (const int o = compare_ranks(ranks[a * count + at], ranks[b * count + at]); o != 0) return o;
    }
    return 0;
  };
  const auto by_key = [&](uint32_t a, uint32_t b) {
    return compare_keys(keys_of(rows[a]), keys_of(rows[b]), options.key_position);
  };
  std::ranges::sort(order, [&](uint32_t a, uint32_t b) {
    int o = options.by_key ? by_key(a, b) : by_value(a, b);
    if (o == 0) o = options.by_key ? by_value(a, b) : by_key(a, b);
    if (o == 0) return a < b;
    return options.reverse ? o > 0 : o < 0;
  });

  std::vector<JoinedRow> sorted;
  sorted.reserve(rows.size());
  for (const uint32_t row : order) sorted.push_back(std::move(rows[row]));
  rows = std::move(sorted);
}

// ---------------------------------------------------------------- keys and values in columns

int key_width(const Integer &key) {
  switch (key.size_bytes) {
    case 1:
      return 3;
    case 2:
      return 5;
    case 4:
      return 8;
    default:
      return 16;
  }
}

void append_integer_key(std::string &out, const Integer &key) {
  if (key.is_signed)
    append_number(out, key.as_signed(), key_width(key));
  else
    append_number(out, key.as_unsigned(), key_width(key));
}

struct KeyPrinter {
  std::string &out;
  const TextContext &context;

  void append_text(std::string_view text) const {
    out += "  ";
    append_padded(out, text, -kTextKeyWidth);
  }
  void operator()(const Integer &key) const {
    if (!key.name.empty()) return append_text(key.name);
    out += ' ';
    append_integer_key(out, key);
  }
  void operator()(const Text &key) const {
    if (context.raw_bytes) return append_dump(out, key.bytes);
    std::string buffer;
    append_text(shown_text(key, context, buffer));
  }
  void operator()(const Bytes &key) const {
    std::string_view text;
    if (context.raw_bytes || !looks_like_text(key.bytes, text)) return append_dump(out, key.bytes);
    std::string buffer;
    append_text(shown_text({text, true}, context, buffer));
  }
  void operator()(const KernelStack &key) const { append_stack(out, key, context, context.stack_indent); }
  void operator()(const UserStack &key) const { append_stack(out, key, context, context.stack_indent); }
  void operator()(const Symbol &key) const { append_text(symbol_text(key, context)); }
  void operator()(const Floating &key) const { append_text(fmt::format("{:g}", key.value)); }
};

/// Ends a piece of an entry.
void end_piece(Pieces &out, uint32_t flags, const AggregationView &view, const AggregationEntry *entry) {
  out.end({flags, view.name, &view, entry, (flags & Piece::kValue) != 0 && view.shape.is_histogram()});
}

void append_keys(Pieces &out, const AggregationView &view, const AggregationEntry *entry, std::span<const Value> keys,
                 const TextContext &context) {
  for (const Value &key : keys) {
    std::visit(KeyPrinter{out.text(), context}, key);
    end_piece(out, Piece::kKey, view, entry);
  }
}

/// Default form of a value; no words: that of an entry which is not there.
void append_value(std::string &out, const AggregationShape &shape, std::span<const uint64_t> words, uint64_t normal,
                  const HistogramOptions &options) {
  if (shape.is_histogram()) {
    const std::vector<uint64_t> nothing(words.empty() ? shape.words() : 0);
    return append_histogram(out, shape, words.empty() ? std::span<const uint64_t>(nothing) : words, normal, options);
  }
  const ScalarResult result = words.empty() ? ScalarResult{} : scalar_result(shape, words, normal);
  out += ' ';
  if (shape.function == AggregatingFunction::kStddev)
    append_number(out, static_cast<uint64_t>(result.value), kValueWidth);
  else
    append_number(out, result.value, kValueWidth);
}

void append_entry_values(std::string &out, const AggregationView &view, const AggregationEntry &entry,
                         const AggregationPrintOptions &options) {
  append_value(out, view.shape, entry.words, view.normal, options.histogram);
  if (!options.per_cpu) return;
  for (const CpuWords &cpu : entry.per_cpu) {
    out += "\n    [CPU ";
    append_number(out, cpu.cpu);
    out += ']';
    append_value(out, view.shape, cpu.words, view.normal, options.histogram);
  }
}

// ---------------------------------------------------------------- agghist and aggpack

bool is_packable(const Value &key) {
  return std::holds_alternative<Integer>(key) || std::holds_alternative<Text>(key) ||
         std::holds_alternative<Symbol>(key);
}

int packed_key_width(const Value &key) {
  const auto *integer = std::get_if<Integer>(&key);
  return integer != nullptr ? key_width(*integer) : kPackedTextWidth;
}

void append_packed_keys(Pieces &out, const AggregationView &view, const AggregationEntry &entry,
                        const TextContext &context) {
  std::string buffer;
  for (const Value &key : entry.keys) {
    out.text() += ' ';
    if (const auto *integer = std::get_if<Integer>(&key))
      append_integer_key(out.text(), *integer);
    else if (const auto *text = std::get_if<Text>(&key))
      append_padded(out.text(), shown_text(*text, context, buffer), kPackedTextWidth);
    else
      append_padded(out.text(), symbol_text(std::get<Symbol>(key), context), kPackedTextWidth);
    end_piece(out, Piece::kKey, view, &entry);
  }
}

enum class Layout : uint8_t { kDefault, kBars, kPacked };

Layout layout_of(const AggregationView &view, const AggregationPrintOptions &options) {
  using enum AggregatingFunction;
  const std::vector<Value> &keys = view.entries.front().keys;
  if (!std::ranges::all_of(keys, is_packable)) return Layout::kDefault;
  const AggregatingFunction function = view.shape.function;
  if (options.as_histogram && !keys.empty() && (function == kCount || function == kSum)) return Layout::kBars;
  if (options.packed && (function == kQuantize || function == kLquantize)) return Layout::kPacked;
  return Layout::kDefault;
}

int packed_keys_width(std::span<const Value> keys) {
  int width = 0;
  for (const Value &key : keys) width += packed_key_width(key) + 1;
  return width;
}

/// agghist: one bar per entry, all on the aggregation's scale.
void print_bars(Pieces &out, const AggregationView &view, const AggregationPrintOptions &options,
                const TextContext &context) {
  BarScale scale;
  for (const AggregationEntry &entry : view.entries)
    scale.add(static_cast<int64_t>(entry.words[0]), options.histogram.zoom);

  append_histogram_header(out.text(), "key", packed_keys_width(view.entries.front().keys));
  out.end();
  for (const uint32_t index : sorted_entries(view, options.sort)) {
    const AggregationEntry &entry = view.entries[index];
    append_packed_keys(out, view, entry, context);
    out.text() += ' ';
    append_bar(out.text(), static_cast<int64_t>(entry.words[0]), view.normal, scale, options.histogram.encoding);
    out.end({kLastValue, view.name, &view, &entry, /*has_bars=*/true});
    out.row_done();
  }
}

void print_packed(Pieces &out, const AggregationView &view, const AggregationPrintOptions &options,
                  const TextContext &context) {
  const BucketRange range = packed_buckets(view.shape, view.entries);
  append_packed_header(out.text(), view.shape, range, packed_keys_width(view.entries.front().keys));
  out.end();
  for (const uint32_t index : sorted_entries(view, options.sort)) {
    const AggregationEntry &entry = view.entries[index];
    append_packed_keys(out, view, entry, context);
    append_packed_row(out.text(), view.shape, range, entry.words, options.histogram, options.packed_utf8);
    end_piece(out, kLastValue, view, &entry);
    out.row_done();
  }
}

// ---------------------------------------------------------------- printa

/// The words of each aggregation's entry in a row.
std::vector<AggregationDatum> data_of(std::span<const AggregationView *const> views, const JoinedRow &row) {
  std::vector<AggregationDatum> data;
  data.reserve(views.size());
  for (size_t i = 0; i < views.size(); i++) {
    const std::span<const uint64_t> words = row[i] == nullptr ? std::span<const uint64_t>() : row[i]->words;
    data.push_back({&views[i]->shape, words, views[i]->normal, views[i]->counted_ns});
  }
  return data;
}

void print_formatted(Pieces &out, const AggregationView &view, const FormatString &format,
                     const AggregationPrintOptions &options, const FormatContext &context) {
  for (const uint32_t index : sorted_entries(view, options.sort)) {
    const AggregationEntry &entry = view.entries[index];
    const AggregationDatum datum{&view.shape, entry.words, view.normal, view.counted_ns};
    append_printa(out.text(), format, entry.keys, {&datum, 1}, context, options.histogram);
    end_piece(out, kLastFormat, view, &entry);
    out.row_done();
  }
}

void print_joined(Pieces &out, std::span<const AggregationView *const> views, const FormatString *format,
                  const AggregationPrintOptions &options, const FormatContext &context) {
  std::vector<JoinedRow> rows = join(views);
  sort_joined(rows, views, options.sort);
  for (const JoinedRow &row : rows) {
    if (format != nullptr) {
      append_printa(out.text(), *format, keys_of(row), data_of(views, row), context, options.histogram);
      end_piece(out, kLastFormat, *views[0], row[0]);
      out.row_done();
      continue;
    }
    append_keys(out, *views[0], row[0], keys_of(row), context.text);
    for (size_t i = 0; i < views.size(); i++) {
      if (row[i] != nullptr)
        append_entry_values(out.text(), *views[i], *row[i], options);
      else
        append_value(out.text(), views[i]->shape, {}, views[i]->normal, options.histogram);
      end_piece(out, i + 1 < views.size() ? uint32_t{Piece::kValue} : kLastValue, *views[i], row[i]);
    }
    out.text() += '\n';
    out.row_done();
  }
}

}  // namespace

std::vector<uint32_t> sorted_entries(const AggregationView &view, const SortOptions &options) {
  struct Ranked {  // most comparisons need no look at the entry
    ValueRank rank;
    uint64_t key;
    uint32_t index;
  };
  std::vector<Ranked> ranked;
  ranked.reserve(view.entries.size());
  for (const AggregationEntry &entry : view.entries) {
    const std::vector<Value> &keys = entry.keys;
    const size_t first = options.key_position < keys.size() ? options.key_position : 0;
    const uint64_t prefix = keys.empty() ? 0 : order_prefix(keys[first]);
    ranked.push_back({value_rank(view.shape, entry.words), prefix, static_cast<uint32_t>(ranked.size())});
  }

  const auto by_key = [&](const Ranked &a, const Ranked &b) {
    if (a.key != b.key) return a.key < b.key ? -1 : 1;
    return compare_keys(view.entries[a.index].keys, view.entries[b.index].keys, options.key_position);
  };
  std::ranges::sort(ranked, [&](const Ranked &a, const Ranked &b) {
    int o = options.by_key ? by_key(a, b) : compare_ranks(a.rank, b.rank);
    if (o == 0) o = options.by_key ? compare_ranks(a.rank, b.rank) : by_key(a, b);
    if (o == 0) return a.index < b.index;
    return options.reverse ? o > 0 : o < 0;
  });

  std::vector<uint32_t> order;
  order.reserve(ranked.size());
  for (const Ranked &r : ranked) order.push_back(r.index);
  return order;
}

void keep_ranked(std::span<AggregationView> views, int64_t count, uint32_t position) {
  std::vector<const AggregationView *> all;
  for (const AggregationView &view : views) all.push_back(&view);
  std::vector<JoinedRow> rows = join(all);
  SortOptions by_value;
  by_value.aggregation_position = position;
  sort_joined(rows, all, by_value);
  const uint64_t wanted = magnitude_of(count);
  const std::span<const JoinedRow> sorted(rows);
  const size_t kept = std::min<uint64_t>(wanted, sorted.size());
  std::vector<std::vector<AggregationEntry>> entries(views.size());
  for (const JoinedRow &row : count < 0 ? sorted.first(kept) : sorted.last(kept))
    for (size_t i = 0; i < views.size(); ++i)
      if (row[i] != nullptr) entries[i].push_back(*row[i]);
  for (size_t i = 0; i < views.size(); ++i) views[i].entries = std::move(entries[i]);
}

void print_aggregation(Pieces &out, const AggregationView &view, const AggregationPrintOptions &options,
                       const FormatContext &context) {
  if (view.entries.empty()) return;
  switch (layout_of(view, options)) {
    case Layout::kBars:
      return print_bars(out, view, options, context.text);
    case Layout::kPacked:
      return print_packed(out, view, options, context.text);
    case Layout::kDefault:
      break;
  }
  for (const uint32_t index : sorted_entries(view, options.sort)) {
    const AggregationEntry &entry = view.entries[index];
    append_keys(out, view, &entry, entry.keys, context.text);
    append_entry_values(out.text(), view, entry, options);
    end_piece(out, kLastValue, view, &entry);
    out.text() += '\n';
    out.end();
    out.row_done();
  }
}

void print_aggregations(Pieces &out, std::span<const AggregationView *const> views,
                        const AggregationPrintOptions &options, const FormatContext &context) {
  std::vector<const AggregationView *> order(views.begin(), views.end());
  std::ranges::sort(order, {}, &AggregationView::id);
  if (options.sort.reverse) std::ranges::reverse(order);
  for (const AggregationView *view : order) {
    out.end();
    print_aggregation(out, *view, options, context);
  }
}

void print_printa(Pieces &out, std::span<const AggregationView *const> views, const FormatString *format,
                  const AggregationPrintOptions &options, const FormatContext &context) {
  if (format == nullptr) out.text() += '\n';
  out.end();
  if (views.size() > 1) return print_joined(out, views, format, options, context);
  if (format == nullptr) return print_aggregation(out, *views[0], options, context);
  print_formatted(out, *views[0], *format, options, context);
}

}  // namespace dtrace::runtime
