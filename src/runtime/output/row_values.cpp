// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/row_values.h"

#include <algorithm>

#include "base/utf8.h"
#include "runtime/output/stack_samples.h"
#include "runtime/print/json.h"

namespace dtrace::runtime {

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : utf8_text(text)) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\n';
    if (!is_blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  return line;
}

namespace {

/// The D text of printf()'s argument; empty if it has none of that number.
std::string_view argument_text(const ActionPlan &action, size_t number) {
  const std::vector<PrintfArgument> arguments = printf_arguments(*action.format, {});
  if (number >= arguments.size()) return {};
  const PrintfArgument &argument = arguments[number];
  if (!argument.computed_text.empty()) return argument.computed_text;
  return argument.index < action.value_texts.size() ? std::string_view(action.value_texts[argument.index])
                                                    : std::string_view();
}

}  // namespace

std::string value_name(const ActionPlan &action, size_t value) {
  if (action.kind == Builtin::k_printf) {
    const std::string_view text = argument_text(action, value);
    return text.empty() ? std::string(row(action.kind).name) : one_line(text);
  }
  const bool has_text = value < action.value_texts.size() && !action.value_texts[value].empty();
  return has_text ? one_line(action.value_texts[value]) : std::string(row(action.kind).name);
}

size_t nr_shown_values(const ActionPlan &action) {
  switch (action.kind) {
    case Builtin::k_print:
    case Builtin::k_tracemem:
      return 1;
    case Builtin::k_printf:
      return std::max<size_t>(action.format->arguments(), 1);
    case Builtin::k_trace:
    case Builtin::k_stack:
    case Builtin::k_ustack:
    case Builtin::k_jstack:
    case Builtin::k_sym:
    case Builtin::k_func:
    case Builtin::k_mod:
    case Builtin::k_usym:
    case Builtin::k_ufunc:
    case Builtin::k_umod:
    case Builtin::k_uaddr:
      return action.values.size();
    default:
      return 0;
  }
}

TypeId printf_type(const ActionPlan &action, const PrintfArgument &argument) {
  return argument.computed_text.empty() ? action.values[argument.index].type : TypeId{};
}

RowValues::RowValues(const SinkParts &parts) : values_(parts.types, parts.symbolizer), symbolizer_(parts.symbolizer) {
  format_.target_pid = parts.target_pid;
  format_.names = &names_;
  format_.text.symbolizer = &parts.symbolizer;
}

std::string RowValues::text(const Value &value, TypeId type) const {
  if (is_stack(value)) {
    std::string line;
    const std::vector<SampledFrame> frames = sampled_frames(value, symbolizer_, false);
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) append_folded(line, *frame);
    return line;
  }
  if (const auto *text = std::get_if<Text>(&value)) return utf8_text(text->view());
  if (const auto *symbol = std::get_if<Symbol>(&value)) return utf8_text(symbol_text(*symbol, format_.text));
  std::string text;
  JsonWriter json(text);
  values_.append(json, value, type);
  // Characters are text, without quotes.
  const auto *const bytes = std::get_if<Bytes>(&value);
  return bytes != nullptr && text.starts_with('"') ? utf8_text(Text{bytes->bytes}.view()) : text;
}

std::string RowValues::text(const ObjectEvent &object) const {
  std::string text;
  JsonWriter json(text);
  values_.append_object(json, object.type, object.bytes);
  return text;
}

std::string RowValues::formatted(const ActionPlan &action, std::span<const Value> values) const {
  std::string text;
  append_printf(text, *action.format, values, format_);
  return utf8_text(text);
}

}  // namespace dtrace::runtime
