// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/colour.h"

#include <cstdlib>

namespace dtrace::runtime {

bool shows_colour(std::string_view option, bool is_terminal, const char *no_color, const char *term) {
  if (option == "always") return true;
  if (option == "never" || !is_terminal) return false;
  if (no_color != nullptr && *no_color != '\0') return false;
  return term != nullptr && *term != '\0' && std::string_view(term) != "dumb";
}

bool shows_colour(std::string_view option, bool is_terminal) {
  return shows_colour(option, is_terminal, std::getenv("NO_COLOR"), std::getenv("TERM"));
}

}  // namespace dtrace::runtime
