// SPDX-License-Identifier: Apache-2.0
// Parts: a clause too large for one BPF function goes on in others, divided between statements. It bounds the stack
// that the register allocator spills to, the distance of jumps (16 bits), and the time that LLVM takes, which grows
// faster than the size of a function.
//
// A part is a static subprogram, int (ctx, firing, record, state); not 0: the clause faulted, its record is gone, and
// whoever called the part leaves as well. Values that earlier parts found are in the firing's cells.
#include "codegen/part.h"

#include <utility>

#include "codegen/walk.h"

namespace dtrace {
namespace {

/// An `if` with more statements than this stays in the main function, so that parts can divide its branches: parts call
/// no parts, for the kernel allows eight frames, and faults and library functions want theirs.
constexpr size_t kStatementsInPart = 16;

size_t nr_statements(const std::vector<tree::Stmt> &body) {
  size_t count = 0;
  walk_statements(body, [&](const tree::Stmt &) { count++; });
  return count;
}

}  // namespace

bool ClauseEmitter::is_full() const { return function_->getInstructionCount() > compilation_.part_instructions; }

bool ClauseEmitter::fits_part(const tree::Stmt &stmt) const {
  auto *branch = std::get_if<std::unique_ptr<tree::If>>(&stmt.node);
  return branch == nullptr ||
         nr_statements((*branch)->then_body) + nr_statements((*branch)->else_body) <= kStatementsInPart;
}

std::unique_ptr<ClauseEmitter::Part> ClauseEmitter::open_part() {
  auto outer = std::make_unique<Part>();
  outer->function = function_;
  outer->context_argument = context_argument_;
  outer->firing = firing_;
  outer->record = record_;
  outer->reserved = reserved_;
  outer->guards = guards_;
  outer->keep = keep_;
  outer->state = state_;
  outer->end = end_;
  outer->fault_end = fault_end_;
  outer->insert_block = b_.GetInsertBlock();
  outer->word = word_;
  outer->depth = std::exchange(depth_, 0);
  outer->thread_created = std::exchange(thread_created_, false);
  outer->known = std::exchange(known_, {});
  outer->temporaries = std::exchange(temporaries_, {});
  outer->free_temporaries = std::exchange(free_temporaries_, {});
  outer->location = b_.getCurrentDebugLocation();
  for (int i = 0; i < 2; i++) {
    outer->fault_blocks[i] = std::exchange(fault_blocks_[i], nullptr);
    outer->fault_values[i] = std::exchange(fault_values_[i], {});
    outer->fault_sources[i] = std::exchange(fault_sources_[i], {});
  }

  part_depth_++;
  llvm::Type *parameters[] = {object_.pointer(), object_.pointer(), object_.pointer(), object_.pointer()};
  const std::string name = main_function_->getName().str() + "_part" + std::to_string(++nr_parts_);
  function_ = object_.function(name, object_.i32(), parameters, "", layout_.clause->span);
  function_->addFnAttr(llvm::Attribute::NoInline);
  context_argument_ = function_->getArg(0);
  firing_ = function_->getArg(1);
  if (record_ != nullptr) record_ = reserved_ = function_->getArg(2);
  b_.SetInsertPoint(llvm::BasicBlock::Create(object_.context(), "entry", function_));
  b_.SetCurrentDebugLocation(object_.location(layout_.clause->span, function_));
  if (state_ != nullptr) state_ = function_->getArg(3);
  if (guards_ != nullptr) guards_ = at(state_, kStateGuards);
  if (keep_ != nullptr) keep_ = at(state_, kStateKeep);
  word_ = local(object_.i64(), "word");
  end_ = block("end");
  fault_end_ = block("faulted");
  return outer;
}

void ClauseEmitter::close_part(std::unique_ptr<Part> outer) {
  llvm::Function *part = function_;
  b_.CreateBr(end_);
  emit_fault_block(fault_blocks_[0], false);
  emit_fault_block(fault_blocks_[1], true);
  b_.SetInsertPoint(end_);
  b_.CreateRet(constant32(0));
  if (fault_end_->hasNPredecessorsOrMore(1)) {
    b_.SetInsertPoint(fault_end_);
    b_.CreateRet(constant32(1));
  } else {
    fault_end_->eraseFromParent();
  }

  part_depth_--;
  function_ = outer->function;
  context_argument_ = outer->context_argument;
  firing_ = outer->firing;
  record_ = outer->record;
  reserved_ = outer->reserved;
  guards_ = outer->guards;
  keep_ = outer->keep;
  state_ = outer->state;
  end_ = outer->end;
  fault_end_ = outer->fault_end;
  word_ = outer->word;
  depth_ = outer->depth;
  thread_created_ = outer->thread_created;
  known_ = std::move(outer->known);
  temporaries_ = std::move(outer->temporaries);
  free_temporaries_ = std::move(outer->free_temporaries);
  if (!thread_created_) known_.erase(kCellThread);  // the part may have made it
  for (int i = 0; i < 2; i++) {
    fault_blocks_[i] = outer->fault_blocks[i];
    fault_values_[i] = std::move(outer->fault_values[i]);
    fault_sources_[i] = std::move(outer->fault_sources[i]);
  }

  b_.SetInsertPoint(outer->insert_block);
  b_.SetCurrentDebugLocation(outer->location);
  llvm::Value *none = llvm::ConstantPointerNull::get(object_.pointer());
  llvm::Value *faulted = b_.CreateCall(
      part, {context_argument_, firing_, record_ != nullptr ? record_ : none, state_ != nullptr ? state_ : none});
  llvm::BasicBlock *next = block("next_part");
  b_.CreateCondBr(b_.CreateICmpNE(faulted, constant32(0)), fault_end_, next);
  b_.SetInsertPoint(next);
}

}  // namespace dtrace
