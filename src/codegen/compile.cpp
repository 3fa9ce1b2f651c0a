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
#include "codegen/object_entry.h"
#include "codegen/object_key.h"
#include "codegen/planning/layout.h"
#include "codegen/subroutines/subroutines.h"

namespace dtrace::codegen {

namespace {

// The stack that functions need is known only when LLVM has emitted them. If a function needs too much, or a chain of
// calls does, the next division is tried.
constexpr Division kDivisions[] = {{2000, false}, {300, true}, {1, true}};

struct Emitted {
  CodeFacts facts;
  std::vector<char> elf;
  std::string listing;
};

Result<Emitted> emit_with(const CompileInput &input, const Layout &layout, const Division &division, Questions &asked) {
  ObjectBuilder object(input.sources);
  Compilation compilation(input, layout, object, kSubroutines, division, asked);
  for (const ProgramLayout &program : layout.programs) ProgramEmitter(compilation, program).emit();
  emit_own_memory(compilation);
  compilation.finish();

  Emitted emitted;
  Result<std::vector<char>> elf = object.finish(input.listing, emitted.listing);
  if (!elf) return std::move(elf).error();
  emitted.elf = std::move(*elf);
  emitted.facts = std::move(compilation.facts);
  return emitted;
}

CallDepth depth_of(const Emitted &emitted) {
  std::span<const std::byte> linked;
  if (emitted.facts.unwind) linked = unwind_object();  // the larger one
  return call_depth(emitted.elf, linked);
}

Result<Emitted> emit(const CompileInput &input, const Layout &layout, Questions &asked) {
  AskedHost host(input.host, asked);
  const CompileInput noted{input.unit,    input.sources, input.types,   input.options,   host,
                           input.nr_cpus, input.listing, input.machine, input.with_time, input.with_thread,
                           input.in_order};
  Result<Emitted> emitted = Error("");
  for (const Division &division : kDivisions) {
    emitted = emit_with(noted, layout, division, asked);
    const bool out_of_stack =
        emitted ? !depth_of(*emitted).fits() : emitted.error().errno_value() == ObjectBuilder::kOutOfStack;
    if (!out_of_stack) break;
  }
  return emitted;
}

/// What the store has under `key`, if it is still true.
std::optional<ObjectEntry> find_entry(const CompileInput &input, ObjectStore &store, const ObjectKey &key) {
  const std::optional<std::string> bytes = store.find(key);
  if (!bytes) return std::nullopt;
  std::optional<ObjectEntry> entry = decode(*bytes);
  if (!entry || answers(entry->questions, input.host, input.types) != entry->answers) return std::nullopt;
  return entry;
}

CompiledObject object_of(Layout &layout, const CodeFacts &facts, std::vector<char> elf) {
  facts.add_to(layout.plan);
  CompiledObject object;
  object.elf = std::move(elf);
  object.plan = std::move(layout.whole_plan);
  return object;
}

}  // namespace

Result<CompiledObject> compile(const CompileInput &input, const Planned &planned, const StoreUse &use) {
  Result<Layout> layout = make_layout(input);
  if (!layout) return std::move(layout.error());
  // From here on every offset is fixed; emission only fills in code.
  if (planned) planned(layout->plan);

  ObjectKey key{};
  std::optional<ObjectEntry> found;
  if (use.store != nullptr) {
    key = object_key(input, *layout, use.store->identity());
    found = find_entry(input, *use.store, key);
  }
  if (found && !use.check) {
    CompiledObject object = object_of(*layout, found->facts, std::move(found->elf));
    object.was_kept = true;
    return object;
  }

  Questions asked;
  Result<Emitted> emitted = emit(input, *layout, asked);
  if (!emitted) return std::move(emitted).error();
  if (use.store != nullptr) {
    const std::string entry = encode({asked, answers(asked, input.host, input.types), emitted->facts, emitted->elf});
    if (use.check && object_key(input, *layout, use.store->identity()) != key)
      return Error("internal error: code generation changed its input");
    if (found && encode(*found) != entry)
      return Error("internal error: the compiled program in the cache differs from what is compiled now");
    if (!found) use.store->keep(key, entry);
  }
  CompiledObject object = object_of(*layout, emitted->facts, std::move(emitted->elf));
  object.listing = std::move(emitted->listing);
  object.was_kept = found.has_value();
  return object;
}

}  // namespace dtrace::codegen
