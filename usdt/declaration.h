// SPDX-License-Identifier: Apache-2.0
// C declarations as token lists: taken apart only as far as a probe's parameter needs, into the type's text and the
// name. No type is looked up, so any name may be a type.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "usdt/definition_lexer.h"
#include "usdt/provider.h"

namespace dtrace::usdt {

/// In:      the tokens of one parameter, without the comma.
/// Out:     its type, spelled as Argument::type says, and its name.
///          Nothing: this is no parameter; `wrong` is then the token that cannot be there.
std::optional<Argument> read_parameter(std::span<const Token> tokens, const Token *&wrong);

/// The tokens with blanks where a reader wants them: `struct foo { int a ; }` is "struct foo { int a; }".
/// Attributes and `__extension__` are left out.
std::string declaration_text(std::span<const Token> tokens);

/// What a declaration outside a provider defines: `struct`, `union`, `enum` and typedef names.
struct Definition {
  std::vector<std::string> names;  ///< "foo_t", "struct foo"
  std::vector<std::string> uses;   ///< names in it that others may define, in the same form
  std::string text;                ///< ends in `;`
};

/// Nothing: not a definition of a type (a function, a variable, a forward declaration), or a dummy: a structure or
/// union with fewer than two members, as files define them whose real types D cannot know.
std::optional<Definition> read_type_definition(std::span<const Token> tokens);

/// Names in a type's text that a definition could define, in the form of Definition::names.
std::vector<std::string> names_used(std::string_view type);

}  // namespace dtrace::usdt
