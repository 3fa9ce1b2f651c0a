// SPDX-License-Identifier: Apache-2.0
// Which of a program's probes fired: by the number of the system call, by what was noted for the site, or by which copy
// of the program it is.
#include <llvm/IR/MDBuilder.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <bit>
#include <map>

#include "codegen/clause/program.h"

namespace dtrace::codegen {
namespace {

constexpr size_t kComparedNumbers = 3;  // up to so many, comparing beats a table
constexpr uint64_t kAbsent = 0xffff;    // in the table of system call numbers

}  // namespace

llvm::Value *probe_id(Compilation &compilation, Builder &b, const ProgramContext &context, llvm::Value *firing) {
  ObjectBuilder &object = compilation.object;
  const std::vector<ProbeId> &probes = context.plan->probes;
  if (context.by_site()) return b.CreateLoad(object.i32(), cell(object, b, firing, kCellIndex));
  if (probes.size() == 1) return llvm::ConstantInt::get(object.i32(), probes[0].value);
  std::vector<uint64_t> ids;
  for (ProbeId id : probes) ids.push_back(id.value);
  ids.resize(std::bit_ceil(ids.size()));
  llvm::GlobalVariable *table = object.constant_table(ids, object.i32());
  llvm::Value *index = b.CreateLoad(object.i32(), cell(object, b, firing, kCellIndex));
  return b.CreateLoad(object.i32(),
                      b.CreateInBoundsGEP(object.i32(), table, bounded_index(object, b, index, ids.size())));
}

/// The row of a number, of pairs of numbers and rows; branches to `out` where it has none. A row of a table may be
/// kAbsent in all its bits.
llvm::Value *ProgramEmitter::row_of_number(Builder &b, llvm::Function *function, llvm::Value *number,
                                           const std::vector<std::pair<uint64_t, uint64_t>> &rows,
                                           llvm::IntegerType *type, llvm::BasicBlock *out) {
  if (rows.size() <= kComparedNumbers) {
    auto *found = llvm::BasicBlock::Create(object_.context(), "found", function);
    std::vector<uint32_t> weights(rows.size() + 1, kOften);
    weights[0] = kSeldom;  // the path of a call that is traced is the one that counts
    llvm::SwitchInst *numbers = b.CreateSwitch(number, out, static_cast<unsigned>(rows.size()),
                                               llvm::MDBuilder(object_.context()).createBranchWeights(weights));
    llvm::IRBuilder<> found_builder(found);
    llvm::PHINode *index = found_builder.CreatePHI(object_.i32(), static_cast<unsigned>(rows.size()));
    for (const auto &[its_number, row] : rows) {
      auto *which = llvm::BasicBlock::Create(object_.context(), "probe", function, found);
      numbers->addCase(llvm::ConstantInt::get(object_.i64(), its_number), which);
      llvm::IRBuilder<> at(which);
      at.SetCurrentDebugLocation(b.getCurrentDebugLocation());
      at.CreateBr(found);
      index->addIncoming(llvm::ConstantInt::get(object_.i32(), row), which);
    }
    b.SetInsertPoint(found);
    return index;
  }

  uint64_t limit = 0;
  for (const auto &[its_number, row] : rows) limit = std::max(limit, its_number + 1);
  const uint64_t none = llvm::maskTrailingOnes<uint64_t>(type->getBitWidth());
  std::vector<uint64_t> table_rows(limit, none);
  for (const auto &[its_number, row] : rows) table_rows[its_number] = row;

  auto *look = llvm::BasicBlock::Create(object_.context(), "look", function);
  likely(b.CreateCondBr(b.CreateICmpULT(number, llvm::ConstantInt::get(object_.i64(), limit)), look, out));
  b.SetInsertPoint(look);
  llvm::GlobalVariable *table = object_.constant_table(table_rows, type);
  return b.CreateZExt(b.CreateLoad(type, b.CreateInBoundsGEP(type, table, number)), object_.i32());
}

llvm::Value *ProgramEmitter::selected_by_number(Builder &b, llvm::Function *function, llvm::Value *number,
                                                llvm::BasicBlock *out) {
  const std::vector<const ProbeHook *> &probes = context_.layout->hooks;
  std::vector<std::pair<uint64_t, uint64_t>> rows;
  for (uint32_t i = 0; i < probes.size(); i++) rows.emplace_back(probes[i]->selector_value, i);
  llvm::Value *index = row_of_number(b, function, number, rows, object_.i16(), out);
  return rows.size() <= kComparedNumbers ? index : in_tables(b, function, index, out);
}

/// Compared with the count, not the mark, so that the verifier knows the index to be in every table.
llvm::Value *ProgramEmitter::in_tables(Builder &b, llvm::Function *function, llvm::Value *index,
                                       llvm::BasicBlock *out) {
  auto *found = llvm::BasicBlock::Create(object_.context(), "found", function);
  llvm::Value *count = llvm::ConstantInt::get(object_.i32(), context_.layout->hooks.size());
  likely(b.CreateCondBr(b.CreateICmpULT(index, count), found, out));
  b.SetInsertPoint(found);
  return index;
}

/// A number means one call of 64-bit and another of 32-bit code. It is looked up as both at once: a call that is traced
/// as neither costs no look at the task.
llvm::Value *ProgramEmitter::selected_by_call(Builder &b, llvm::Function *function, llvm::Value *context,
                                              llvm::Value *number, llvm::BasicBlock *out) {
  constexpr uint32_t kNarrowShift = 16;
  const std::vector<const ProbeHook *> &probes = context_.layout->hooks;
  std::map<uint64_t, uint64_t> rows;  // in the lower half the probe of the 64-bit call
  for (uint32_t i = 0; i < probes.size(); i++) {
    uint64_t &row = rows.try_emplace(probes[i]->selector_value, kAbsent << kNarrowShift | kAbsent).first->second;
    const uint32_t shift = probes[i]->narrow ? kNarrowShift : 0;
    row = (row & ~(kAbsent << shift)) | uint64_t{i} << shift;
  }
  llvm::Value *row = row_of_number(b, function, number, {rows.begin(), rows.end()}, object_.i32(), out);
  llvm::Value *narrow = b.CreateLShr(row, kNarrowShift), *wide = b.CreateAnd(row, kAbsent);
  return in_tables(b, function, b.CreateSelect(is_narrow_call(b, function, context), narrow, wide), out);
}

llvm::Value *ProgramEmitter::selected_by_site(Builder &b, llvm::Function *function, llvm::Value *context,
                                              llvm::BasicBlock *out) {
  // With tens of thousands of kernel functions the kernel searches for the cookie, so the call is left out where no
  // clause asks which probe fired.
  cookie_ = call_without_effect(object_, b, Helper::kAttachCookie, object_.i64(), {context});
  if (context_.plan->rows.size() == 1) return llvm::ConstantInt::get(object_.i32(), 0);
  llvm::Value *row = b.CreateAnd(b.CreateLShr(cookie_, uint64_t{32}), uint64_t{SiteCookie::kMaxRows - 1});
  // Only so that the verifier knows the row to be in the table.
  auto *known = llvm::BasicBlock::Create(object_.context(), "known", function);
  llvm::Value *rows = llvm::ConstantInt::get(object_.i64(), context_.plan->rows.size());
  likely(b.CreateCondBr(b.CreateICmpULT(row, rows), known, out));
  b.SetInsertPoint(known);
  return b.CreateTrunc(row, object_.i32());
}

/// A copy has a number, which the verifier knows as a constant. The program that copies are made of is never attached,
/// and has a number that the verifier does not know, so that it follows all that a copy might do.
llvm::Value *ProgramEmitter::selected_by_copy(Builder &b, llvm::Function *function, llvm::Value *context,
                                              llvm::BasicBlock *out) {
  auto *unknown = llvm::BasicBlock::Create(object_.context(), "unknown", function);
  auto *known = llvm::BasicBlock::Create(object_.context(), "known", function);
  llvm::Value *mark = opaque_value(b, llvm::ConstantInt::get(object_.i64(), CopyNumber::kMark));
  llvm::Value *number = b.CreateTrunc(mark, object_.i32());
  llvm::Value *is_copy = b.CreateIsNull(b.CreateLShr(mark, uint64_t{32}));
  llvm::BasicBlock *before = b.GetInsertBlock();
  likely(b.CreateCondBr(is_copy, known, unknown));
  b.SetInsertPoint(unknown);
  llvm::Value *any = b.CreateTrunc(b.CreateLoad(object_.i64(), context), object_.i32());
  b.CreateBr(known);
  b.SetInsertPoint(known);
  llvm::PHINode *index = b.CreatePHI(object_.i32(), 2);
  index->addIncoming(number, before);
  index->addIncoming(any, unknown);
  return in_tables(b, function, index, out);
}

void ProgramEmitter::keep_selected(Builder &b, llvm::Value *firing, llvm::Value *index) {
  if (cookie_ == nullptr) {
    b.CreateStore(index, cell(object_, b, firing, kCellIndex));
    return;
  }
  b.CreateStore(b.CreateTrunc(cookie_, object_.i32()), cell(object_, b, firing, kCellIndex));
  llvm::Value *high = b.CreateTrunc(b.CreateLShr(cookie_, uint64_t{32}), object_.i32());
  b.CreateStore(high, cell(object_, b, firing, kCellSite));
}

llvm::Value *ProgramEmitter::is_narrow_call(Builder &b, llvm::Function *function, llvm::Value *context) {
  const arch::NarrowCalls &calls = compilation_.input.machine.narrow_calls;
  const uint32_t state = *compilation_.kernel.offset("task_struct", calls.state_member);
  const auto by_state = [&] {
    llvm::Value *task = call_helper(object_, b, Helper::kCurrentTaskBtf, object_.pointer(), {});
    llvm::Value *bits = b.CreateAnd(b.CreateLoad(object_.i32(), cell(object_, b, task, state)), calls.state_mask);
    return b.CreateICmpNE(bits, llvm::ConstantInt::get(object_.i32(), 0));
  };
  if (!context_.plan->as_btf_tracepoint) return by_state();

  // Registers answer for nearly all calls, and cost less to read than the helper to call (20 ns).
  auto *look = llvm::BasicBlock::Create(object_.context(), "look_at_task", function);
  auto *known = llvm::BasicBlock::Create(object_.context(), "known", function);
  llvm::Value *regs = b.CreateLoad(object_.pointer(), context);
  llvm::Value *first = b.CreateLoad(object_.i64(), cell(object_, b, regs, calls.equal_in_wide[0]));
  llvm::Value *second = b.CreateLoad(object_.i64(), cell(object_, b, regs, calls.equal_in_wide[1]));
  llvm::Value *in_narrow_code = register_test(object_, b, regs, machine_registers().in_32bit_program);
  llvm::Value *is_wide = b.CreateAnd(b.CreateICmpEQ(first, second), b.CreateNot(in_narrow_code));
  llvm::BasicBlock *before = b.GetInsertBlock();
  likely(b.CreateCondBr(is_wide, known, look));
  b.SetInsertPoint(look);
  llvm::Value *answer = by_state();
  b.CreateBr(known);
  b.SetInsertPoint(known);
  llvm::PHINode *result = b.CreatePHI(b.getInt1Ty(), 2);
  result->addIncoming(b.getFalse(), before);
  result->addIncoming(answer, look);
  return result;
}

void ProgramEmitter::reject_compat(Builder &b, llvm::Function *function, llvm::Value *context, llvm::BasicBlock *out) {
  // A 32-bit task's numbers mean other calls. A register of its own tells it, and costs little to read.
  llvm::Value *regs = nullptr;
  if (context_.plan->as_btf_tracepoint) {
    regs = b.CreateLoad(object_.pointer(), context);
  } else if (context_.plan->hook.is<PerfTracepointHook>()) {
    llvm::Value *task = call_helper(object_, b, Helper::kCurrentTaskBtf, object_.pointer(), {});
    regs = call_helper(object_, b, Helper::kTaskPtRegs, object_.pointer(), {task});
  } else {
    return;
  }
  auto *native = llvm::BasicBlock::Create(object_.context(), "native", function);
  llvm::Value *is_compat = register_test(object_, b, regs, machine_registers().in_32bit_program);
  unlikely(b.CreateCondBr(is_compat, out, native));
  b.SetInsertPoint(native);
}

llvm::Value *ProgramEmitter::select_probe(Builder &b, llvm::Function *function, llvm::Value *context,
                                          llvm::BasicBlock *out) {
  const Hook &hook = context_.plan->hook;
  if (hook.selector == Selector::kSite) return selected_by_site(b, function, context, out);
  if (hook.selector == Selector::kSingle) return llvm::ConstantInt::get(object_.i32(), 0);
  if (hook.selector == Selector::kCopy) return selected_by_copy(b, function, context, out);
  if (hook.selector == Selector::kPlace) {
    if (context_.layout->hooks.size() == 1) return llvm::ConstantInt::get(object_.i32(), 0);
    llvm::Value *cookie = call_helper(object_, b, Helper::kAttachCookie, object_.i64(), {context});
    return in_tables(b, function, b.CreateTrunc(cookie, object_.i32()), out);
  }
  llvm::Value *number = nullptr;
  const uint32_t number_bytes = machine_registers().system_call_number_bytes;  // as registers have it
  llvm::Type *number_type = object_.integer(number_bytes);
  const auto *raw = hook.as<RawTracepointHook>();
  if (raw == nullptr || raw->event != "sys_exit") {  // also in the record of a perf tracepoint
    number = b.CreateLoad(object_.i64(), cell(object_, b, context, 8));
  } else if (context_.plan->as_btf_tracepoint) {
    llvm::Value *regs = b.CreateLoad(object_.pointer(), context);
    number = b.CreateLoad(number_type, cell(object_, b, regs, machine_registers().system_call_number));
  } else {
    llvm::AllocaInst *buffer = entry_alloca(*function, number_type);
    llvm::Value *regs = b.CreateLoad(object_.i64(), context);
    llvm::Value *address =
        b.CreateAdd(regs, llvm::ConstantInt::get(object_.i64(), machine_registers().system_call_number));
    llvm::Value *error = call_helper(object_, b, Helper::kProbeReadKernel, object_.i64(),
                                     {buffer, llvm::ConstantInt::get(object_.i32(), number_bytes), address});
    auto *read = llvm::BasicBlock::Create(object_.context(), "read", function);
    b.CreateCondBr(b.CreateICmpNE(error, llvm::ConstantInt::get(object_.i64(), 0)), out, read);
    b.SetInsertPoint(read);
    number = b.CreateLoad(number_type, buffer);
  }
  number = b.CreateSExt(number, object_.i64());
  const arch::NarrowCalls &narrow = compilation_.input.machine.narrow_calls;
  if (!narrow.calls.empty() && compilation_.kernel.offset("task_struct", narrow.state_member))
    return selected_by_call(b, function, context, number, out);
  llvm::Value *index = selected_by_number(b, function, number, out);
  reject_compat(b, function, context, out);
  return index;
}

}  // namespace dtrace::codegen
