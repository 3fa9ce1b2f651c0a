// SPDX-License-Identifier: Apache-2.0
// Values of options: text to number by the row's class. Note that a Bool given any integer, 0 too, is set: DTrace does
// so, and only the words (no, off, disable, ...) unset it.
#include "base/options.h"

#include <algorithm>
#include <cctype>
#include <limits>

#include "base/redact_option.h"

namespace dtrace {
namespace {

enum class Class : uint8_t { kFlag, kBool, kScalar, kSize, kTime, kDuration, kEnum, kOptional, kString, kStringList };
enum class When : uint8_t { kCompile, kRuntime, kDynamic, kAccepted };

struct ClassSpec {
  Class kind;
  std::string_view words;  ///< kEnum: "a|b"
};

// One per class name of options.def: the rows paste `k` before it.
constexpr ClassSpec kFlag{Class::kFlag, {}};
constexpr ClassSpec kBool{Class::kBool, {}};
constexpr ClassSpec kScalar{Class::kScalar, {}};
constexpr ClassSpec kSize{Class::kSize, {}};
constexpr ClassSpec kTime{Class::kTime, {}};
constexpr ClassSpec kDuration{Class::kDuration, {}};
constexpr ClassSpec kOptional{Class::kOptional, {}};
constexpr ClassSpec kString{Class::kString, {}};
constexpr ClassSpec kStringList{Class::kStringList, {}};
constexpr ClassSpec kEnum(std::string_view words) { return {Class::kEnum, words}; }

struct Row {
  std::string_view name;
  ClassSpec spec;
  When when;
  bool in_program;
  std::string_view default_text;
};

constexpr Row kRows[] = {
#define OPTION(name, class_, when, in_program, default_) {#name, k##class_, When::k##when, in_program, default_},
#include "base/options.def"
};
static_assert(std::size(kRows) == static_cast<size_t>(Opt::kCount));

constexpr size_t index(Opt opt) { return static_cast<size_t>(opt); }

const Row *find_row(std::string_view name) {
  const Row *found = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row &r) { return r.name == name; });
  return found == std::end(kRows) ? nullptr : found;
}

/// One per class, in their order; kEnum has words of its own.
constexpr std::string_view kValueTexts[] = {
    "no value, or yes or no",
    "yes or no",
    "a number",
    "a size, as in 64k or 4m",
    "a time or a rate, as in 10ms or 100hz",
    "a time, as in 10s or 5m",
    "",
    "a value or none",
    "a value",
    "a value",
};
static_assert(std::size(kValueTexts) == static_cast<size_t>(Class::kStringList) + 1);

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

/// The digits at the start of `text` as C would read them (0x, 0, decimal); `rest` is what follows.
std::optional<uint64_t> leading_integer(std::string_view text, std::string_view &rest) {
  unsigned base = 10;
  size_t i = 0;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && std::isxdigit(uint8_t(text[2]))) {
    base = 16;
    i = 2;
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  const size_t first = i;
  uint64_t value = 0;
  for (; i < text.size() && std::isxdigit(static_cast<uint8_t>(text[i])); ++i) {
    const unsigned c = std::tolower(static_cast<uint8_t>(text[i]));
    const unsigned digit = c <= '9' ? c - '0' : c - 'a' + 10;
    if (digit >= base) break;
    if (__builtin_mul_overflow(value, uint64_t{base}, &value) || __builtin_add_overflow(value, uint64_t{digit}, &value))
      return std::nullopt;
  }
  if (i == first) return std::nullopt;
  rest = text.substr(i);
  return value;
}

std::optional<int64_t> as_signed(uint64_t value) {
  if (value > uint64_t(std::numeric_limits<int64_t>::max())) return std::nullopt;
  return static_cast<int64_t>(value);
}

std::optional<int64_t> parse_count(std::string_view text) {
  std::string_view rest;
  std::optional<uint64_t> value = leading_integer(text, rest);
  if (!value || !rest.empty()) return std::nullopt;
  return as_signed(*value);
}

constexpr std::string_view kYes[] = {"yes", "enable", "enabled", "true", "on", "set"};
constexpr std::string_view kNo[] = {"no", "disable", "disabled", "false", "off", "unset"};

template <size_t N>
bool one_of(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool is_word_of(std::string_view words, std::string_view word) {
  while (true) {
    const size_t bar = words.find('|');
    if (words.substr(0, bar) == word) return !word.empty();
    if (bar == std::string_view::npos) return false;
    words.remove_prefix(bar + 1);
  }
}

struct TimeUnit {
  std::string_view name;
  int64_t ns;
};
constexpr int64_t kSecond = 1'000'000'000;
constexpr TimeUnit kTimeUnits[] = {
    {"", 1},
    {"ns", 1},
    {"nsec", 1},
    {"us", 1000},
    {"usec", 1000},
    {"ms", 1'000'000},
    {"msec", 1'000'000},
    {"s", kSecond},
    {"sec", kSecond},
    {"m", 60 * kSecond},
    {"min", 60 * kSecond},
    {"h", 3600 * kSecond},
    {"hour", 3600 * kSecond},
    {"d", 86400 * kSecond},
    {"day", 86400 * kSecond},
};

/// Versions of D that programs may ask for: those of the reference (1.0 to 1.13) and of its successor on Linux (2.0).
OptionError check_version(std::string_view text) {
  unsigned parts[3] = {0, 0, 0};
  size_t count = 0;
  for (; count < 3; count++) {
    std::string_view rest;
    const std::optional<uint64_t> part = leading_integer(text, rest);
    if (!part || *part > 0xfff) return OptionError::kBadValue;
    parts[count] = static_cast<unsigned>(*part);
    if (rest.empty()) break;
    if (rest[0] != '.') return OptionError::kBadValue;
    text = rest.substr(1);
  }
  if (count == 0 || count == 3) return OptionError::kBadValue;
  const bool known = (parts[0] == 1 && parts[1] <= 13) || (parts[0] == 2 && parts[1] == 0);
  return known ? OptionError::kNone : OptionError::kUnknownVersion;
}

OptionError check_assignment(std::string_view text) {
  const size_t equals = text.find('=');
  return equals == std::string_view::npos || equals == 0 ? OptionError::kBadValue : OptionError::kNone;
}

OptionError check_variable(std::string_view text) {
  return text.empty() || text.find('=') != std::string_view::npos ? OptionError::kBadValue : OptionError::kNone;
}

OptionError check_redacted(std::string_view text) {
  RedactedKinds kinds;
  return add_redacted_kinds(text, kinds) ? OptionError::kNone : OptionError::kBadValue;
}

OptionError check_size_or_unlimited(std::string_view text) {
  return text == "unlimited" || parse_size(text) ? OptionError::kNone : OptionError::kBadValue;
}

/// Strings of which not every one will do.
struct StringCheck {
  Opt option;
  OptionError (*check)(std::string_view text);
  std::string_view form;  ///< in words
};
constexpr StringCheck kStringChecks[] = {
    {Opt::version, check_version, "a version of D, as in 1.13"},
    {Opt::lockmem, check_size_or_unlimited, "a size, as in 64m, or unlimited"},
    {Opt::redact, check_redacted, "paths, args, strings, or several of them, as in paths,args"},
    {Opt::setenv, check_assignment, "name=value"},
    {Opt::unsetenv, check_variable, "the name of a variable"},
};

/// A string has room for its end at least. What works byte by byte has as many steps as bpf_loop() takes, and does
/// nothing at all where it is asked for more.
constexpr int64_t kMaxStringBytes = int64_t{8} << 20;
OptionError check_string_size(int64_t bytes) {
  if (bytes > kMaxStringBytes) return OptionError::kStringTooLong;
  return bytes > 0 ? OptionError::kNone : OptionError::kBadValue;
}

OptionError check_string(Opt option, std::string_view text) {
  for (const StringCheck &row : kStringChecks)
    if (row.option == option) return row.check(text);
  return OptionError::kNone;
}

}  // namespace

std::string_view text(OptionError error) {
  switch (error) {
    case OptionError::kNone:
      return "";
    case OptionError::kUnknownName:
      return "Invalid option name";
    case OptionError::kBadValue:
      return "Invalid value for specified option";
    case OptionError::kStringTooLong:
      return "Invalid value for specified option: the largest is 8m";
    case OptionError::kNotInProgram:
      return "Option cannot be used from within a D program";
    case OptionError::kTracingActive:
      return "Operation illegal when tracing is active";
    case OptionError::kUnknownVersion:
      return "Requested version is not supported by compiler";
  }
  return "";
}

std::optional<int64_t> parse_size(std::string_view text) {
  std::string_view suffix;
  std::optional<uint64_t> value = leading_integer(text, suffix);
  if (!value || suffix.size() > 1) return std::nullopt;
  unsigned shift = 0;
  if (!suffix.empty()) {
    const size_t step = std::string_view("kmgtpe").find(static_cast<char>(std::tolower(uint8_t(suffix[0]))));
    if (step == std::string_view::npos) return std::nullopt;
    shift = 10 * static_cast<unsigned>(step + 1);
  }
  if (shift != 0 && (*value >> (63 - shift)) != 0) return std::nullopt;
  return as_signed(*value << shift);
}

std::optional<int64_t> parse_time(std::string_view text) {
  std::string_view rest;
  std::optional<uint64_t> value = leading_integer(text, rest);
  if (!value) return std::nullopt;
  std::optional<int64_t> count = as_signed(*value);
  if (!count) return std::nullopt;
  const std::string unit = lower(rest);
  if (unit == "hz") return *count == 0 ? 0 : kSecond / *count;
  for (const TimeUnit &u : kTimeUnits) {
    if (u.name != unit) continue;
    int64_t ns = 0;
    if (__builtin_mul_overflow(*count, u.ns, &ns)) return std::nullopt;
    return ns;
  }
  return std::nullopt;
}

/// "10s", or "10", which counts seconds. None: a rate, nothing that lasts, or no time.
std::optional<int64_t> parse_duration(std::string_view text) {
  const bool is_plain = text.find_first_not_of("0123456789") == std::string_view::npos;
  const std::optional<int64_t> ns = parse_time(is_plain ? std::string(text) + "s" : std::string(text));
  const bool is_rate = lower(text).ends_with("hz");
  return ns && *ns > 0 && !is_rate ? ns : std::nullopt;
}

std::string_view option_name(Opt opt) { return kRows[index(opt)].name; }

std::string option_value_text(std::string_view name) {
  const Row *row = find_row(name);
  if (row == nullptr) return {};
  for (const StringCheck &check : kStringChecks)
    if (option_name(check.option) == name) return std::string(check.form);
  if (option_name(Opt::bufsize) == name) return "a size above 0, as in 64k or 4m";
  if (row->spec.kind != Class::kEnum) return std::string(kValueTexts[static_cast<size_t>(row->spec.kind)]);
  std::string words(row->spec.words);
  for (size_t bar = words.find('|'); bar != std::string::npos; bar = words.find('|', bar))
    words.replace(bar, 1, words.find('|', bar + 1) == std::string::npos ? " or " : ", ");
  return words;
}

Options::Options() {
  for (size_t i = 0; i < std::size(kRows); ++i) {
    const Row &r = kRows[i];
    if (r.default_text.empty()) continue;
    set(r.name, r.default_text, OptionSource::kCommandLine);
    values_[i].set = false;
  }
}

OptionError Options::set(std::string_view name, std::optional<std::string_view> value, OptionSource source) {
  const Row *found = find_row(name);
  if (found == nullptr) return OptionError::kUnknownName;
  const Row &r = *found;
  Value &v = values_[static_cast<size_t>(found - kRows)];
  if (source == OptionSource::kProgram && !r.in_program) return OptionError::kNotInProgram;
  if (source == OptionSource::kSetopt && active_ && r.when != When::kDynamic) return OptionError::kTracingActive;

  switch (r.spec.kind) {
    case Class::kFlag:
      // An environment entry always has a value; an empty one stands for the bare name.
      if (value && *value != "yes" && *value != "no" && !(source == OptionSource::kEnvironment && value->empty()))
        return OptionError::kBadValue;
      v.number = value && *value == "no" ? 0 : 1;
      break;
    case Class::kBool:
    case Class::kScalar: {
      const bool bare = !value || (source == OptionSource::kEnvironment && value->empty());
      const std::string word = bare ? "" : lower(*value);
      if (!bare && (word.empty() || one_of(kNo, word))) {
        v.set = false;
        v.number = r.default_text.empty() ? 0 : parse_count(r.default_text).value_or(0);
        return OptionError::kNone;
      }
      std::optional<int64_t> number = 0;
      if (!bare) number = one_of(kYes, word) ? std::optional<int64_t>(1) : parse_count(*value);
      if (!number) return OptionError::kBadValue;
      v.number = r.spec.kind == Class::kBool ? 1 : *number;
      break;
    }
    case Class::kSize:
    case Class::kTime:
    case Class::kDuration: {
      if (!value) return OptionError::kBadValue;
      std::optional<int64_t> number = r.spec.kind == Class::kSize   ? parse_size(*value)
                                      : r.spec.kind == Class::kTime ? parse_time(*value)
                                                                    : parse_duration(*value);
      if (!number) return OptionError::kBadValue;
      if (static_cast<Opt>(found - kRows) == Opt::bufsize && *number == 0) return OptionError::kBadValue;
      if (static_cast<Opt>(found - kRows) == Opt::strsize) {
        if (OptionError bad = check_string_size(*number); bad != OptionError::kNone) return bad;
      }
      v.number = *number;
      break;
    }
    case Class::kEnum:
      if (!value || !is_word_of(r.spec.words, *value)) return OptionError::kBadValue;
      v.string = *value;
      break;
    case Class::kOptional:
      v.string = value.value_or("");
      break;
    case Class::kString:
    case Class::kStringList:
      if (!value) return OptionError::kBadValue;
      if (OptionError bad = check_string(static_cast<Opt>(found - kRows), *value); bad != OptionError::kNone)
        return bad;
      if (r.spec.kind == Class::kStringList) {
        v.list.emplace_back(*value);
        in_order_.emplace_back(static_cast<Opt>(found - kRows), *value);
      }
      v.string = *value;
      break;
  }
  v.set = true;
  return OptionError::kNone;
}

std::optional<std::pair<std::string, OptionError>> Options::set_from_environment(const char *const *environment) {
  constexpr std::string_view kPrefix = "DTRACE_OPT_";
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    std::string_view entry = *environment;
    if (!entry.starts_with(kPrefix)) continue;
    entry.remove_prefix(kPrefix.size());
    const size_t equals = entry.find('=');
    const std::string name = lower(entry.substr(0, equals));
    const std::string_view value = equals == std::string_view::npos ? "" : entry.substr(equals + 1);
    const OptionError error = set(name, value, OptionSource::kEnvironment);
    if (error != OptionError::kNone) return std::pair{name, error};
  }
  return std::nullopt;
}

bool Options::flag(Opt opt) const { return values_[index(opt)].number != 0; }
int64_t Options::number(Opt opt) const { return values_[index(opt)].number; }
const std::string &Options::string(Opt opt) const { return values_[index(opt)].string; }
const std::vector<std::string> &Options::list(Opt opt) const { return values_[index(opt)].list; }
std::string Options::text_of_all(std::initializer_list<Opt> except) const {
  std::string all;
  const auto add = [&all](std::string_view word) {
    all += std::to_string(word.size());
    all += ':';
    all += word;
  };
  for (size_t i = 0; i < values_.size(); ++i) {
    const Opt opt = static_cast<Opt>(i);
    if (std::find(except.begin(), except.end(), opt) != except.end()) continue;
    const Value &value = values_[i];
    add(option_name(opt));
    add(value.set ? "set" : "");
    add(std::to_string(value.number));
    add(value.string);
    add(std::to_string(value.list.size()));
    for (const std::string &entry : value.list) add(entry);
  }
  for (const auto &[opt, value] : in_order_) {
    add(option_name(opt));
    add(value);
  }
  return all;
}

bool Options::is_set(Opt opt) const { return values_[index(opt)].set; }
void Options::unset(Opt opt) { values_[index(opt)].set = false; }
void Options::set_number(Opt opt, int64_t value) { values_[index(opt)].number = value; }

}  // namespace dtrace
