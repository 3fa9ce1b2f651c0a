// SPDX-License-Identifier: Apache-2.0
// Names of classes and other types as C++ and Rust programs have them: "std::vector<shop::Item,
// std::allocator<shop::Item> >". One type has several spellings: compilers differ in blanks and in names of integers,
// users leave out arguments that have defaults. The canonical spelling is one: "std::vector<shop::Item>",
// "ns::Box<long>".
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace dtrace {

/// The canonical spelling. Any text has one; what is no type's name is changed as little as it can be.
std::string canonical_type_name(std::string_view name);

/// Splits "a::b<c::d>::e" before its last name: {"a::b<c::d>", "e"}. The first part is empty for a name without "::".
std::pair<std::string_view, std::string_view> split_type_name(std::string_view name);

/// Does a canonical name match a pattern, in which `*` stands for any text without an unmatched bracket?
bool type_name_matches(std::string_view pattern, std::string_view name);

/// Length of the template arguments that `text` begins with, "<...>" and what is said to be inside it ("<int>::node");
/// 0: it does not begin with any.
size_t template_arguments_length(std::string_view text);

}  // namespace dtrace
