// SPDX-License-Identifier: Apache-2.0
#include "frontend/check/declare.h"

#include <memory>
#include <utility>

#include "base/options.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parser.h"

namespace dtrace {
namespace {

/// A list of declarations asks for no probe and no symbol.
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

bool declare_types(std::string text, TypeTable &types) {
  tree::Unit unit;
  Checker checker(unit);
  Options options;
  NoProbes probes;
  NoSymbols symbols;
  Macros macros;
  macros.allow_unused = true;
  Sources sources;
  Diagnostics diags;
  ParseInput input;
  input.source = sources.add("declarations", std::move(text), SourceKind::kLibrary);
  input.macros = &macros;
  input.oracle.is_type = [&](std::string_view name) { return types.is_type_name(name) || types.load_type(name); };
  input.oracle.is_global = [](std::string_view) { return false; };
  input.set_option = [](std::string_view, std::string_view, bool) { return std::string(); };
  const std::unique_ptr<ast::Ast> ast = parse(input, sources, diags);
  if (ast == nullptr) return false;
  checker.check({*ast, sources, types, probes, symbols, options, true}, diags);
  return true;
}

}  // namespace dtrace
