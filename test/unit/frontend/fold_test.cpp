// SPDX-License-Identifier: Apache-2.0
// Constant arithmetic: the edges.
#include "frontend/check/fold.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace dtrace;
using enum BinaryOp;

namespace {
constexpr uint64_t kMin = uint64_t{1} << 63;
uint64_t u(int64_t value) { return static_cast<uint64_t>(value); }
}  // namespace

TEST_CASE("fold: narrow", "[fold]") {
  CHECK(narrow(0xff, 1, true) == u(-1));
  CHECK(narrow(0xff, 1, false) == 0xff);
  CHECK(narrow(0x180, 1, true) == u(-128));
  CHECK(narrow(uint64_t{1} << 31, 4, true) == u(-2147483648LL));
  CHECK(narrow(uint64_t{1} << 33, 4, true) == 0);
  CHECK(narrow(u(-1), 4, false) == 0xffffffff);
  CHECK(narrow(u(-1), 8, false) == u(-1));
}

TEST_CASE("fold: division", "[fold]") {
  CHECK(fold(kDiv, u(-7), 2, true) == u(-3));
  CHECK(fold(kMod, u(-7), 2, true) == u(-1));
  CHECK(fold(kMod, 7, u(-2), true) == 1);
  CHECK(fold(kDiv, u(-7), 2, false) == u(-7) / 2);
  CHECK_FALSE(fold(kDiv, 1, 0, true));
  CHECK_FALSE(fold(kMod, 1, 0, false));
  CHECK(fold(kDiv, kMin, u(-1), true) == kMin);
  CHECK(fold(kDiv, u(-7), u(-1), true) == 7);
  CHECK(fold(kMod, kMin, u(-1), true) == 0);
}

TEST_CASE("fold: shifts", "[fold]") {
  CHECK(fold(kShr, u(-7), 1, true) == u(-4));
  CHECK(fold(kShr, u(-7), 1, false) == u(-7) >> 1);
  CHECK(fold(kShl, 1, 33, true) == uint64_t{1} << 33);
  CHECK(fold(kShl, 1, 64, true) == 1);
}

TEST_CASE("fold: comparison and logic", "[fold]") {
  CHECK(fold(kLt, u(-1), 0, true) == 1);
  CHECK(fold(kLt, u(-1), 0, false) == 0);
  CHECK(fold(kGt, u(-1), 0, false) == 1);
  CHECK(fold(kLe, 3, 3, true) == 1);
  CHECK(fold(kGe, 2, 3, true) == 0);
  CHECK(fold(kEq, 2, 2, true) == 1);
  CHECK(fold(kNe, 2, 2, true) == 0);
  CHECK(fold(kLogAnd, 2, 4, true) == 1);
  CHECK(fold(kLogOr, 0, 0, true) == 0);
  CHECK(fold(kLogXor, 2, 4, true) == 0);
  CHECK(fold(kLogXor, 2, 0, true) == 1);
}

TEST_CASE("fold: wraps", "[fold]") {
  CHECK(fold(kAdd, std::numeric_limits<uint64_t>::max(), 1, true) == 0);
  CHECK(fold(kSub, 0, 1, true) == u(-1));
  CHECK(fold(kMul, kMin, 2, true) == 0);
  CHECK(fold(UnaryOp::kMinus, kMin) == kMin);
  CHECK(fold(UnaryOp::kComplement, 0) == u(-1));
  CHECK(fold(UnaryOp::kNot, 5) == 0);
  CHECK(fold(kAnd, 6, 3, true) == 2);
  CHECK(fold(kOr, 6, 3, true) == 7);
  CHECK(fold(kXor, 6, 3, true) == 5);
}
