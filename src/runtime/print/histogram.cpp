// SPDX-License-Identifier: Apache-2.0
// Histogram layout. All scaling is in long double, so that sums of 64-bit counts keep their precision.
#include "runtime/print/histogram.h"

#include <algorithm>
#include <cmath>

#include "runtime/print/pad.h"
#include "runtime/print/text.h"

namespace dtrace::runtime {

namespace {

constexpr std::string_view kRuler = "------------- Distribution -------------";
constexpr unsigned kBarColumns = 40;
constexpr int kLabelWidth = 16;
constexpr long double kZoom = 0.95L;

constexpr uint32_t kFullBlock = 0x2588;    // and 0x2588 + n is 8 - n eighths wide
constexpr uint32_t kLowestBlock = 0x2581;  // one eighth high
constexpr unsigned kBlockParts = 8;

long double magnitude(int64_t count) { return std::fabs(static_cast<long double>(count)); }

unsigned bar_length(int64_t count, const BarScale &scale, unsigned columns) {
  if (count == 0 || scale.total == 0) return 0;
  return std::min(columns, static_cast<unsigned>(magnitude(count) * columns / scale.total + 0.5L));
}

void append_count(std::string &out, int64_t count, uint64_t normal) {
  out += ' ';
  append_number(out, normalised(count, normal), -9);
  out += '\n';
}

void append_utf8_bar(std::string &out, int64_t count, const BarScale &scale) {
  const long double length = std::min<long double>(kBarColumns, magnitude(count) * kBarColumns / scale.total);
  const auto whole = static_cast<unsigned>(length);
  const auto eighths = static_cast<unsigned>((length - whole) * kBlockParts);
  out += '|';
  for (unsigned i = 0; i < whole; i++) append_utf8(out, kFullBlock);
  if (eighths != 0) append_utf8(out, kFullBlock + kBlockParts - eighths);
  out.append(kBarColumns - whole - (eighths != 0 ? 1 : 0), ' ');
}

/// Next bucket with a label in direction `step`, or `bucket` itself at the end.
uint32_t neighbour(const AggregationShape &shape, uint32_t bucket, int step) {
  const int64_t end = shape.words();
  for (int64_t next = int64_t{bucket} + step; next >= 0 && next < end; next += step)
    if (bucket_label(shape, static_cast<uint32_t>(next), false)) return static_cast<uint32_t>(next);
  return bucket;
}

/// Columns of a packed quantize label: never fewer than the words "min" and "max" and a blank need.
int label_columns(int64_t label) { return std::max(4, static_cast<int>(fmt::format_int(label).size())); }

constexpr int kPackedLinearColumns = 8;

bool is_linear(const AggregationShape &shape) { return shape.function == AggregatingFunction::kLquantize; }

BarScale scale_of(std::span<const uint64_t> words, BucketRange range, bool zoom) {
  BarScale scale;
  for (uint32_t i = range.first; i <= range.last; i++) scale.add(static_cast<int64_t>(words[i]), zoom);
  return scale;
}

}  // namespace

void BarScale::add(int64_t count, bool zoom) {
  positives |= count > 0;
  negatives |= count < 0;
  if (zoom)
    total = std::max(total, magnitude(count) / kZoom);
  else
    total += magnitude(count);
}

void append_bar(std::string &out, int64_t count, uint64_t normal, const BarScale &scale, Encoding encoding) {
  if (!scale.negatives) {
    if (scale.positives && encoding == Encoding::kUtf8) {
      append_utf8_bar(out, count, scale);
    } else {
      const unsigned length = bar_length(count, scale, kBarColumns);
      out.append(1, '|').append(length, '@').append(kBarColumns - length, ' ');
    }
  } else if (!scale.positives) {
    const unsigned length = bar_length(count, scale, kBarColumns);
    out.append(kBarColumns - length, ' ').append(length, '@').append(1, '|');
  } else {  // both: two bars of half the length, back to back
    constexpr unsigned kHalf = kBarColumns / 2;
    const unsigned length = bar_length(count, scale, kHalf);
    if (count <= 0)
      out.append(kHalf - length, ' ').append(length, '@').append(1, '|').append(kHalf, ' ');
    else
      out.append(kHalf, ' ').append(1, '|').append(length, '@').append(kHalf - length, ' ');
  }
  append_count(out, count, normal);
}

void append_histogram_header(std::string &out, std::string_view title, int width) {
  out += '\n';
  append_padded(out, title, width);
  out += ' ';
  append_padded(out, kRuler, static_cast<int>(kBarColumns) + 1);
  out += ' ';
  append_padded(out, "count", -9);
  out += '\n';
}

std::optional<std::string> bucket_label(const AggregationShape &shape, uint32_t bucket, bool negatives_shown) {
  if (shape.function == AggregatingFunction::kQuantize) return fmt::format("{}", quantize_label(bucket));
  if (is_linear(shape)) {
    const int64_t label = lquantize_label(shape.params.linear, bucket);
    if (bucket == 0) return fmt::format("< {}", label);
    return bucket == shape.params.linear.levels() + 1 ? fmt::format(">= {}", label) : fmt::format("{}", label);
  }

  const LlquantizeParams &params = shape.params.log_linear;
  const uint32_t centre = params.centre();
  if (bucket == centre) {
    if (params.low == 0) return "0";
    return fmt::format("{}< {}", negatives_shown ? "abs() " : "", integer_power(params.factor, params.low));
  }
  const uint32_t distance = bucket > centre ? bucket - centre : centre - bucket;
  const std::optional<uint64_t> magnitude = llquantize_magnitude(params, distance);
  if (!magnitude) return std::nullopt;
  const bool overflow = distance > params.side();
  if (bucket < centre) return fmt::format("{}-{}", overflow ? "<= " : "", *magnitude);
  return fmt::format("{}{}", overflow ? ">= " : "", *magnitude);
}

BucketRange shown_buckets(const AggregationShape &shape, std::span<const uint64_t> words) {
  const auto has_data = [](uint64_t word) { return word != 0; };
  const auto first = std::ranges::find_if(words, has_data);
  if (first == words.end()) {
    const uint32_t middle = shape.function == AggregatingFunction::kQuantize ? kQuantizeZeroBucket
                            : is_linear(shape)                               ? 1
                                                                             : shape.params.log_linear.centre() + 1;
    return {neighbour(shape, middle, -1), neighbour(shape, middle, 1)};
  }
  const auto last = std::find_if(words.rbegin(), words.rend(), has_data);
  const auto first_index = static_cast<uint32_t>(first - words.begin());
  const auto last_index = static_cast<uint32_t>(words.rend() - last - 1);
  return {neighbour(shape, first_index, -1), neighbour(shape, last_index, 1)};
}

void append_histogram(std::string &out, const AggregationShape &shape, std::span<const uint64_t> words, uint64_t normal,
                      const HistogramOptions &options) {
  const BucketRange range = shown_buckets(shape, words);
  const BarScale scale = scale_of(words, range, options.zoom);
  const bool negatives_shown =
      shape.function == AggregatingFunction::kLlquantize && range.first < shape.params.log_linear.centre();

  append_histogram_header(out, "value", kLabelWidth);
  for (uint32_t bucket = range.first; bucket <= range.last; bucket++) {
    const std::optional<std::string> label = bucket_label(shape, bucket, negatives_shown);
    if (!label) continue;
    append_padded(out, *label, kLabelWidth);
    out += ' ';
    append_bar(out, static_cast<int64_t>(words[bucket]), normal, scale, options.encoding);
  }
}

// ---------------------------------------------------------------- aggpack

bool packed_in_utf8(Encoding encoding, const char *terminal) {
  if (encoding != Encoding::kUnset) return encoding == Encoding::kUtf8;
  const std::string_view name = terminal == nullptr ? std::string_view() : terminal;
  return name != "sun" && name != "sun-color" && name != "dumb";
}

BucketRange packed_buckets(const AggregationShape &shape, std::span<const AggregationEntry> entries) {
  if (is_linear(shape)) return {0, shape.params.linear.levels() + 1};
  BucketRange range{kQuantizeBuckets, 0};
  for (const AggregationEntry &entry : entries) {
    for (uint32_t i = 0; i < entry.words.size(); i++) {
      if (entry.words[i] == 0) continue;
      range.first = std::min(range.first, i);
      range.last = std::max(range.last, i);
    }
  }
  if (range.first > range.last) return {kQuantizeZeroBucket, kQuantizeZeroBucket + 1};
  if (range.first != 0 && range.first != kQuantizeZeroBucket) range.first--;
  if (range.last < kQuantizeBuckets - 1) range.last++;
  return range;
}

void append_packed_header(std::string &out, const AggregationShape &shape, BucketRange range, int key_width) {
  const int min_width = is_linear(shape) ? kPackedLinearColumns - 1 : label_columns(quantize_label(range.first));
  const int max_width = is_linear(shape) ? kPackedLinearColumns : label_columns(quantize_label(range.last));
  out += '\n';
  append_padded(out, key_width > 0 ? "key" : "", key_width);
  out += ' ';
  append_padded(out, "min", min_width);
  out += " .";
  out.append(range.last - range.first + 1, '-');
  out += ". ";
  append_padded(out, "max", -max_width);
  out += " | count\n";
}

namespace {

void append_packed_cell(std::string &out, int64_t count, long double total, bool utf8) {
  static constexpr std::string_view kPositive = "__xxxxXX";
  static constexpr std::string_view kNegative = "vvvvVV";
  const auto level = [&](size_t levels) {
    const auto n = static_cast<size_t>(magnitude(count) * (levels - 1) / total + 0.5L);
    return std::min(n, levels - 1);
  };
  if (count == 0)
    out += ' ';
  else if (count < 0)
    out += kNegative[level(kNegative.size())];
  else if (utf8)
    append_utf8(out, kLowestBlock + static_cast<uint32_t>(level(kBlockParts)));
  else
    out += kPositive[level(kPositive.size())];
}

}  // namespace

void append_packed_row(std::string &out, const AggregationShape &shape, BucketRange range,
                       std::span<const uint64_t> words, const HistogramOptions &options, bool utf8) {
  const auto append_label = [&](uint32_t bucket, bool left) {
    const std::string label = bucket_label(shape, bucket, false).value_or("");
    const int columns = is_linear(shape) ? kPackedLinearColumns : label_columns(quantize_label(bucket));
    append_padded(out, label, left ? -columns : columns);
  };
  const long double total = scale_of(words, range, options.zoom).total;
  uint64_t sum = 0;
  for (uint32_t i = range.first; i <= range.last; i++) sum += words[i];

  if (!is_linear(shape)) out += ' ';
  append_label(range.first, false);
  out += " :";
  for (uint32_t i = range.first; i <= range.last; i++)
    append_packed_cell(out, static_cast<int64_t>(words[i]), total, utf8);
  out += ": ";
  append_label(range.last, true);
  out += " | ";
  append_number(out, static_cast<int64_t>(sum));
  out += '\n';
}

}  // namespace dtrace::runtime
