// SPDX-License-Identifier: Apache-2.0
// Dispatch of subroutine calls, and what their functions share.
#include "codegen/subroutines/subroutines.h"

#include <algorithm>

namespace dtrace::codegen {
namespace {

using Emit = Answer(Caller &);

#define DT_ROW_Subr(name) &sub_##name,
#define DT_ROW_Act(name) nullptr,
#define DT_ROW_Value(name) nullptr,
#define DT_ROW_Agg(name) nullptr,
constexpr Emit *kEmit[] = {
#define BUILTIN(name, kind, prototype, effect) DT_ROW_##kind(name)
#include "frontend/lang/builtins.def"
};
#undef DT_ROW_Subr
#undef DT_ROW_Act
#undef DT_ROW_Value
#undef DT_ROW_Agg

Answer answer(ClauseEmitter &e, const tree::Call &call, const tree::Expr &expr, const Memory *into) {
  Emit *emit = kEmit[static_cast<size_t>(call.subr)];
  assert(emit != nullptr && "an action used as a subroutine");
  Caller caller(e, call, expr, into);
  Answer result = emit(caller);
  e.set_position(expr);
  return result;
}

llvm::Value *emit_scalar(ClauseEmitter &e, const tree::Call &call, const tree::Expr &expr) {
  if (e.compilation().types.is_string(expr.type)) return e.text_address(expr);
  llvm::Value *value = answer(e, call, expr, nullptr).scalar;
  return value != nullptr ? value : e.constant(0);
}

EmittedText emit_text(ClauseEmitter &e, const tree::Call &call, const tree::Expr &expr, const Memory *into) {
  return answer(e, call, expr, into).text;
}

}  // namespace

const Subroutines kSubroutines{.scalar = emit_scalar, .text = emit_text};

// ---------------------------------------------------------------- arguments and results

std::optional<uint64_t> Caller::constant(size_t n) const {
  const tree::Expr *at = &arg(n);
  while (auto *convert = std::get_if<tree::Convert>(&at->node)) at = convert->operand;
  auto *number = std::get_if<tree::IntConst>(&at->node);
  return number != nullptr ? std::optional(number->value) : std::nullopt;
}

uint32_t Caller::result_bytes() const { return static_cast<uint32_t>(e.compilation().types.size_bytes(expr.type)); }

SlotText Caller::in_slot(size_t n) const {
  EmittedText text = e.text(arg(n));
  e.set_position(expr);
  return in_slot(text);
}

SlotText Caller::in_slot(const EmittedText &text) const { return e.slot_text(text); }

Answer Caller::text_of(const Memory &memory, llvm::Value *is_null) const {
  EmittedText text;
  text.kind = EmittedText::Kind::kMemory;
  text.pointer = memory.pointer;
  text.size_bytes = memory.size_bytes;
  text.slot_offset = memory.slot_offset;
  text.is_null = is_null;
  return {nullptr, text};
}

Answer Caller::part(llvm::Value *from, llvm::Value *count, llvm::Value *is_null) const {
  Memory memory = result();
  e.library("dt_copy_part", {slot(), c32(*memory.slot_offset), from, count, c32(memory.size_bytes)});
  return text_of(memory, is_null);
}

}  // namespace dtrace::codegen
