// SPDX-License-Identifier: Apache-2.0
// Suggestions for unknown names: one that differs in a letter or two, or D's word for another tracer's. Shown as a note
// after the message.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dtrace {

/// D's for a variable or function of other tracers ("comm": "execname"); empty if the word is none of theirs.
std::string_view hint_for_word(std::string_view word);

/// What D has for a statement of other languages ("for"), as a sentence; empty if the word begins none.
std::string_view hint_for_statement(std::string_view word);

/// What to write where the token `at` is one too many behind `before`, the last word or character; empty: it is not
/// known.
std::string_view hint_for_syntax(std::string_view before, std::string_view at);

/// Where Linux has what a provider of another system has: "vfs". Empty: there is none of that name.
std::string_view hint_for_provider(std::string_view provider);

/// The same as hint_for_word() for a probe description of theirs ("tracepoint:sched:sched_switch":
/// "sdt:sched::sched_switch"), `text` as it was written.
std::string hint_for_probe(std::string_view text);

/// The one of `names` that is written most like `name`: that in other letter cases, else the only one that differs in a
/// letter or two. Empty if there is none.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> names);

/// The option whose name is most like `name`; empty if `name` is one itself.
std::string_view nearest_option(std::string_view name);

}  // namespace dtrace
