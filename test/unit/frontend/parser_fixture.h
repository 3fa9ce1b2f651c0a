// SPDX-License-Identifier: Apache-2.0
// A parse of one text with everything around it: sources, diagnostics, macros, and an oracle in which names that end in
// "_t" are types and `pid`, `execname` and `counted_t` are D globals.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/syntax/ast_text.h"
#include "frontend/syntax/parser.h"

namespace dtrace::test {

struct Parse {
  Sources sources;
  Diagnostics diags;
  Macros macros;
  ParseInput input;
  std::vector<std::string> options;  ///< "name" or "name=value", as set
  std::unique_ptr<ast::Ast> tree;

  Parse() {
    macros.arguments = {"script"};
    macros.variables = {{"pid", 77}, {"target", 1234}};
    input.macros = &macros;
    input.oracle.is_type = [](std::string_view name) {
      return name.size() > 2 && name.substr(name.size() - 2) == "_t";
    };
    input.oracle.is_global = [](std::string_view name) {
      return name == "pid" || name == "execname" || name == "counted_t";
    };
    input.set_option = [this](std::string_view name, std::string_view value, bool has_value) {
      if (name == "nosuch") return std::string("Invalid option name");
      if (name == "defaultargs") macros.default_arguments = true;
      if (name == "argref") macros.allow_unused = true;
      options.push_back(std::string(name) + (has_value ? "=" + std::string(value) : ""));
      return std::string();
    };
  }
  Parse(const Parse &) = delete;
  Parse &operator=(const Parse &) = delete;

  Parse &command_line() {
    input.command_line = true;
    return *this;
  }
  Parse &arguments(std::vector<std::string> list) {
    macros.arguments.insert(macros.arguments.end(), list.begin(), list.end());
    return *this;
  }
  Parse &run(std::string_view text) {
    input.source =
        sources.add("test.d", std::string(text), input.command_line ? SourceKind::kString : SourceKind::kScript);
    tree = parse(input, sources, diags);
    return *this;
  }

  /// "D_TAG line:column-end message" per diagnostic, one a line; continuation lines of messages are left out.
  std::string errors() const {
    std::string out;
    for (const Diagnostic &d : diags.list()) {
      Position begin = sources.position(d.span);
      size_t length = d.span.end - d.span.begin;
      out += fmt::format("{} {}:{}+{} {}\n", tag_name(d.tag), begin.line, begin.column, length,
                         d.message.substr(0, d.message.find('\n')));
    }
    return out;
  }
  /// The first diagnostic in that form, empty if there is none.
  std::string error() const {
    std::string all = errors();
    return all.substr(0, all.find('\n'));
  }
  template <typename T>
  const T *external(size_t index) const {
    return index < tree->externals.size() ? std::get_if<T>(&tree->externals[index]) : nullptr;
  }
};

/// The fully parenthesised text of the only statement of `BEGIN { TEXT; }`, or the first error.
inline std::string statement(std::string_view text) {
  Parse p;
  p.macros.allow_unused = true;
  p.run(fmt::format("BEGIN {{ {}; }}", text));
  if (!p.diags.ok()) return p.error();
  const auto *clause = p.external<ast::Clause>(0);
  if (clause == nullptr || clause->body.size() != 1) return "not one statement";
  const auto *value = std::get_if<const ast::Expr *>(&clause->body[0]->node);
  return value != nullptr ? ast::text(**value) : "no expression";
}

/// "specifiers declarator" of the first declarator of the first declaration, or the first error.
inline std::string declaration(std::string_view text) {
  Parse p;
  p.run(text);
  if (!p.diags.ok()) return p.error();
  const auto *node = p.external<ast::Declaration>(0);
  if (node == nullptr) return "no declaration";
  return node->declarators.empty() ? ast::text(node->specs) : ast::text(node->specs, node->declarators[0]);
}

/// "p:m:f:n" of all probes of all clauses, separated by blanks, or the first error.
inline std::string probes(Parse &p, std::string_view text) {
  p.run(text);
  if (!p.diags.ok()) return p.error();
  std::string out;
  for (const ast::External &external : p.tree->externals) {
    const auto *clause = std::get_if<ast::Clause>(&external);
    if (clause == nullptr) continue;
    for (const ast::ProbeSpec &probe : clause->probes) {
      if (!out.empty()) out += ' ';
      out += ast::text(probe);
    }
  }
  return out;
}

}  // namespace dtrace::test
