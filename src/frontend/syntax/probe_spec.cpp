// SPDX-License-Identifier: Apache-2.0
// Splitting of probe descriptions. `$name` runs to the end of its field, `$N` only over its digits: `tick-$1ms`.
#include "frontend/syntax/probe_spec.h"

#include <array>
#include <string>
#include <vector>

#include "frontend/text/lexer_literal.h"

namespace dtrace {

namespace {

struct Field {
  std::string ast::ProbeSpec::*member;
  size_t max_length;
  std::string_view plural;
};

/// A static probe's provider has a process ID behind its own name.
constexpr size_t kProviderBytes = 63 + 10;
/// A module that is the path of a file.
constexpr size_t kPathBytes = 4095;

constexpr std::array<Field, 4> kFields = {{
    {&ast::ProbeSpec::provider, kProviderBytes, "providers"},
    {&ast::ProbeSpec::module, 63, "modules"},
    {&ast::ProbeSpec::function, 127, "functions"},
    {&ast::ProbeSpec::name, 63, "names"},
}};

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0;;) {
    size_t colon = text.find(':', begin);
    parts.push_back(text.substr(begin, colon - begin));
    if (colon == std::string_view::npos) return parts;
    begin = colon + 1;
  }
}

/// A function of C++ or Rust has colons in its name: of "pid1::shop::Cart::add:entry" the function is what lies between
/// the second colon and the last one, if the colons there are pairs.
std::vector<std::string_view> join_function(std::vector<std::string_view> parts, std::string_view text) {
  constexpr size_t kModule = 1, kFunction = 2;
  if (parts.size() <= kFields.size()) return parts;
  const size_t begin = static_cast<size_t>(parts[kFunction].data() - text.data());
  const size_t end = static_cast<size_t>(parts.back().data() - text.data()) - 1;
  const std::string_view function = text.substr(begin, end - begin);
  for (size_t i = 0; (i = function.find(':', i)) != std::string_view::npos; i += 2)
    if (!function.substr(i).starts_with("::") || function.substr(i).starts_with(":::")) return parts;
  if (function.starts_with(':') || function.ends_with(':')) return parts;
  return {parts.front(), parts[kModule], function, parts.back()};
}

/// Replaces the one macro a field may hold. Returns the reason of a failure, empty if it went well.
std::string_view substitute(std::string_view field, MacroExpander &macros, std::string &out) {
  size_t dollar = field.find('$');
  if (dollar == std::string_view::npos) {
    out = field;
    return {};
  }
  size_t begin = field.find_first_not_of('$', dollar);
  if (begin == std::string_view::npos || begin - dollar > 2) return "Undefined macro variable in probe description";
  size_t end = field.size();
  if (is_digit(field[begin])) {
    for (end = begin; end < field.size() && is_digit(field[end]);) ++end;
  }
  if (field.find('$', end) != std::string_view::npos) return "More than one macro variable in a field";
  std::optional<std::string> value = macros.text_of(field.substr(begin, end - begin));
  if (!value && field.substr(begin, end - begin) == "target")
    return "Undefined macro variable in probe description: $target is the process of -c or -p";
  if (!value) return "Undefined macro variable in probe description";
  if (value->find(':') != std::string::npos) return "Macro value contains a colon";
  // An operand may name the process of -c, whose number nobody knows before it runs: 'pid$target'.
  constexpr std::string_view kTarget = "$target";
  if (const size_t at = value->find(kTarget); at != std::string::npos) {
    const std::optional<std::string> target = macros.text_of(kTarget.substr(1));
    if (!target) return "Undefined macro variable in probe description: $target is the process of -c or -p";
    value->replace(at, kTarget.size(), *target);
  }
  out = std::string(field.substr(0, dollar)) + *value + std::string(field.substr(end));
  return {};
}

void report(std::string_view text, Span span, std::string_view reason, Diagnostics &diags) {
  diags.report(Tag::D_PDESC_INVAL, span, "invalid probe description \"{}\": {}", text, reason);
}

}  // namespace

std::optional<ast::ProbeSpec> parse_probe_spec(std::string_view text, Span span, ProbeField last_field,
                                               MacroExpander &macros, Diagnostics &diags) {
  ast::ProbeSpec spec;
  spec.span = span;
  std::vector<std::string_view> parts = split(text);
  if (last_field == ProbeField::kName) parts = join_function(std::move(parts), text);
  size_t levels = static_cast<size_t>(last_field) + 1;
  // Of -P, -m and -f an empty field too many on the left is none.
  if (last_field != ProbeField::kName && parts.size() == levels + 1 && parts.front().empty())
    parts.erase(parts.begin());
  if (parts.size() > levels) {
    report(text, span, "Overspecified probe description", diags);
    return std::nullopt;
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    const Field &field = kFields[levels - parts.size() + i];
    std::string &value = spec.*field.member;
    std::string_view problem = substitute(parts[i], macros, value);
    const bool is_path = field.member == &ast::ProbeSpec::module && value.starts_with('/');
    if (problem.empty() && value.size() > (is_path ? kPathBytes : field.max_length)) problem = "File name too long";
    if (!problem.empty()) {
      report(text, span, problem, diags);
      return std::nullopt;
    }
  }
  return spec;
}

std::optional<ast::ProbeSpec> parse_probe_id(std::string_view text, Span span, ProbeField last_field,
                                             Diagnostics &diags) {
  if (last_field != ProbeField::kName) {
    std::string reason = "Probe identifier not permitted when specifying ";
    report(text, span, reason.append(kFields[static_cast<size_t>(last_field)].plural), diags);
    return std::nullopt;
  }
  IntegerValue parsed = parse_integer(text);
  if (parsed.status == IntegerValue::Status::kBadDigit) {
    report(text, span, "Unknown probe identifier", diags);
    return std::nullopt;
  }
  if (parsed.status == IntegerValue::Status::kOverflow || parsed.literal.value > UINT32_MAX) {
    report(text, span, "Probe identifier exceeds 32 bits", diags);
    return std::nullopt;
  }
  ast::ProbeSpec spec;
  spec.span = span;
  spec.id = parsed.literal.value;
  return spec;
}

}  // namespace dtrace
