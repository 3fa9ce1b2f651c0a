// SPDX-License-Identifier: Apache-2.0
// Glob matching of probe description fields: `*`, `?`, `[abc]`, `[a-z]`, `[!abc]`, `\c`. No brace lists, no regexes.
#pragma once

#include <string_view>

namespace dtrace {

/// Does `pattern` match all of `text`? Case sensitive, bytes. An empty pattern matches only an empty text: see
/// field_match(). A `[` without its `]` stands for itself. Cost: at most pattern length x text length; no recursion, no
/// allocation.
bool glob_match(std::string_view pattern, std::string_view text);

/// Does the field hold a glob character, so that it may match more than one text?
bool is_glob(std::string_view pattern);

/// One field of a probe description against one of a probe: empty matches anything.
inline bool field_match(std::string_view field, std::string_view text) {
  return field.empty() || field == "*" || (is_glob(field) ? glob_match(field, text) : field == text);
}

}  // namespace dtrace
