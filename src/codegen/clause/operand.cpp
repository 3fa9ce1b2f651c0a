// SPDX-License-Identifier: Apache-2.0
// Arguments that lie differently from site to site (static probes of user programs). Each distinct operand becomes
// straight code; the variant in the site's cookie picks one.
#include <algorithm>
#include <bit>

#include "bpf/dt_abi.h"
#include "codegen/clause/firing.h"
#include "codegen/clause/operand_value.h"

namespace dtrace::codegen {

static_assert(SiteCookie::kFirstLateVariant == DT_FIRST_LATE_VARIANT);

llvm::Value *FiringEmitter::site_variant() {
  llvm::Value *high = b_.CreateZExt(b_.CreateLoad(object_.i32(), firing_cell(kCellSite)), object_.i64());
  return b_.CreateLShr(high, uint64_t{SiteCookie::kRowBits});
}

llvm::Value *FiringEmitter::pick(llvm::Value *which, uint32_t count,
                                 const std::function<llvm::Value *(uint32_t)> &make) {
  if (count == 1) return make(0);
  llvm::BasicBlock *none = block("none"), *picked = block("picked");
  llvm::SwitchInst *numbers = b_.CreateSwitch(which, none, count);
  std::vector<std::pair<llvm::Value *, llvm::BasicBlock *>> values;
  frame_.depth++;
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
  frame_.depth--;
  b_.SetInsertPoint(none);
  b_.CreateBr(picked);
  b_.SetInsertPoint(picked);
  llvm::PHINode *value = b_.CreatePHI(object_.i64(), count + 1);
  value->addIncoming(constant(0), none);
  for (auto [one, from] : values) value->addIncoming(one, from);
  return value;
}

llvm::Value *FiringEmitter::site_operand(const ArgSource &source) {
  if (!context_.layout->may_grow) return known_operand(source, nullptr);
  llvm::Value *variant = opaque(site_variant());
  return choose(
      b_.CreateICmpULT(variant, constant(SiteCookie::kFirstLateVariant)), object_.i64(),
      [&] { return known_operand(source, variant); }, [&] { return late_operand(source, variant); });
}

/// `variant` may be nullptr: it is read if it matters.
llvm::Value *FiringEmitter::known_operand(const ArgSource &source, llvm::Value *variant) {
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
  if (variant == nullptr) variant = opaque(site_variant());
  fault_if(b_.CreateICmpUGE(variant, constant(of_variant.size())), DT_FAULT_ILLOP, variant);
  // Masked as well: of a value that is compared in a register, 6.1 does not know the copy on the stack to be as small.
  of_variant.resize(std::bit_ceil(of_variant.size()));
  llvm::GlobalVariable *table = object_.constant_table(of_variant, object_.i16());
  llvm::Value *index = b_.CreateAnd(opaque(variant), constant(of_variant.size() - 1));
  llvm::Value *row = b_.CreateLoad(object_.i16(), b_.CreateInBoundsGEP(object_.i16(), table, index));
  return pick(b_.CreateZExt(row, object_.i64()), static_cast<uint32_t>(distinct.size()),
              [&](uint32_t i) { return operand(distinct[i]); });
}

/// An operand of a site found after the program was compiled: the consumer has put its location into a map.
llvm::Value *FiringEmitter::late_operand(const ArgSource &source, llvm::Value *variant) {
  llvm::Value *list = b_.CreateSub(b_.CreateTrunc(variant, object_.i32()), constant32(SiteCookie::kFirstLateVariant));
  llvm::Value *key = b_.CreateAdd(b_.CreateMul(list, constant32(DT_MAX_OPERANDS)), constant32(source.index));
  llvm::AllocaInst *key_place = local(object_.i32(), "operand_key"), *out = local(object_.i64(), "operand");
  b_.CreateStore(key, key_place);
  b_.CreateStore(constant(0), out);
  llvm::Value *row = helper(Helper::kMapLookup, {compilation_.operands(), key_place}, object_.pointer());
  auto read = [&] {
    llvm::Value *thread = thread_base(false);
    llvm::Value *narrow_base = thread_base(true);
    llvm::Value *in_memory = library("dt_operand_place", {frame_.context, row, thread != nullptr ? thread : constant(0),
                                                          narrow_base != nullptr ? narrow_base : constant(0), out});
    llvm::Value *value = b_.CreateLoad(object_.i64(), out);
    fault_if(b_.CreateICmpSLT(in_memory, constant32(0)), DT_FAULT_ILLOP);
    return choose(
        b_.CreateICmpEQ(in_memory, constant32(0)), object_.i64(), [&] { return value; },
        [&] {
          llvm::Value *stated =
              b_.CreateZExt(b_.CreateLoad(object_.i8(), at(row, offsetof(dt_operand, size_bytes))), object_.i32());
          // 1 to 8, as the verifier can see.
          llvm::Value *last =
              b_.CreateAnd(opaque(b_.CreateZExt(b_.CreateSub(stated, constant32(1)), object_.i64())), uint64_t{7});
          llvm::Value *size = b_.CreateAdd(last, constant(1));
          b_.CreateStore(constant(0), frame_.word);
          llvm::Value *error = copy_in(frame_.word, size, value);
          fault_if(b_.CreateICmpNE(error, constant(0)), DT_FAULT_BADADDR, value);
          llvm::Value *flags = b_.CreateLoad(object_.i8(), at(row, offsetof(dt_operand, flags)));
          llvm::Value *how = b_.CreateZExt(flags, object_.i32());
          return library("dt_operand_extend",
                         {b_.CreateLoad(object_.i64(), frame_.word), b_.CreateTrunc(size, object_.i32()), how});
        });
  };
  return choose(b_.CreateIsNull(row), object_.i64(), [&] { return constant(0); }, read);
}

/// What the loader put where thread-local variables are counted from. A 32-bit program on x86-64 has it in a segment
/// whose descriptor is the first of the thread's own.
llvm::Value *FiringEmitter::thread_base(bool is_narrow) {
  const arch::ThreadPointer &pointer = compilation_.input.machine.thread_pointer;
  if (!is_narrow) return task_field(pointer.member, 8, false);
  if (pointer.member_of_32bit == nullptr) return nullptr;
  const std::optional<uint32_t> offset = compilation_.kernel.offset("task_struct", pointer.member_of_32bit);
  if (!offset) return nullptr;
  // By a checked read, because the descriptor's members are less than a word.
  llvm::Value *descriptor = read_scalar(Space::kKernel, b_.CreateAdd(task_address(), constant(*offset)), 8, false);
  llvm::Value *base = constant(0);
  for (const arch::BitRange &bits : pointer.bits_of_32bit) {
    llvm::Value *part = b_.CreateAnd(b_.CreateLShr(descriptor, uint64_t{bits.from}), (uint64_t{1} << bits.count) - 1);
    base = b_.CreateOr(base, b_.CreateShl(part, uint64_t{bits.to}));
  }
  return base;
}

/// The value that the function's caller has for a parameter which the compiler removed.
llvm::Value *FiringEmitter::operand_by_caller(const UserOperand &operand) {
  const auto nr_choices = static_cast<uint32_t>(operand.choices.size());
  llvm::Value *distance = b_.CreateSub(return_address(), context_register(machine_registers().instruction));
  // One block for each choice: calls that pass the same share it.
  llvm::BasicBlock *none = block("unknown_caller"), *known = block("known_caller");
  llvm::SwitchInst *calls = b_.CreateSwitch(opaque(distance), none, static_cast<unsigned>(operand.callers.size()));
  std::vector<llvm::BasicBlock *> blocks;
  for (uint32_t i = 0; i < nr_choices; ++i) blocks.push_back(block("caller"));
  for (const UserOperand::Caller &caller : operand.callers)
    calls->addCase(llvm::ConstantInt::get(object_.i64(), static_cast<uint64_t>(caller.distance)),
                   blocks[caller.choice]);
  std::vector<std::pair<llvm::Value *, llvm::BasicBlock *>> values;
  frame_.depth++;
  for (uint32_t i = 0; i < nr_choices; ++i) {
    b_.SetInsertPoint(blocks[i]);
    // Opaque for the same reason as in pick().
    llvm::Value *value = opaque(this->operand(operand.choices[i]));
    values.emplace_back(value, b_.GetInsertBlock());
    b_.CreateBr(known);
  }
  b_.SetInsertPoint(none);
  fault(DT_FAULT_ILLOP);
  values.emplace_back(constant(0), b_.GetInsertBlock());
  b_.CreateBr(known);
  frame_.depth--;
  b_.SetInsertPoint(known);
  llvm::PHINode *value = b_.CreatePHI(object_.i64(), nr_choices + 1);
  for (auto [one, from] : values) value->addIncoming(one, from);
  return value;
}

/// A float becomes a double, so that every floating-point argument is one in D.
llvm::Value *FiringEmitter::operand(const UserOperand &operand) {
  llvm::Value *value = operand_as_it_is(operand);
  if (!operand.is_float || operand.size_bytes != 4) return value;
  return library("dt_operand_widen", {b_.CreateTrunc(value, object_.i32())});
}

llvm::Value *FiringEmitter::operand_as_it_is(const UserOperand &operand) {
  using Kind = UserOperand::Kind;
  const RegisterReader read = [this](uint16_t offset) { return context_register(offset); };
  const uint32_t size_bytes = std::min<uint32_t>(operand.size_bytes, 8);
  switch (operand.kind) {
    case Kind::kUnavailable:
      fault(DT_FAULT_ILLOP);
      return constant(0);
    case Kind::kMemory:
      return read_scalar(Space::kUser, operand_address(b_, operand, read), size_bytes, operand.is_signed);
    case Kind::kThreadMemory: {
      llvm::Value *pointer = thread_base(operand.is_narrow);
      if (pointer == nullptr) {
        fault(DT_FAULT_ILLOP);
        return constant(0);
      }
      llvm::Value *address = b_.CreateAdd(pointer, operand_address(b_, operand, read));
      if (operand.is_narrow) address = b_.CreateAnd(address, uint64_t{UINT32_MAX});
      return read_scalar(Space::kUser, address, size_bytes, operand.is_signed);
    }
    case Kind::kByCaller:
      return operand_by_caller(operand);
    case Kind::kConstant:
    case Kind::kRegister:
    case Kind::kRegisterPair:
    case Kind::kAddress:
      break;
  }
  return operand_value(b_, operand, read);
}

}  // namespace dtrace::codegen
