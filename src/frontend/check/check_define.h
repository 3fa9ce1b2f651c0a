// SPDX-License-Identifier: Apache-2.0
// Declarations at file scope: variables, typedefs, tags, extern symbols (check_define.cpp), provider definitions
// (check_provider.cpp), pragmas (check_pragma.cpp).
#pragma once

#include "frontend/check/check_context.h"

namespace dtrace::check {

/// Errors: D_DECL_*.
void define(Context &cx, const ast::Declaration &declaration);

/// Errors: D_PROV_*, D_DECL_PROTO_*.
void define_provider(Context &cx, const ast::ProviderDef &def);

/// `#pragma D attributes` or `binding` for a name that may be defined later in the text.
struct NamePragma {
  const ast::Pragma *pragma = nullptr;
  std::string name;
  std::optional<Attributes> attributes;
  bool hides = false;  ///< bound to a version later than -xversion
};

enum class PragmaOutcome : uint8_t {
  kDone,
  kSkipText,  ///< a library whose dependency is not met
};

/// Acts on a pragma, or leaves it in `waiting`.
/// Errors: D_PRAGMA_INVAL, D_PRAGMA_MALFORM, D_PRAGMA_SCOPE, D_PRAGMA_DEPEND.
PragmaOutcome check_pragma(Context &cx, const ast::Pragma &pragma, std::vector<NamePragma> &waiting);
/// Applies those whose names are defined by now; to be called after every definition.
void apply_waiting(Context &cx, std::vector<NamePragma> &waiting);
/// Errors: D_PRAGMA_UNUSED.
void report_unused(Context &cx, const std::vector<NamePragma> &waiting);

}  // namespace dtrace::check
