// SPDX-License-Identifier: Apache-2.0
// The subroutines: one function a row of builtins.def, all of one signature. A row whose function is missing does not
// link.
#pragma once

#include "codegen/clause/clause.h"

namespace dtrace::codegen {

extern const Subroutines kSubroutines;

/// What a subroutine yields: one of the two, by its prototype.
struct Answer {
  llvm::Value *scalar = nullptr;
  EmittedText text;
};

/// One call: its arguments, and what every subroutine does with them.
class Caller {
 public:
  Caller(ClauseEmitter &emitter, const tree::Call &call, const tree::Expr &expr, const Memory *into)
      : e(emitter), b(emitter.builder()), call(call), expr(expr), into(into) {}

  ClauseEmitter &e;
  Builder &b;
  const tree::Call &call;
  const tree::Expr &expr;
  const Memory *into;

  bool has(size_t n) const { return n < call.args.size(); }
  const tree::Expr &arg(size_t n) const { return *call.args[n]; }
  llvm::Value *number(size_t n) const { return e.scalar(arg(n)); }
  /// The argument's value if it is a constant.
  std::optional<uint64_t> constant(size_t n) const;
  /// The string argument in the slot, with its length; NULL faults.
  SlotText in_slot(size_t n) const;
  SlotText in_slot(const EmittedText &text) const;
  /// Space for the result.
  uint32_t result_bytes() const;
  Memory result() const { return e.scratch(result_bytes()); }
  Answer text_of(const Memory &memory, llvm::Value *is_null = nullptr) const;
  /// A string that begins somewhere in the slot, as an EmittedText of its own.
  Answer part(llvm::Value *from, llvm::Value *count, llvm::Value *is_null = nullptr) const;
  llvm::Value *slot() const { return e.slot(); }
  llvm::Value *c32(uint64_t value) const { return e.constant32(static_cast<uint32_t>(value)); }
  llvm::Value *c64(uint64_t value) const { return e.constant(value); }
  Space space(size_t n) const { return e.space_of(arg(n).type); }
};

#define DT_SUBROUTINE_Subr(name) Answer sub_##name(Caller &c);
#define DT_SUBROUTINE_Act(name)
#define DT_SUBROUTINE_Value(name)
#define DT_SUBROUTINE_Agg(name)
#define BUILTIN(name, kind, prototype, effect) DT_SUBROUTINE_##kind(name)
#include "frontend/lang/builtins.def"
#undef DT_SUBROUTINE_Subr
#undef DT_SUBROUTINE_Act
#undef DT_SUBROUTINE_Value
#undef DT_SUBROUTINE_Agg

}  // namespace dtrace::codegen
