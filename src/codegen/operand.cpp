// SPDX-License-Identifier: Apache-2.0
// Arguments that lie differently from site to site (static probes of user programs). Each distinct operand becomes
// straight code; the variant in the site's cookie picks one.
#include <algorithm>

#include "codegen/clause.h"
#include "codegen/registers.h"

namespace dtrace {
namespace {

/// `size_bytes` of a word, extended to all of it.
llvm::Value *cut(ClauseEmitter &e, llvm::Value *word, uint32_t size_bytes, bool is_signed) {
  if (size_bytes >= 8) return word;
  Builder &b = e.builder();
  llvm::Value *low = b.CreateTrunc(word, e.object().integer(size_bytes));
  return is_signed ? b.CreateSExt(low, e.object().i64()) : b.CreateZExt(low, e.object().i64());
}

llvm::Value *operand_address(ClauseEmitter &e, const UserOperand &operand) {
  Builder &b = e.builder();
  llvm::Value *address = e.constant(static_cast<uint64_t>(operand.displacement));
  if (operand.base != UserOperand::kNoRegister) address = b.CreateAdd(address, e.context_register(operand.base));
  if (operand.index != UserOperand::kNoRegister)
    address = b.CreateAdd(address, b.CreateMul(e.context_register(operand.index), e.constant(operand.scale)));
  return operand.is_narrow ? b.CreateAnd(address, uint64_t{UINT32_MAX}) : address;
}

}  // namespace

llvm::Value *ClauseEmitter::site_variant() {
  llvm::Value *high = b_.CreateZExt(b_.CreateLoad(object_.i32(), firing_cell(kCellSite)), object_.i64());
  return b_.CreateLShr(high, uint64_t{SiteCookie::kRowBits});
}

llvm::Value *ClauseEmitter::pick(llvm::Value *which, uint32_t count,
                                 const std::function<llvm::Value *(uint32_t)> &make) {
  if (count == 1) return make(0);
  llvm::BasicBlock *none = block("none"), *picked = block("picked");
  llvm::SwitchInst *numbers = b_.CreateSwitch(which, none, count);
  std::vector<std::pair<llvm::Value *, llvm::BasicBlock *>> values;
  depth_++;
  for (uint32_t i = 0; i < count; i++) {
    llvm::BasicBlock *one = block("one");
    numbers->addCase(llvm::ConstantInt::get(object_.i64(), i), one);
    b_.SetInsertPoint(one);
    // Opaque, or loads that differ only in their offset become one behind the switch, with an offset that varies: the
    // verifier allows none in the context.
    llvm::Value *value = opaque(make(i));
    values.emplace_back(value, b_.GetInsertBlock());
    b_.CreateBr(picked);
  }
  depth_--;
  b_.SetInsertPoint(none);
  b_.CreateBr(picked);
  b_.SetInsertPoint(picked);
  llvm::PHINode *value = b_.CreatePHI(object_.i64(), count + 1);
  value->addIncoming(constant(0), none);
  for (auto [one, from] : values) value->addIncoming(one, from);
  return value;
}

llvm::Value *ClauseEmitter::site_operand(const ArgSource &source) {
  std::vector<UserOperand> distinct;
  std::vector<uint64_t> of_variant;
  for (const std::vector<UserOperand> &operands : context_.plan->variants) {
    UserOperand absent;
    absent.kind = UserOperand::Kind::kConstant;  // a probe with fewer arguments: 0
    const UserOperand &wanted = source.index < operands.size() ? operands[source.index] : absent;
    auto known = std::find(distinct.begin(), distinct.end(), wanted);
    if (known == distinct.end()) known = distinct.insert(distinct.end(), wanted);
    of_variant.push_back(static_cast<uint64_t>(known - distinct.begin()));
  }
  if (distinct.empty()) return constant(0);
  if (distinct.size() == 1) return operand(distinct[0]);
  llvm::Value *variant = opaque(site_variant());
  fault_if(b_.CreateICmpUGE(variant, constant(of_variant.size())), DT_FAULT_ILLOP, variant);
  llvm::GlobalVariable *table = object_.constant_table(of_variant, object_.i16());
  llvm::Value *row = b_.CreateLoad(object_.i16(), b_.CreateInBoundsGEP(object_.i16(), table, variant));
  return pick(b_.CreateZExt(row, object_.i64()), static_cast<uint32_t>(distinct.size()),
              [&](uint32_t i) { return operand(distinct[i]); });
}

llvm::Value *ClauseEmitter::operand(const UserOperand &operand) {
  using Kind = UserOperand::Kind;
  auto word = [&](uint16_t offset) {
    return offset == UserOperand::kNoRegister ? constant(0) : context_register(offset);
  };
  switch (operand.kind) {
    case Kind::kUnavailable:
      fault(DT_FAULT_ILLOP);
      return constant(0);
    case Kind::kConstant:
      return constant(static_cast<uint64_t>(operand.displacement));
    case Kind::kRegister:
      return cut(*this, b_.CreateLShr(word(operand.base), uint64_t{operand.shift_bits}), operand.size_bytes,
                 operand.is_signed);
    case Kind::kRegisterPair: {
      // Two halves of 32 bits make a word; of two words only the low one fits.
      if (operand.size_bytes > 8 || !operand.is_narrow) return word(operand.base);
      llvm::Value *low = b_.CreateAnd(word(operand.base), uint64_t{UINT32_MAX});
      return b_.CreateOr(low, b_.CreateShl(word(operand.index), uint64_t{32}));
    }
    case Kind::kMemory:
      return read_scalar(Space::kUser, operand_address(*this, operand), std::min<uint32_t>(operand.size_bytes, 8),
                         operand.is_signed);
    case Kind::kAddress:
      return operand_address(*this, operand);
    case Kind::kThreadMemory: {
      llvm::Value *pointer = task_field("thread.fsbase", 8, false);
      if (pointer == nullptr) {
        fault(DT_FAULT_ILLOP);
        return constant(0);
      }
      llvm::Value *address = b_.CreateAdd(pointer, operand_address(*this, operand));
      return read_scalar(Space::kUser, address, std::min<uint32_t>(operand.size_bytes, 8), operand.is_signed);
    }
  }
  return constant(0);
}

}  // namespace dtrace
