// SPDX-License-Identifier: Apache-2.0
// What is known of the current thread beyond its own fields.
#include "codegen/arch/x86_64/registers.h"
#include "codegen/clause/clause.h"

namespace dtrace {

llvm::Value *ClauseEmitter::own_number(bool of_process, llvm::Value *task_address) {
  if (compilation_.input.host.pid_namespace() == 0) return nullptr;
  compilation_.define_pid_layout();
  if (task_address == nullptr) task_address = this->task_address();
  return b_.CreateZExt(library("dt_own_number", {task_address, constant32(of_process ? 1 : 0)}), object_.i64());
}

llvm::Value *ClauseEmitter::tgid() {
  if (llvm::Value *number = own_number(true)) return number;
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
  // Behind struct pt_regs: the data segments (libdtrace-d/regs.d), which the kernel keeps in the task.
  constexpr const char *kSegments[] = {"thread.ds", "thread.es", "thread.fsindex", "thread.gsindex"};
  auto read_segment = [&] {
    llvm::Value *offset = constant(0);
    for (uint64_t i = 0; i < std::size(kSegments); i++) {
      const uint32_t known = compilation_.kernel.offset("task_struct", kSegments[i]).value_or(0);
      offset = b_.CreateSelect(b_.CreateICmpEQ(number, constant(kWords + i)), constant(known), offset);
    }
    fault_if(b_.CreateICmpEQ(offset, constant(0)), DT_FAULT_ILLOP, number);
    return read_scalar(Space::kKernel, b_.CreateAdd(task_address(), offset), 2, false);
  };
  auto read_general = [&] {
    llvm::Value *regs = helper(Helper::kTaskPtRegs, {task()}, object_.pointer());
    // A variable offset into a kernel structure does not verify, a checked read does.
    llvm::Value *address = b_.CreateAdd(b_.CreatePtrToInt(regs, object_.i64()), b_.CreateMul(number, constant(8)));
    return read_scalar(Space::kKernel, address, 8, false);
  };
  const auto *constant_index = std::get_if<tree::IntConst>(&index.node);
  if (constant_index != nullptr && constant_index->value < kWords) return read_general();
  fault_if(b_.CreateICmpUGE(number, constant(kWords + std::size(kSegments))), DT_FAULT_ILLOP, number);
  return choose(b_.CreateICmpULT(number, constant(kWords)), object_.i64(), read_general, read_segment);
}

// ---------------------------------------------------------------- time on CPU

llvm::Value *ClauseEmitter::cpu_time() {
  llvm::Value *sum = task_field("se.sum_exec_runtime", 8, false);
  llvm::Value *since = task_field("se.exec_start", 8, false);
  if (sum == nullptr || since == nullptr) return constant(0);
  // The sum is brought up to date by ticks and switches only. What has passed since then: the scheduler's clock is
  // CLOCK_MONOTONIC less an offset that the consumer measures; 0 means that it could not.
  llvm::Value *offset =
      b_.CreateLoad(object_.i64(), at(compilation_.control(), offsetof(dt_control, sched_clock_offset)));
  llvm::Value *now = b_.CreateSub(time(), b_.CreateAdd(offset, clock_lag()));
  llvm::Value *passed = b_.CreateSub(now, since);
  llvm::Value *usable = b_.CreateAnd(b_.CreateICmpNE(offset, constant(0)), b_.CreateICmpSGT(passed, constant(0)));
  return b_.CreateAdd(sum, b_.CreateSelect(usable, passed, constant(0)));
}

/// The scheduler charges by a clock that leaves out time in interrupts; how far it lags behind, the run queue knows.
llvm::Value *ClauseEmitter::clock_lag() {
  const KernelLayout &kernel = compilation_.kernel;
  std::optional<uint32_t> queue = kernel.offset("task_struct", "se.cfs_rq"), rq = kernel.offset("cfs_rq", "rq");
  std::optional<uint32_t> clock = kernel.offset("rq", "clock"), task_clock = kernel.offset("rq", "clock_task");
  if (!queue || !rq || !clock || !task_clock) return constant(0);
  llvm::Value *cfs = b_.CreateLoad(object_.pointer(), at(task(), *queue));
  llvm::Value *run_queue = b_.CreateLoad(object_.pointer(), at(cfs, *rq));
  return b_.CreateSub(b_.CreateLoad(object_.i64(), at(run_queue, *clock)),
                      b_.CreateLoad(object_.i64(), at(run_queue, *task_clock)));
}

// ---------------------------------------------------------------- interrupts

llvm::Value *ClauseEmitter::interrupt_level(const tree::Expr *preemption_count) {
  const Hook &hook = context_.plan->hook;
  if (hook.is<PerfClockHook>()) return constant(1);
  if (preemption_count != nullptr) {
    // Bits of include/linux/preempt.h: 8 soft interrupts are served, 16 to 19 interrupts, 20 to 23 NMIs. A kprobe that
    // is a breakpoint runs in an NMI, which counts as an interrupt, too.
    llvm::Value *count = scalar(*preemption_count);
    llvm::Value *interrupts = b_.CreateAnd(b_.CreateLShr(count, 16), 0xf);
    llvm::Value *nmis = b_.CreateAnd(b_.CreateLShr(count, 20), 0xf);
    llvm::Value *is_soft = b_.CreateICmpNE(b_.CreateAnd(count, 1 << 8), constant(0));
    return boolean(b_.CreateOr(is_soft, b_.CreateICmpUGT(interrupts, nmis)));
  }
  // Interrupts run on stacks of their own, except those of user mode and those of an interrupt, and the context of a
  // raw tracepoint or a kernel function's probe lies on the stack of the code that fired it.
  std::optional<uint32_t> stack = compilation_.kernel.offset("task_struct", "stack");
  if (!hook.facts().on_fired_stack || !stack) return constant(0);
  // The stack's size depends on the kernel's configuration; its end is where the registers of user mode are saved.
  llvm::Value *bottom = read_scalar(Space::kKernel, b_.CreateAdd(task_address(), constant(*stack)), 8, false);
  llvm::Value *end = to_number(helper(Helper::kTaskPtRegs, {task()}, object_.pointer()));
  llvm::Value *distance = b_.CreateSub(to_number(frame_.context), bottom);
  return boolean(b_.CreateICmpUGE(distance, b_.CreateSub(end, bottom)));
}

// ---------------------------------------------------------------- names of directories

EmittedText ClauseEmitter::path_name(llvm::Value *path) {
  constexpr uint32_t kNameBytes = 256;  // DT_NAME of path.bpf.c
  compilation_.define_path_layout();
  const auto size_bytes = static_cast<uint32_t>(compilation_.types.strsize());
  Memory buffer = scratch(size_bytes + kNameBytes);
  llvm::Value *begin = library("dt_path_name", {slot(), path, constant32(*buffer.slot_offset), constant32(size_bytes)});
  Memory result = scratch(size_bytes);
  library("dt_copy_part",
          {slot(), constant32(*result.slot_offset), begin, constant(size_bytes), constant32(size_bytes)});
  EmittedText value;
  value.kind = EmittedText::Kind::kMemory;
  value.pointer = result.pointer;
  value.size_bytes = size_bytes;
  value.slot_offset = result.slot_offset;
  return value;
}

EmittedText ClauseEmitter::directory(const char *which) {
  std::optional<uint32_t> fs = compilation_.kernel.offset("task_struct", "fs");
  std::optional<uint32_t> path = compilation_.kernel.offset("fs_struct", which);
  if (!fs || !path) return {};
  llvm::Value *address = read_scalar(Space::kKernel, b_.CreateAdd(task_address(), constant(*fs)), 8, false);
  return path_name(b_.CreateAdd(address, constant(*path)));
}

}  // namespace dtrace
