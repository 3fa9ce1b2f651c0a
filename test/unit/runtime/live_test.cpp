// SPDX-License-Identifier: Apache-2.0
// What --live makes of aggregations: tables with rates, and pictures that fit a window.
#include <catch2/catch.hpp>

#include "output_support.h"
#include "runtime/live/live_picture.h"
#include "runtime/live/live_tables.h"
#include "test/unit/text_matchers.h"

using namespace dtrace;
using namespace dtrace::runtime;
using namespace dtrace::runtime::test;

namespace {

constexpr uint64_t kSecond = 1'000'000'000;

class Updates {
 public:
  Updates() {
    run_.aggregation("n", Builtin::k_count, {"execname", "pid"});
    run_.aggregation("q", Builtin::k_quantize, {"execname"});
    run_.aggregation("s", Builtin::k_sum, {"execname"});
    run_.plan.aggregations[2].is_never_negative = false;
    tables_.emplace(run_.plan, values_, 0);
  }
  void update(uint32_t id, uint64_t now_ns, const std::vector<ShownRun::Shown> &entries, uint64_t normal = 1,
              uint64_t name_until_ns = UINT64_MAX) {
    const AggregationPlan &plan = run_.plan.aggregations[id];
    AggregationView view{id, plan.name, {aggregating_function(plan.function), {}}, normal, {}};
    for (const ShownRun::Shown &entry : entries) view.entries.push_back({entry.keys, entry.words, {}});
    const AggregationView *const views[] = {&view};
    tables_->update(views, now_ns, choice.orders, name_until_ns);
  }
  /// "key: value, rate" of each row.
  std::string rows() const {
    std::string text;
    for (const LiveRow &row : tables_->tables().front().rows)
      text += fmt::format("{}: {}, {:.1f}\n", row.keys->front().text, row.value, row.rate.value_or(-1));
    return text;
  }
  void measures(uint32_t id, Quantity quantity) { run_.plan.aggregations[id].quantity = quantity; }
  LiveTables &tables() { return *tables_; }
  std::vector<std::string> picture(LiveSize size, const LiveStatus &status = {}) const {
    return live_picture(tables_->tables(), choice, status, size, {false, true});
  }
  LiveChoice choice;

 private:
  ShownRun run_{"text"};
  RowValues values_{SinkParts{run_.output, run_.symbols, run_.types, run_.plan, 0, false, false, {}}};
  std::optional<LiveTables> tables_;
};

/// Without attributes.
std::string plain(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines) {
    for (size_t at = 0; at < line.size(); ++at) {
      if (line[at] == '\033')
        at = line.find('m', at);
      else
        text += line[at];
    }
    while (text.ends_with(' ')) text.pop_back();
    text += '\n';
  }
  return text;
}

std::vector<uint64_t> buckets(std::initializer_list<uint64_t> counts) {
  std::vector<uint64_t> words(kQuantizeBuckets);
  size_t at = 63;
  for (const uint64_t count : counts) words[at++] = count;
  return words;
}

}  // namespace

TEST_CASE("a rate is what was added, by the time between two updates", "[live]") {
  Updates live;
  live.update(0, 2 * kSecond, {{{text("cat"), i32(1)}, {10}}, {{text("dog"), i32(2)}, {40}}});
  CHECK(live.rows() == "dog: 40, 20.0\ncat: 10, 5.0\n");
  live.update(0, 4 * kSecond,
              {{{text("cat"), i32(1)}, {100}}, {{text("dog"), i32(2)}, {40}}, {{text("eel"), i32(2)}, {2}}});
  CHECK(live.rows() == "cat: 100, 45.0\ndog: 40, 0.0\neel: 2, 1.0\n");
}

TEST_CASE("after clear() all of a value is new, and so is a key that trunc() has removed", "[live]") {
  Updates live;
  live.update(0, 1 * kSecond, {{{text("cat"), i32(1)}, {10}}, {{text("dog"), i32(2)}, {40}}});
  live.update(0, 2 * kSecond, {{{text("cat"), i32(1)}, {4}}});
  CHECK(live.rows() == "cat: 4, 4.0\n");
  live.update(0, 3 * kSecond, {{{text("cat"), i32(1)}, {4}}, {{text("dog"), i32(2)}, {7}}});
  CHECK(live.rows() == "dog: 7, 7.0\ncat: 4, 0.0\n");
}

TEST_CASE("a sum of signed values may fall", "[live]") {
  Updates live;
  live.update(2, 1 * kSecond, {{{text("cat")}, {10}}});
  live.update(2, 2 * kSecond, {{{text("cat")}, {static_cast<uint64_t>(-5)}}});
  CHECK(live.rows() == "cat: -5, -15.0\n");
}

TEST_CASE("values and rates are normalised", "[live]") {
  Updates live;
  live.update(0, 2 * kSecond, {{{text("cat"), i32(1)}, {100}}}, 10);
  CHECK(live.rows() == "cat: 10, 5.0\n");
}

TEST_CASE("rows are ordered by any column, equal ones by their keys", "[live]") {
  Updates live;
  live.update(0, kSecond, {{{text("b"), i32(10)}, {1}}, {{text("a"), i32(9)}, {1}}, {{text("c"), i32(-1)}, {5}}});
  CHECK(live.rows() == "c: 5, 5.0\na: 1, 1.0\nb: 1, 1.0\n");
  live.tables().sort(0, {LiveOrder::kFirstKey, false});
  CHECK(live.rows() == "c: 5, 5.0\nb: 1, 1.0\na: 1, 1.0\n");
  live.tables().sort(0, {LiveOrder::kFirstKey + 1, true});  // as numbers: 9 before 10
  CHECK(live.rows() == "a: 1, 1.0\nb: 1, 1.0\nc: 5, 5.0\n");
}

TEST_CASE("a histogram has its count, quantiles and buckets", "[live]") {
  Updates live;
  live.update(1, 1 * kSecond, {{{text("cat")}, buckets({0, 8, 0, 2})}, {{text("dog")}, buckets({1})}});
  const LiveRow &row = live.tables().tables().front().rows.front();
  CHECK(row.value == 10);
  CHECK(row.rate == 10.0);
  CHECK(row.middle == "1");
  CHECK(row.high == "7");
  CHECK(row.levels == std::vector<uint8_t>{0, 8, 0, 2});
}

TEST_CASE("a picture fits its window", "[live]") {
  Updates live;
  live.update(0, kSecond, {{{text("cat"), i32(1)}, {1234567}}, {{text("a very long name of a program"), i32(2)}, {4}}});
  CHECK(plain(live.picture({60, 8})) ==
        "dtrace --live  0:00  every 1 s\n"
        "@n = count()  2 rows\n"
        " COUNT▼   RATE/s  execname                       pid\n"
        "1234567  1234567  cat                            1\n"
        "      4      4.0  a very long name of a program  2\n"
        "\n\n"
        "q quit  ? help  < > sort  r reverse  space pause  Tab next\n");
  for (size_t columns = 1; columns < 70; columns += 3)
    for (size_t lines = 1; lines < 12; ++lines) {
      const std::vector<std::string> seen = live.picture({columns, lines}, {1000, 0, 0, 5, {}, {"printed", "more"}});
      CHECK(seen.size() <= lines);
      for (const std::string &line : seen) {
        std::string text = plain({line});
        text.pop_back();
        CHECK(text_columns(text) <= columns);
      }
    }
  CHECK(live.picture({0, 0}).empty());
}

TEST_CASE("what is printed has the lower part of the window", "[live]") {
  Updates live;
  live.update(0, kSecond, {{{text("cat"), i32(1)}, {1}}});
  const std::string seen = plain(live.picture({40, 12}, {1000, 61, 0, 3, {}, {"one", "two", "three", "four"}}));
  CHECK(seen ==
        "dtrace  1:01  3 lost\n"
        "@n = count()  1 row\n"
        "COUNT▼   RATE/s  execname   pid\n"
        "     1      1.0  cat        1\n"
        "\n\n\n\n"
        "── output ──────────────────────────────\n"
        "three\n"
        "four\n"
        "q quit  ? help  < > sort  r reverse  spa\n");
}

TEST_CASE("names that take long come with later updates, the largest value's first; counts do not wait", "[live]") {
  Updates live;
  live.update(0, 1 * kSecond,
              {{{text("cat"), i32(1)}, {10}}, {{text("dog"), i32(2)}, {40}}, {{text("eel"), i32(2)}, {20}}}, 1, 0);
  CHECK(live.rows() == "dog: 40, 40.0\n(being named): 20, 20.0\n(being named): 10, 10.0\n");
  live.update(0, 2 * kSecond,
              {{{text("cat"), i32(1)}, {30}}, {{text("dog"), i32(2)}, {40}}, {{text("eel"), i32(2)}, {25}}}, 1, 0);
  CHECK(live.rows() == "dog: 40, 0.0\ncat: 30, 20.0\n(being named): 25, 5.0\n");
  live.update(0, 3 * kSecond,
              {{{text("cat"), i32(1)}, {30}}, {{text("dog"), i32(2)}, {40}}, {{text("eel"), i32(2)}, {25}}});
  CHECK(live.rows() == "dog: 40, 0.0\ncat: 30, 0.0\neel: 25, 0.0\n");
}

TEST_CASE("a filter leaves rows that have its text in a key", "[live]") {
  Updates live;
  live.update(0, kSecond, {{{text("cat"), i32(1)}, {10}}, {{text("dog"), i32(12)}, {40}}});
  live.choice.filter = "12";
  live.choice.typing = true;
  CHECK(plain(live.picture({60, 6})) ==
        "dtrace --live  0:00  every 1 s\n"
        "@n = count()  1 row of 2 with 12\n"
        "COUNT▼   RATE/s  execname   pid\n"
        "    40     40.0  dog        12\n"
        "\n"
        "/12_\n");
}

TEST_CASE("the age of the tables, and what was lost", "[live]") {
  Updates live;
  live.update(0, kSecond, {{{text("cat"), i32(1)}, {10}}});
  const auto title = [&](uint64_t age_ms) {
    return plain({live.picture({60, 6}, {1000, 9, age_ms, 0, {}, {}}).front()});
  };
  CHECK(title(2999) == "dtrace --live  0:09  every 1 s\n");
  CHECK(title(3000) == "dtrace --live  0:09  3 s old  every 1 s\n");
  live.choice.losses = true;
  CHECK(plain(live.picture({60, 6}, {1000, 9, 0, 344, {"344 keys of aggregations"}, {"printed"}})) ==
        "dtrace --live  0:09  344 lost  every 1 s\n344 keys of aggregations\n\n\n\n"
        "q quit  ? help  < > sort  r reverse  space pause  Tab next\n");
  CHECK(plain(live.picture({60, 6}, {1000, 9, 0, 0, {}, {}})).find("\nNothing was lost.\n") != std::string::npos);
}

TEST_CASE("wide and combining characters take their columns", "[live]") {
  CHECK(text_columns("abc") == 3);
  CHECK(text_columns("日本") == 4);
  CHECK(text_columns("e\xcc\x81") == 1);
  CHECK(fitting("日本", 3) == "日");
  CHECK(fitting("abc", 2) == "ab");
}

TEST_CASE("values, rates and quantiles have the unit of what is aggregated", "[live]") {
  Updates live;
  live.measures(0, {Quantity::Kind::kSamples, 1});
  live.measures(1, {Quantity::Kind::kTime, 1000});
  live.measures(2, {Quantity::Kind::kBytes, 1});
  live.update(2, kSecond, {{{text("cat")}, {563'085'312}}});
  CHECK(plain(live.picture({60, 5}, {1000, 1, 0, 0, {}, {}, "Reads"})) ==
        "Reads  0:01  every 1 s\n"
        "@s = sum()  1 row\n"
        "   SUM▼   RATE/s  execname\n"
        "537 MiB  537 MiB  cat\n\n");
  // Values are shown as normalize() leaves them, in the unit that they have then.
  live.update(2, 2 * kSecond, {{{text("cat")}, {563'085'312}}}, 1024);
  CHECK_THAT(plain(live.picture({60, 4})), contains_text("537 MiB      0 B  cat"));
  live.update(1, 3 * kSecond, {{{text("cat")}, buckets({0, 0, 0, 0, 1})}});
  CHECK_THAT(plain(live.picture({80, 4})), contains_text("15.0 µs"));
  live.update(0, 4 * kSecond, {{{text("cat"), i32(1)}, {5}}});
  CHECK_THAT(plain(live.picture({60, 4})), contains_text("SAMPLES"));
}
