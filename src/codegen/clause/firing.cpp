// SPDX-License-Identifier: Apache-2.0
// What a firing knows: its time, its thread, its CPU, its probe and the probe's arguments. Each is found at most once
// and kept in the firing's cells, so that clauses share it.
#include <algorithm>

#include "codegen/clause/clause.h"

namespace dtrace {

std::optional<llvm::Value *> ClauseEmitter::known(uint32_t cell_offset) const {
  auto found = frame_.known.find(cell_offset);
  return found == frame_.known.end() ? std::nullopt : std::optional(found->second);
}

void ClauseEmitter::remember(uint32_t cell_offset, llvm::Value *value) {
  if (frame_.depth == 0) frame_.known[cell_offset] = value;
}

llvm::Value *ClauseEmitter::lazy(uint32_t cell_offset, llvm::Type *type, const std::function<llvm::Value *()> &make) {
  if (std::optional<llvm::Value *> value = known(cell_offset)) return *value;
  llvm::Value *before = b_.CreateLoad(type, firing_cell(cell_offset));
  llvm::Value *absent = b_.CreateICmpEQ(before, llvm::Constant::getNullValue(type));
  llvm::Value *value = choose(
      absent, type,
      [&] {
        llvm::Value *made = make();
        b_.CreateStore(made, firing_cell(cell_offset));
        return made;
      },
      [&] { return before; });
  remember(cell_offset, value);
  return value;
}

llvm::Value *ClauseEmitter::time() {
  return lazy(kCellTime, object_.i64(), [&] { return helper(Helper::kKtime, {}); });
}

llvm::Value *ClauseEmitter::task() {
  return lazy(kCellTask, object_.pointer(), [&] { return helper(Helper::kCurrentTaskBtf, {}, object_.pointer()); });
}

llvm::Value *ClauseEmitter::task_address() { return helper(Helper::kCurrentTask, {}); }

llvm::Value *ClauseEmitter::cpu() {
  // The cell holds CPU + 1: 0 means not known.
  llvm::Value *next = lazy(kCellCpu, object_.i32(), [&] {
    return b_.CreateAdd(helper(Helper::kSmpProcessorId, {}, object_.i32()), constant32(1));
  });
  return b_.CreateSub(next, constant32(1));
}

llvm::Value *ClauseEmitter::bank() { return b_.CreateLoad(object_.i32(), firing_cell(kCellBank)); }

llvm::Value *ClauseEmitter::ring() {
  return lazy(kCellRing, object_.pointer(), [&] { return library("dt_ring", {cpu()}); });
}

llvm::Value *ClauseEmitter::probe() {
  if (in_error()) return constant32(compilation_.layout.error_probe.value);
  return probe_id(compilation_, b_, context_, frame_.firing);
}

llvm::Value *ClauseEmitter::probe_index() {
  if (in_error()) return constant32(0);
  if (context_.by_site()) return index_of_id();
  return b_.CreateLoad(object_.i32(), firing_cell(kCellIndex));
}

/// Under Selector::kSite, the firing knows the probe's id only.
llvm::Value *ClauseEmitter::index_of_id() {
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

llvm::Value *ClauseEmitter::task_field(const std::string &member, uint64_t size_bytes, bool is_signed) {
  std::optional<uint32_t> offset = compilation_.kernel.offset("task_struct", member);
  if (!offset) return nullptr;
  llvm::Value *value = b_.CreateLoad(object_.integer(size_bytes), at(task(), *offset));
  return is_signed ? b_.CreateSExt(value, object_.i64()) : b_.CreateZExt(value, object_.i64());
}

/// A raw tracepoint's context has it behind the registers, a perf tracepoint's record behind the call's number.
llvm::Value *ClauseEmitter::raw_system_call_result() {
  const uint64_t offset = context_.plan->hook.is<PerfTracepointHook>() ? 16 : 8;
  return b_.CreateLoad(object_.i64(), at(frame_.context, offset));
}

llvm::Value *ClauseEmitter::system_call_errno() {
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

}  // namespace dtrace
