// SPDX-License-Identifier: Apache-2.0
// Programs of many clauses. A few are inlined into the program's entry, so that what a firing knows stays in registers;
// hundreds would make a function whose compilation takes seconds.
#include "codegen/clause/program.h"

namespace dtrace::codegen {
namespace {

constexpr size_t kMaxInlined = 4000;  // LLVM instructions of inlined clauses that the entry takes
constexpr size_t kGroupInstructions = 1000;

bool is_inlined(const llvm::Function *clause) { return clause->hasFnAttribute(llvm::Attribute::AlwaysInline); }

}  // namespace

std::vector<ClauseRun> ProgramEmitter::make_runs(const std::vector<llvm::Function *> &clauses) {
  std::vector<size_t> sizes;
  size_t inlined = 0;
  for (llvm::Function *clause : clauses) {
    sizes.push_back(clause->getInstructionCount());
    if (is_inlined(clause)) inlined += sizes.back();
  }
  if (inlined <= kMaxInlined) return {{0, clauses.size(), nullptr}};

  // Large clauses are functions already; one that walks the stack must find the entry right below it.
  auto groups = [&](size_t i) { return is_inlined(clauses[i]) && !walks_stack_[i]; };
  std::vector<ClauseRun> runs;
  for (size_t first = 0; first < clauses.size();) {
    size_t end = first + 1;
    if (!groups(first)) {
      runs.push_back({first, end, nullptr});
    } else {
      for (size_t size = sizes[first]; end < clauses.size() && groups(end) && size < kGroupInstructions; end++)
        size += sizes[end];
      runs.push_back({first, end, emit_group(clauses, first, end)});
    }
    first = end;
  }
  return runs;
}

llvm::Function *ProgramEmitter::emit_group(const std::vector<llvm::Function *> &clauses, size_t first, size_t end) {
  llvm::Type *parameters[] = {object_.pointer(), object_.pointer(), object_.i32()};
  llvm::Function *group = object_.function("g" + std::to_string(first) + "_" + context_.plan->function,
                                           object_.void_type(), parameters, "", span());
  group->addFnAttr(llvm::Attribute::NoInline);
  Builder b(llvm::BasicBlock::Create(object_.context(), "entry", group));
  b.SetCurrentDebugLocation(object_.location(span(), group));
  call_clauses(b, group, group->getArg(0), group->getArg(1), group->getArg(2), clauses, first, end);
  b.CreateRetVoid();
  return group;
}

}  // namespace dtrace::codegen
