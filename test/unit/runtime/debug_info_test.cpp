// SPDX-License-Identifier: Apache-2.0
// Debug information of a program that this compiler has built, without and with optimisation: the types of its
// functions' parameters and where these are at each instruction; and source lines.
#include <elf.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>

#include "arch/machine.h"
#include "frontend/types/types.h"
#include "runtime/debug_info/typed_arguments.h"
#include "runtime/user/function_code.h"
#include "test/unit/runtime/debug_info_fixture.h"

namespace dtrace::runtime {
namespace {

constexpr unsigned kFirst = 10;

struct Program : DebugInfoFixture {
  using DebugInfoFixture::DebugInfoFixture;
  TypedArguments entry(std::string_view name) {
    Result<TypedArguments> typed = entry_arguments(*info, address(name), kFirst, types);
    REQUIRE(typed);
    return std::move(*typed);
  }
  std::vector<ProbeArg> returned(std::string_view name) {
    Result<std::vector<ProbeArg>> typed = return_arguments(*info, address(name), types);
    REQUIRE(typed);
    return std::move(*typed);
  }

  TypeTable types;
};

uint16_t argument_register(unsigned n) {
  return static_cast<uint16_t>(arch::host_machine().registers.function_arguments[n]);
}

const bool is_arm64 = arch::host_machine().elf_machine == EM_AARCH64;

}  // namespace

TEST_CASE("parameters have the source's types, and lie where the caller put them", "[debug_info]") {
  const std::string program = GENERATE("typed_O0", "typed_O2");
  INFO(program);
  Program p(program);
  const TypedArguments typed = p.entry("visit");
  REQUIRE(typed.args.size() == 3);
  CHECK(p.types.name(typed.args[0].native) == "userland node_t *");
  CHECK(p.types.name(typed.args[1].native) == "userland const char *");
  CHECK(p.types.name(typed.args[2].native) == "enum color");
  for (unsigned i = 0; i < 3; ++i) {
    const UserOperand &operand = typed.operands.at(typed.args[i].source - kFirst);
    CHECK(operand.kind == UserOperand::Kind::kRegister);
    CHECK(operand.base == argument_register(i));
    CHECK(operand.size_bytes == (i == 2 ? 4 : 8));
  }
}

TEST_CASE("members are those of the source, and declared structures stay incomplete", "[debug_info]") {
  Program p("typed_O2");
  const auto node = p.info->types().find(TagKind::kStruct, "node");
  REQUIRE(node);
  const TypeId type = p.types.from_user(p.info->types(), *node);
  CHECK(p.types.size_bytes(type) == 32);
  const auto mid = p.types.find_member(type, "mid");
  REQUIRE(mid);
  CHECK(mid->off_bits == 12 * 8 + 3);
  CHECK(mid->member.bits == 7);
  CHECK(p.types.find_member(type, "value")->off_bits == 16 * 8);
  const TypeId grid = p.types.find_member(type, "grid")->member.type;
  CHECK(p.types.name(grid) == "short [2][3]");
  CHECK(p.types.resolved(grid).count == 2);
  const auto blue = p.info->types().find_enumerator("BLUE");
  REQUIRE(blue);
  CHECK(blue->second == 200);
  std::optional<Dwarf_Die> head = p.info->types().find_variable("head"),
                           opaque = p.info->types().find_variable("opaque");
  REQUIRE((head && opaque));
  CHECK(p.types.name(p.types.from_user(p.info->types(), p.info->types().type_of(&*head))) == "userland node_t *");
  const TypeId hidden = p.types.from_user(p.info->types(), p.info->types().type_of(&*opaque));
  CHECK_FALSE(p.types.is_complete(p.types.resolved(hidden).target));
  CHECK_FALSE(p.info->types().find(TagKind::kStruct, "nowhere"));
}

TEST_CASE("structures by value are words in registers, or memory", "[debug_info]") {
  const std::string program = GENERATE("typed_O0", "typed_O2");
  INFO(program);
  Program p(program);
  const TypedArguments typed = p.entry("by_value");
  REQUIRE(typed.args.size() == 3);
  CHECK(typed.args[0].place == ArgPlace::kWords);
  const unsigned first = typed.args[0].source - kFirst;
  CHECK(typed.operands.at(first).base == argument_register(0));
  CHECK(typed.operands.at(first + 1).base == argument_register(1));
  CHECK(typed.args[1].place == ArgPlace::kPointed);
  CHECK(typed.args[1].space == Space::kUser);
  const UserOperand &large = typed.operands.at(typed.args[1].source - kFirst);
  const UserOperand &last = typed.operands.at(typed.args[2].source - kFirst);
  if (is_arm64) {  // at an address that has a register
    CHECK((large.kind == UserOperand::Kind::kRegister || large.kind == UserOperand::Kind::kAddress));
    CHECK(large.base == argument_register(2));
    CHECK(large.displacement == 0);
    CHECK(last.base == argument_register(3));
  } else {
    CHECK(large.kind == UserOperand::Kind::kAddress);
    CHECK(large.base == arch::host_machine().registers.stack);
    CHECK(large.displacement == arch::host_machine().registers.stack_arguments);
    CHECK(last.base == argument_register(2));
  }
}

TEST_CASE("parameters behind the registers are on the stack, in their own widths", "[debug_info]") {
  const std::string program = GENERATE("typed_O0", "typed_O2");
  INFO(program);
  Program p(program);
  const TypedArguments typed = p.entry("many");
  REQUIRE(typed.args.size() == 8);
  const size_t registers = arch::host_machine().registers.function_arguments.size();
  if (registers != 6) return;
  const UserOperand &byte = typed.operands.at(typed.args[6].source - kFirst);
  CHECK(byte.kind == UserOperand::Kind::kMemory);
  CHECK(byte.size_bytes == 1);
  CHECK(byte.is_signed);
  const UserOperand &word = typed.operands.at(typed.args[7].source - kFirst);
  CHECK(word.displacement == byte.displacement + 8);
}

TEST_CASE("what is in a floating-point register cannot be had, and shifts no other", "[debug_info]") {
  const std::string program = GENERATE("typed_O0", "typed_O2");
  INFO(program);
  Program p(program);
  const TypedArguments typed = p.entry("floats");
  REQUIRE(typed.args.size() == 3);
  CHECK(typed.args[0].missing.empty());
  CHECK(typed.args[1].missing.find("floating-point") != std::string::npos);
  CHECK(typed.args[2].missing.empty());
  CHECK(typed.operands.at(typed.args[2].source - kFirst).base == argument_register(1));
  CHECK(p.returned("floats").at(1).missing.find("floating-point") != std::string::npos);
}

TEST_CASE("returns have the offset and the function's type", "[debug_info]") {
  Program p("typed_O2");
  CHECK(p.types.name(p.returned("visit").at(1).native) == "int");
  CHECK(p.returned("make_pair").at(1).place == ArgPlace::kWords);
  const TypedArguments large = p.entry("make_large");
  const UserOperand &first = large.operands.at(large.args.at(0).source - kFirst);
  if (is_arm64) {  // the address for the result has a register of its own, and nothing returns it
    CHECK(p.returned("make_large").at(1).missing == arch::kOnlyCallerKnows);
    CHECK(first.base == argument_register(0));
  } else {  // it goes in front
    CHECK(p.returned("make_large").at(1).place == ArgPlace::kPointed);
    CHECK(first.base == argument_register(1));
  }
}

TEST_CASE("an address where no function begins is described by nothing", "[debug_info]") {
  Program p("typed_O2");
  CHECK_FALSE(entry_arguments(*p.info, p.address("visit") + 1, kFirst, p.types));
  CHECK_FALSE(entry_arguments(*p.info, UINT64_MAX, kFirst, p.types));
}

TEST_CASE("a parameter in the frame is there from the function's body on, wherever the frame is", "[debug_info]") {
  Program p("typed_O0");
  const arch::Machine &machine = arch::host_machine();
  if (machine.elf_machine != EM_X86_64) return;
  const uint16_t stack = static_cast<uint16_t>(machine.registers.stack);
  const uint16_t frame = static_cast<uint16_t>(machine.frame_registers.offsets[machine.frame_registers.frame]);
  const UserFunction function = p.function("visit");
  std::optional<Dwarf_Die> die = p.info->functions().at(function.address);
  REQUIRE(die);
  Dwarf_Die wanted = p.info->functions().parameters(*die).at(2).die;
  size_t unstored = 0, in_frame = 0;
  const FunctionCode code(*p.object, function);
  for (const Instruction &instruction : code.instructions()) {
    INFO("offset " << instruction.offset);
    const std::optional<CodePoint> point = p.info->point_at(function.address + instruction.offset);
    REQUIRE(point);
    const ValueLocation location = location_at(&wanted, *point, 4);
    if (instruction.offset == 0) {
      CHECK(location.kind == ValueLocation::Kind::kConvention);
    } else if (point->pc < point->body) {
      CHECK(location.kind == ValueLocation::Kind::kMissing);
      CHECK(location.reason.find("not stored it yet") != std::string::npos);
      ++unstored;
    } else {
      REQUIRE(location.kind == ValueLocation::Kind::kMemory);
      // The frame pointer has been restored when the function returns.
      CHECK(location.words.at(0).base == (instruction.kind == Instruction::Kind::kReturn ? stack : frame));
      CHECK(location.words.at(0).displacement < 0);
      ++in_frame;
    }
  }
  CHECK(unstored > 0);
  CHECK(in_frame > 3);
}

TEST_CASE("what the caller put on the stack is found from the canonical frame address", "[debug_info]") {
  Program p("typed_O2");
  const arch::Machine &machine = arch::host_machine();
  if (machine.registers.function_arguments.size() != 6) return;
  const UserFunction function = p.function("many");
  std::optional<Dwarf_Die> die = p.info->functions().at(function.address);
  REQUIRE(die);
  Dwarf_Die g = p.info->functions().parameters(*die).at(6).die;
  const FunctionCode code(*p.object, function);
  for (const Instruction &instruction : code.instructions()) {
    const std::optional<CodePoint> point = p.info->point_at(function.address + instruction.offset);
    REQUIRE(point);
    const std::optional<CodeFrames::Cfa> cfa = p.info->frames().at(point->pc);
    REQUIRE(cfa);
    const ValueLocation location = location_at(&g, *point, 1);
    REQUIRE(location.kind == ValueLocation::Kind::kMemory);
    CHECK(location.words.at(0).base == machine.frame_registers.offsets[cfa->reg]);
    CHECK(location.words.at(0).displacement == cfa->offset);
  }
}

TEST_CASE("lines begin where the compiler says, once for each run of instructions", "[debug_info]") {
  Program p("typed_O0");
  std::map<uint32_t, std::set<uint64_t>> starts;
  CHECK(p.info->lines().each_start([](std::string_view file) { return file == "typed.c"; },
                                   [&](const DwarfLines::Start &start) {
                                     CHECK(start.file == "typed.c");
                                     CHECK(starts[start.line].insert(start.address).second);
                                   }));
  const UserFunction visit = p.function("visit");
  const auto line = std::ranges::find_if(starts, [&](const auto &one) { return one.second.contains(visit.address); });
  REQUIRE(line != starts.end());
  // int visit(...) {  asm  return  }
  for (uint32_t behind = 0; behind < 3; ++behind) CHECK(starts[line->first + behind].size() == 1);
  CHECK(starts[line->first + 3].size() <= 1);  // clang counts the brace's instructions to the line of return
  CHECK_FALSE(starts.contains(line->first - 1));
  CHECK(p.info->lines().each_start([](std::string_view) { return false; },
                                   [](const DwarfLines::Start &) { FAIL("no file"); }));
  bool is_named = false;
  p.info->lines().each_file([&](std::string_view file) { is_named |= file == "typed.c"; });
  CHECK(is_named);
}

}  // namespace dtrace::runtime
