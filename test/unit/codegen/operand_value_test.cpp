// SPDX-License-Identifier: Apache-2.0
// What a site's operands are compiled to, by the values that come out: of constant registers the builder makes
// constants. The table that operands of late sites are in must say the same.
#include "codegen/clause/operand_value.h"

#include <array>
#include <catch2/catch.hpp>

#include "bpf/dt_abi.h"
#include "plan/operand_row.h"
#include "test/unit/usdt/elf_builder.h"
#include "usdt/arguments.h"

extern "C" int dt_operand_place(const void *registers, const dt_operand *operand, __u64 thread, __u64 narrow_thread,
                                __u64 *out);

using namespace dtrace;
using namespace dtrace::codegen;
using test::ElfBuilder;

namespace {

constexpr uint64_t kPc = ElfBuilder::kCode + 0x10;

/// Each register differs from all others in both halves, and some are negative in 32 bits, some in 64.
using Registers = std::array<uint64_t, 64>;
Registers some_registers() {
  Registers registers{};
  for (size_t i = 0; i < registers.size(); i++)
    registers[i] = 0x1111000022220000 * (i % 16 + 1) + 0x80000000 * (i % 2) + i;
  return registers;
}

std::vector<UserOperand> operands_of(std::string_view text, uint16_t type, uint16_t machine) {
  ElfBuilder builder(type, machine);
  builder.symbol("table", 0x3300);
  const test::BuiltFile built(builder.build());
  const std::vector<usdt::SiteArgument> arguments = usdt::parse_arguments(text, built.file().machine());
  usdt::ArgumentSymbols symbols;
  symbols.want(arguments);
  symbols.find(built.file(), nullptr);
  return symbols.resolve(arguments, built.file(), kPc);
}

/// The value, or the address of one in memory; by the code and by the table, which agree.
uint64_t computed(const UserOperand &operand, const Registers &registers) {
  llvm::LLVMContext context;
  Builder builder(context);
  const RegisterReader read = [&](uint16_t offset) { return builder.getInt64(registers.at(offset / 8)); };
  const bool in_memory = operand.kind == UserOperand::Kind::kMemory;
  llvm::Value *value = in_memory ? operand_address(builder, operand, read) : operand_value(builder, operand, read);
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  REQUIRE(constant != nullptr);

  const dt_operand row = row_of(operand);
  uint64_t by_table = 0;
  CHECK(dt_operand_place(registers.data(), &row, 0, 0, reinterpret_cast<__u64 *>(&by_table)) == (in_memory ? 1 : 0));
  CHECK(constant->getZExtValue() == by_table);
  return constant->getZExtValue();
}

uint64_t computed(std::string_view text, uint16_t type, uint16_t machine, const Registers &registers) {
  INFO(text);
  const std::vector<UserOperand> operands = operands_of(text, type, machine);
  REQUIRE(operands.size() == 1);
  REQUIRE(operands[0].kind != UserOperand::Kind::kUnavailable);
  return computed(operands[0], registers);
}

}  // namespace

TEST_CASE("operand value: aarch64") {
  const Registers x = some_registers();
  const auto value = [&](std::string_view text) { return computed(text, ET_DYN, EM_AARCH64, x); };
  const auto low = [&](size_t i) { return x[i] & 0xffffffff; };
  const auto low_signed = [&](size_t i) {
    return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(x[i])));
  };
  REQUIRE(low_signed(1) != low(1));  // negative
  REQUIRE(low_signed(2) == low(2));

  CHECK(value("8@x7") == x[7]);
  CHECK(value("4@w7") == low(7));
  CHECK(value("-4@w7") == low_signed(7));
  CHECK(value("-2@w5") == 0x5);
  CHECK(value("1@w3") == 3);
  CHECK(value("8@sp") == x[31]);
  CHECK(value("8@xzr") == 0);
  CHECK(value("-4@-17") == static_cast<uint64_t>(-17));
  CHECK(value("8@[sp, 16]") == x[31] + 16);
  CHECK(value("-4@[x29, -20]") == x[29] - 20);
  CHECK(value("8@[x0, x1]") == x[0] + x[1]);
  CHECK(value("8@[x0, x1, lsl 3]") == x[0] + x[1] * 8);
  // An index whose low half counts, signed and not, of a register whose low half is negative and of one where it is
  // not.
  CHECK(value("4@[x0, w1, sxtw 2]") == x[0] + low_signed(1) * 4);
  CHECK(value("4@[x0, w1, sxtw]") == x[0] + low_signed(1));
  CHECK(value("4@[x0, w1, uxtw 3]") == x[0] + low(1) * 8);
  CHECK(value("4@[x0, w1, uxtw]") == x[0] + low(1));
  CHECK(value("8@[x19, w2, sxtw 3]") == x[19] + low(2) * 8);
  CHECK(value("8@[x19, w2, uxtw 3]") == x[19] + low(2) * 8);
  CHECK(value("8@[x0, :lo12:table]") == x[0] + 0x300);
  CHECK(value("8@table") == x[32] + (0x3300 - kPc));  // from the site's own address
}

TEST_CASE("operand value: x86-64 and i386") {
  const Registers r = some_registers();
  enum : size_t { kBx = 5, kR8 = 9, kAx = 10, kCx = 11, kDx = 12, kSi = 13, kDi = 14, kIp = 16, kSp = 19 };
  const auto value = [&](std::string_view text) { return computed(text, ET_DYN, EM_X86_64, r); };
  CHECK(value("8@%rdi") == r[kDi]);
  CHECK(value("-4@%esi") == static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(r[kSi]))));
  CHECK(value("4@%esi") == (r[kSi] & 0xffffffff));
  CHECK(value("1@%bl") == (r[kBx] & 0xff));
  CHECK(value("1@%bh") == (r[kBx] >> 8 & 0xff));
  CHECK(value("-1@$-3") == static_cast<uint64_t>(-3));
  CHECK(value("8@-144(%rsp)") == r[kSp] - 144);
  CHECK(value("8@8(%rdx,%rbx,4)") == r[kDx] + r[kBx] * 4 + 8);
  CHECK(value("4@table(%rip)") == r[kIp] + (0x3300 - kPc));
  CHECK(value("4@8+table(%rip)") == r[kIp] + (0x3300 - kPc) + 8);
  CHECK(value("-16@%rax") == r[kAx]);

  // Addresses of 32 bits wrap; a value of 64 is in two registers.
  const auto narrow = [&](std::string_view text) { return computed(text, ET_EXEC, EM_386, r); };
  CHECK(narrow("4@8(%edx,%ebx,4)") == ((r[kDx] + r[kBx] * 4 + 8) & 0xffffffff));
  CHECK(narrow("4@table(,%ecx,8)") == ((r[kIp] + (0x3300 - kPc) + r[kCx] * 8) & 0xffffffff));
  CHECK(narrow("8@%eax") == ((r[kAx] & 0xffffffff) | r[kDx] << 32));
}
