// SPDX-License-Identifier: Apache-2.0
// The compiler's table of contents: layout, programs, object.
#include "codegen/compile.h"

#include "codegen/clause/compilation.h"
#include "codegen/clause/program.h"
#include "codegen/llvm/object.h"
#include "codegen/planning/layout.h"
#include "codegen/subroutines/subroutines.h"

namespace dtrace::codegen {

namespace {

// How large a function of a clause may become. Large ones are faster; what a function needs of the stack is known only
// when LLVM has emitted it, so smaller ones are tried if it was too much.
constexpr unsigned kPartInstructions[] = {2000, 300, 1};

Result<CompiledObject> compile_with(const CompileInput &input, Layout &layout, unsigned part_instructions) {
  ObjectBuilder object(input.sources);
  Compilation compilation(input, layout, object, kSubroutines, part_instructions);
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

}  // namespace

Result<CompiledObject> compile(const CompileInput &input, const Planned &planned) {
  Result<Layout> layout = make_layout(input);
  if (!layout) return std::move(layout.error());
  // From here on every offset is fixed; emission only fills in code.
  if (planned) planned(layout->plan);
  Result<CompiledObject> result = Error("");
  for (const unsigned part_instructions : kPartInstructions) {
    layout->plan.uses_scratch = false;  // emission finds out
    result = compile_with(input, *layout, part_instructions);
    if (result || result.error().errno_value() != ObjectBuilder::kOutOfStack) break;
  }
  return result;
}

}  // namespace dtrace::codegen
