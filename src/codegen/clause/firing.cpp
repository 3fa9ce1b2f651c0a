// SPDX-License-Identifier: Apache-2.0
// What a firing knows: its time, its thread, its CPU, its probe and the probe's arguments. Each is found at most once
// and kept in the firing's cells, so that clauses share it.
#include <algorithm>

#include "codegen/clause/firing.h"

namespace dtrace::codegen {

llvm::Value *FiringEmitter::time() {
  return lazy(kCellTime, object_.i64(), [&] { return helper(Helper::kKtime, {}); });
}

llvm::Value *FiringEmitter::task() {
  return lazy(kCellTask, object_.pointer(), [&] { return helper(Helper::kCurrentTaskBtf, {}, object_.pointer()); });
}

llvm::Value *FiringEmitter::task_address() { return helper(Helper::kCurrentTask, {}); }

llvm::Value *FiringEmitter::cpu() {
  // The cell holds CPU + 1: 0 means not known.
  llvm::Value *next = lazy(kCellCpu, object_.i32(), [&] {
    return b_.CreateAdd(helper(Helper::kSmpProcessorId, {}, object_.i32()), constant32(1));
  });
  return b_.CreateSub(next, constant32(1));
}

llvm::Value *FiringEmitter::bank() { return b_.CreateLoad(object_.i32(), firing_cell(kCellBank)); }

llvm::Value *FiringEmitter::ring() {
  if (compilation_.layout.plan.one_ring) return library("dt_ring_of_all", {});
  return lazy(kCellRing, object_.pointer(), [&] { return library("dt_ring", {cpu()}); });
}

llvm::Value *FiringEmitter::probe() {
  if (in_error()) return constant32(compilation_.layout.error_probe.value);
  return probe_id(compilation_, b_, context_, frame_.firing);
}

llvm::Value *FiringEmitter::probe_index() {
  if (in_error()) return constant32(0);
  if (context_.by_site()) return index_of_id();
  return b_.CreateLoad(object_.i32(), firing_cell(kCellIndex));
}

/// Under Selector::kSite, the firing knows the probe's id only.
llvm::Value *FiringEmitter::index_of_id() {
  const std::vector<ProbeId> &probes = context_.plan->probes;
  if (probes.empty()) return constant32(0);
  const auto [least, greatest] = std::minmax_element(probes.begin(), probes.end());
  const uint64_t span = greatest->value - least->value + 1;
  std::vector<uint64_t> rows(span, 0);
  for (size_t i = 0; i < probes.size(); i++) rows[probes[i].value - least->value] = i;
  llvm::GlobalVariable *table = object_.constant_table(rows, object_.i32());
  llvm::Value *offset = opaque(b_.CreateZExt(b_.CreateSub(probe(), constant32(least->value)), object_.i64()));
  llvm::Value *inside = b_.CreateICmpULT(offset, constant(span));
  llvm::Value *index = choose(
      inside, object_.i32(),
      [&] { return b_.CreateLoad(object_.i32(), b_.CreateInBoundsGEP(object_.i32(), table, offset)); },
      [&] { return constant32(0); });
  return index;
}

llvm::Value *FiringEmitter::task_field(const std::string &member, uint64_t size_bytes, bool is_signed) {
  std::optional<uint32_t> offset = compilation_.kernel.offset("task_struct", member);
  if (!offset) return nullptr;
  return typed_load(task(), *offset, size_bytes, is_signed);
}

/// A raw tracepoint's context has it behind the registers, as has that of what a function calls itself; a perf
/// tracepoint's record behind the call's number.
llvm::Value *FiringEmitter::raw_system_call_result() {
  if (context_.plan->hook.is_of_call_functions() && context_.plan->trampoline.empty())
    return context_register(machine_registers().result);
  const uint64_t offset = context_.plan->hook.is<PerfTracepointHook>() ? 16 : 8;
  return typed_load(frame_.context, offset, 8);
}

llvm::Value *FiringEmitter::system_call_errno() {
  if (in_error() || !context_.first_hook->is_syscall_return) return constant(0);
  llvm::Value *raw = raw_system_call_result();
  llvm::Value *failed = b_.CreateICmpUGE(raw, llvm::ConstantInt::getSigned(object_.i64(), -4095));
  llvm::Value *code = b_.CreateSelect(failed, b_.CreateNeg(raw), constant(0));
  // 512, 513, 514 and 516 never leave the kernel: the call starts again, or the program sees EINTR.
  llvm::Value *restart =
      b_.CreateOr(b_.CreateAnd(b_.CreateICmpUGE(code, constant(512)), b_.CreateICmpULE(code, constant(514))),
                  b_.CreateICmpEQ(code, constant(516)));
  return b_.CreateSelect(restart, constant(4), code);
}

/// The number of the probe that fires; `numbers` has one for each probe of the program, of 32 bits.
llvm::Value *FiringEmitter::picked(const std::vector<uint64_t> &numbers) {
  std::vector<uint64_t> rows = numbers;
  rows.resize(std::bit_ceil(rows.size()));
  llvm::GlobalVariable *table = object_.constant_table(rows, object_.i32());
  llvm::Value *index = bounded_index(object_, b_, probe_index(), rows.size());
  llvm::Value *number = b_.CreateLoad(object_.i32(), b_.CreateInBoundsGEP(object_.i32(), table, index));
  return b_.CreateZExt(number, object_.i64());
}

}  // namespace dtrace::codegen
