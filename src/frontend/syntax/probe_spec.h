// SPDX-License-Identifier: Apache-2.0
// One probe description: text -> four fields. Which field the last component fills depends on the command's flag.
#pragma once

#include <optional>
#include <string_view>

#include "frontend/syntax/ast.h"
#include "frontend/syntax/macro.h"
#include "frontend/syntax/parser.h"
#include "frontend/text/diag.h"

namespace dtrace {

/// In:      `text` as written, macros not yet substituted; `last_field` is the one that the last component fills.
/// Out:     the description; nullopt after an error.
/// Errors:  D_PDESC_INVAL.
/// Source:  the Dynamic Tracing Guide, "D Program Structure".
std::optional<ast::ProbeSpec> parse_probe_spec(std::string_view text, Span span, ProbeField last_field,
                                               MacroExpander &macros, Diagnostics &diags);

/// The same for a probe id, given as the text of an integer token.
std::optional<ast::ProbeSpec> parse_probe_id(std::string_view text, Span span, ProbeField last_field,
                                             Diagnostics &diags);

}  // namespace dtrace
