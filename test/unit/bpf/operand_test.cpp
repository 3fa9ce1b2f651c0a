// SPDX-License-Identifier: Apache-2.0
// Operands of sites that come late, read from a table: every form, against what the processor would compute.
// Registers are numbered as in struct pt_regs; where a 64-bit kernel keeps those of other machines differs in nothing.
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>

#include "bpf/dt_abi.h"

extern "C" {
int dt_operand_place(const void *registers, const dt_operand *operand, __u64 thread, __u64 narrow_thread, __u64 *out);
__u64 dt_operand_extend(__u64 word, __u32 size_bytes, __u32 flags);
__u64 dt_operand_widen(__u32 bits);
}

namespace {

constexpr __u64 kThread = 0x7f0000001000, kNarrowThread = 0xf7c01000;
constexpr std::array<__u64, 4> kRegisters = {0x1122334485868788, 0xffffffff'fffffffe, 0x1'00000010, 0x7fff00000000};

struct Answer {
  int where;
  __u64 value;
  bool operator==(const Answer &o) const { return where == o.where && value == o.value; }
};

/// `base` and `index` count registers; negative: none.
dt_operand row(dt_operand_kind kind, int base, __u8 flags = 0, int index = -1, __u8 scale = 1, __s64 displacement = 0) {
  dt_operand operand{};
  operand.kind = kind;
  operand.size_bytes = 8;
  operand.flags = flags;
  operand.scale = scale;
  operand.base = base < 0 ? DT_NO_REGISTER : static_cast<__u16>(base * 8);
  operand.index = index < 0 ? DT_NO_REGISTER : static_cast<__u16>(index * 8);
  operand.displacement = displacement;
  return operand;
}

Answer answer_of(const dt_operand &operand) {
  __u64 out = 0;
  const int where = dt_operand_place(kRegisters.data(), &operand, kThread, kNarrowThread, &out);
  return {where, out};
}

constexpr int kValue = 0, kMemory = 1;

}  // namespace

TEST_CASE("operand: constants and registers are values") {
  CHECK(answer_of(row(DT_OPERAND_CONSTANT, -1, 0, -1, 1, -7)) == Answer{kValue, static_cast<__u64>(-7)});
  dt_operand operand = row(DT_OPERAND_REGISTER, 0);
  CHECK(answer_of(operand) == Answer{kValue, 0x1122334485868788});
  operand.size_bytes = 4;
  CHECK(answer_of(operand) == Answer{kValue, 0x85868788});
  operand.flags = DT_OPERAND_SIGNED;
  CHECK(answer_of(operand) == Answer{kValue, 0xffffffff85868788});
  operand.size_bytes = 2;
  CHECK(answer_of(operand) == Answer{kValue, 0xffffffffffff8788});
  operand.size_bytes = 1;
  operand.shift_bits = 8;  // %ah
  CHECK(answer_of(operand) == Answer{kValue, 0xffffffffffffff87});
  operand.flags = 0;
  CHECK(answer_of(operand) == Answer{kValue, 0x87});
}

TEST_CASE("operand: pairs of registers") {
  CHECK(answer_of(row(DT_OPERAND_PAIR, 0, DT_OPERAND_NARROW, 2)) == Answer{kValue, 0x0000001085868788});
  CHECK(answer_of(row(DT_OPERAND_PAIR, 0, 0, 2)) == Answer{kValue, 0x1122334485868788});  // of 16 bytes, the low half
}

TEST_CASE("operand: addresses") {
  CHECK(answer_of(row(DT_OPERAND_MEMORY, 3, 0, -1, 1, -8)) == Answer{kMemory, 0x7ffefffffff8});
  CHECK(answer_of(row(DT_OPERAND_MEMORY, 3, 0, 2, 8, 4)) == Answer{kMemory, 0x7fff00000000 + 0x1'00000010 * 8 + 4});
  CHECK(answer_of(row(DT_OPERAND_MEMORY, -1, 0, -1, 1, 0x404000)) == Answer{kMemory, 0x404000});
  CHECK(answer_of(row(DT_OPERAND_ADDRESS, 3, 0, -1, 1, 16)) == Answer{kValue, 0x7fff00000010});
  // 32-bit programs: the sum wraps.
  CHECK(answer_of(row(DT_OPERAND_MEMORY, 1, DT_OPERAND_NARROW, -1, 1, 6)) == Answer{kMemory, 4});
}

TEST_CASE("operand: an index whose low half counts") {  // arm64: [x3, w1, sxtw 2], [x3, w1, uxtw 2]
  const __u8 narrow = DT_OPERAND_INDEX_NARROW;
  CHECK(answer_of(row(DT_OPERAND_MEMORY, 3, narrow | DT_OPERAND_INDEX_SIGNED, 1, 4)) ==
        Answer{kMemory, 0x7fff00000000 - 8});
  CHECK(answer_of(row(DT_OPERAND_MEMORY, 3, narrow, 1, 4)) == Answer{kMemory, 0x7fff00000000 + 0xfffffffeull * 4});
  CHECK(answer_of(row(DT_OPERAND_MEMORY, 3, narrow | DT_OPERAND_INDEX_SIGNED, 2, 1)) ==
        Answer{kMemory, 0x7fff00000010});
}

TEST_CASE("operand: thread-local memory") {
  CHECK(answer_of(row(DT_OPERAND_THREAD, -1, 0, -1, 1, -4)) == Answer{kMemory, kThread - 4});
  CHECK(answer_of(row(DT_OPERAND_THREAD, -1, DT_OPERAND_NARROW, -1, 1, -4)) == Answer{kMemory, kNarrowThread - 4});
}

TEST_CASE("operand: what cannot be had says so") {
  CHECK(answer_of(row(DT_OPERAND_UNAVAILABLE, 0)).where == -1);
  dt_operand unknown{};
  unknown.kind = 200;
  CHECK(answer_of(unknown).where == -1);
}

TEST_CASE("operand: sizes and signs") {
  CHECK(dt_operand_extend(0x1ff, 1, 0) == 0xff);
  CHECK(dt_operand_extend(0x1ff, 1, 1) == ~0ull);
  CHECK(dt_operand_extend(0x80000000, 4, 1) == 0xffffffff80000000);
  CHECK(dt_operand_extend(0x8000000000000000, 8, 1) == 0x8000000000000000);
  CHECK(dt_operand_extend(5, 16, 1) == 5);
}

TEST_CASE("operand: a float's double is what the compiler makes of it") {
  const auto widened = [](__u32 bits) { return std::bit_cast<__u64>(static_cast<double>(std::bit_cast<float>(bits))); };
  for (const __u32 bits : {0u, 0x80000000u, 1u, 2u, 0x007fffffu, 0x00800000u, 0x00400000u, 0x80000003u, 0x3f800000u,
                           0xc0490fdbu, 0x7f7fffffu, 0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffc12345u})
    CHECK(dt_operand_widen(bits) == widened(bits));
  for (__u32 bits = 0x12345; bits < 0x7f800000; bits += 0x1234567) CHECK(dt_operand_widen(bits) == widened(bits));
}

TEST_CASE("operand: a float in a register, in memory and as a constant is a double") {
  const __u64 one_and_a_half = 0x3ff8000000000000;
  CHECK(dt_operand_extend(0xffffffff3fc00000, 4, DT_OPERAND_FLOAT) == one_and_a_half);
  CHECK(dt_operand_extend(one_and_a_half, 8, DT_OPERAND_FLOAT) == one_and_a_half);
  dt_operand operand = row(DT_OPERAND_CONSTANT, -1, DT_OPERAND_FLOAT, -1, 1, 0x3fc00000);
  operand.size_bytes = 4;
  CHECK(answer_of(operand) == Answer{kValue, one_and_a_half});
  operand = row(DT_OPERAND_REGISTER, 0, DT_OPERAND_FLOAT);
  CHECK(answer_of(operand) == Answer{kValue, 0x1122334485868788});
}
