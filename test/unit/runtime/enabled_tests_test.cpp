// SPDX-License-Identifier: Apache-2.0
#include "runtime/attach/enabled_tests.h"

#include <catch2/catch.hpp>

#include "bpf/enabled_test.h"

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

using Kind = UserOperand::Kind;

EnabledTest test_of(Kind kind, int64_t displacement = 0, uint16_t base = 80) {
  EnabledTest test;
  test.variable.kind = kind;
  test.variable.base = base;
  test.variable.displacement = displacement;
  return test;
}

}  // namespace

TEST_CASE("enabled tests: where the variable's address is", "[enabled_tests]") {
  CHECK(*cookie_of(test_of(Kind::kRegister)) == 80);
  CHECK(*cookie_of(test_of(Kind::kRegister, 5)) == 80);  // the displacement is another kind's
  CHECK(*cookie_of(test_of(Kind::kAddress, -8)) == (80 | 0xfffffff8ULL << 32));
  CHECK(*cookie_of(test_of(Kind::kMemory, 16)) == (80 | DT_TEST_IN_MEMORY | 16ULL << 32));
  CHECK(*cookie_of(test_of(Kind::kConstant, 0x4010)) == (DT_TEST_NO_REGISTER | 0x4010ULL << 32));
  EnabledTest narrow = test_of(Kind::kRegister);
  narrow.variable.is_narrow = true;
  CHECK(*cookie_of(narrow) == (80 | DT_TEST_NARROW));
}

TEST_CASE("enabled tests: places that are not read", "[enabled_tests]") {
  CHECK_FALSE(cookie_of(test_of(Kind::kMemory, int64_t{1} << 40)));
  CHECK_FALSE(cookie_of(test_of(Kind::kThreadMemory)));
  CHECK_FALSE(cookie_of(test_of(Kind::kUnavailable)));
  EnabledTest unavailable = test_of(Kind::kUnavailable);
  unavailable.variable.reason = "the file has no symbol x";
  CHECK(cookie_of(unavailable).error().text() == "the file has no symbol x");
  EnabledTest indexed = test_of(Kind::kMemory);
  indexed.variable.index = 8;
  CHECK_FALSE(cookie_of(indexed));
  EnabledTest high_byte = test_of(Kind::kRegister);
  high_byte.variable.shift_bits = 8;
  CHECK_FALSE(cookie_of(high_byte));
}
