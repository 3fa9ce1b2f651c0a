// SPDX-License-Identifier: Apache-2.0
// Translators and inlines: definition and expansion. The typed tree holds only expansions; the bodies are checked anew
// at each use, in the environment of their own parameters.
//
// What a D library defines is checked only when used, so that what does not fit the running kernel harms only its
// users.
#pragma once

#include "frontend/check/check_context.h"

namespace dtrace::check {

/// Environment of a body: its parameters only, none of what surrounds the use.
class ExpansionDepth {
 public:
  ExpansionDepth(Context &cx, const Bindings &bindings)
      : bindings_(cx.bindings, &bindings), depth_(cx.expansion_depth, cx.expansion_depth + 1) {}
  /// Inlines and translators may use one another, but not without end; inlines that use inlines twice grow without
  /// being deep.
  static bool is_too_deep(const Context &cx) {
    constexpr unsigned kMaxExpansions = 128;
    constexpr size_t kMaxNodes = 200'000;
    return cx.expansion_depth >= kMaxExpansions || cx.session.unit.exprs.size() > kMaxNodes;
  }

 private:
  Restore<const Bindings *> bindings_;
  Restore<unsigned> depth_;
};

/// In:     `keys` of an inline array, empty for a scalar.
/// Errors: D_IDENT_BADREF, D_PROTO_*, D_OP_INCOMPAT, D_IDENT_UNDEF (recursion), whatever its body gives.
Operand expand_inline(Context &cx, Inline &def, const std::vector<Operand> &keys, Span span,
                      const std::optional<Attributes> &attributes = std::nullopt);

/// xlate<to>(input), also implied by args[]. `to` is a struct or union or a pointer to one.
/// Errors: D_XLATE_NONE.
Operand translate(Context &cx, const Operand &input, TypeId to, Span span);

/// The translator for a pair, asking D libraries; null if there is none.
const Translator *find_translator(Context &cx, TypeId input, TypeId output);

/// Member `name` of a translated operand: the member's expression, expanded.
/// Errors: D_TYPE_MEMBER, D_XLATE_NOCONV, D_XLATE_INCOMPAT, whatever the expression gives.
Operand translated_member(Context &cx, const Operand &translated, std::string_view name, Span span);

/// Has it parameters?
bool is_inline_array(const Inline &def);

/// Errors: D_DECL_*, D_OP_INCOMPAT.
void define_inline(Context &cx, const ast::InlineDef &def);
/// Errors: D_XLATE_REDECL, D_XLATE_SOU, D_XLATE_MEMB, D_XLATE_INCOMPAT.
void define_translator(Context &cx, const ast::TranslatorDef &def);

}  // namespace dtrace::check
