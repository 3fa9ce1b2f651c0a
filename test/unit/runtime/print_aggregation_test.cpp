// SPDX-License-Identifier: Apache-2.0
// Default layout of aggregations, their order, joined and formatted printa().
#include "memory_output.h"
#include "runtime/print/aggregation_print.h"

#include <catch2/catch.hpp>
#include <deque>

#include "test/unit/runtime/print_support.h"

using namespace dtrace;
using namespace dtrace::runtime;
using namespace dtrace::runtime::test;

namespace {

/// An aggregation that owns its words.
struct Table {
  explicit Table(AggregatingFunction function, uint32_t id = 0) {
    view.shape.function = function;
    view.id = id;
  }
  Table &add(std::vector<Value> keys, std::vector<uint64_t> value) {
    words.push_back(std::move(value));
    view.entries.push_back({std::move(keys), words.back(), {}});
    return *this;
  }
  AggregationView view;
  std::deque<std::vector<uint64_t>> words;
};

uint64_t word(int64_t value) { return static_cast<uint64_t>(value); }

std::string printed(const Table &table, const AggregationPrintOptions &options = {},
                    const FormatContext &context = {}) {
  MemoryOutput out;
  PlainPieces out_pieces(out);
  print_aggregation(out_pieces, table.view, options, context);
  return out.text();
}

std::string printa(std::vector<const Table *> tables, const char *format_text = nullptr,
                   const AggregationPrintOptions &options = {}) {
  std::vector<const AggregationView *> views;
  for (const Table *table : tables) views.push_back(&table->view);
  MemoryOutput out;
  PlainPieces out_pieces(out);
  if (format_text == nullptr) {
    print_printa(out_pieces, views, nullptr, options, {});
  } else {
    const FormatString parsed = format(format_text);
    print_printa(out_pieces, views, &parsed, options, {});
  }
  return out.text();
}

/// First characters of each line, in order: which entries came when.
std::string order_of(const std::string &text) {
  std::string order;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && c != ' ' && c != '\n') {
      order += c;
      at_start = false;
    }
    if (c == '\n') at_start = true;
  }
  return order;
}

}  // namespace

TEST_CASE("the reference's default rows") {
  CHECK(printed(Table(AggregatingFunction::kCount).add({text("k")}, {4})) ==
        "  k                                                                 4\n");
  CHECK(printed(Table(AggregatingFunction::kCount).add({i32(1), text("x")}, {3})) ==
        "        1  " + padded("x", 50) + "                3\n");
  CHECK(printed(Table(AggregatingFunction::kCount).add({i32(1), i16(2), i8(3), u64(4)}, {1})) ==
        "        1     2   3                4                1\n");
}

TEST_CASE("integer keys print by their type") {
  CHECK(
      printed(Table(AggregatingFunction::kCount).add({u32(0xffffffff), u64(~uint64_t{0}), u8(255), u16(65535)}, {1})) ==
      " 4294967295 18446744073709551615 255 65535                1\n");
  CHECK(printed(Table(AggregatingFunction::kCount).add({i32(-1), i8(-1)}, {1})) == "       -1  -1                1\n");
}

TEST_CASE("a stack key stands above its value") {
  FixedSymbols symbols;
  FormatContext context;
  context.text.symbolizer = &symbols;
  const uint64_t frames[] = {0x101c, 0x2085};
  CHECK(printed(Table(AggregatingFunction::kCount).add({KernelStack{frames}}, {1}), {}, context) ==
        "\n"
        "              module`function+0x1c\n"
        "              module`caller+0x85\n"
        "                1\n");
}

TEST_CASE("symbol, byte and text keys") {
  FixedSymbols symbols;
  FormatContext context;
  context.text.symbolizer = &symbols;
  CHECK(printed(Table(AggregatingFunction::kSum).add({Symbol{SymbolKind::kSym, 0, 0x1004}}, {1}), {}, context) ==
        "  " + padded("module`function", 50) + "                1\n");
  CHECK(printed(Table(AggregatingFunction::kSum).add({Bytes{{"ab\0\0", 4}, 1}}, {1})) ==
        "  " + padded("ab", 50) + "                1\n");
  CHECK(printed(Table(AggregatingFunction::kSum).add({Bytes{{"\1\2\3", 3}, 1}}, {1})) ==
        "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
        "         0: 01 02 03                                         ...\n                1\n");
}

TEST_CASE("an aggregation without keys is its value") {
  CHECK(printed(Table(AggregatingFunction::kSum).add({}, {word(-7)})) == "               -7\n");
  CHECK(printed(Table(AggregatingFunction::kSum)).empty());
}

TEST_CASE("values of each scalar function") {
  using enum AggregatingFunction;
  CHECK(printed(Table(kCount).add({}, {12})) == "               12\n");
  CHECK(printed(Table(kMin).add({}, {word(-5), 3})) == "               -5\n");
  CHECK(printed(Table(kMax).add({}, {9, 3})) == "                9\n");
  CHECK(printed(Table(kMin).add({}, {0, 0})) == " 9223372036854775807\n");
  CHECK(printed(Table(kMax).add({}, {0, 0})) == " -9223372036854775808\n");
  CHECK(printed(Table(kAvg).add({}, {3, word(-10)})) == "               -3\n");
  CHECK(printed(Table(kAvg).add({}, {0, 0})) == "                0\n");
  CHECK(printed(Table(kStddev).add({}, {2, 4, 10, 0})) == "                1\n");
  CHECK(printed(Table(kStddev).add({}, {0, 0, 0, 0})) == "                0\n");
}

TEST_CASE("stddev sums squares in 128 bits") {
  // Two values, +2^40 and -2^40: mean 0, squares 2^81.
  CHECK(printed(Table(AggregatingFunction::kStddev).add({}, {2, 0, 0, uint64_t{1} << 17})) == "    1099511627776\n");
  // Two values, 2^62 and 0: squares 2^124, mean 2^61, deviation 2^61.
  CHECK(printed(Table(AggregatingFunction::kStddev).add({}, {2, uint64_t{1} << 62, 0, uint64_t{1} << 60})) ==
        " 2305843009213693952\n");
}

TEST_CASE("normalisation divides the terms") {
  Table sum(AggregatingFunction::kSum);
  sum.add({}, {word(-1999)}).view.normal = 1000;
  CHECK(printed(sum) == "               -1\n");
  Table avg(AggregatingFunction::kAvg);
  avg.add({}, {2, 4999}).view.normal = 1000;
  CHECK(printed(avg) == "                2\n");
  Table stddev(AggregatingFunction::kStddev);  // 1000 and 3000
  stddev.add({}, {2, 4000, 10000000, 0}).view.normal = 1000;
  CHECK(printed(stddev) == "                1\n");
  Table zero(AggregatingFunction::kSum);
  zero.add({}, {5}).view.normal = 0;
  CHECK(printed(zero) == "                5\n");
}

TEST_CASE("an unkeyed histogram is a block and a newline") {
  std::vector<uint64_t> words(kQuantizeBuckets);
  words[63] = 2;
  CHECK(printed(Table(AggregatingFunction::kQuantize).add({}, words)) ==
        "\n           value  ------------- Distribution ------------- count    \n"
        "              -1 |                                         0        \n"
        "               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        \n"
        "               1 |                                         0        \n\n");
}

TEST_CASE("a keyed histogram follows its key on the line") {
  std::vector<uint64_t> words(kQuantizeBuckets);
  words[63] = 2;
  CHECK(printed(Table(AggregatingFunction::kQuantize).add({text("k")}, words))
            .starts_with("  " + padded("k", 50) + "\n           value  ---"));
}

TEST_CASE("aggpercpu lists CPUs after the value") {
  Table table(AggregatingFunction::kCount);
  table.add({text("k")}, {7});
  const uint64_t cpu0[] = {3};
  const uint64_t cpu2[] = {4};
  table.view.entries[0].per_cpu = {{0, cpu0}, {2, cpu2}};
  AggregationPrintOptions options;
  options.per_cpu = true;
  CHECK(printed(table, options) ==
        "  " + padded("k", 50) + "                7\n    [CPU 0]                3\n    [CPU 2]                4\n");
  CHECK(printed(table) == "  " + padded("k", 50) + "                7\n");
}

TEST_CASE("entries are sorted by value, then key") {
  Table table(AggregatingFunction::kSum);
  table.add({text("c")}, {2}).add({text("b")}, {2}).add({text("a")}, {9}).add({text("d")}, {word(-1)});
  AggregationPrintOptions options;
  CHECK(order_of(printed(table, options)) == "dbca");
  options.sort.reverse = true;
  CHECK(order_of(printed(table, options)) == "acbd");
  options.sort.by_key = true;
  CHECK(order_of(printed(table, options)) == "dcba");
  options.sort.reverse = false;
  CHECK(order_of(printed(table, options)) == "abcd");
}

TEST_CASE("integer keys sort unsigned") {
  Table table(AggregatingFunction::kCount);
  table.add({i32(-1)}, {1}).add({i32(1)}, {1}).add({i32(0)}, {1});
  CHECK(printed(table) ==
        "        0                1\n"
        "        1                1\n"
        "       -1                1\n");
}

TEST_CASE("aggsortkeypos starts at that key and wraps round") {
  Table table(AggregatingFunction::kCount);
  table.add({text("a"), i32(2)}, {1}).add({text("b"), i32(1)}, {1}).add({text("c"), i32(1)}, {1});
  AggregationPrintOptions options;
  options.sort.by_key = true;
  options.sort.key_position = 1;
  CHECK(order_of(printed(table, options)) == "bca");
  options.sort.key_position = 7;
  CHECK(order_of(printed(table, options)) == "abc");
}

TEST_CASE("average and deviation sort by their result") {
  Table avg(AggregatingFunction::kAvg);
  avg.add({text("a")}, {10, 100}).add({text("b")}, {1, 50}).add({text("c")}, {100, 100});
  CHECK(order_of(printed(avg)) == "cab");
  Table stddev(AggregatingFunction::kStddev);
  stddev.add({text("a")}, {2, 4, 10, 0}).add({text("b")}, {2, 4, 8, 0});
  CHECK(order_of(printed(stddev)) == "ba");
}

TEST_CASE("histograms sort by weighted sum, then by the count at zero") {
  const auto buckets = [](std::vector<std::pair<int64_t, uint64_t>> data) {
    std::vector<uint64_t> words(kQuantizeBuckets);
    for (const auto &[x, count] : data) words[quantize_bucket(x)] = count;
    return words;
  };
  const auto rank = [&](std::vector<std::pair<int64_t, uint64_t>> data) {
    return value_rank({AggregatingFunction::kQuantize, {}}, buckets(std::move(data)));
  };
  CHECK(rank({{4, 1}}) > rank({{1, 3}}));
  CHECK(rank({{4, 1}}) == rank({{2, 2}}));
  CHECK(rank({{-8, 1}}) < rank({}));
  CHECK(rank({{0, 5}}) > rank({{0, 4}}));
  CHECK(rank({{0, 5}}) < rank({{1, 1}}));

  const AggregationShape linear{AggregatingFunction::kLquantize, {{0, 4, 1}, {}}};
  const std::vector<uint64_t> under = {1, 0, 0, 0, 0, 0}, over = {0, 0, 0, 0, 0, 1}, none(6);
  CHECK(value_rank(linear, under).weight == -1);
  CHECK(value_rank(linear, over).weight == 5);
  CHECK(value_rank(linear, none).weight == 0);
}

TEST_CASE("at exit aggregations come by id, reversed by aggsortrev") {
  Table first(AggregatingFunction::kSum, 0), second(AggregatingFunction::kSum, 1);
  first.add({text("a")}, {1}).add({text("b")}, {2});
  second.add({text("c")}, {1}).add({text("d")}, {2});
  const AggregationView *views[] = {&second.view, &first.view};
  MemoryOutput out;
  PlainPieces out_pieces(out);
  AggregationPrintOptions options;
  print_aggregations(out_pieces, views, options, {});
  CHECK(order_of(out.text()) == "abcd");
  MemoryOutput reversed;
  PlainPieces reversed_pieces(reversed);
  options.sort.reverse = true;
  print_aggregations(reversed_pieces, views, options, {});
  CHECK(order_of(reversed.text()) == "dcba");
}

TEST_CASE("printa without format begins with a newline") {
  Table table(AggregatingFunction::kCount);
  table.add({i32(1)}, {2});
  CHECK(printa({&table}) == "\n        1                2\n");
  const Table empty(AggregatingFunction::kCount);
  CHECK(printa({&empty}) == "\n");
}

TEST_CASE("printa joins several aggregations by key") {
  Table count(AggregatingFunction::kCount, 0), sum(AggregatingFunction::kSum, 1);
  count.add({text("a")}, {3}).add({text("b")}, {1});
  sum.add({text("b")}, {20}).add({text("c")}, {30});
  const std::string a = "  " + padded("a", 50), b = "  " + padded("b", 50), c = "  " + padded("c", 50);
  CHECK(printa({&count, &sum}) == "\n" + c + "                0               30\n" + b +
                                      "                1               20\n" + a +
                                      "                3                0\n");
  AggregationPrintOptions options;
  options.sort.aggregation_position = 1;
  CHECK(order_of(printa({&count, &sum}, nullptr, options)) == "abc");
  options.sort.by_key = true;
  options.sort.reverse = true;
  CHECK(order_of(printa({&count, &sum}, nullptr, options)) == "cba");
}

TEST_CASE("a missing histogram in a joined row is an empty one") {
  Table count(AggregatingFunction::kCount, 0), quantize(AggregatingFunction::kQuantize, 1);
  count.add({i32(1)}, {3});
  CHECK(printa({&count, &quantize}) ==
        "\n        1                3"
        "\n           value  ------------- Distribution ------------- count    \n"
        "              -1 |                                         0        \n"
        "               0 |                                         0        \n"
        "               1 |                                         0        \n\n");
}

TEST_CASE("printa with a format adds nothing") {
  Table table(AggregatingFunction::kSum);
  table.add({text("a"), i32(1)}, {word(-4)}).add({text("b"), i32(2)}, {7});
  CHECK(printa({&table}, "%s/%d=%@d\n") == "a/1=-4\nb/2=7\n");
  CHECK(printa({&table}, "%@6d|%-3s|") == "    -4|a  |     7|b  |");
  CHECK(printa({&table}, "[%@u]") == "[18446744073709551612][7]");
  CHECK(printa({&table}, "x\n") == "x\nx\n");
  const Table empty(AggregatingFunction::kSum);
  CHECK(printa({&empty}, "%@d\n").empty());
}

TEST_CASE("%@ takes values in order, the last one again") {
  Table a(AggregatingFunction::kCount, 0), b(AggregatingFunction::kMax, 1);
  a.add({i32(1)}, {2});
  b.add({i32(1)}, {9, 1});
  CHECK(printa({&a, &b}, "%d %@d %@d %@d\n") == "1 2 9 9\n");
  CHECK(printa({&a}, "%@d %@d") == "2 2");
  Table c(AggregatingFunction::kSum, 2);
  c.add({i32(5)}, {1});
  CHECK(printa({&a, &c}, "%d:%@d:%@d ") == "5:0:1 1:2:0 ");
}

TEST_CASE("%@d of a histogram is its block; of an average the average") {
  std::vector<uint64_t> words(kQuantizeBuckets);
  words[63] = 2;
  Table quantize(AggregatingFunction::kQuantize);
  quantize.add({text("k")}, words);
  CHECK(printa({&quantize}, "%s:%@d.") ==
        "k:\n           value  ------------- Distribution ------------- count    \n"
        "              -1 |                                         0        \n"
        "               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        \n"
        "               1 |                                         0        \n.");
  Table avg(AggregatingFunction::kAvg);
  avg.add({}, {2, 9});
  CHECK(printa({&avg}, "%@d %@x") == "4 4");
}

TEST_CASE("agghist draws one bar per key on a common scale") {
  Table table(AggregatingFunction::kCount);
  table.add({text("a")}, {1}).add({text("b")}, {3});
  AggregationPrintOptions options;
  options.as_histogram = true;
  CHECK(printed(table, options) ==
        "\n              key  ------------- Distribution ------------- count    \n"
        "                a |@@@@@@@@@@                               1        \n"
        "                b |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n");
  Table numbers(AggregatingFunction::kSum);
  numbers.add({i32(7), i8(1)}, {word(-1)}).add({i32(8), i8(2)}, {1});
  CHECK(printed(numbers, options) ==
        "\n          key  ------------- Distribution ------------- count    \n"
        "        7   1           @@@@@@@@@@|                     -1       \n"
        "        8   2                     |@@@@@@@@@@           1        \n");
  CHECK(printed(Table(AggregatingFunction::kCount).add({}, {4}), options) == "                4\n");
  CHECK(printed(Table(AggregatingFunction::kMax).add({i32(1)}, {4, 1}), options) == "        1                4\n");
}

TEST_CASE("aggpack draws one line per key") {
  Table table(AggregatingFunction::kQuantize);
  std::vector<uint64_t> words(kQuantizeBuckets);
  words[64] = 7;
  table.add({text("a")}, words);
  AggregationPrintOptions options;
  options.packed = true;
  options.packed_utf8 = false;
  CHECK(printed(table, options) ==
        "\n              key  min .---. max  | count\n"
        "                a    0 : X : 2    | 7\n");
}

TEST_CASE("rows leave as they gather") {
  Table table(AggregatingFunction::kCount);
  for (int i = 0; i < 5000; i++) table.add({i32(i)}, {1});
  MemoryOutput out;
  PlainPieces out_pieces(out);
  print_aggregation(out_pieces, table.view, {}, {});
  CHECK_FALSE(out.written().empty());
  CHECK(out.text().size() < 70000);
  REQUIRE(out.flush());
  CHECK(out.written().size() == 5000 * 27);
}
