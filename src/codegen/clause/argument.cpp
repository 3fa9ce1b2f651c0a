// SPDX-License-Identifier: Apache-2.0
// arg0..arg9 of a hook: where each kind of hook has its arguments. What lies differently from site to site is in
// operand.cpp.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <span>

#include "codegen/clause/firing.h"

namespace dtrace::codegen {

llvm::Value *FiringEmitter::registers() { return typed_pointer(frame_.context, 0); }

/// Their address, which cannot be read directly: in the context of a tracepoint, or the argument of a call's function.
llvm::Value *FiringEmitter::registers_address() {
  if (context_.plan->hook.is_of_call_functions()) return context_register(machine_registers().function_arguments[0]);
  return typed_load(frame_.context, 0, 8);
}

namespace {

/// Sites of user functions whose arguments or variables may have types.
bool is_typed(UserInstructionHook::Where where) {
  using Where = UserInstructionHook::Where;
  return where == Where::kEntry || where == Where::kInside || where == Where::kInline;
}

/// -1 for the kernel's error codes, all else as it is.
llvm::Value *syscall_result(FiringEmitter &e, llvm::Value *raw) {
  Builder &b = e.builder();
  llvm::Value *failed = b.CreateICmpUGE(raw, llvm::ConstantInt::getSigned(e.object().i64(), -4095));
  return b.CreateSelect(failed, llvm::ConstantInt::getSigned(e.object().i64(), -1), raw);
}

}  // namespace

/// The event counts ns since it was opened, and strikes whenever a period is full. It goes on counting, and a firing
/// has one value of each argument, so it is read once.
llvm::Value *FiringEmitter::profile_lag() {
  llvm::Value *next = lazy(context_.lag_cell, object_.i64(), [&] {
    constexpr uint32_t kValueBytes = 24;  // struct bpf_perf_event_value: counter, enabled, running
    llvm::Value *value = temporary(kValueBytes, "clock");
    helper(Helper::kPerfProgReadValue, {frame_.context, value, constant32(kValueBytes)});
    const uint64_t period_ns = std::max<uint64_t>(context_.plan->hook.as<PerfClockHook>()->period_ns, 1);
    return b_.CreateAdd(b_.CreateURem(b_.CreateLoad(object_.i64(), value), constant(period_ns)), constant(1));
  });
  return b_.CreateSub(next, constant(1));
}

/// As much of a register as its type has, by a width of ArgWidths in the lowest bits of `width`.
llvm::Value *FiringEmitter::extended(llvm::Value *value, llvm::Value *width) {
  llvm::Value *log2 = b_.CreateAnd(width, uint64_t{ArgWidths::kLog2Mask});
  llvm::Value *unused_bits = b_.CreateSub(constant(64), b_.CreateShl(constant(8), log2));
  llvm::Value *high = b_.CreateShl(value, unused_bits);
  llvm::Value *is_signed = b_.CreateICmpNE(b_.CreateAnd(width, uint64_t{ArgWidths::kSigned}), constant(0));
  return b_.CreateSelect(is_signed, b_.CreateAShr(high, unused_bits), b_.CreateLShr(high, unused_bits));
}

/// The number of the probe that fires, where it is one of 32-bit code (or of 64-bit code: `narrow`); else any of these.
llvm::Value *FiringEmitter::picked_among(bool narrow, const std::function<uint64_t(const ProbeHook &)> &number_of) {
  const std::vector<const ProbeHook *> &hooks = context_.layout->hooks;
  const auto counts = [&](const ProbeHook *hook) { return hook->narrow.has_value() == narrow; };
  const uint64_t first = number_of(**std::ranges::find_if(hooks, counts));
  std::vector<uint64_t> numbers;
  for (const ProbeHook *hook : hooks) numbers.push_back(counts(hook) ? number_of(*hook) : first);
  const bool all_alike = std::ranges::all_of(numbers, [&](uint64_t number) { return number == first; });
  return all_alike ? constant(first) : picked(numbers);
}

/// A register of 32-bit code by its offset in struct pt_regs.
llvm::Value *FiringEmitter::narrow_register(llvm::Value *offset) {
  llvm::Value *registers = nullptr;
  if (context_.plan->points_to_call_registers())
    registers = this->registers();
  else if (context_.plan->hook.is<PerfTracepointHook>())
    registers = helper(Helper::kTaskPtRegs, {task()}, object_.pointer());
  else
    registers = registers_address();
  return read_scalar(Space::kKernel, b_.CreateAdd(to_number(registers), offset), 4, false);
}

llvm::Value *FiringEmitter::narrow_argument(unsigned n) {
  const std::span<const uint32_t> registers = compilation_.input.machine.narrow_calls.arguments;
  llvm::Value *low = narrow_register(picked_among(
      true, [&](const ProbeHook &hook) { return registers[hook.narrow->of(n) & NarrowArguments::kNumberMask]; }));
  const auto second = [&](const ProbeHook &hook) -> uint64_t {
    const uint32_t where = hook.narrow->of(n);
    return where & NarrowArguments::kTwo ? registers[(where & NarrowArguments::kNumberMask) + 1] : 0;
  };
  const auto has_two = [&](const ProbeHook *hook) { return hook->narrow && second(*hook) != 0; };
  if (!std::ranges::any_of(context_.layout->hooks, has_two)) return low;
  llvm::Value *offset = picked_among(true, second);  // 0: all of it is in one register
  llvm::Value *high = choose(
      b_.CreateICmpNE(offset, constant(0)), object_.i64(), [&] { return narrow_register(offset); },
      [&] { return constant(0); });
  return b_.CreateOr(low, b_.CreateShl(high, uint64_t{32}));
}

/// Argument `n` of a system call, which 64-bit code has in the word that `native` reads.
llvm::Value *FiringEmitter::system_call_argument(unsigned n, const std::function<llvm::Value *()> &native) {
  const std::vector<const ProbeHook *> &hooks = context_.layout->hooks;
  const auto width = [&](const ProbeHook &hook) -> uint64_t { return hook.widths.of(n); };
  const auto of_64bit = [&] { return extended(native(), picked_among(false, width)); };
  const auto of_32bit = [&] { return extended(narrow_argument(n), picked_among(true, width)); };
  const auto is_narrow = [](const ProbeHook *hook) { return hook->narrow.has_value(); };
  if (std::ranges::none_of(hooks, is_narrow)) return of_64bit();
  if (std::ranges::all_of(hooks, is_narrow)) return of_32bit();
  std::vector<uint64_t> narrow;
  uint64_t mask = 0;
  for (const ProbeHook *hook : hooks) {
    if (is_narrow(hook)) mask |= uint64_t{1} << narrow.size() % 64;
    narrow.push_back(is_narrow(hook) ? 1 : 0);
  }
  llvm::Value *is_of_32bit = nullptr;
  if (hooks.size() <= 64)
    is_of_32bit = b_.CreateAnd(b_.CreateLShr(constant(mask), b_.CreateZExt(probe_index(), object_.i64())), uint64_t{1});
  else
    is_of_32bit = picked(narrow);
  return choose(b_.CreateICmpNE(is_of_32bit, constant(0)), object_.i64(), of_32bit, of_64bit);
}

llvm::Value *FiringEmitter::argument_of_hook(unsigned n) {
  const std::vector<ArgSource> &args = context_.first_hook->args;
  if (n >= args.size()) {
    // arg0..arg9 are in the list; args[] may be more: of a user function the operands of its site, which locals has,
    // too, of a kernel function what its calling convention says.
    const auto *instruction = context_.plan->hook.as<UserInstructionHook>();
    if (instruction != nullptr && is_typed(instruction->where) && !args.empty())
      return site_operand({ArgSource::Kind::kSiteOperand, n - static_cast<unsigned>(args.size()), 8, false});
    const bool at_entry = context_.plan->hook.is<KernelEntryHook>() && !args.empty();
    return at_entry ? function_argument({ArgSource::Kind::kFunctionArg, n, 8, false}) : constant(0);
  }
  const ArgSource &source = args[n];
  llvm::Value *context = frame_.context;
  auto kernel_mode = [&](bool kernel) {
    llvm::Value *ip = typed_load(context, machine_registers().instruction, 8);
    llvm::Value *in_user_mode = register_test(object_, b_, context, machine_registers().in_user_mode);
    return kernel ? b_.CreateSelect(in_user_mode, constant(0), ip) : b_.CreateSelect(in_user_mode, ip, constant(0));
  };
  switch (source.kind) {
    case ArgSource::Kind::kNone:
    case ArgSource::Kind::kErrorArg:
      return constant(0);
    case ArgSource::Kind::kUnknown:
      return llvm::ConstantInt::getSigned(object_.i64(), -1);
    case ArgSource::Kind::kContextWord: {
      llvm::Value *word = context_.plan->hook.is<WalkHook>()
                              ? b_.CreateLoad(object_.i64(), firing_cell(context_.walk_cells + source.index * 8))
                              : typed_load(context, uint64_t{source.index} * 8, 8);
      if (source.size_bytes >= 8) return word;
      llvm::Value *low = b_.CreateTrunc(word, object_.integer(source.size_bytes));
      return source.is_signed ? b_.CreateSExt(low, object_.i64()) : b_.CreateZExt(low, object_.i64());
    }
    case ArgSource::Kind::kContextField: {
      const auto load = [&] { return typed_load(context, source.index, source.size_bytes, source.is_signed); };
      return context_.first_hook->is_syscall_entry ? system_call_argument(n, load) : load();
    }
    case ArgSource::Kind::kContextAddress:
      return to_number(at(context, source.index));
    case ArgSource::Kind::kSyscallArg: {
      if (source.index >= 6) return constant(0);
      const uint32_t offset = machine_registers().system_call_arguments[source.index];
      return system_call_argument(source.index, [&]() -> llvm::Value * {
        if (context_.plan->points_to_call_registers()) return typed_load(registers(), offset, 8);
        return read_scalar(Space::kKernel, b_.CreateAdd(registers_address(), constant(offset)), 8, false);
      });
    }
    case ArgSource::Kind::kSyscallReturn:
      return syscall_result(*this, raw_system_call_result());
    case ArgSource::Kind::kSyscallRawReturn:
      return raw_system_call_result();
    case ArgSource::Kind::kKernelPc:
      return kernel_mode(true);
    case ArgSource::Kind::kUserPc:
      return kernel_mode(false);
    case ArgSource::Kind::kClockLag:
      return profile_lag();
    case ArgSource::Kind::kFunctionArg:
      return function_argument(source);
    case ArgSource::Kind::kSiteFunctionArg: {
      llvm::Value *value = function_argument(source);
      if (source.index >= ArgWidths::kMaxArguments) return value;
      return extended(value, b_.CreateLShr(site_variant(), uint64_t{source.index * ArgWidths::kBits}));
    }
    case ArgSource::Kind::kReturnValue: {
      llvm::Value *value =
          context_.plan->trampoline.empty() ? context_register(machine_registers().result) : from_trampoline(0);
      if (source.size_bytes >= 8) return value;
      llvm::Value *low = b_.CreateTrunc(value, object_.integer(source.size_bytes));
      return source.is_signed ? b_.CreateSExt(low, object_.i64()) : b_.CreateZExt(low, object_.i64());
    }
    case ArgSource::Kind::kSiteReturnValue: {
      llvm::Value *value =
          context_.plan->trampoline.empty() ? context_register(machine_registers().result) : from_trampoline(0);
      return extended(value, site_variant());
    }
    case ArgSource::Kind::kSiteVariant:
      return site_variant();
    case ArgSource::Kind::kSiteOperand:
      return site_operand(source);
  }
  return constant(0);
}

/// Argument `n` of the function that calls us, or what it returns, as the register has it.
llvm::Value *FiringEmitter::from_trampoline(unsigned n) {
  const bool at_return = context_.plan->hook.is<KernelReturnHook>();
  llvm::AllocaInst *value = entry_alloca(*b_.GetInsertBlock()->getParent(), object_.i64());
  b_.CreateStore(constant(0), value);
  if (at_return) {
    helper(Helper::kFuncRet, {frame_.context, value});
    return b_.CreateLoad(object_.i64(), value);
  }
  if (n >= Trampoline::kMaxArguments) return constant(0);
  helper(Helper::kFuncArg, {frame_.context, constant32(n), value});
  return b_.CreateLoad(object_.i64(), value);
}

/// In the order of arguments that have no register.
llvm::Value *FiringEmitter::stack_argument_address(unsigned n) {
  const arch::Registers &registers = machine_registers();
  const uint64_t offset = registers.stack_arguments + (n - registers.function_arguments.size()) * 8;
  return b_.CreateAdd(context_register(registers.stack), constant(offset));
}

llvm::Value *FiringEmitter::function_argument(const ArgSource &source) {
  if (!context_.plan->trampoline.empty()) return from_trampoline(source.index);
  const bool narrow = source.size_bytes == 4;
  const arch::Registers &registers = machine_registers();
  const size_t in_registers = narrow ? 0 : registers.function_arguments.size();
  if (source.index < in_registers) return context_register(registers.function_arguments[source.index]);
  const uint64_t behind = narrow ? source.size_bytes : registers.stack_arguments;  // a return address of 32 bits
  const uint64_t offset = behind + (source.index - in_registers) * source.size_bytes;
  const Space space = context_.plan->hook.is_of_kernel_functions() ? Space::kKernel : Space::kUser;
  llvm::Value *address = b_.CreateAdd(context_register(registers.stack), constant(offset));
  return read_scalar(space, address, source.size_bytes, source.is_signed);
}

}  // namespace dtrace::codegen
