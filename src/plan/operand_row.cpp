// SPDX-License-Identifier: Apache-2.0
#include "plan/operand_row.h"

namespace dtrace {

static_assert(UserOperand::kNoRegister == DT_NO_REGISTER);

dt_operand row_of(const UserOperand &operand) {
  using Kind = UserOperand::Kind;
  dt_operand row{};
  row.kind = operand.kind == Kind::kConstant       ? DT_OPERAND_CONSTANT
             : operand.kind == Kind::kRegister     ? DT_OPERAND_REGISTER
             : operand.kind == Kind::kRegisterPair ? DT_OPERAND_PAIR
             : operand.kind == Kind::kMemory       ? DT_OPERAND_MEMORY
             : operand.kind == Kind::kAddress      ? DT_OPERAND_ADDRESS
             : operand.kind == Kind::kThreadMemory ? DT_OPERAND_THREAD
                                                   : DT_OPERAND_UNAVAILABLE;
  row.size_bytes = operand.size_bytes;
  row.flags = static_cast<uint8_t>(
      (operand.is_signed ? DT_OPERAND_SIGNED : 0) | (operand.is_narrow ? DT_OPERAND_NARROW : 0) |
      (operand.is_index_narrow ? DT_OPERAND_INDEX_NARROW : 0) |
      (operand.is_index_signed ? DT_OPERAND_INDEX_SIGNED : 0) | (operand.is_float ? DT_OPERAND_FLOAT : 0));
  row.scale = operand.scale;
  row.shift_bits = operand.shift_bits;
  row.base = operand.base;
  row.index = operand.index;
  row.displacement = operand.displacement;
  return row;
}

}  // namespace dtrace
