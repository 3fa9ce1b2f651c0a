// SPDX-License-Identifier: Apache-2.0
// The compiler's table of contents: layout, programs, object.
#include "codegen/compile.h"

#include <iterator>

#include "codegen/clause/compilation.h"
#include "codegen/clause/program.h"
#include "codegen/llvm/object.h"
#include "codegen/planning/layout.h"

namespace dtrace {

namespace {

// How large a function of a clause may become. Large ones are faster; what a function needs of the stack is known only
// when LLVM has emitted it, so smaller ones are tried if it was too much.
constexpr unsigned kPartInstructions[] = {2000, 300, 1};

Result<CompiledObject> compile_with(const CompileInput &input, unsigned part_instructions, bool &out_of_stack) {
  Layout layout = make_layout(input);
  if (!layout.error.empty()) return Error(layout.error);
  // From here on every offset is fixed; emission only fills in code.

  ObjectBuilder object(input.sources);
  Compilation compilation(input, layout, object, part_instructions);
  for (const ProgramLayout &program : layout.programs) ProgramEmitter(compilation, program).emit();
  compilation.finish();

  CompiledObject result;
  Result<std::vector<char>> elf = object.finish(input.listing, result.listing);
  out_of_stack = object.out_of_stack();
  if (!elf) return std::move(elf).error();
  result.elf = std::move(*elf);
  result.plan = std::move(layout.plan);
  return result;
}

}  // namespace

Result<CompiledObject> compile(const CompileInput &input) {
  for (unsigned part_instructions : kPartInstructions) {
    bool out_of_stack = false;
    Result<CompiledObject> result = compile_with(input, part_instructions, out_of_stack);
    if (!out_of_stack || part_instructions == kPartInstructions[std::size(kPartInstructions) - 1]) return result;
  }
  __builtin_unreachable();
}

}  // namespace dtrace
