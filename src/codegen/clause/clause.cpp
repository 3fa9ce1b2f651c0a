// SPDX-License-Identifier: Apache-2.0
// The frame of a clause: predicate and statements. Its record is in record.cpp.
#include "codegen/clause/clause.h"

#include <algorithm>
#include <utility>

#include "base/cgroup_options.h"
#include "bpf/dt_cgroup.h"
#include "codegen/planning/loop_rounds.h"
#include "frontend/tree/walk.h"

namespace dtrace::codegen {
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

ClauseEmitter::ClauseEmitter(Compilation &compilation, ProgramContext &context, uint32_t clause, Role role)
    : TextEmitter(compilation, context, clause, role) {}

llvm::Function *ClauseEmitter::emit() {
  llvm::Type *parameters[] = {object_.pointer(), object_.pointer()};
  const std::string name = (in_error() ? "e" : "c") + std::to_string(clause_) + "_" + context_.plan->function;
  frame_.function = main_function_ = object_.function(name, object_.i32(), parameters, "", layout_.clause->span);
  frame_.context = frame_.function->getArg(0);
  frame_.firing = frame_.function->getArg(1);
  b_.SetInsertPoint(llvm::BasicBlock::Create(object_.context(), "entry", frame_.function));
  b_.SetCurrentDebugLocation(object_.location(layout_.clause->span, frame_.function));
  frame_.end = frame_.fault_end = block("end");
  frame_.word = local(object_.i64(), "word");
  scratch_end_ = clause_scratch_begin();

  predicate();
  reserve();
  body(layout_.clause->body);
  submit();
  b_.CreateBr(frame_.end);

  emit_faults(false);
  emit_faults(true);
  b_.SetInsertPoint(frame_.end);
  b_.CreateRet(constant32(0));
  frame_.end->moveAfter(&frame_.function->back());
  return frame_.function;
}

void ClauseEmitter::run_only_if(const tree::Expr &expr) {
  llvm::BasicBlock *run = block("run");
  b_.CreateCondBr(condition(expr), run, frame_.end);
  b_.SetInsertPoint(run);
}

/// Only firings of some cgroups are wanted, and this one is of the thread that it interrupts or runs in. BEGIN, END and
/// tick-n are dtrace's own; ERROR's clauses run in a firing that was wanted.
bool ClauseEmitter::is_filtered() const {
  return wants_some_cgroups(compilation_.input.options) && !in_error() && context_.plan->hook.fires_often();
}

void ClauseEmitter::predicate() {
  const tree::Derivation *derivation = this->derivation();
  if (derivation != nullptr && derivation->condition != nullptr) {
    in_derivation_ = true;
    run_only_if(*derivation->condition);
    in_derivation_ = false;
  }
  if (!in_error() && !plan_.records_firing) run_unless_exited();
  if (is_filtered()) {
    llvm::BasicBlock *run = block("inside");
    b_.CreateCondBr(cgroup_test(DT_CGROUP_FILTER), run, frame_.end);
    b_.SetInsertPoint(run);
  }
  if (layout_.clause->predicate != nullptr) run_only_if(*layout_.clause->predicate);
}

// ---------------------------------------------------------------- statements

bool ClauseEmitter::fits_part(const tree::Stmt &stmt) const {
  auto *branch = std::get_if<std::unique_ptr<tree::If>>(&stmt.node);
  return branch == nullptr ||
         nr_statements((*branch)->then_body) + nr_statements((*branch)->else_body) <= kStatementsInPart;
}

void ClauseEmitter::body(const std::vector<tree::Stmt> &stmts) {
  std::optional<Frame> outer;  // while a part is written
  for (const tree::Stmt &stmt : stmts) {
    const bool fits = fits_part(stmt);
    if (outer && (is_full() || !fits)) {
      close_part(std::move(*outer));
      outer.reset();
    }
    // A part is a function, which a loop's jumps do not leave.
    if (part_depth_ == 0 && loop_.end == nullptr && fits && is_full()) outer = open_part();
    b_.SetCurrentDebugLocation(object_.location(stmt.span, frame_.function));
    TemporaryScope scope(*this);
    statement(stmt);
  }
  if (outer) close_part(std::move(*outer));
}

void ClauseEmitter::statement(const tree::Stmt &stmt) {
  if (auto *expr = std::get_if<tree::Evaluate>(&stmt.node)) {
    evaluate(*expr->expr);
  } else if (auto *update = std::get_if<tree::AggUpdate>(&stmt.node)) {
    aggregate(*update);
  } else if (auto *act = std::get_if<tree::Action>(&stmt.node)) {
    action(*act);
  } else if (auto *branch = std::get_if<std::unique_ptr<tree::If>>(&stmt.node)) {
    if_statement(**branch);
  } else if (auto *loop = std::get_if<std::unique_ptr<tree::Loop>>(&stmt.node)) {
    loop_statement(**loop);
  } else if (auto *record = std::get_if<tree::RecordLeaf>(&stmt.node)) {
    record_leaf(*record);
  } else {
    jump_statement(std::get<tree::Jump>(stmt.node));
  }
}

void ClauseEmitter::if_statement(const tree::If &branch) {
  llvm::Value *taken = condition(*branch.condition);
  // The guards of both branches with one store, before them: stores in the branches would become one to an address that
  // depends on the branch, and the verifier follows every path with its own.
  if (const auto guard = layout_.guards.find(&branch); guard != layout_.guards.end()) {
    llvm::Type *pair = object_.integer(2);
    b_.CreateStore(b_.CreateSelect(taken, llvm::ConstantInt::get(pair, 0x0001), llvm::ConstantInt::get(pair, 0x0100)),
                   at(frame_.record, plan_.guard_offset + guard->second));
  }
  llvm::BasicBlock *then_block = block("then"), *else_block = block("else"), *done = block("fi");
  b_.CreateCondBr(taken, then_block, else_block);
  frame_.depth++;
  b_.SetInsertPoint(then_block);
  body(branch.then_body);
  b_.CreateBr(done);
  b_.SetInsertPoint(else_block);
  body(branch.else_body);
  b_.CreateBr(done);
  frame_.depth--;
  b_.SetInsertPoint(done);
}

/// Rounds are counted, because the verifier wants to see that a loop ends: it walks every round.
void ClauseEmitter::loop_statement(const tree::Loop &loop) {
  const auto most = static_cast<uint64_t>(compilation_.input.options.number(Opt::looplimit));
  const auto limit = static_cast<uint32_t>(std::min({most, loop_rounds(loop).value_or(most), uint64_t{UINT32_MAX}}));
  body(loop.start);
  llvm::BasicBlock *before = b_.GetInsertBlock(), *head = block("loop"), *check = block("check"),
                   *round = block("round"), *step = block("step"), *cut = block("cut"), *done = block("done");
  b_.CreateBr(head);
  b_.SetInsertPoint(head);
  llvm::PHINode *nr_rounds = b_.CreatePHI(object_.i32(), 2);
  nr_rounds->addIncoming(constant32(0), before);
  frame_.depth++;
  if (loop.condition != nullptr)
    b_.CreateCondBr(condition(*loop.condition), check, done);
  else
    b_.CreateBr(check);
  b_.SetInsertPoint(check);
  b_.CreateCondBr(b_.CreateICmpULT(nr_rounds, constant32(limit)), round, cut);
  b_.SetInsertPoint(cut);
  drop(Cause::kLoopCut);
  b_.CreateBr(done);
  b_.SetInsertPoint(round);
  const LoopBlocks outer = std::exchange(loop_, {step, done});
  body(loop.body);
  b_.CreateBr(step);
  b_.SetInsertPoint(step);
  body(loop.step);
  loop_ = outer;
  nr_rounds->addIncoming(b_.CreateAdd(nr_rounds, constant32(1)), b_.GetInsertBlock());
  b_.CreateBr(head);
  frame_.depth--;
  b_.SetInsertPoint(done);
}

void ClauseEmitter::jump_statement(const tree::Jump &jump) {
  b_.CreateBr(jump.is_break ? loop_.end : loop_.next);
  b_.SetInsertPoint(block("behind_jump"));
}

void ClauseEmitter::run_unless_exited() {
  // ERROR's clauses run at a fault of any clause but the last.
  const std::vector<ClausePlan> &clauses = compilation_.layout.plan.clauses;
  const std::vector<uint32_t> &all = context_.layout->clauses;
  const auto exits = [&](uint32_t index) { return clauses[index].exits(); };
  const bool is_first = all.empty() || all.front() == clause_;
  const bool may_follow_exit = std::ranges::any_of(compilation_.layout.error_clauses, exits) ||
                               std::any_of(all.begin(), std::ranges::find(all, clause_), exits);
  if (!context_.exit_cell || is_first || !may_follow_exit) return;
  llvm::Value *exited = b_.CreateLoad(object_.i32(), firing_cell(*context_.exit_cell));
  llvm::BasicBlock *run = block("run");
  b_.CreateCondBr(b_.CreateICmpEQ(exited, constant32(0)), run, frame_.end);
  b_.SetInsertPoint(run);
}

}  // namespace dtrace::codegen
