// SPDX-License-Identifier: Apache-2.0
// Any bytes are a program to the parser: it ends, does not crash, and leaves a tree that can be walked. The first byte
// of the input chooses how the text came to us.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "frontend/syntax/parser.h"
#include "frontend/syntax/pragma.h"

using namespace dtrace;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  uint8_t flags = data[0];
  Sources sources;
  Diagnostics diags;
  Macros macros;
  macros.arguments = {"script", "-5", "name", "\"a string\\n\"", "0x10u", "99999999999999999999"};
  macros.variables = {{"target", 1234}, {"pid", -1}};
  macros.default_arguments = (flags & 1) != 0;
  macros.allow_unused = (flags & 2) != 0;

  ParseInput input;
  input.command_line = (flags & 4) != 0;
  input.pspec = (flags & 8) != 0;
  input.allow_empty = (flags & 16) != 0;
  input.field = static_cast<ProbeField>(flags >> 5 & 3);
  input.foreign_control_lines = (flags & 128) != 0;
  input.macros = &macros;
  input.oracle.is_type = [](std::string_view name) { return name.size() > 2 && name.substr(name.size() - 2) == "_t"; };
  input.oracle.is_global = [](std::string_view name) { return name == "pid" || name == "not_t"; };
  input.set_option = [&](std::string_view name, std::string_view, bool) {
    macros.default_arguments |= name == "defaultargs";
    return std::string(name == "quiet" ? "" : "Invalid option name");
  };
  std::string text(reinterpret_cast<const char *>(data + 1), size - 1);
  input.source = sources.add("fuzz.d", text, input.command_line ? SourceKind::kString : SourceKind::kScript);

  auto tree = parse(input, sources, diags);
  std::string dumped = ast::dump(*tree, sources);
  for (const Diagnostic &diagnostic : diags.list()) {
    if (diagnostic.span.begin > diagnostic.span.end || diagnostic.span.end > text.size()) std::abort();
    if (render(diagnostic, sources, {true, true}).empty()) std::abort();
  }
  return 0;
}
