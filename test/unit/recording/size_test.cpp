// SPDX-License-Identifier: Apache-2.0
// What rows cost: bytes in the file, and time (only shown, by `unit_recording "[bench]"`).
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <random>

#include "test/unit/recording/kept.h"

using namespace dtrace;
using namespace dtrace::recording;

namespace {

/// Rows of three numbers as system calls of a busy server have them: a few calls make most of them, descriptors repeat,
/// buffers are those of threads, sizes and times are spread.
class SystemCalls {
 public:
  static constexpr uint32_t kProbes = 40, kThreads = 64;

  Row next(uint32_t cpu) {
    const uint32_t call = std::min<uint32_t>(static_cast<uint32_t>(few_(random_)), kProbes - 1);
    if (random_() % 3 == 0) thread_ = random_() % kThreads;
    const uint64_t stack = 0x7ffd'0000'0000 + thread_ * 0x10'0000, heap = 0x55d0'1000'0000 + thread_ * 0x2'0000;
    time_ns_ += 200 + static_cast<uint64_t>(gap_(random_));
    cells_[0].number = call % 5 == 4 ? heap + random_() % 64 * 8 : 3 + random_() % 40;
    cells_[1].number = call % 3 == 0 ? heap + random_() % 16 * 4096 : stack + random_() % 128 * 16;
    cells_[2].number = random_() % 4 == 0 ? random_() % 65536 : kSizes[random_() % kSizes.size()];
    return {.probe = call + 1,
            .cpu = cpu,
            .time_ns = time_ns_,
            .thread = 1000ull << 32 | (1000 + thread_),
            .cells = cells_};
  }

 private:
  static constexpr std::array<uint64_t, 6> kSizes = {1, 16, 512, 4096, 8192, 65536};
  std::mt19937_64 random_{1};
  std::geometric_distribution<> few_{0.2};
  std::exponential_distribution<> gap_{1 / 3000.0};
  uint64_t time_ns_ = 1'000'000'000'000, thread_ = 0;
  std::array<Cell, 3> cells_ = {Cell{.kind = Cell::Kind::kNumber}, Cell{.kind = Cell::Kind::kNumber},
                                Cell{.kind = Cell::Kind::kNumber}};
};

void define_calls(Writer &writer) {
  define_leaves(writer, 3);
  for (uint32_t id = 1; id <= SystemCalls::kProbes; ++id) define_probe(writer, id, 3);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TEST_CASE("recording: a row of three numbers takes at most 12 bytes") {
  Written to;
  define_calls(to.writer);
  to.writer.flush();
  const uint64_t before = to.writer.nr_bytes();
  constexpr uint64_t kRows = 200'000;
  SystemCalls calls;
  for (uint64_t i = 0; i < kRows; ++i) to.writer.add(calls.next(0));
  to.writer.flush();
  const double bytes_per_row = static_cast<double>(to.writer.nr_bytes() - before) / kRows;
  WARN(fmt::format("{:.2f} bytes a row", bytes_per_row));
  CHECK(bytes_per_row <= 12);
}

TEST_CASE("recording: speed", "[.][bench]") {
  constexpr size_t kRows = 2'000'000;
  SystemCalls calls;
  struct Made {
    Row row;
    std::array<Cell, 3> cells;
  };
  std::vector<Made> made(kRows);
  for (Made &each : made) {
    each.row = calls.next(static_cast<uint32_t>(&each - made.data()) / 100 % 4);
    std::copy_n(each.row.cells.begin(), 3, each.cells.begin());
    each.row.cells = each.cells;
  }
  Written to;
  to.bytes.reserve(64 << 20);
  define_calls(to.writer);
  auto start = std::chrono::steady_clock::now();
  for (const Made &each : made) to.writer.add(each.row);
  REQUIRE(to.writer.finish());
  const double writing = seconds_since(start);

  const auto opened = open_text(to.bytes);
  REQUIRE(opened);
  uint64_t sum = 0, nr_rows = 0;
  start = std::chrono::steady_clock::now();
  for (;; ++nr_rows) {
    const Result<std::optional<Row>> row = (*opened)->next();
    if (!row || !*row) break;
    sum += (*row)->cells[2].number;
  }
  const double reading = seconds_since(start);
  REQUIRE(nr_rows == kRows);
  WARN(fmt::format("{:.2f} bytes a row; {:.2f} million rows/s written, {:.2f} read ({})",
                   static_cast<double>(to.bytes.size()) / kRows, kRows / writing / 1e6, kRows / reading / 1e6, sum));
}
