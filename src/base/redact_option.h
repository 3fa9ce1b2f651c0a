// SPDX-License-Identifier: Apache-2.0
// Option redact: which texts of a recording become digests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dtrace {

struct RedactedKinds {
  bool paths = false;    ///< names of files
  bool args = false;     ///< command lines
  bool strings = false;  ///< every text that a program reads
  bool any() const { return paths || args || strings; }
};

/// Adds the kinds of "paths,args". False: a word is none of them.
inline bool add_redacted_kinds(std::string_view words, RedactedKinds &kinds) {
  while (true) {
    const size_t comma = words.find(',');
    const std::string_view word = words.substr(0, comma);
    if (word == "paths")
      kinds.paths = true;
    else if (word == "args")
      kinds.args = true;
    else if (word == "strings")
      kinds.strings = true;
    else
      return false;
    if (comma == std::string_view::npos) return true;
    words.remove_prefix(comma + 1);
  }
}

/// `settings`: of the option, which have been checked.
inline RedactedKinds redacted_kinds(const std::vector<std::string> &settings) {
  RedactedKinds kinds;
  for (const std::string &words : settings) (void)add_redacted_kinds(words, kinds);
  return kinds;
}

}  // namespace dtrace
