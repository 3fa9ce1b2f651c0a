// SPDX-License-Identifier: Apache-2.0
// Rows of all CPUs in one order, from the beginning or from a time on.
#include "test/unit/recording/blocks.h"

using namespace dtrace;
using namespace dtrace::recording;

namespace {

struct Made {
  Written to;
  Made() { define_probe(to.writer, 1, 0); }
  void add_row(uint32_t cpu, uint64_t time_ns) {
    add(to.writer, {.probe = 1, .cpu = cpu, .time_ns = time_ns, .thread = 1});
  }
  std::unique_ptr<Reader> open() {
    auto opened = open_text(to.finished());
    REQUIRE(opened);
    return std::move(*opened);
  }
};

using Place = std::pair<uint32_t, uint64_t>;  // CPU, time

std::vector<Place> places_of(Reader &reader) {
  std::vector<Place> places;
  const RowsRead read = read_rows(reader);
  CHECK(read.error.empty());
  for (const KeptRow &row : read.rows) places.emplace_back(row.cpu, row.time_ns);
  return places;
}

}  // namespace

TEST_CASE("recording: rows of all CPUs are merged by time, and by CPU at one time") {
  Made made;
  for (const uint64_t time : {10, 30, 50}) made.add_row(7, time);
  for (const uint64_t time : {20, 30, 30, 60}) made.add_row(2, time);
  made.to.writer.flush();
  for (const uint64_t time : {55, 70}) made.add_row(7, time);
  made.add_row(0, 5);
  const auto reader = made.open();
  CHECK(places_of(*reader) ==
        std::vector<Place>{{0, 5}, {7, 10}, {2, 20}, {2, 30}, {2, 30}, {7, 30}, {7, 50}, {7, 55}, {2, 60}, {7, 70}});
  CHECK(places_of(*reader).empty());  // it stays at the end
}

TEST_CASE("recording: rows of one CPU stay in the order in which they came") {
  Made made;
  // An interrupt's row is written after that of the firing it interrupted, and is earlier.
  for (const uint64_t time : {100, 90, 110, 95}) made.add_row(1, time);
  made.to.writer.flush();
  for (const uint64_t time : {105, 120}) made.add_row(1, time);
  for (const uint64_t time : {89, 95, 108, 111}) made.add_row(2, time);
  const auto reader = made.open();
  CHECK(reader->first_ns() == 89u);
  CHECK(reader->last_ns() == 120u);
  CHECK(places_of(*reader) ==
        std::vector<Place>{
            {2, 89}, {2, 95}, {1, 100}, {1, 90}, {2, 108}, {1, 110}, {1, 95}, {1, 105}, {2, 111}, {1, 120}});
  reader->seek(100);
  CHECK(places_of(*reader) ==
        std::vector<Place>{{1, 100}, {1, 90}, {2, 108}, {1, 110}, {1, 95}, {1, 105}, {2, 111}, {1, 120}});
  reader->seek(111);
  CHECK(places_of(*reader) == std::vector<Place>{{2, 111}, {1, 120}});
}

TEST_CASE("recording: a reader goes to any time, at any moment") {
  Made made;
  for (uint64_t block = 0; block < 20; ++block) {
    for (uint64_t i = 0; i < 10; ++i) made.add_row(block % 3 == 2 ? 5 : 4, 1000 * block + 100 * i);
    made.to.writer.flush();
  }
  const auto reader = made.open();
  const std::vector<Place> all = places_of(*reader);
  REQUIRE(all.size() == 200);
  CHECK(std::ranges::is_sorted(all, {}, &Place::second));
  for (const uint64_t time : {0, 1, 950, 7350, 7400, 19'900, 2500}) {
    INFO(time);
    reader->seek(time);
    for (int i = 0; i < 3; ++i) (void)reader->next();
    reader->seek(time);
    std::vector<Place> later = all;
    std::erase_if(later, [&](const Place &place) { return place.second < time; });
    CHECK(places_of(*reader) == later);
  }
  reader->seek(19'901);
  CHECK(places_of(*reader).empty());
  reader->seek(0);
  CHECK(places_of(*reader) == all);
}

TEST_CASE("recording: thousands of CPUs with few rows each") {
  Made made;
  std::vector<Place> expected;
  for (uint32_t i = 0; i < 4096; ++i) {
    const uint32_t cpu = i * 2357 % 4096;
    for (const uint64_t time : {uint64_t{i}, uint64_t{10'000 + i}}) {
      made.add_row(cpu, time);
      expected.emplace_back(cpu, time);
    }
  }
  made.add_row(UINT32_MAX, 20'000);
  expected.emplace_back(UINT32_MAX, 20'000);
  std::ranges::sort(expected, {}, &Place::second);
  CHECK(made.to.bytes.size() < 1000);  // nothing is written before a block is full
  CHECK(places_of(*made.open()) == expected);
}

TEST_CASE("recording: extreme times") {
  Made made;
  const std::vector<uint64_t> times = {0, UINT64_MAX, 0, UINT64_MAX / 2};
  for (const uint64_t time : times) made.add_row(0, time);
  const auto reader = made.open();
  const RowsRead read = read_rows(*reader);
  CHECK(read.error.empty());
  CHECK(times_of(read.rows) == times);
  reader->seek(UINT64_MAX);
  CHECK(times_of(read_rows(*reader).rows) == std::vector<uint64_t>{UINT64_MAX, 0, UINT64_MAX / 2});
}

TEST_CASE("recording: definitions stand before the rows that follow them") {
  Written to;
  define_probe(to.writer, 1, 0);
  for (uint64_t i = 0; i < 40'000; ++i) {
    add(to.writer, {.probe = 1, .cpu = 0, .time_ns = i, .thread = 1});
    if (i == 20'000) to.writer.define(Fact{"late", "yes"});
  }
  std::vector<uint16_t> kinds;
  for (const Block &block : split(to.finished())) kinds.push_back(block.head.kind);
  CHECK(kinds == std::vector<uint16_t>{1, 3, 1, 3, 3, 4});
}
