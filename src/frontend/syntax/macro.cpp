// SPDX-License-Identifier: Apache-2.0
// Values of macro variables and arguments. `$0` is an argument, but never "unused".
#include "frontend/syntax/macro.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "frontend/text/lexer_literal.h"

namespace dtrace {

namespace {

MacroValue integer_value(int64_t value) {
  MacroValue result;
  result.negative = value < 0;
  result.number.value = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  result.number.decimal = result.number.value <= static_cast<uint64_t>(INT64_MAX);
  return result;
}

MacroValue string_value(std::string text) {
  MacroValue result;
  result.kind = MacroValue::Kind::kString;
  result.text = std::move(text);
  return result;
}

std::string_view without_quotes(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') return text.substr(1, text.size() - 2);
  return text;
}

}  // namespace

std::optional<MacroValue> classify_argument(std::string_view text) {
  if (is_identifier(text)) {
    MacroValue result;
    result.kind = MacroValue::Kind::kIdentifier;
    result.text = text;
    return result;
  }
  bool sign = !text.empty() && (text[0] == '-' || text[0] == '+');
  std::string_view digits = text.substr(sign ? 1 : 0);
  if (!digits.empty() && scan_integer(digits) == digits.size()) {
    IntegerValue parsed = parse_integer(digits);
    if (parsed.status == IntegerValue::Status::kOverflow) return std::nullopt;
    if (parsed.status != IntegerValue::Status::kBadDigit) {
      MacroValue result;
      result.number = parsed.literal;
      result.number.decimal &= parsed.status == IntegerValue::Status::kOk;
      result.negative = sign && text[0] == '-';
      return result;
    }
  }
  return string_value(unescape(without_quotes(text)));
}

const std::string *MacroExpander::argument(std::string_view digits) {
  size_t index = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc() || end != digits.data() + digits.size()) return nullptr;
  if (macros_ == nullptr || index >= macros_->arguments.size()) return nullptr;
  used_.insert(index);
  return &macros_->arguments[index];
}

std::optional<int64_t> MacroExpander::variable(std::string_view name) const {
  if (macros_ == nullptr) return std::nullopt;
  for (const auto &[known, value] : macros_->variables) {
    if (known == name) return value;
  }
  return std::nullopt;
}

std::optional<MacroValue> MacroExpander::expand(std::string_view macro, Span span, Diagnostics &diags) {
  bool as_string = macro.substr(0, 2) == "$$";
  std::string_view name = macro.substr(as_string ? 2 : 1);
  if (!is_digit(name[0])) {
    std::optional<int64_t> value = variable(name);
    if (!value && name == "target") {
      diags.warn(Tag::D_MACRO_UNDEF, span, "{} is 0: there is no process of -c or -p", macro);
      value = 0;
    }
    if (!value) {
      diags.report(Tag::D_MACRO_UNDEF, span, "macro variable {} is not defined", macro);
      diags.advise("variables of a D program have no $: write x, this->x or self->x");
      return std::nullopt;
    }
    return as_string ? string_value(fmt::to_string(*value)) : integer_value(*value);
  }
  const std::string *text = argument(name);
  if (text == nullptr) {
    if (macros_ != nullptr && macros_->default_arguments) return as_string ? string_value("") : integer_value(0);
    diags.report(Tag::D_MACRO_UNDEF, span, "macro argument {} is not defined", macro);
    return std::nullopt;
  }
  if (as_string) return string_value(unescape(*text));
  std::optional<MacroValue> value = classify_argument(*text);
  if (!value) diags.report(Tag::D_MACRO_OFLOW, span, "macro argument {} overflows 64 bits: {}", macro, *text);
  return value;
}

std::optional<std::string> MacroExpander::text_of(std::string_view name) {
  if (!name.empty() && is_digit(name[0])) {
    const std::string *text = argument(name);
    return text != nullptr ? std::optional(*text) : std::nullopt;
  }
  if (name == "target" && target_ < nr_targets()) return fmt::to_string(macros_->targets[target_]);
  std::optional<int64_t> value = variable(name);
  return value ? std::optional(fmt::to_string(*value)) : std::nullopt;
}

void MacroExpander::check_used(Span end, Diagnostics &diags) const {
  if (macros_ == nullptr || macros_->allow_unused || macros_->arguments.size() < 2) return;
  size_t last = macros_->arguments.size() - 1;
  if (used_.contains(last)) return;
  diags.report(Tag::D_MACRO_UNUSED, end, "extraneous argument '{}' (${} is not referenced)", macros_->arguments[last],
               last);
  // -n syscall::read:entry /execname == "cat"/ { ... }
  const bool is_split = std::ranges::any_of(macros_->arguments.begin() + 1, macros_->arguments.end(),
                                            [](const std::string &word) { return word.starts_with('{'); });
  if (is_split) diags.advise("the shell split the program into words: write it in single quotes, -n 'PROBE { ... }'");
}

}  // namespace dtrace
