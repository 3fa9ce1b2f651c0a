// SPDX-License-Identifier: Apache-2.0
// The pool by which user stacks are walked: who has which bytes, what gives way when it is full, what programs find.
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <vector>

#include "arch/machine.h"
#include "bpf/dt_unwind.h"
#include "runtime/unwind/pool_space.h"
#include "runtime/unwind/rule_pool.h"

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

constexpr uint64_t kPageBytes = uint64_t{1} << DT_UNWIND_PAGE_SHIFT;

dt_unwind_rule rule(int32_t offset) {
  dt_unwind_rule made{};
  made.cfa = DT_UNWIND_STACK;
  made.cfa_offset = offset;
  made.return_address = DT_UNWIND_CFA;
  made.return_offset = -8;
  return made;
}

/// As a program reads it.
class Reader {
 public:
  explicit Reader(const std::vector<std::byte> &memory) : memory_(memory) {}

  template <typename T>
  T at(uint64_t place) const {
    T value;
    REQUIRE(place + sizeof value <= memory_.size());
    REQUIRE(place / DT_UNWIND_BLOCK_BYTES == (place + sizeof value - 1) / DT_UNWIND_BLOCK_BYTES);
    std::memcpy(&value, memory_.data() + place, sizeof value);
    return value;
  }
  /// The CFA's offset by the rule of an offset in a page; nothing: the page is not known.
  std::optional<int32_t> offset_at(uint32_t word, uint64_t offset) const {
    const auto page = at<uint64_t>(word);
    const uint64_t count = page >> DT_UNWIND_COUNT_SHIFT;
    if (count == 0) return std::nullopt;
    uint32_t found = 0;
    for (uint64_t i = 0; i < count; ++i) {
      const auto row = at<uint32_t>(static_cast<uint32_t>(page) + 4 * i);
      if ((row >> DT_UNWIND_RULE_BITS) <= offset) found = row;
    }
    const uint64_t number = found & ((1U << DT_UNWIND_RULE_BITS) - 1);
    return at<dt_unwind_rule>(number * DT_UNWIND_UNIT_BYTES).cfa_offset;
  }

 private:
  const std::vector<std::byte> &memory_;
};

struct Pool {
  explicit Pool(uint64_t blocks)
      : memory(blocks * DT_UNWIND_BLOCK_BYTES),
        pool(memory, arch::kX86_64.frame_registers.offsets, [this] { ++waits; }) {}
  std::vector<std::byte> memory;
  int waits = 0;
  RulePool pool;
  Reader reader{memory};
};

}  // namespace

TEST_CASE("unwind: pieces of the pool do not overlap, and come back", "[unwind]") {
  constexpr uint64_t kSize = 8 * DT_UNWIND_BLOCK_BYTES, kFirst = 4096;
  PoolSpace space(kSize, kFirst);
  std::mt19937 random(1);
  std::vector<int> owner(kSize / PoolSpace::kSmallestPiece);
  std::vector<std::pair<uint64_t, uint64_t>> pieces;
  for (int step = 0; step < 5000; ++step) {
    if (!pieces.empty() && random() % 3 == 0) {
      std::swap(pieces[random() % pieces.size()], pieces.back());
      const auto [place, size] = pieces.back();
      pieces.pop_back();
      for (uint64_t at = place; at < place + size; at += PoolSpace::kSmallestPiece)
        --owner[at / PoolSpace::kSmallestPiece];
      space.give_back(place);
      continue;
    }
    const uint64_t size = 1 + random() % 20000;
    const std::optional<uint64_t> place = space.take(size);
    if (!place) continue;
    REQUIRE(*place >= kFirst);
    REQUIRE(*place + size <= kSize);
    REQUIRE(*place / DT_UNWIND_BLOCK_BYTES == (*place + size - 1) / DT_UNWIND_BLOCK_BYTES);
    for (uint64_t at = *place; at < *place + size; at += PoolSpace::kSmallestPiece)
      REQUIRE(++owner[at / PoolSpace::kSmallestPiece] == 1);
    pieces.emplace_back(*place,
                        (size + PoolSpace::kSmallestPiece - 1) / PoolSpace::kSmallestPiece * PoolSpace::kSmallestPiece);
  }
  for (const auto &[place, size] : pieces) space.give_back(place);
  CHECK(space.taken_bytes() == 0);
  CHECK(space.take(4 * DT_UNWIND_BLOCK_BYTES));  // neighbours have joined
  CHECK_FALSE(space.take(kSize));
}

TEST_CASE("unwind: programs find the rules of a page, equal ones once", "[unwind]") {
  Pool made(8);
  const std::optional<uint32_t> pages = made.pool.add_pages(3);
  REQUIRE(pages);
  CHECK_FALSE(made.reader.offset_at(*pages + 8, 0));
  const std::vector<FrameRow> rows = {{kPageBytes, rule(8)}, {kPageBytes + 1, rule(16)}, {kPageBytes + 4095, rule(8)}};
  REQUIRE(made.pool.set_page(*pages + 8, kPageBytes, rows));
  CHECK(made.pool.knows_page(*pages + 8));
  CHECK(made.reader.offset_at(*pages + 8, 0) == 8);
  CHECK(made.reader.offset_at(*pages + 8, 1) == 16);
  CHECK(made.reader.offset_at(*pages + 8, 4094) == 16);
  CHECK(made.reader.offset_at(*pages + 8, 4095) == 8);
  CHECK(made.pool.nr_rules() == 3);  // and the one of code without rules
  CHECK_FALSE(made.reader.offset_at(*pages, 0));
}

TEST_CASE("unwind: registers are told as struct pt_regs has them", "[unwind]") {
  Pool made(8);
  const std::optional<uint32_t> pages = made.pool.add_pages(1);
  dt_unwind_rule by_register{};
  by_register.cfa = DT_UNWIND_REGISTER;
  by_register.cfa_register = 10;  // r10
  REQUIRE(made.pool.set_page(*pages, 0, std::vector<FrameRow>{{0, by_register}}));
  const auto row = made.reader.at<uint32_t>(static_cast<uint32_t>(made.reader.at<uint64_t>(*pages)));
  const uint64_t place = uint64_t{row & ((1U << DT_UNWIND_RULE_BITS) - 1)} * DT_UNWIND_UNIT_BYTES;
  CHECK(made.reader.at<dt_unwind_rule>(place).cfa_register == 56 / 8);
}

TEST_CASE("unwind: a full pool gives the room of what was told first", "[unwind]") {
  Pool made(8);
  constexpr uint32_t kPages = 400;
  const std::optional<uint32_t> pages = made.pool.add_pages(kPages);
  REQUIRE(pages);
  std::vector<FrameRow> rows;
  for (uint64_t i = 0; i < 1024; ++i) rows.push_back({i, rule(static_cast<int32_t>(8 * (i % 5)))});
  for (uint32_t page = 0; page < kPages; ++page) {
    REQUIRE(made.pool.set_page(*pages + 8 * page, 0, rows));
    REQUIRE(made.reader.offset_at(*pages + 8 * page, 1023) == 8 * (1023 % 5));
  }
  CHECK(made.pool.taken_bytes() <= made.memory.size());
  CHECK_FALSE(made.pool.has_room());
  CHECK(made.pool.nr_evicted_pages() > 300);
  CHECK(made.waits > 0);  // for walks, before rows were written over
  // The pool knows what was added.
  unsigned known = 0;
  for (uint32_t page = 0; page < kPages; ++page) {
    if (!made.pool.knows_page(*pages + 8 * page)) continue;
    ++known;
    for (uint64_t i = 0; i < 1024; i += 97)
      CHECK(made.reader.offset_at(*pages + 8 * page, i) == static_cast<int32_t>(8 * (i % 5)));
  }
  CHECK(known + made.pool.nr_evicted_pages() == kPages);
}

TEST_CASE("unwind: a file's words that went are nobody's rows", "[unwind]") {
  Pool made(8);
  const std::optional<uint32_t> pages = made.pool.add_pages(64);
  std::vector<FrameRow> rows;
  for (uint64_t i = 0; i < 4096; ++i) rows.push_back({i, rule(static_cast<int32_t>(8 * (i % 3)))});
  for (uint32_t page = 0; page < 4; ++page) REQUIRE(made.pool.set_page(*pages + 8 * page, 0, rows));
  made.pool.remove_pages(*pages, 64);
  std::memset(made.memory.data() + *pages, 0xff, size_t{64} * 8);  // somebody else's
  const std::optional<uint32_t> more = made.pool.add_pages(100);
  REQUIRE(more);
  for (uint32_t page = 0; page < 100; ++page) REQUIRE(made.pool.set_page(*more + 8 * page, 0, rows));
  CHECK(made.reader.at<uint64_t>(*pages) == UINT64_MAX);
}

TEST_CASE("unwind: rules without end leave room", "[unwind]") {
  Pool made(8);
  const std::optional<uint32_t> pages = made.pool.add_pages(400);
  int32_t offset = 0;
  for (uint32_t page = 0; page < 400; ++page) {
    std::vector<FrameRow> rows;
    for (uint64_t i = 0; i < 64; ++i) rows.push_back({i, rule(offset += 8)});
    REQUIRE(made.pool.set_page(*pages + 8 * page, 0, rows));
  }
  CHECK(made.pool.nr_rules() * DT_UNWIND_UNIT_BYTES <= made.memory.size() / 8 + 4096);
  // A rule that has no room is none: a walk says so.
  CHECK(made.reader.offset_at(*pages + 8 * 399, 63) == 0);
}
