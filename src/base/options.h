// SPDX-License-Identifier: Apache-2.0
// The options of -x, pragmas, setopt() and DTRACE_OPT_*: one table (options.def), one store. The last setting wins.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace dtrace {

enum class Opt : uint8_t {
#define OPTION(name, class_, when, in_program, default_) name,
#include "base/options.def"
  kCount,
};

/// What sets an option: this decides whether it may be set.
enum class OptionSource : uint8_t { kCommandLine, kEnvironment, kProgram, kSetopt };

/// What a setting attempt came to; text() gives DTrace's wording ("Invalid option name", ...).
enum class OptionError : uint8_t {
  kNone,
  kUnknownName,
  kBadValue,
  kStringTooLong,
  kNotInProgram,
  kTracingActive,
  kUnknownVersion
};
std::string_view text(OptionError error);

class Options {
 public:
  Options();

  /// Sets option `name`; `value` absent for a bare name. A value is read by the class of its row in options.def.
  OptionError set(std::string_view name, std::optional<std::string_view> value, OptionSource source);
  /// DTRACE_OPT_NAME=value entries of an environment block; returns the first bad entry's name and error.
  std::optional<std::pair<std::string, OptionError>> set_from_environment(const char *const *environment);

  bool flag(Opt opt) const;       ///< Flag and Bool options
  int64_t number(Opt opt) const;  ///< Bool, Scalar, Size (bytes), Time and Duration (ns); unset: the default or 0
  const std::string &string(Opt opt) const;  ///< Enum and String options
  const std::vector<std::string> &list(Opt opt) const;
  /// Settings of all options that repeat, in the order in which they were made: -D, -U and -I depend on each other.
  const std::vector<std::pair<Opt, std::string>> &in_order() const { return in_order_; }
  /// Every setting but those of `except`: equal texts are equal options.
  std::string text_of_all(std::initializer_list<Opt> except) const;
  bool is_set(Opt opt) const;               ///< explicitly set by somebody
  void unset(Opt opt);                      ///< of options that count only when set
  void set_number(Opt opt, int64_t value);  ///< for reductions ("lowered to")
  /// From here on Compile and Runtime options are refused to setopt().
  void freeze() { active_ = true; }

 private:
  struct Value {
    bool set = false;
    int64_t number = 0;
    std::string string;
    std::vector<std::string> list;
  };
  std::array<Value, static_cast<size_t>(Opt::kCount)> values_;
  std::vector<std::pair<Opt, std::string>> in_order_;
  bool active_ = false;
};

std::string_view option_name(Opt opt);

/// What option `name` takes, in words ("a size, as in 4m"); empty for a name that is none.
std::string option_value_text(std::string_view name);

/// "4m" -> 4194304; "10hz" -> 100000000 (ns); used for option values and profile-n rates alike.
std::optional<int64_t> parse_size(std::string_view text);
std::optional<int64_t> parse_time(std::string_view text);

}  // namespace dtrace
