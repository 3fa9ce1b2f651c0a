// SPDX-License-Identifier: Apache-2.0
#include "tracer/option_setting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "base/printable.h"
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

/// How the value of an option is a number.
struct NumberRow {
  std::string_view name;
  Opt option;
  enum class As : uint8_t { kSwitch, kNumber, kWord, kNone } as;
  std::string_view words;
  std::string_view default_text;
};
struct AsClass {
  NumberRow::As as;
  std::string_view words;
};
// One per class name of options.def: the rows paste `as` before it.
constexpr AsClass asFlag{NumberRow::As::kSwitch, {}}, asBool{NumberRow::As::kSwitch, {}},
    asScalar{NumberRow::As::kNumber, {}}, asSize{NumberRow::As::kNumber, {}}, asTime{NumberRow::As::kNumber, {}},
    asDuration{NumberRow::As::kNumber, {}}, asOptional{NumberRow::As::kNone, {}}, asString{NumberRow::As::kNone, {}},
    asStringList{NumberRow::As::kNone, {}};
constexpr AsClass asEnum(std::string_view words) { return {NumberRow::As::kWord, words}; }
constexpr NumberRow kNumbers[] = {
#define OPTION(name, class_, when, in_program, default_) \
  {#name, Opt::name, (as##class_).as, (as##class_).words, default_},
#include "base/options.def"
};

/// Position of a word of "a|b".
std::optional<int64_t> position(std::string_view words, std::string_view word) {
  for (int64_t at = 0;; ++at) {
    const size_t end = words.find('|');
    if (words.substr(0, end) == word) return at;
    if (end == std::string_view::npos) return std::nullopt;
    words.remove_prefix(end + 1);
  }
}

}  // namespace

Result<std::optional<int64_t>> option_number(const Options &options, std::string_view name) {
  const auto *const found = std::ranges::find(kNumbers, name, &NumberRow::name);
  if (found == std::end(kNumbers)) return Error(fmt::format("{}: {}", name, text(OptionError::kUnknownName)));
  std::optional<int64_t> number;
  switch (found->as) {
    case NumberRow::As::kSwitch:
      if (options.flag(found->option)) number = 1;
      break;
    case NumberRow::As::kNumber:
      if (options.is_set(found->option) || !found->default_text.empty()) number = options.number(found->option);
      break;
    case NumberRow::As::kWord:
      number = position(found->words, options.string(found->option));
      break;
    case NumberRow::As::kNone:
      return Error(fmt::format("{}: the value is not a number", name));
  }
  return number;
}

Result<Unit> set_option(Options &options, std::string_view as_written, std::string_view name,
                        std::optional<std::string_view> value, OptionSource source) {
  OptionError error = options.set(name, value, source);
  const bool is_amin = error == OptionError::kNone && name == option_name(Opt::amin);
  if (is_amin && !parse_attributes(options.string(Opt::amin))) error = OptionError::kBadValue;
  if (error != OptionError::kNone) return refusal(as_written, name, error);
  // Kubernetes has pods of one name in several namespaces.
  if (name == option_name(Opt::pod) && value && value->find('/') == std::string_view::npos)
    return Error(fmt::format("failed to set {}: {}\n  note: write the namespace before the name: default/{}",
                             as_written, text(OptionError::kBadValue), printable(*value)));
  return ok();
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
