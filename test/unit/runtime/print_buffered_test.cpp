// SPDX-License-Identifier: Apache-2.0
// What -B prints: each piece of an aggregation once, with what it is.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "runtime/print/aggregation_print.h"
#include "runtime/print/buffered.h"

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

/// Keeps pieces as "flags aggregation text".
class KeptPieces final : public Pieces {
 public:
  KeptPieces() : Pieces(piece_) {}
  void end(const Piece &piece) override {
    if (piece_.empty()) return;
    kept.push_back(std::to_string(piece.flags) + ' ' + std::string(piece.aggregation) + ' ' + piece_);
    piece_.clear();
  }
  void row_done() override { ++rows; }

  std::vector<std::string> kept;
  int rows = 0;

 private:
  std::string piece_;
};

}  // namespace

TEST_CASE("an aggregation is keys, a value and what stands between", "[print]") {
  AggregationView view{};
  view.name = "a";
  view.shape.function = AggregatingFunction::kCount;
  AggregationEntry entry;
  entry.keys = {Integer{7, 4, true}, Text{"x", true}};
  const uint64_t words[] = {3};
  entry.words = words;
  view.entries.push_back(entry);
  KeptPieces pieces;
  print_aggregation(pieces, view, {}, {});
  REQUIRE(pieces.kept.size() == 4);
  CHECK(pieces.kept[0] == "1 a         7");
  CHECK(pieces.kept[1].starts_with("1 a   x "));
  CHECK(pieces.kept[2] == "10 a                 3");
  CHECK(pieces.kept[3] == "0  \n");
  CHECK(pieces.rows == 1);
}

TEST_CASE("the description of a piece names its source", "[print]") {
  const Probe probe{{5}, "syscall", "vmlinux", "read", "entry"};
  const std::string described =
      buffered_text("a\tb", {Piece::kValue | Piece::kLast, "n"}, {&probe, 2, "printa", 8, 16});
  CHECK(described ==
        "dtrace_bufdata\n"
        "  dtbda_buffered => \"a\\tb\"\n"
        "     dtbda_probe => syscall:vmlinux:read:entry (ID 5, CPU 2)\n"
        "   dtbda_aggdata => @n\n"
        "   dtbda_recdesc => printa (size 8, offset 16)\n"
        "     dtbda_flags => 0xa AGGVAL AGGLAST\n"
        "\n");
}
