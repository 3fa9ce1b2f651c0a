// SPDX-License-Identifier: Apache-2.0
// What is known of the current thread beyond its own fields.
#include "codegen/clause/firing.h"

#include <functional>

namespace dtrace::codegen {

llvm::Value *FiringEmitter::own_number(bool of_process, llvm::Value *task_address) {
  if (compilation_.input.host.pid_namespace() == 0) return nullptr;
  compilation_.define_pid_layout();
  if (task_address == nullptr) task_address = this->task_address();
  return b_.CreateZExt(library("dt_own_number", {task_address, constant32(of_process ? 1 : 0)}), object_.i64());
}

llvm::Value *FiringEmitter::innermost_number(bool of_process) {
  compilation_.define_pid_layout();
  return b_.CreateZExt(library("dt_innermost_number", {task_address(), constant32(of_process ? 1 : 0)}), object_.i64());
}

llvm::Value *FiringEmitter::tgid() {
  if (llvm::Value *number = own_number(true)) return number;
  if (llvm::Value *value = task_field("tgid", 4, false)) return value;
  return b_.CreateLShr(helper(Helper::kPidTgid, {}), uint64_t{32});
}

llvm::Value *FiringEmitter::image() {
  const KernelLayout &kernel = compilation_.kernel;
  const std::optional<uint32_t> mm = kernel.offset("task_struct", "mm"),
                                stack = kernel.offset("mm_struct", "start_stack"),
                                code = kernel.offset("mm_struct", "start_code");
  if (!mm || !stack || !code) return constant(0);
  // Without a check, as keys of usym() are made at each firing; behind no mm_struct the kernel reads 0.
  llvm::Value *memory = typed_pointer(task(), *mm);
  llvm::Value *mark = library("dt_image", {typed_load(memory, *stack, 8), typed_load(memory, *code, 8)});
  return b_.CreateZExt(mark, object_.i64());
}

llvm::Value *FiringEmitter::process_and_thread() {
  llvm::Value *thread = own_number(false);
  if (thread == nullptr) return helper(Helper::kPidTgid, {});
  return b_.CreateOr(b_.CreateShl(own_number(true), uint64_t{32}), thread);
}

llvm::Value *FiringEmitter::enabled_probe() {
  // As an enabling is a probe with a clause: one number of both.
  llvm::Value *id = b_.CreateZExt(probe(), object_.i64());
  return b_.CreateOr(b_.CreateShl(id, uint64_t{32}), constant(plan_.index));
}

llvm::Value *FiringEmitter::credential(const char *member, unsigned helper_shift) {
  std::optional<uint32_t> cred = compilation_.kernel.offset("task_struct", "cred");
  std::optional<uint32_t> id = compilation_.kernel.offset("cred", member);
  if (cred && id) {
    return typed_load(typed_pointer(task(), *cred), *id, 4);
  }
  return b_.CreateAnd(b_.CreateLShr(helper(Helper::kUidGid, {}), uint64_t{helper_shift}), uint64_t{0xffffffff});
}

llvm::Value *FiringEmitter::thread_pointer() {
  if (llvm::Value *base = thread_base(false)) return base;
  fault_if(b_.getTrue(), DT_FAULT_ILLOP, constant(0));  // this kernel does not describe where it keeps it
  return constant(0);
}

llvm::Value *FiringEmitter::user_register(llvm::Value *number, std::optional<uint64_t> known_number) {
  number = opaque(number);
  const arch::Machine &machine = compilation_.input.machine;
  const uint64_t words = machine.registers.size_bytes / 8;
  const std::span<const arch::TaskRegister> others = machine.task_registers;
  const std::function<llvm::Value *(uint64_t)> read_other = [&](uint64_t i) -> llvm::Value * {
    const std::optional<uint32_t> offset = compilation_.kernel.offset("task_struct", others[i].member);
    const auto read_this = [&]() -> llvm::Value * {
      if (offset)
        return read_scalar(Space::kKernel, b_.CreateAdd(task_address(), constant(*offset)), others[i].size_bytes,
                           false);
      fault_if(b_.getTrue(), DT_FAULT_ILLOP, number);
      return constant(0);
    };
    if (i + 1 == others.size()) return read_this();
    return choose(b_.CreateICmpEQ(number, constant(words + i)), object_.i64(), read_this,
                  [&] { return read_other(i + 1); });
  };
  auto read_general = [&] {
    llvm::Value *regs = helper(Helper::kTaskPtRegs, {task()}, object_.pointer());
    // A variable offset into a kernel structure does not verify, a checked read does.
    llvm::Value *address = b_.CreateAdd(b_.CreatePtrToInt(regs, object_.i64()), b_.CreateMul(number, constant(8)));
    return read_scalar(Space::kKernel, address, 8, false);
  };
  if (known_number && *known_number < words) return read_general();
  fault_if(b_.CreateICmpUGE(number, constant(words + others.size())), DT_FAULT_ILLOP, number);
  if (others.empty()) return read_general();
  return choose(b_.CreateICmpULT(number, constant(words)), object_.i64(), read_general, [&] { return read_other(0); });
}

/// A variable offset into the context does not verify.
llvm::Value *FiringEmitter::fired_register(llvm::Value *number) {
  const bool has_registers = context_.plan->hook.facts().has_registers && context_.plan->trampoline.empty();
  const uint64_t words = has_registers ? machine_registers().size_bytes / 8 : 0;
  if (const auto *known = llvm::dyn_cast<llvm::ConstantInt>(number); known != nullptr && known->getZExtValue() < words)
    return context_register(static_cast<uint32_t>(known->getZExtValue() * 8));
  number = opaque(number);
  fault_if(b_.CreateICmpUGE(number, constant(words)), DT_FAULT_ILLOP, number);
  llvm::Value *value = constant(0);
  for (uint64_t i = 0; i < words; ++i)
    value =
        b_.CreateSelect(b_.CreateICmpEQ(number, constant(i)), context_register(static_cast<uint32_t>(i * 8)), value);
  return value;
}

// ---------------------------------------------------------------- time on CPU

llvm::Value *FiringEmitter::cpu_time() {
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
llvm::Value *FiringEmitter::clock_lag() {
  const KernelLayout &kernel = compilation_.kernel;
  std::optional<uint32_t> queue = kernel.offset("task_struct", "se.cfs_rq"), rq = kernel.offset("cfs_rq", "rq");
  std::optional<uint32_t> clock = kernel.offset("rq", "clock"), task_clock = kernel.offset("rq", "clock_task");
  if (!queue || !rq || !clock || !task_clock) return constant(0);
  llvm::Value *run_queue = typed_pointer(typed_pointer(task(), *queue), *rq);
  return b_.CreateSub(typed_load(run_queue, *clock, 8), typed_load(run_queue, *task_clock, 8));
}

// ---------------------------------------------------------------- interrupts

llvm::Value *FiringEmitter::interrupt_level(llvm::Value *preemption_count) {
  const Hook &hook = context_.plan->hook;
  if (hook.is<PerfClockHook>()) return constant(1);
  // Machines other than x86-64 count in the task. Their kernels give some programs a copy of the registers that lies
  // on no stack.
  if (preemption_count == nullptr) preemption_count = task_field("thread_info.preempt_count", 4, false);
  if (preemption_count != nullptr) {
    // Bits of include/linux/preempt.h: 8 soft interrupts are served, 16 to 19 interrupts, 20 to 23 NMIs. A kprobe that
    // is a breakpoint runs in an NMI, which counts as an interrupt, too.
    llvm::Value *interrupts = b_.CreateAnd(b_.CreateLShr(preemption_count, 16), 0xf);
    llvm::Value *nmis = b_.CreateAnd(b_.CreateLShr(preemption_count, 20), 0xf);
    llvm::Value *is_soft = b_.CreateICmpNE(b_.CreateAnd(preemption_count, 1 << 8), constant(0));
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

EmittedText FiringEmitter::path_name(llvm::Value *path) {
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

EmittedText FiringEmitter::directory(const char *which) {
  std::optional<uint32_t> fs = compilation_.kernel.offset("task_struct", "fs");
  std::optional<uint32_t> path = compilation_.kernel.offset("fs_struct", which);
  if (!fs || !path) return {};
  llvm::Value *address = read_scalar(Space::kKernel, b_.CreateAdd(task_address(), constant(*fs)), 8, false);
  return path_name(b_.CreateAdd(address, constant(*path)));
}

}  // namespace dtrace::codegen
