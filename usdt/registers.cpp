// SPDX-License-Identifier: Apache-2.0
// Source: arch/x86/include/uapi/asm/ptrace.h and arch/arm64/include/uapi/asm/ptrace.h of Linux. A 32-bit x86 program
// under a 64-bit kernel has its registers in the same structure.
#include "usdt/registers.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace dtrace::usdt {
namespace {

/// One x86 register: its index among the 8-byte fields of pt_regs and its names by size; "" where there is none.
struct X86Register {
  uint16_t field;
  std::string_view r64, r32, r16, r8, high;
};
constexpr X86Register kX86[] = {
    {0, "r15", "r15d", "r15w", "r15b", ""}, {1, "r14", "r14d", "r14w", "r14b", ""},
    {2, "r13", "r13d", "r13w", "r13b", ""}, {3, "r12", "r12d", "r12w", "r12b", ""},
    {4, "rbp", "ebp", "bp", "bpl", ""},     {5, "rbx", "ebx", "bx", "bl", "bh"},
    {6, "r11", "r11d", "r11w", "r11b", ""}, {7, "r10", "r10d", "r10w", "r10b", ""},
    {8, "r9", "r9d", "r9w", "r9b", ""},     {9, "r8", "r8d", "r8w", "r8b", ""},
    {10, "rax", "eax", "ax", "al", "ah"},   {11, "rcx", "ecx", "cx", "cl", "ch"},
    {12, "rdx", "edx", "dx", "dl", "dh"},   {13, "rsi", "esi", "si", "sil", ""},
    {14, "rdi", "edi", "di", "dil", ""},    {16, "rip", "eip", "ip", "", ""},
    {19, "rsp", "esp", "sp", "spl", ""},
};
constexpr uint16_t kX86InstructionPointer = 16 * 8, kX86StackPointer = 19 * 8;
/// The order in which compilers number the registers that can make a pair.
constexpr uint16_t kX86Pairs[] = {10 * 8, 12 * 8, 11 * 8, 5 * 8, 13 * 8, 14 * 8, 4 * 8};  // ax dx cx bx si di bp

constexpr uint16_t kArmStackPointer = 31 * 8, kArmProgramCounter = 32 * 8;

std::optional<RegisterPlace> find_x86(std::string_view name, bool is_64bit) {
  if (name.empty()) return std::nullopt;
  for (const X86Register &row : kX86) {
    const auto at = static_cast<uint16_t>(row.field * 8);
    if (name == row.r64 && is_64bit) return RegisterPlace{at, 0, 8};
    if (name == row.r32) return RegisterPlace{at, 0, 4};
    if (name == row.r16) return RegisterPlace{at, 0, 2};
    if (name == row.r8) return RegisterPlace{at, 0, 1};
    if (name == row.high) return RegisterPlace{at, 8, 1};
  }
  return std::nullopt;
}

std::optional<RegisterPlace> find_arm(std::string_view name) {
  if (name == "sp" || name == "wsp")
    return RegisterPlace{kArmStackPointer, 0, static_cast<uint8_t>(name == "sp" ? 8 : 4)};
  if (name == "pc") return RegisterPlace{kArmProgramCounter, 0, 8};
  if (name == "lr") return RegisterPlace{30 * 8, 0, 8};
  if (name == "fp") return RegisterPlace{29 * 8, 0, 8};
  if (name.size() < 2 || name.size() > 3 || (name[0] != 'x' && name[0] != 'w')) return std::nullopt;
  unsigned number = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number > 30) return std::nullopt;
  return RegisterPlace{static_cast<uint16_t>(number * 8), 0, static_cast<uint8_t>(name[0] == 'x' ? 8 : 4)};
}

}  // namespace

std::optional<RegisterPlace> find_register(Machine machine, std::string_view name) {
  switch (machine) {
    case Machine::kX86_64:
      return find_x86(name, true);
    case Machine::kI386:
      return find_x86(name, false);
    case Machine::kAarch64:
      return find_arm(name);
    default:
      return std::nullopt;
  }
}

uint16_t instruction_pointer(Machine machine) {
  return machine == Machine::kAarch64 ? kArmProgramCounter : kX86InstructionPointer;
}

uint16_t stack_pointer(Machine machine) { return machine == Machine::kAarch64 ? kArmStackPointer : kX86StackPointer; }

std::optional<uint16_t> pair_of(Machine machine, uint16_t low) {
  if (machine == Machine::kAarch64)
    return low < 30 * 8 ? std::optional<uint16_t>(static_cast<uint16_t>(low + 8)) : std::nullopt;
  const auto *found = std::find(std::begin(kX86Pairs), std::end(kX86Pairs), low);
  if (found == std::end(kX86Pairs) || found + 1 == std::end(kX86Pairs)) {
    // r8 .. r15 follow one another; their fields are in the opposite order.
    const bool is_numbered = low <= 3 * 8 || (low >= 6 * 8 && low <= 9 * 8);
    if (!is_numbered || machine != Machine::kX86_64 || low == 0) return std::nullopt;
    return low == 6 * 8 ? 3 * 8 : static_cast<uint16_t>(low - 8);
  }
  return *(found + 1);
}

bool is_unseen_register(Machine machine, std::string_view name) {
  constexpr std::array<std::string_view, 9> kX86Prefixes = {"xmm", "ymm", "zmm", "mm", "st", "k", "cr", "dr", "bnd"};
  if (machine == Machine::kX86_64 || machine == Machine::kI386) {
    return std::any_of(kX86Prefixes.begin(), kX86Prefixes.end(), [&](std::string_view prefix) {
      return name.starts_with(prefix) &&
             (name.size() == prefix.size() || (name[prefix.size()] >= '0' && name[prefix.size()] <= '9') ||
              name[prefix.size()] == '(');
    });
  }
  return name.size() >= 2 && std::string_view("vdsqhbz").find(name[0]) != std::string_view::npos && name[1] >= '0' &&
         name[1] <= '9';
}

}  // namespace dtrace::usdt
