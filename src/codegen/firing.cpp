// SPDX-License-Identifier: Apache-2.0
// What a firing knows: its time, its thread, its CPU, its probe and the probe's arguments. Each is found at most once
// and kept in the firing's cells, so that clauses share it.
#include "codegen/clause.h"
#include "codegen/registers.h"

namespace dtrace {

std::optional<llvm::Value *> ClauseEmitter::known(uint32_t cell_offset) const {
  auto found = known_.find(cell_offset);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

void ClauseEmitter::remember(uint32_t cell_offset, llvm::Value *value) {
  if (depth_ == 0) known_[cell_offset] = value;
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
  return probe_id(compilation_, b_, context_, firing_);
}

llvm::Value *ClauseEmitter::probe_index() {
  if (in_error()) return constant32(0);
  return b_.CreateLoad(object_.i32(), firing_cell(kCellIndex));
}

llvm::Value *ClauseEmitter::task_field(const std::string &member, uint64_t size_bytes, bool is_signed) {
  std::optional<uint32_t> offset = compilation_.kernel.offset("task_struct", member);
  if (!offset) return nullptr;
  llvm::Value *value = b_.CreateLoad(object_.integer(size_bytes), at(task(), *offset));
  return is_signed ? b_.CreateSExt(value, object_.i64()) : b_.CreateZExt(value, object_.i64());
}

// ---------------------------------------------------------------- arguments

llvm::Value *ClauseEmitter::registers() { return b_.CreateLoad(object_.pointer(), context_argument_); }

namespace {

/// -1 for the kernel's error codes, all else as it is.
llvm::Value *syscall_result(ClauseEmitter &e, llvm::Value *raw) {
  Builder &b = e.builder();
  llvm::Value *failed = b.CreateICmpUGE(raw, llvm::ConstantInt::getSigned(e.object().i64(), -4095));
  return b.CreateSelect(failed, llvm::ConstantInt::getSigned(e.object().i64(), -1), raw);
}

}  // namespace

llvm::Value *ClauseEmitter::argument(unsigned n) {
  if (in_error()) {
    if (n < 1 || n > 5) return constant(0);
    return b_.CreateLoad(object_.i64(), firing_cell(context_.error_cells + 8 * (n - 1)));
  }
  const std::vector<ArgSource> &args = context_.first_hook->args;
  if (n >= args.size()) return constant(0);
  const ArgSource &source = args[n];
  llvm::Value *context = context_argument_;
  auto kernel_mode = [&](bool kernel) {
    llvm::Value *segment = b_.CreateLoad(object_.i64(), at(context, x86::kCs));
    llvm::Value *ip = b_.CreateLoad(object_.i64(), at(context, x86::kIp));
    llvm::Value *in_kernel = b_.CreateICmpEQ(b_.CreateAnd(segment, uint64_t{3}), constant(0));
    return kernel ? b_.CreateSelect(in_kernel, ip, constant(0)) : b_.CreateSelect(in_kernel, constant(0), ip);
  };
  switch (source.kind) {
    case ArgSource::Kind::kNone:
    case ArgSource::Kind::kErrorArg:
      return constant(0);
    case ArgSource::Kind::kContextWord: {
      llvm::Value *word = b_.CreateLoad(object_.i64(), at(context, uint64_t{source.index} * 8));
      if (source.size_bytes >= 8) return word;
      llvm::Value *low = b_.CreateTrunc(word, object_.integer(source.size_bytes));
      return source.is_signed ? b_.CreateSExt(low, object_.i64()) : b_.CreateZExt(low, object_.i64());
    }
    case ArgSource::Kind::kContextField: {
      llvm::Value *field = b_.CreateLoad(object_.integer(source.size_bytes), at(context, source.index));
      return source.is_signed ? b_.CreateSExt(field, object_.i64()) : b_.CreateZExt(field, object_.i64());
    }
    case ArgSource::Kind::kContextAddress:
      return to_number(at(context, source.index));
    case ArgSource::Kind::kSyscallArg: {
      if (source.index >= 6) return constant(0);
      const uint32_t offset = x86::kSyscallArgs[source.index];
      if (context_.plan->as_btf_tracepoint) return b_.CreateLoad(object_.i64(), at(registers(), offset));
      llvm::Value *address = b_.CreateAdd(b_.CreateLoad(object_.i64(), context), constant(offset));
      return read_scalar(Space::kKernel, address, 8, false);
    }
    case ArgSource::Kind::kSyscallReturn:
      return syscall_result(*this, b_.CreateLoad(object_.i64(), at(context, 8)));
    case ArgSource::Kind::kSyscallRawReturn:
      return b_.CreateLoad(object_.i64(), at(context, 8));
    case ArgSource::Kind::kKernelPc:
      return kernel_mode(true);
    case ArgSource::Kind::kUserPc:
      return kernel_mode(false);
    case ArgSource::Kind::kFunctionArg:
    case ArgSource::Kind::kReturnValue:
    case ArgSource::Kind::kSiteVariant:
    case ArgSource::Kind::kSiteOperand:
      return constant(0);
  }
  return constant(0);
}

llvm::Value *ClauseEmitter::system_call_errno() {
  if (in_error() || !context_.first_hook->is_syscall_return) return constant(0);
  llvm::Value *raw = b_.CreateLoad(object_.i64(), at(context_argument_, 8));
  llvm::Value *failed = b_.CreateICmpUGE(raw, llvm::ConstantInt::getSigned(object_.i64(), -4095));
  llvm::Value *code = b_.CreateSelect(failed, b_.CreateNeg(raw), constant(0));
  // 512, 513, 514 and 516 never leave the kernel: the call starts again, or the program sees EINTR.
  llvm::Value *restart =
      b_.CreateOr(b_.CreateAnd(b_.CreateICmpUGE(code, constant(512)), b_.CreateICmpULE(code, constant(514))),
                  b_.CreateICmpEQ(code, constant(516)));
  return b_.CreateSelect(restart, constant(4), code);
}

}  // namespace dtrace
