// SPDX-License-Identifier: Apache-2.0
// Moving bytes. Small blocks are stores, large ones a helper call; every read through an address that D computed is
// checked.
#include "codegen/clause/code.h"

namespace dtrace::codegen {
namespace {

/// Blocks up to this are words that the optimiser may see through.
constexpr uint32_t kWordwiseBytes = 32;
/// Up to so many stores, unrolling costs less than a helper call.
constexpr uint32_t kMaxStores = 64;

llvm::Value *size_argument(ObjectBuilder &object, uint32_t size_bytes) {
  return llvm::ConstantInt::get(object.i32(), size_bytes);
}

/// Calls `piece` with the offset and size of each word of a block.
void each_word(uint32_t size_bytes, uint32_t align, const std::function<void(uint32_t offset, uint32_t bytes)> &piece) {
  for (uint32_t offset = 0; offset < size_bytes;) {
    uint32_t bytes = align;
    while (bytes > size_bytes - offset) bytes /= 2;
    piece(offset, bytes);
    offset += bytes;
  }
}

}  // namespace

void emit_zero(ObjectBuilder &object, Builder &b, llvm::Value *to, uint32_t size_bytes, uint32_t align) {
  if (size_bytes == 0) return;
  if (size_bytes <= kWordwiseBytes) {
    each_word(size_bytes, align, [&](uint32_t offset, uint32_t bytes) {
      b.CreateAlignedStore(llvm::ConstantInt::get(object.integer(bytes), 0), cell(object, b, to, offset),
                           llvm::Align(bytes));
    });
  } else if (size_bytes / align <= kMaxStores) {
    b.CreateMemSet(to, llvm::ConstantInt::get(object.i8(), 0), size_bytes, llvm::Align(align));
  } else {
    call_helper(object, b, Helper::kProbeReadKernel, object.i64(),
                {to, size_argument(object, size_bytes), object.zeros(size_bytes)});
  }
}

void emit_copy(ObjectBuilder &object, Builder &b, llvm::Value *to, llvm::Value *from, uint32_t size_bytes,
               uint32_t align) {
  if (size_bytes == 0) return;
  if (size_bytes <= kWordwiseBytes) {
    each_word(size_bytes, align, [&](uint32_t offset, uint32_t bytes) {
      llvm::Value *word = b.CreateAlignedLoad(object.integer(bytes), cell(object, b, from, offset), llvm::Align(bytes));
      b.CreateAlignedStore(word, cell(object, b, to, offset), llvm::Align(bytes));
    });
  } else if (size_bytes / align <= kMaxStores) {
    // Volatile, or the optimiser makes a memmove of two copies in a row, whose expansion keeps all of it in registers.
    b.CreateMemCpy(to, llvm::Align(align), from, llvm::Align(align), size_bytes, /*isVolatile=*/true);
  } else {
    // Never fails: both are ours.
    call_helper(object, b, Helper::kProbeReadKernel, object.i64(), {to, size_argument(object, size_bytes), from});
  }
}

void CodeEmitter::zero(llvm::Value *pointer, uint32_t size_bytes, uint32_t align) {
  emit_zero(object_, b_, pointer, size_bytes, align);
}

void CodeEmitter::copy(llvm::Value *to, llvm::Value *from, uint32_t size_bytes, uint32_t align) {
  emit_copy(object_, b_, to, from, size_bytes, align);
}

void CodeEmitter::read(Space space, llvm::Value *to, uint32_t size_bytes, llvm::Value *address) {
  llvm::Value *size = constant32(size_bytes);
  llvm::Value *error =
      space == Space::kUser ? copy_in(to, size, address) : helper(Helper::kProbeReadKernel, {to, size, address});
  fault_if(b_.CreateICmpNE(error, constant(0)), DT_FAULT_BADADDR, address);
}

llvm::Value *CodeEmitter::untagged(llvm::Value *address) {
  const unsigned bits = compilation_.input.machine.tag_bits;
  if (bits == 0) return address;
  // The bit below the tag tells user addresses from the kernel's, which are left as they are.
  return b_.CreateAnd(address, b_.CreateAShr(b_.CreateShl(address, bits), bits));
}

llvm::Value *CodeEmitter::is_user_address(llvm::Value *address) {
  // The kernel's addresses have the bit below the tag set.
  constexpr unsigned kHighestBit = 63;
  const uint64_t mark = uint64_t{1} << (kHighestBit - compilation_.input.machine.tag_bits);
  return b_.CreateICmpEQ(b_.CreateAnd(address, mark), constant(0));
}

llvm::Value *CodeEmitter::copy_in(llvm::Value *to, llvm::Value *size, llvm::Value *from) {
  from = untagged(from);
  return helper(context_.plan->sleepable ? Helper::kCopyFromUser : Helper::kProbeReadUser, {to, size, from});
}

llvm::Value *CodeEmitter::copy_in_text(llvm::Value *to, llvm::Value *size, llvm::Value *from) {
  from = untagged(from);
  if (context_.plan->sleepable) return library("dt_user_text", {to, size, from});
  return helper(Helper::kProbeReadUserStr, {to, size, from});
}

llvm::Value *CodeEmitter::read_scalar(Space space, llvm::Value *address, uint32_t size_bytes, bool is_signed) {
  read(space, frame_.word, size_bytes, address);
  llvm::Value *value = b_.CreateLoad(object_.integer(size_bytes), frame_.word);
  return is_signed ? b_.CreateSExt(value, object_.i64()) : b_.CreateZExt(value, object_.i64());
}

}  // namespace dtrace::codegen
