// SPDX-License-Identifier: Apache-2.0
#include "runtime/late/late_cookies.h"

#include <catch2/catch.hpp>

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

using Rows = std::vector<uint16_t>;

std::vector<UserOperand> operands(int64_t displacement) {
  UserOperand operand;
  operand.displacement = displacement;
  return {operand};
}

}  // namespace

TEST_CASE("late cookies: a set of clauses is one row, or one for each", "[late]") {
  ProgramPlan program;
  program.rows = {{0}, {1}, {0, 1}, {3}};
  CHECK(LateCookies::rows_of(program, {0, 1}) == Rows{2});
  CHECK(LateCookies::rows_of(program, {1}) == Rows{1});
  CHECK(LateCookies::rows_of(program, {0, 3}) == Rows{3, 0});
  CHECK_FALSE(LateCookies::rows_of(program, {0, 2}));
}

TEST_CASE("late cookies: places of arguments are published once", "[late]") {
  ProgramPlan program;
  program.variants = {operands(8), operands(16)};
  std::vector<uint32_t> published;
  bool has_room = true;
  LateCookies cookies([&](uint32_t index, std::span<const UserOperand>) {
    published.push_back(index);
    return has_room;
  });
  CHECK(cookies.variant_of(program, operands(16)) == 1);  // the program has it
  CHECK(published.empty());
  CHECK(cookies.variant_of(program, operands(24)) == SiteCookie::kFirstLateVariant);
  CHECK(cookies.variant_of(program, operands(32)) == SiteCookie::kFirstLateVariant + 1);
  CHECK(cookies.variant_of(program, operands(24)) == SiteCookie::kFirstLateVariant);
  CHECK(published == std::vector<uint32_t>{0, 1});
  has_room = false;
  CHECK_FALSE(cookies.variant_of(program, operands(40)));
  has_room = true;
  CHECK(cookies.variant_of(program, operands(40)) == SiteCookie::kFirstLateVariant + 2);
}
