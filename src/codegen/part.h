// SPDX-License-Identifier: Apache-2.0
// What the functions of one clause share on the stack of its main function, and what is set aside while a part is
// written.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "codegen/clause.h"

namespace dtrace {

enum StateCell : uint32_t {
  kStateGuards = 0,  ///< u64: which branches were taken
  kStateKeep = 8,    ///< u64: 0: the record is dropped in silence
  kStateBytes = 16,
};

/// The function that waits for a part to be written.
struct ClauseEmitter::Part {
  llvm::Function *function;
  llvm::Value *context_argument, *firing, *record, *reserved, *guards, *keep, *state;
  llvm::BasicBlock *end, *fault_end, *insert_block;
  llvm::BasicBlock *fault_blocks[2];
  std::vector<std::array<llvm::Value *, 2>> fault_values[2];
  std::vector<llvm::BasicBlock *> fault_sources[2];
  llvm::AllocaInst *word;
  unsigned depth;
  bool thread_created;
  std::map<uint32_t, llvm::Value *> known;
  std::vector<llvm::AllocaInst *> temporaries, free_temporaries;
  llvm::DebugLoc location;
};

}  // namespace dtrace
