// SPDX-License-Identifier: Apache-2.0
#include "codegen/builtin_values.h"
namespace dtrace {
llvm::Value *emit_subroutine(ClauseEmitter &e, const tree::Call &, const tree::Expr &) { return e.constant(0); }
Text emit_text_subroutine(ClauseEmitter &, const tree::Call &, const tree::Expr &, const Memory *) { return {}; }
llvm::Value *ClauseEmitter::cpu_time() { return constant(0); }
llvm::Value *ClauseEmitter::interrupt_level() { return constant(0); }
Text ClauseEmitter::directory(const char *, const Memory *) { return {}; }
llvm::Value *ClauseEmitter::stack_frame(unsigned, bool) { return constant(0); }
llvm::Value *ClauseEmitter::stack_depth(bool) { return constant(0); }
}
