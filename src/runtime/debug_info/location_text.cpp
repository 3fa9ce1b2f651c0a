// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/location_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "arch/machine.h"

namespace dtrace::runtime {
namespace {

std::string_view register_name(uint16_t offset) {
  const arch::Machine &machine = arch::host_machine();
  if (offset == machine.registers.instruction) return "the instruction";
  const std::span<const uint32_t> offsets = machine.frame_registers.offsets;
  const auto found = std::ranges::find(offsets, uint32_t{offset});
  return found == offsets.end() ? "a register"
                                : machine.frame_registers.names[static_cast<size_t>(found - offsets.begin())];
}

std::string address_text(const UserOperand &operand) {
  const std::string_view base = register_name(operand.base);
  return operand.displacement == 0 ? std::string(base) : fmt::format("{}{:+}", base, operand.displacement);
}

std::string text_of(const UserOperand &operand, bool is_pointed);

std::string caller_text(const UserOperand &operand) {
  constexpr size_t kMaxShown = 3;
  std::string text = operand.callers.size() == 1 ? "by caller, 1 call: "
                                                 : fmt::format("by caller, {} calls: ", operand.callers.size());
  for (size_t i = 0; i < std::min(operand.choices.size(), kMaxShown); ++i)
    text += (i == 0 ? "" : ", ") + text_of(operand.choices[i], false);
  return operand.choices.size() > kMaxShown ? text + ", ..." : text;
}

std::string text_of(const UserOperand &operand, bool is_pointed) {
  using Kind = UserOperand::Kind;
  switch (operand.kind) {
    case Kind::kUnavailable:
    case Kind::kRegisterPair:
      return {};
    case Kind::kConstant:
      return fmt::format("the constant {}", operand.displacement);
    case Kind::kRegister:
      return fmt::format("{}{}", is_pointed ? "at " : "", register_name(operand.base));
    case Kind::kMemory:
      return fmt::format("{}at {}", is_pointed ? "pointed to " : "", address_text(operand));
    case Kind::kAddress:
      return fmt::format("{}{}", is_pointed ? "at " : "the address ", address_text(operand));
    case Kind::kThreadMemory:
      return "in memory of the thread";
    case Kind::kByCaller:
      return caller_text(operand);
  }
  return {};
}

}  // namespace

std::string location_text(std::span<const UserOperand> operands, bool is_pointed) {
  std::string text;
  for (const UserOperand &operand : operands) {
    const std::string one = text_of(operand, is_pointed);
    if (one.empty()) return {};
    text += text.empty() ? one : " and " + one;
  }
  return text;
}

}  // namespace dtrace::runtime
