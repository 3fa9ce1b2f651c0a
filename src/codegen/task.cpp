// SPDX-License-Identifier: Apache-2.0
// What is known of the current thread beyond its own fields.
#include "codegen/clause.h"
#include "codegen/registers.h"

namespace dtrace {

llvm::Value *ClauseEmitter::tgid() {
  if (llvm::Value *value = task_field("tgid", 4, false)) return value;
  return b_.CreateLShr(helper(Helper::kPidTgid, {}), uint64_t{32});
}

llvm::Value *ClauseEmitter::enabled_probe() {
  // As an enabling is a probe with a clause: one number of both.
  llvm::Value *id = b_.CreateZExt(probe(), object_.i64());
  return b_.CreateOr(b_.CreateShl(id, uint64_t{32}), constant(plan_.index));
}

llvm::Value *ClauseEmitter::credential(const char *member, unsigned helper_shift) {
  std::optional<uint32_t> cred = compilation_.kernel.offset("task_struct", "cred");
  std::optional<uint32_t> id = compilation_.kernel.offset("cred", member);
  if (cred && id) {
    llvm::Value *credentials = b_.CreateLoad(object_.pointer(), at(task(), *cred));
    return b_.CreateZExt(b_.CreateLoad(object_.i32(), at(credentials, *id)), object_.i64());
  }
  return b_.CreateAnd(b_.CreateLShr(helper(Helper::kUidGid, {}), uint64_t{helper_shift}), uint64_t{0xffffffff});
}

llvm::Value *ClauseEmitter::user_register(const tree::Expr &index) {
  llvm::Value *number = opaque(scalar(index));
  constexpr uint64_t kWords = x86::kRegisterBytes / 8;
  fault_if(b_.CreateICmpUGE(number, constant(kWords)), DT_FAULT_ILLOP, number);
  llvm::Value *regs = helper(Helper::kTaskPtRegs, {task()}, object_.pointer());
  // A variable offset into a kernel structure does not verify, a checked read does.
  llvm::Value *address = b_.CreateAdd(b_.CreatePtrToInt(regs, object_.i64()), b_.CreateMul(number, constant(8)));
  return read_scalar(Space::kKernel, address, 8, false);
}

}  // namespace dtrace
