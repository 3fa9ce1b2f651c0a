// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/page.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kStyle =
#include "runtime/output/page_style.inc"
    ;
constexpr std::string_view kScript =
#include "runtime/output/page_script.inc"
    ;

/// Moves what is before a mark from `page` to `out`, and drops the mark.
void take_until(std::string_view mark, std::string_view &page, std::string &out) {
  const size_t at = page.find(mark);
  out += page.substr(0, at);
  page.remove_prefix(at + mark.size());
}

}  // namespace

std::string page_of(std::string_view page, std::string_view json) {
  std::string text;
  take_until("@STYLE@", page, text);
  text += kStyle;
  take_until("@DATA@", page, text);
  // JSON has the character in strings only, and may spell it so.
  for (const char c : json) c == '<' ? text.append("\\u003c") : text.append(1, c);
  take_until("@SCRIPT@", page, text);
  text += kScript;
  return text.append(page);
}

std::string data_of(std::string_view page) {
  constexpr std::string_view kBegin = "id=\"run\">";
  const size_t begin = page.find(kBegin) + kBegin.size();
  return std::string(page.substr(begin, page.find('<', begin) - begin));
}

}  // namespace dtrace::runtime
