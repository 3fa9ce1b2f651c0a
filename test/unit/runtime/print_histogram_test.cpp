// SPDX-License-Identifier: Apache-2.0
// Histogram blocks and the packed form.
#include "runtime/print/histogram.h"

#include <catch2/catch.hpp>

#include "runtime/print/quantile.h"
#include "test/unit/runtime/print_support.h"

using namespace dtrace;
using namespace dtrace::runtime;
using dtrace::runtime::test::padded;

namespace {

using Words = std::vector<uint64_t>;

constexpr AggregationShape kQuantize{AggregatingFunction::kQuantize, {}};
constexpr AggregationShape kLinear{AggregatingFunction::kLquantize, {{0, 100, 10}, {}}};

AggregationShape log_linear(LlquantizeParams params) { return {AggregatingFunction::kLlquantize, {{}, params}}; }

void add(Words &words, const AggregationShape &shape, int64_t x, int64_t increment = 1) {
  uint32_t bucket = 0;
  if (shape.function == AggregatingFunction::kQuantize) bucket = quantize_bucket(x);
  if (shape.function == AggregatingFunction::kLquantize) bucket = lquantize_bucket(shape.params.linear, x);
  if (shape.function == AggregatingFunction::kLlquantize) bucket = llquantize_bucket(shape.params.log_linear, x);
  words[bucket] += static_cast<uint64_t>(increment);
}

std::string block(const AggregationShape &shape, const Words &words, uint64_t normal = 1,
                  HistogramOptions options = {}) {
  std::string out;
  append_histogram(out, shape, words, normal, options);
  return out;
}

std::string block_of(const AggregationShape &shape, const std::vector<int64_t> &values, uint64_t normal = 1,
                     HistogramOptions options = {}) {
  Words words(shape.words());
  for (const int64_t x : values) add(words, shape, x);
  return block(shape, words, normal, options);
}

const std::string kHeader = "\n           value  ------------- Distribution ------------- count    \n";

/// A row of a positive histogram.
std::string row(std::string_view label, unsigned ats, std::string_view count) {
  return fmt::format("{:>16} |{}{} {:<9}\n", label, std::string(ats, '@'), std::string(40 - ats, ' '), count);
}

}  // namespace

TEST_CASE("a quantile is the largest value of its bucket") {
  const auto quantile = [](const AggregationShape &shape, const std::vector<int64_t> &values, Quantile share) {
    Words words(shape.words());
    for (const int64_t x : values) add(words, shape, x);
    return quantile_text(shape, words, share);
  };
  const AggregationShape shapes[] = {kQuantize, kLinear, log_linear({10, 0, 6, 20}), log_linear({2, 3, 20, 4})};
  for (const AggregationShape &shape : shapes) {
    for (const int64_t x : {-5000, -77, -1, 0, 1, 9, 10, 19, 42, 99, 100, 5000}) {
      INFO("value " << x);
      const std::string text = quantile(shape, {x}, {1, 2});
      if (text.starts_with(">= ")) {
        CHECK(x >= std::stoll(text.substr(3)));
        continue;
      }
      // The largest value of its bucket: itself in the bucket, its successor in the next.
      const int64_t largest = std::stoll(text);
      CHECK(largest >= x);
      CHECK(quantile(shape, {largest}, {1, 2}) == text);
      CHECK(quantile(shape, {largest + 1}, {1, 2}) != text);
    }
  }
  CHECK(quantile(kQuantize, {INT64_MIN}, {1, 2}) == "-4611686018427387904");
  CHECK(quantile(kQuantize, {INT64_MAX}, {1, 2}) == "9223372036854775807");
  CHECK(quantile(kQuantize, {}, {1, 2}) == "-");
  CHECK(quantile(kLinear, {1, 11, 21, 31}, {1, 4}) == "9");
  CHECK(quantile(kLinear, {1, 11, 21, 31}, {26, 100}) == "19");
  CHECK(quantile(kLinear, {1, 11, 21, 31}, {999'999'999, 1'000'000'000}) == "39");
  Words words(kQuantize.words());
  add(words, kQuantize, 5, -1);
  CHECK(quantile_text(kQuantize, words, {1, 2}) == "-");
}

TEST_CASE("the reference's quantize example") {
  CHECK(block_of(kQuantize, {5, 0, 100}) ==
        "\n"
        "           value  ------------- Distribution ------------- count    \n"
        "              -1 |                                         0        \n"
        "               0 |@@@@@@@@@@@@@                            1        \n"
        "               1 |                                         0        \n"
        "               2 |                                         0        \n"
        "               4 |@@@@@@@@@@@@@                            1        \n"
        "               8 |                                         0        \n"
        "              16 |                                         0        \n"
        "              32 |                                         0        \n"
        "              64 |@@@@@@@@@@@@@                            1        \n"
        "             128 |                                         0        \n");
}

TEST_CASE("a full bar and rounding") {
  CHECK(block_of(kQuantize, {1}) == kHeader + row("0", 0, "0") + row("1", 40, "1") + row("2", 0, "0"));
  // 1 of 8: 5 columns; 7 of 8: 35.
  CHECK(block_of(kQuantize, {1, 2, 2, 2, 2, 2, 2, 2}) ==
        kHeader + row("0", 0, "0") + row("1", 5, "1") + row("2", 35, "7") + row("4", 0, "0"));
}

TEST_CASE("counts wider than their column are kept whole") {
  Words words(kQuantizeBuckets);
  words[64] = 12345678901;
  CHECK(block(kQuantize, words) == kHeader + row("0", 0, "0") + row("1", 40, "12345678901") + row("2", 0, "0"));
}

TEST_CASE("counts of both signs share the ruler about its middle") {
  Words words(kQuantizeBuckets);
  add(words, kQuantize, -1, -123);
  add(words, kQuantize, 0, 123);
  add(words, kQuantize, 1, 246);
  CHECK(block(kQuantize, words) == kHeader +
                                       "              -2                     |                     0        \n"
                                       "              -1                @@@@@|                     -123     \n"
                                       "               0                     |@@@@@                123      \n"
                                       "               1                     |@@@@@@@@@@           246      \n"
                                       "               2                     |                     0        \n");
}

TEST_CASE("counts all negative draw to the left") {
  Words words(kQuantizeBuckets);
  add(words, kQuantize, 1, -1);
  add(words, kQuantize, 2, -3);
  CHECK(block(kQuantize, words) ==
        kHeader + fmt::format("{:>16} {}| 0        \n", 0, std::string(40, ' ')) +
            fmt::format("{:>16} {}{}| -1       \n", 1, std::string(30, ' '), std::string(10, '@')) +
            fmt::format("{:>16} {}{}| -3       \n", 2, std::string(10, ' '), std::string(30, '@')) +
            fmt::format("{:>16} {}| 0        \n", 4, std::string(40, ' ')));
}

TEST_CASE("no data shows the rows about zero") {
  const std::string three = kHeader + row("-1", 0, "0") + row("0", 0, "0") + row("1", 0, "0");
  CHECK(block_of(kQuantize, {}) == three);
  CHECK(block_of(kLinear, {}) == kHeader + row("< 0", 0, "0") + row("0", 0, "0") + row("10", 0, "0"));
  CHECK(block_of(log_linear({10, 0, 4, 10}), {}) == kHeader + row("0", 0, "0") + row("1", 0, "0") + row("2", 0, "0"));
  CHECK(block_of(log_linear({10, 2, 4, 10}), {}) ==
        kHeader + row("< 100", 0, "0") + row("100", 0, "0") + row("200", 0, "0"));
}

TEST_CASE("data in the outermost quantize buckets") {
  const std::string top = block_of(kQuantize, {std::numeric_limits<int64_t>::max()});
  CHECK(top == kHeader + row("2305843009213693952", 0, "0") + row("4611686018427387904", 40, "1"));
  const std::string bottom = block_of(kQuantize, {std::numeric_limits<int64_t>::min()});
  CHECK(bottom == kHeader + row("-4611686018427387904", 40, "1") + row("-2305843009213693952", 0, "0"));
}

TEST_CASE("lquantize labels its ends") {
  CHECK(block_of(kLinear, {-5, 0, 99, 100}) == kHeader + row("< 0", 10, "1") + row("0", 10, "1") + row("10", 0, "0") +
                                                   row("20", 0, "0") + row("30", 0, "0") + row("40", 0, "0") +
                                                   row("50", 0, "0") + row("60", 0, "0") + row("70", 0, "0") +
                                                   row("80", 0, "0") + row("90", 10, "1") + row(">= 100", 10, "1"));
  CHECK(block_of({AggregatingFunction::kLquantize, {{-10, -4, 3}, {}}}, {-10}) ==
        kHeader + row("< -10", 0, "0") + row("-10", 40, "1") + row("-7", 0, "0"));
}

TEST_CASE("lquantize with a single level") {
  CHECK(block_of({AggregatingFunction::kLquantize, {{0, 1, 1}, {}}}, {0}) ==
        kHeader + row("< 0", 0, "0") + row("0", 40, "1") + row(">= 1", 0, "0"));
}

TEST_CASE("the reference's llquantize example") {
  CHECK(block_of(log_linear({10, 0, 4, 10}), {123}) ==
        kHeader + row("90", 0, "0") + row("100", 40, "1") + row("200", 0, "0"));
}

TEST_CASE("llquantize labels the centre by what is shown") {
  CHECK(block_of(log_linear({10, 0, 4, 10}), {0}) ==
        kHeader + row("-1", 0, "0") + row("0", 40, "1") + row("1", 0, "0"));
  CHECK(block_of(log_linear({10, 1, 4, 10}), {15}) ==
        kHeader + row("< 10", 0, "0") + row("10", 40, "1") + row("20", 0, "0"));
  CHECK(block_of(log_linear({10, 1, 4, 10}), {5}) ==
        kHeader + row("-10", 0, "0") + row("abs() < 10", 40, "1") + row("10", 0, "0"));
  CHECK(block_of(log_linear({10, 1, 4, 10}), {-15, 15}) == kHeader + row("-20", 0, "0") + row("-10", 20, "1") +
                                                               row("abs() < 10", 0, "0") + row("10", 20, "1") +
                                                               row("20", 0, "0"));
}

TEST_CASE("llquantize overflows on both sides") {
  CHECK(block_of(log_linear({10, 0, 0, 10}), {-10, 10}) ==
        kHeader + row("<= -10", 20, "1") + row("-9", 0, "0") + row("-8", 0, "0") + row("-7", 0, "0") +
            row("-6", 0, "0") + row("-5", 0, "0") + row("-4", 0, "0") + row("-3", 0, "0") + row("-2", 0, "0") +
            row("-1", 0, "0") + row("0", 0, "0") + row("1", 0, "0") + row("2", 0, "0") + row("3", 0, "0") +
            row("4", 0, "0") + row("5", 0, "0") + row("6", 0, "0") + row("7", 0, "0") + row("8", 0, "0") +
            row("9", 0, "0") + row(">= 10", 20, "1"));
}

TEST_CASE("llquantize with more steps than integers skips what cannot be") {
  CHECK(block_of(log_linear({10, 0, 1, 20}), {9, 10}) ==
        kHeader + row("8", 0, "0") + row("9", 20, "1") + row("10", 20, "1") + row("15", 0, "0"));
}

TEST_CASE("llquantize with fewer steps than its factor") {
  CHECK(block_of(log_linear({10, 1, 2, 5}), {10, 25}) ==
        kHeader + row("< 10", 0, "0") + row("10", 20, "1") + row("20", 20, "1") + row("40", 0, "0"));
}

TEST_CASE("normalisation divides counts, signed, and leaves bars alone") {
  Words words(kQuantizeBuckets);
  words[64] = 1000;
  words[65] = static_cast<uint64_t>(-1000);
  CHECK(block(kQuantize, words, 100) == kHeader +
                                            "               0                     |                     0        \n"
                                            "               1                     |@@@@@@@@@@           10       \n"
                                            "               2           @@@@@@@@@@|                     -10      \n"
                                            "               4                     |                     0        \n");
  CHECK(block(kQuantize, words, 0) == block(kQuantize, words, 1));
}

TEST_CASE("aggzoom scales to the largest count") {
  CHECK(block_of(kQuantize, {1, 2, 4, 4}, 1, {true, Encoding::kUnset}) ==
        kHeader + row("0", 0, "0") + row("1", 19, "1") + row("2", 19, "1") + row("4", 38, "2") + row("8", 0, "0"));
}

TEST_CASE("utf8 bars have eighths") {
  Words words(kQuantizeBuckets);
  words[64] = 1;  // 40/3 = 13.33: 13 blocks and 2 eighths
  words[65] = 2;  // 26.66: 26 blocks and 5 eighths
  const auto blocks = [](unsigned n) {
    std::string s;
    while (n-- > 0) s += "\u2588";
    return s;
  };
  CHECK(block(kQuantize, words, 1, {false, Encoding::kUtf8}) ==
        kHeader + row("0", 0, "0") +
            fmt::format("{:>16} |{}{} {:<9}\n", 1, blocks(13) + "\u258e", std::string(26, ' '), 1) +
            fmt::format("{:>16} |{}{} {:<9}\n", 2, blocks(26) + "\u258b", std::string(13, ' '), 2) + row("4", 0, "0"));
}

TEST_CASE("packed quantize") {
  Words a(kQuantizeBuckets), b(kQuantizeBuckets);
  add(a, kQuantize, 1, 7);
  add(b, kQuantize, 2, 1);
  add(b, kQuantize, 1, 1);
  const std::vector<AggregationEntry> entries = {{{}, a, {}}, {{}, b, {}}};
  const BucketRange range = packed_buckets(kQuantize, entries);
  CHECK(range.first == 63);
  CHECK(range.last == 66);

  std::string out;
  append_packed_header(out, kQuantize, range, 17);
  CHECK(out == "\n              key  min .----. max  | count\n");
  out.clear();
  append_packed_row(out, kQuantize, range, a, {}, false);
  CHECK(out == "    0 : X  : 4    | 7\n");
  out.clear();
  append_packed_row(out, kQuantize, range, b, {}, true);
  CHECK(out == "    0 : \u2585\u2585 : 4    | 2\n");
  out.clear();
  append_packed_header(out, kQuantize, range, 0);
  CHECK(out == "\n  min .----. max  | count\n");
}

TEST_CASE("packed range starting at zero is not widened below it") {
  Words words(kQuantizeBuckets);
  add(words, kQuantize, 0);
  const std::vector<AggregationEntry> entries = {{{}, words, {}}};
  CHECK(packed_buckets(kQuantize, entries).first == 63);
  add(words, kQuantize, -1);
  CHECK(packed_buckets(kQuantize, entries).first == 61);
}

TEST_CASE("packed lquantize shows every level") {
  constexpr AggregationShape shape{AggregatingFunction::kLquantize, {{0, 4, 1}, {}}};
  Words words(shape.words());
  add(words, shape, 2, 3);
  add(words, shape, 3, -3);
  const std::vector<AggregationEntry> entries = {{{}, words, {}}};
  const BucketRange range = packed_buckets(shape, entries);
  std::string out;
  append_packed_header(out, shape, range, 9);
  CHECK(out == "\n      key     min .------. max      | count\n");
  out.clear();
  append_packed_row(out, shape, range, words, {}, false);
  CHECK(out == "     < 0 :   xv : >= 4     | 0\n");
}

TEST_CASE("packed cells are UTF-8 unless that is known to fail") {
  CHECK(packed_in_utf8(Encoding::kUnset, nullptr));
  CHECK(packed_in_utf8(Encoding::kUnset, "xterm"));
  CHECK_FALSE(packed_in_utf8(Encoding::kUnset, "dumb"));
  CHECK_FALSE(packed_in_utf8(Encoding::kUnset, "sun"));
  CHECK_FALSE(packed_in_utf8(Encoding::kUnset, "sun-color"));
  CHECK_FALSE(packed_in_utf8(Encoding::kAscii, "xterm"));
  CHECK(packed_in_utf8(Encoding::kUtf8, "dumb"));
}
