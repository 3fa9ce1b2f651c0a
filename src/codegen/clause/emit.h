// SPDX-License-Identifier: Apache-2.0
// Instructions that programs and their clauses emit alike.
#pragma once

#include "arch/machine.h"
#include "codegen/llvm/ir.h"
#include "codegen/llvm/object.h"

namespace dtrace::codegen {

/// A value that LLVM knows nothing of; the verifier sees that it is `value`.
llvm::Value *opaque_value(Builder &b, llvm::Value *value);
llvm::Value *call_helper(ObjectBuilder &object, Builder &b, Helper helper, llvm::Type *result,
                         llvm::ArrayRef<llvm::Value *> args);
/// The same of a helper that always answers alike in one firing: it is not called where its answer is not needed.
llvm::Value *call_without_effect(ObjectBuilder &object, Builder &b, Helper helper, llvm::Type *result,
                                 llvm::ArrayRef<llvm::Value *> args);
/// A variable of the function's frame: BPF has no other kind of alloca.
llvm::AllocaInst *entry_alloca(llvm::Function &function, llvm::Type *type);
// memory.cpp: blocks of any size.
void emit_zero(ObjectBuilder &object, Builder &b, llvm::Value *to, uint32_t size_bytes, uint32_t align = 8);
void emit_copy(ObjectBuilder &object, Builder &b, llvm::Value *to, llvm::Value *from, uint32_t size_bytes,
               uint32_t align = 8);
constexpr uint32_t kOften = 2000, kSeldom = 1;  ///< weights of branches
/// Says that the branch mostly goes to its first block, or to its second: that way is then laid out straight.
void likely(llvm::BranchInst *branch);
void unlikely(llvm::BranchInst *branch);
llvm::Value *cell(ObjectBuilder &object, Builder &b, llvm::Value *firing, uint32_t offset);
/// Whether the registers at `registers`, which BPF may read directly, pass the test.
llvm::Value *register_test(ObjectBuilder &object, Builder &b, llvm::Value *registers, const arch::RegisterTest &test);
/// A probe's index as the verifier can follow it into a table of `rows`, a power of two: it may have come off the stack
/// of another function, and then the verifier knows only its width.
llvm::Value *bounded_index(ObjectBuilder &object, Builder &b, llvm::Value *index, uint64_t rows);

}  // namespace dtrace::codegen
