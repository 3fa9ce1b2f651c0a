// SPDX-License-Identifier: Apache-2.0
// Options as users set them: a refusal says what was wrong with it, and what may have been meant.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/options.h"
#include "base/result.h"

namespace dtrace::tracer {

/// Sets option `name`. `as_written` is what the message says: "-x bufsize". Errors: "failed to set -x bufsize:
/// Invalid value for specified option", and a note on a second line.
Result<Unit> set_option(Options &options, std::string_view as_written, std::string_view name,
                        std::optional<std::string_view> value, OptionSource source);
/// Those of the environment, DTRACE_OPT_*, and what DTRACE_DEBUG stands for.
Result<Unit> set_options_from_environment(Options &options, const char *const *environment);

/// An option as one number: 1 of what is on, the position of a word among those that an Enum takes. Nothing: it is off,
/// or not set and without a default. Errors: there is no such option, or it is text.
Result<std::optional<int64_t>> option_number(const Options &options, std::string_view name);

}  // namespace dtrace::tracer
