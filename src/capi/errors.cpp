// SPDX-License-Identifier: Apache-2.0
#include "capi/errors.h"

#include <cstring>
#include <iterator>

#include "capi/include/dtrace.h"

namespace dtrace::capi {
namespace {

struct FailureRow {
  int code;
  const char *text;
};
constexpr FailureRow kFailures[] = {
#define FAILURE(name, text) {DTRACE_E_##name, text},
#include "capi/errors.def"
};

constexpr bool each_number_has_its_row() {
  for (size_t i = 0; i < std::size(kFailures); ++i)
    if (kFailures[i].code != DTRACE_E_VERSION + static_cast<int>(i)) return false;
  return std::size(kFailures) == DTRACE_E_NO_SYMBOL - DTRACE_E_VERSION + 1;
}
static_assert(each_number_has_its_row(), "errors.def and <dtrace.h> differ");

}  // namespace

const char *meaning(int code) {
  if (code >= DTRACE_E_VERSION && code <= DTRACE_E_NO_SYMBOL) return kFailures[code - DTRACE_E_VERSION].text;
  const char *const of_system = strerrordesc_np(code);
  return of_system != nullptr ? of_system : "unknown error";
}

}  // namespace dtrace::capi
