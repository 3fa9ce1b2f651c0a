// SPDX-License-Identifier: Apache-2.0
// The declarations are a D library of their own: with C's types and D's, and none of the kernel's or of other
// libraries, which have names in common with the program's.
#include "runtime/usdt/note_layout.h"

#include "base/options.h"
#include "frontend/check.h"
#include "frontend/parser.h"

namespace dtrace {
namespace {

/// A library of declarations asks for no probe and no symbol.
class NoProbes final : public ProbeCatalog {
 public:
  Result<std::vector<ProbeId>> match(const ProbeDesc &) override { return std::vector<ProbeId>{}; }
  std::optional<ProbeId> by_number(uint64_t) override { return std::nullopt; }
  const Probe &probe(ProbeId) override { return none_; }
  Result<std::vector<ProbeArg>> args(ProbeId, TypeTable &) override { return std::vector<ProbeArg>{}; }
  ProviderAttributes attributes(std::string_view) override { return {}; }

 private:
  Probe none_;
};

class NoSymbols final : public SymbolSource {
 public:
  std::variant<Found, Failure> find(std::string_view, std::string_view, TypeTable &) override {
    return Failure::kUnknownSymbol;
  }
};

}  // namespace

std::optional<StructLayout> note_layout(std::span<const std::string> definitions, std::string_view type,
                                        bool is_64bit) {
  if (definitions.empty()) return std::nullopt;
  TypeTable types;
  tree::Unit unit;
  Checker checker(unit);
  Options options;
  NoProbes probes;
  NoSymbols symbols;
  Macros macros;
  macros.allow_unused = true;
  std::string text;
  for (const std::string &definition : definitions) text += definition + '\n';
  Sources sources;
  Diagnostics diags;
  ParseInput input;
  input.source = sources.add("note", std::move(text), SourceKind::kLibrary);
  input.macros = &macros;
  input.oracle.is_type = [&](std::string_view name) { return types.is_type_name(name); };
  input.oracle.is_global = [](std::string_view) { return false; };
  input.set_option = [](std::string_view, std::string_view, bool) { return std::string(); };
  const std::unique_ptr<ast::Ast> ast = parse(input, sources, diags);
  if (ast == nullptr) return std::nullopt;
  checker.check({*ast, sources, types, probes, symbols, options, true}, diags);

  TagKind kind = TagKind::kOrdinary;
  if (type.starts_with("struct ")) kind = TagKind::kStruct;
  if (type.starts_with("union ")) kind = TagKind::kUnion;
  if (kind != TagKind::kOrdinary) type.remove_prefix(type.find(' ') + 1);
  const std::optional<TypeId> found = types.find(kind, type);
  if (!found) return std::nullopt;
  return is_64bit ? layout_of(types, *found) : layout_of_i386(types, *found);
}

}  // namespace dtrace
