// SPDX-License-Identifier: Apache-2.0
// Members that translators give to classes of user programs: args[0]->size of a std::vector, whose own members only the
// C++ library knows. A class translator names classes by patterns, and its parameter is the object:
//
//   translator < "std::basic_string_view<char>" S > { size = S._M_len; text = copyinstr(S._M_str, S._M_len); };
//
// A class's own members come first. If several translators have the class, as those of several versions of a library
// do, a member is the first one's whose definition fits the class.
#pragma once

#include <optional>
#include <string_view>

#include "frontend/check/check_context.h"

namespace dtrace::check {

/// A translator's member of an object, or of one of its base classes. Nothing: there is no such member.
/// Errors: those of the last definition, if none fits the class.
std::optional<Operand> class_member(Context &cx, const Operand &object, std::string_view name, Span span);

/// The text of an object, or of the object that a pointer leads to: its member `text`. Nothing: the operand is neither,
/// or its class has no text.
std::optional<Operand> class_text(Context &cx, const Operand &operand, Span span);

/// Names of a class's members by translators, for messages.
void collect_class_members(Context &cx, TypeId type, std::vector<std::string_view> &names);

/// Errors: D_XLATE_REDECL for a member that it defines twice. The definitions are checked where they are used.
void define_class_translator(Context &cx, const ast::TranslatorDef &def);

}  // namespace dtrace::check
