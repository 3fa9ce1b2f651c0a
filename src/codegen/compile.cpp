// SPDX-License-Identifier: Apache-2.0
// The compiler's table of contents: layout, programs, object.
#include "codegen/compile.h"

#include <span>
#include <utility>

#include "bpf/library.h"
#include "codegen/call_depth.h"
#include "codegen/clause/compilation.h"
#include "codegen/clause/program.h"
#include "codegen/llvm/object.h"
#include "codegen/planning/layout.h"
#include "codegen/subroutines/subroutines.h"

namespace dtrace::codegen {

namespace {

// What functions need of the stack is known only when LLVM has emitted them. If it was too much for one, or for those
// that call each other, the next is tried.
constexpr Division kDivisions[] = {{2000, false}, {300, true}, {1, true}};

Result<CompiledObject> compile_with(const CompileInput &input, Layout &layout, const Division &division) {
  ObjectBuilder object(input.sources);
  Compilation compilation(input, layout, object, kSubroutines, division);
  for (const ProgramLayout &program : layout.programs) ProgramEmitter(compilation, program).emit();
  emit_own_memory(compilation);
  compilation.finish();

  CompiledObject result;
  Result<std::vector<char>> elf = object.finish(input.listing, result.listing);
  if (!elf) return std::move(elf).error();
  result.elf = std::move(*elf);
  result.plan = std::move(layout.whole_plan);
  return result;
}

CallDepth depth_of(const CompiledObject &object) {
  std::span<const std::byte> linked;
  if (object.plan->unwind) linked = unwind_object();  // the larger one
  return call_depth(object.elf, linked);
}

}  // namespace

Result<CompiledObject> compile(const CompileInput &input, const Planned &planned) {
  Result<Layout> layout = make_layout(input);
  if (!layout) return std::move(layout.error());
  // From here on every offset is fixed; emission only fills in code.
  if (planned) planned(layout->plan);
  Result<CompiledObject> result = Error("");
  for (const Division &division : kDivisions) {
    if (result) layout->whole_plan = std::move(result->plan);
    layout->plan.uses_scratch = false;  // emission finds out
    result = compile_with(input, *layout, division);
    const bool out_of_stack =
        result ? !depth_of(*result).fits() : result.error().errno_value() == ObjectBuilder::kOutOfStack;
    if (!out_of_stack) break;
  }
  return result;
}

}  // namespace dtrace::codegen
