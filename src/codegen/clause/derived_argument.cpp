// SPDX-License-Identifier: Apache-2.0
// arg0..arg9 and args[] of a probe: those of its hook, or what the probe's definition derives from them.
#include "codegen/clause/clause.h"

namespace dtrace::codegen {

llvm::Value *ClauseEmitter::argument(unsigned n) {
  if (in_error()) {
    if (n < 1 || n > 5) return constant(0);
    return b_.CreateLoad(object_.i64(), firing_cell(context_.error_cells + 8 * (n - 1)));
  }
  if (context_.first_hook->hook.derivation == 0 || in_derivation_) return argument_of_hook(n);
  const tree::Expr *derived = derivation_of(n);
  if (derived == nullptr) return constant(0);
  in_derivation_ = true;
  llvm::Value *value = compilation_.types.is_string(derived->type) ? text_address(*derived) : scalar(*derived);
  in_derivation_ = false;
  return value;
}

bool ClauseEmitter::has_typed_arguments() const {
  const ProgramPlan &program = *context_.plan;
  return program.as_btf_tracepoint && program.hook.selector == Selector::kSingle && !in_error();
}

llvm::Value *ClauseEmitter::pointer_argument(unsigned n) {
  const bool is_derived = context_.first_hook->hook.derivation != 0 && !in_derivation_;
  llvm::Value *pointer = argument(n);
  if (is_derived || !has_typed_arguments()) return pointer;
  // Many a derivation has the pointer in what turns out not to be needed: the call can be left out then.
  llvm::CallInst *number = b_.CreateCall(object_.library("dt_number_of_pointer"), {pointer});
  number->setDoesNotAccessMemory();
  number->setDoesNotThrow();
  number->addFnAttr(llvm::Attribute::WillReturn);
  return number;
}

const tree::Derivation *ClauseEmitter::derivation() const {
  return in_error() ? nullptr : compilation_.input.unit.derivation(context_.first_hook->hook.derivation);
}

const tree::Expr *ClauseEmitter::derivation_of(unsigned n) const {
  const tree::Derivation *derivation = this->derivation();
  return derivation != nullptr && n < derivation->args.size() ? derivation->args[n] : nullptr;
}

EmittedText ClauseEmitter::argument_text(unsigned n, const Memory *into) {
  const tree::Expr *derived = derivation_of(n);
  if (derived == nullptr) return {};
  in_derivation_ = true;
  EmittedText value = text(*derived, into);
  in_derivation_ = false;
  return value;
}

Place ClauseEmitter::argument_place(unsigned n, uint64_t size_bytes) {
  constexpr uint32_t kWordBytes = 8;
  Memory memory = scratch(align_up(std::max(static_cast<uint32_t>(size_bytes), kWordBytes), kWordBytes));
  const Hook &hook = context_.plan->hook;
  const auto *instruction = hook.as<UserInstructionHook>();
  const bool is_at_return = hook.is<KernelReturnHook>() || hook.is<UserReturnHook>() ||
                            (instruction != nullptr && instruction->where == UserInstructionHook::Where::kReturn);
  for (uint32_t word = 0; word * kWordBytes < size_bytes; word++) {
    llvm::Value *value = nullptr;
    if (word == 0 || !is_at_return)
      value = argument(n + word);
    else
      value = context_.plan->trampoline.empty() ? context_register(machine_registers().second_result) : constant(0);
    b_.CreateStore(value, at(memory.pointer, uint64_t{word} * kWordBytes));
  }
  Place where;
  where.pointer = memory.pointer;
  return where;
}

}  // namespace dtrace::codegen
