// SPDX-License-Identifier: Apache-2.0
// The compiler's table of contents: layout, programs, object.
#include "codegen/compile.h"

#include "codegen/compilation.h"
#include "codegen/layout.h"
#include "codegen/object.h"
#include "codegen/program.h"

namespace dtrace {

Result<CompiledObject> compile(const CompileInput &input) {
  Layout layout = make_layout(input);
  if (!layout.error.empty()) return Error(layout.error);
  // From here on every offset is fixed; emission only fills in code.

  ObjectBuilder object(input.sources);
  Compilation compilation(input, layout, object);
  for (const ProgramLayout &program : layout.programs) ProgramEmitter(compilation, program).emit();
  compilation.finish();

  CompiledObject result;
  Result<std::vector<char>> elf = object.finish(input.want_listing ? &result.listing : nullptr);
  if (!elf) return std::move(elf).error();
  result.elf = std::move(*elf);
  result.plan = std::move(layout.plan);
  return result;
}

}  // namespace dtrace
