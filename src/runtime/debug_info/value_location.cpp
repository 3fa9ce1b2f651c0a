// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/value_location.h"

#include <dwarf.h>

#include <algorithm>
#include <optional>
#include <span>

#include "arch/machine.h"
#include "base/foreign_limits.h"
#include "runtime/foreign/dwarf_entry.h"

namespace dtrace::runtime {
namespace {

using Kind = ValueLocation::Kind;
using Operations = std::span<const Dwarf_Op>;

constexpr uint64_t kPieceBytes = 8;

ValueLocation missing(std::string reason) {
  ValueLocation result;
  result.reason = std::move(reason);
  return result;
}

ValueLocation of_word(Kind kind, UserOperand operand) {
  ValueLocation result;
  result.kind = kind;
  result.words.push_back(std::move(operand));
  return result;
}

/// Byte offset in struct pt_regs of a register by DWARF's number. Nothing: programs cannot read it.
std::optional<uint16_t> register_offset(uint64_t number) {
  const std::span<const uint32_t> offsets = arch::host_machine().frame_registers.offsets;
  if (number >= offsets.size()) return std::nullopt;
  return static_cast<uint16_t>(offsets[number]);
}

ValueLocation in_register(uint64_t number) {
  const std::optional<uint16_t> offset = register_offset(number);
  if (!offset) return missing("it is in a floating-point or vector register, which the kernel does not show to probes");
  UserOperand operand;
  operand.kind = UserOperand::Kind::kRegister;
  operand.base = *offset;
  return of_word(Kind::kWords, std::move(operand));
}

ValueLocation at_address(uint64_t number, int64_t displacement) {
  const std::optional<uint16_t> offset = register_offset(number);
  if (!offset) return missing("its address is in a register that the kernel does not show to probes");
  UserOperand operand;
  operand.kind = UserOperand::Kind::kAddress;
  operand.base = *offset;
  operand.displacement = displacement;
  return of_word(Kind::kMemory, std::move(operand));
}

ValueLocation constant(uint64_t value) {
  UserOperand operand;
  operand.kind = UserOperand::Kind::kConstant;
  operand.displacement = static_cast<int64_t>(value);
  return of_word(Kind::kWords, std::move(operand));
}

/// DW_OP_fbreg. Only what the caller has put on the stack is there when the function begins.
ValueLocation in_frame(Dwarf_Die *function, int64_t offset) {
  Dwarf_Attribute base;
  Dwarf_Op *operations = nullptr;
  size_t count = 0;
  const bool has_base = dwarf_attr_integrate(function, DW_AT_frame_base, &base) != nullptr &&
                        dwarf_getlocation(&base, &operations, &count) == 0 && count == 1;
  const bool by_caller = has_base && operations[0].atom == DW_OP_call_frame_cfa && offset >= 0;
  if (!by_caller) return ValueLocation{Kind::kConvention, {}, {}};
  // The caller's frame ends where its stack arguments begin.
  const arch::Machine &machine = arch::host_machine();
  return at_address(machine.frame_registers.stack, offset + machine.registers.stack_arguments);
}

/// DW_OP_breg. clang counts a function's own frame from the stack pointer, and says so from the first instruction on,
/// which has not made that frame yet. What the caller has put on the stack is found by the convention as well.
ValueLocation at_register(uint64_t number, int64_t displacement) {
  if (number == arch::host_machine().frame_registers.stack) return ValueLocation{Kind::kConvention, {}, {}};
  return at_address(number, displacement);
}

std::optional<uint64_t> literal(const Dwarf_Op &operation) {
  if (operation.atom >= DW_OP_lit0 && operation.atom <= DW_OP_lit31) return operation.atom - DW_OP_lit0;
  switch (operation.atom) {
    case DW_OP_const1u:
    case DW_OP_const1s:
    case DW_OP_const2u:
    case DW_OP_const2s:
    case DW_OP_const4u:
    case DW_OP_const4s:
    case DW_OP_const8u:
    case DW_OP_const8s:
    case DW_OP_constu:
    case DW_OP_consts:
      return operation.number;
    default:
      return std::nullopt;
  }
}

/// What clang says of a parameter that is narrower than its register: the register, masked and converted. When the
/// function begins that is the register's low part.
bool is_low_part(Operations operations) {
  const auto takes_low_part = [](const Dwarf_Op &operation) {
    return operation.atom == DW_OP_and || operation.atom == DW_OP_convert || operation.atom == DW_OP_GNU_convert ||
           (operation.atom == DW_OP_constu && operation.number == UINT32_MAX);
  };
  return operations.size() > 2 && operations.front().atom >= DW_OP_breg0 && operations.front().atom <= DW_OP_breg31 &&
         operations.front().number == 0 && operations.back().atom == DW_OP_stack_value &&
         std::ranges::all_of(operations.subspan(1, operations.size() - 2), takes_low_part);
}

/// One part of a value, without DW_OP_piece. `stated`: the attribute whose operations these are.
ValueLocation simple(Operations operations, Dwarf_Attribute *stated, Dwarf_Die *function) {
  constexpr std::string_view kComputed = "the compiler computes it from other values";
  if (operations.empty()) return missing("it was optimised out");
  const Dwarf_Op &first = operations[0];
  const bool is_value = operations.size() == 2 && operations[1].atom == DW_OP_stack_value;
  if (first.atom == DW_OP_implicit_pointer || first.atom == DW_OP_GNU_implicit_pointer)
    return missing("it points to something that was optimised out");
  if (first.atom == DW_OP_implicit_value) return missing("it is a constant that the program does not have in memory");
  if (const std::optional<uint64_t> number = literal(first); number && is_value) return constant(*number);
  if ((first.atom == DW_OP_entry_value || first.atom == DW_OP_GNU_entry_value) && is_value) {
    // What a register had when the function began is what it has now.
    Dwarf_Attribute inner;
    Dwarf_Op *at_entry = nullptr;
    size_t count = 0;
    if (dwarf_getlocation_attr(stated, &first, &inner) == 0 && dwarf_getlocation(&inner, &at_entry, &count) == 0 &&
        count == 1 && at_entry[0].atom >= DW_OP_reg0 && at_entry[0].atom <= DW_OP_reg31)
      return in_register(at_entry[0].atom - DW_OP_reg0);
    return missing(std::string(kComputed));
  }
  if (is_low_part(operations)) return in_register(first.atom - DW_OP_breg0);
  ValueLocation result;
  if (first.atom >= DW_OP_reg0 && first.atom <= DW_OP_reg31) {
    result = in_register(first.atom - DW_OP_reg0);
  } else if (first.atom == DW_OP_regx) {
    result = in_register(first.number);
  } else if (first.atom >= DW_OP_breg0 && first.atom <= DW_OP_breg31) {
    result = at_register(first.atom - DW_OP_breg0, static_cast<int64_t>(first.number));
  } else if (first.atom == DW_OP_bregx) {
    result = at_register(first.number, static_cast<int64_t>(first.number2));
  } else if (first.atom == DW_OP_fbreg) {
    result = in_frame(function, static_cast<int64_t>(first.number));
    // What the function will copy a pointer to (an object passed by reference).
    if (result.kind == Kind::kConvention && operations.size() == 2 && operations[1].atom == DW_OP_deref) return result;
  } else {
    return missing(std::string(kComputed));
  }
  if (operations.size() == 1) return result;
  if (is_value && result.kind == Kind::kMemory) {
    result.kind = Kind::kWords;  // the address itself
    return result;
  }
  return missing(std::string(kComputed));
}

/// A struct in registers: parts of 8 bytes, in order.
ValueLocation in_pieces(Operations operations, Dwarf_Attribute *stated, Dwarf_Die *function, uint64_t size_bytes) {
  ValueLocation whole;
  whole.kind = Kind::kWords;
  uint64_t covered = 0;
  while (!operations.empty()) {
    size_t end = 0;
    while (end < operations.size() && operations[end].atom != DW_OP_piece) ++end;
    if (end == operations.size()) return missing("its parts are in places that D cannot put together");
    const uint64_t bytes = operations[end].number;
    ValueLocation part = simple(operations.first(end), stated, function);
    if (part.kind == Kind::kMissing || part.kind == Kind::kConvention) return part;
    const bool is_last = covered + bytes >= size_bytes;
    if (part.kind != Kind::kWords || bytes > kPieceBytes || (bytes != kPieceBytes && !is_last))
      return missing("its parts are in places that D cannot put together");
    whole.words.push_back(std::move(part.words.front()));
    covered += bytes;
    operations = operations.subspan(end + 1);
  }
  return covered >= size_bytes ? whole : missing("a part of it was optimised out");
}

}  // namespace

ValueLocation location_at_entry(Dwarf_Die *parameter, Dwarf_Die *function, uint64_t pc, uint64_t size_bytes) {
  if (const std::optional<uint64_t> known = dwarf_number(parameter, DW_AT_const_value)) return constant(*known);
  Dwarf_Attribute location;
  if (dwarf_attr(parameter, DW_AT_location, &location) == nullptr) return missing("it was optimised out");
  Dwarf_Op *operations = nullptr;
  size_t count = 0;
  if (dwarf_getlocation_addr(&location, pc, &operations, &count, 1) <= 0)
    return missing("the compiler does not say where it is when the function begins");
  if (count > limits::kMaxLocationOperations) return missing("the compiler computes it from other values");
  const Operations all(operations, count);
  for (const Dwarf_Op &operation : all)
    if (operation.atom == DW_OP_piece) return in_pieces(all, &location, function, size_bytes);
  return simple(all, &location, function);
}

}  // namespace dtrace::runtime
