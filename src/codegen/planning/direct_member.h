// SPDX-License-Identifier: Apache-2.0
// Members that a program reads without a helper, because the kernel vouches for the pointer: those of the current
// thread, and of what a tracepoint passes. A checked read costs 25 ns more.
//
// What a reader would get wrong: on a typed tracepoint the verifier treats such an argument as a pointer, and refuses
// arithmetic with it. Where a program computes with one, it takes its number (ClauseEmitter::pointer_argument()).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/planning/compile_input.h"
#include "codegen/planning/layout.h"
#include "frontend/tree/tree.h"

namespace dtrace::codegen {

struct DirectMember {
  std::optional<unsigned> argument;  ///< of the tracepoint; none: of the current thread
  std::vector<uint64_t> pointers;    ///< offsets in bytes of the pointers on the way
  uint64_t off_bytes = 0;            ///< of the member, behind the last of them
};

/// Where an expression stands: in a clause, whose arguments may be derived, or in what derives them.
struct Standing {
  const tree::Derivation *derivation = nullptr;  ///< of the clause's arguments; null: there is none
  bool in_derivation = false;
};

/// What `expr` reads, if it is such a member: a number, or a pointer that is compared with NULL. What a clause reads
/// behind further pointers is checked, since those may be of yesterday; a derivation knows what it does.
std::optional<DirectMember> direct_member(const TypeTable &types, const tree::Expr &expr, Standing standing);
/// The pointer that `expr` compares with NULL; null: it is no such comparison.
const tree::Expr *compared_with_null(const TypeTable &types, const tree::Expr &expr);

/// Whether the program, of a raw tracepoint, gains by being one of a typed tracepoint, and can be.
bool gains_by_types(const CompileInput &input, const Layout &layout, const ProgramLayout &program);

}  // namespace dtrace::codegen
