// SPDX-License-Identifier: Apache-2.0
#include "tracer/option_setting.h"

#include <fmt/format.h>

#include <cctype>

#include "frontend/lang/stability.h"
#include "frontend/text/hints.h"

namespace dtrace::tracer {
namespace {

/// After the message: the name that may have been meant, or what the option takes.
std::string note(std::string_view name, OptionError error) {
  if (error == OptionError::kBadValue) return fmt::format("\n  note: {} takes {}", name, option_value_text(name));
  const std::string_view nearest = error == OptionError::kUnknownName ? nearest_option(name) : std::string_view();
  return nearest.empty() ? std::string() : fmt::format("\n  note: did you mean {}?", nearest);
}

Error refusal(std::string_view as_written, std::string_view name, OptionError error) {
  return Error(fmt::format("failed to set {}: {}{}", as_written, text(error), note(name, error)));
}

}  // namespace

Result<Unit> set_option(Options &options, std::string_view as_written, std::string_view name,
                        std::optional<std::string_view> value, OptionSource source) {
  OptionError error = options.set(name, value, source);
  const bool is_amin = error == OptionError::kNone && name == option_name(Opt::amin);
  if (is_amin && !parse_attributes(options.string(Opt::amin))) error = OptionError::kBadValue;
  return error == OptionError::kNone ? ok() : refusal(as_written, name, error);
}

Result<Unit> set_options_from_environment(Options &options, const char *const *environment) {
  if (const auto bad = options.set_from_environment(environment)) {
    std::string variable = "DTRACE_OPT_" + bad->first;
    for (char &c : variable) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return refusal(variable, bad->first, bad->second);
  }
  if (options.is_set(Opt::amin) && !parse_attributes(options.string(Opt::amin)))
    return refusal("DTRACE_OPT_AMIN", option_name(Opt::amin), OptionError::kBadValue);
  for (; *environment != nullptr; ++environment)
    if (std::string_view(*environment).starts_with("DTRACE_DEBUG="))
      (void)options.set(option_name(Opt::debug), std::nullopt, OptionSource::kEnvironment);
  return ok();
}

}  // namespace dtrace::tracer
