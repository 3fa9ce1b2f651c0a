// SPDX-License-Identifier: Apache-2.0
// Names that others chose (of functions, files, processes), safe to show on a terminal.
//
// A terminal obeys control bytes: a function's name may change the window's title, or overwrite the line above.
// Characters that are not seen, or that turn the direction of text (U+202E), make a name look like another one. So such
// a name is made printable where it enters, and it is looked up, listed and printed in that form.
#pragma once

#include <string>
#include <string_view>

namespace dtrace {

/// Has `text` no control character (C0, DEL, C1), no character that is not seen or moves others, and nothing but valid
/// UTF-8?
bool is_printable(std::string_view text);

/// Appends `text`; each byte that is_printable() minds becomes `\ooo`, of three octal digits.
void append_printable(std::string &out, std::string_view text);
std::string printable(std::string_view text);

}  // namespace dtrace
