// SPDX-License-Identifier: Apache-2.0
#include "codegen/clause/operand_value.h"

#include <cassert>

namespace dtrace::codegen {
namespace {

llvm::Value *word_or_zero(Builder &b, uint16_t offset, const RegisterReader &read) {
  return offset == UserOperand::kNoRegister ? b.getInt64(0) : read(offset);
}

/// The low `size_bytes` of a word, extended to all of it.
llvm::Value *cut(Builder &b, llvm::Value *word, uint32_t size_bytes, bool is_signed) {
  if (size_bytes >= 8) return word;
  llvm::Value *low = b.CreateTrunc(word, b.getIntNTy(size_bytes * 8));
  return is_signed ? b.CreateSExt(low, b.getInt64Ty()) : b.CreateZExt(low, b.getInt64Ty());
}

}  // namespace

llvm::Value *operand_address(Builder &b, const UserOperand &operand, const RegisterReader &read) {
  llvm::Value *address = b.getInt64(static_cast<uint64_t>(operand.displacement));
  if (operand.base != UserOperand::kNoRegister) address = b.CreateAdd(address, read(operand.base));
  if (operand.index != UserOperand::kNoRegister) {
    llvm::Value *index = read(operand.index);
    if (operand.is_index_narrow) index = cut(b, index, 4, operand.is_index_signed);
    address = b.CreateAdd(address, b.CreateMul(index, b.getInt64(operand.scale)));
  }
  return operand.is_narrow ? b.CreateAnd(address, uint64_t{UINT32_MAX}) : address;
}

llvm::Value *operand_value(Builder &b, const UserOperand &operand, const RegisterReader &read) {
  using Kind = UserOperand::Kind;
  switch (operand.kind) {
    case Kind::kConstant:
      return b.getInt64(static_cast<uint64_t>(operand.displacement));
    case Kind::kRegister:
      return cut(b, b.CreateLShr(word_or_zero(b, operand.base, read), uint64_t{operand.shift_bits}), operand.size_bytes,
                 operand.is_signed);
    case Kind::kRegisterPair: {
      // Two halves of 32 bits make a word; of two words only the low one fits.
      llvm::Value *low = word_or_zero(b, operand.base, read);
      if (operand.size_bytes > 8 || !operand.is_narrow) return low;
      llvm::Value *high = b.CreateShl(word_or_zero(b, operand.index, read), uint64_t{32});
      return b.CreateOr(b.CreateAnd(low, uint64_t{UINT32_MAX}), high);
    }
    case Kind::kAddress:
      return cut(b, operand_address(b, operand, read), operand.size_bytes, operand.is_signed);
    case Kind::kUnavailable:
    case Kind::kMemory:
    case Kind::kThreadMemory:
    case Kind::kByCaller:
      break;
  }
  assert(false && "the value of this operand is read first");
  return b.getInt64(0);
}

}  // namespace dtrace::codegen
