// SPDX-License-Identifier: Apache-2.0
// Errors as C programs get them: a number and a message.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace dtrace::capi {

struct Failure {
  int code = 0;      ///< of <errno.h> or DTRACE_E_*
  std::string text;  ///< empty: meaning(code)
};
/// Nothing: it was done.
using Failed = std::optional<Failure>;

inline Failed failed(int code, std::string text = {}) { return Failure{code, std::move(text)}; }

/// What a number means. Static.
const char *meaning(int code);

}  // namespace dtrace::capi
