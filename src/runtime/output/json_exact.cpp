// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/json_exact.h"

#include "base/utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace dtrace::runtime {
namespace {

bool needs_more(const Value &key) {
  if (const auto *text = std::get_if<Text>(&key)) return !is_utf8(text->view());
  return std::holds_alternative<UserStack>(key) || std::holds_alternative<Symbol>(key);
}

void append_more(JsonWriter &json, const Value &key) {
  if (!needs_more(key)) {
    json.null();
    return;
  }
  json.begin_object();
  if (const auto *text = std::get_if<Text>(&key)) {
    std::string digits;
    for (const char c : text->view()) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
    json.member("bytes", std::string_view(digits));
  } else if (const auto *stack = std::get_if<UserStack>(&key)) {
    json.member("pid", stack->pid).member("end", stack->end);
  } else if (const auto *symbol = std::get_if<Symbol>(&key)) {
    json.member("kind", static_cast<unsigned>(symbol->kind)).member("pid", symbol->pid);
    json.member("address", std::string_view(fmt::format("0x{:x}", symbol->address)));
  }
  json.end_object();
}

}  // namespace

std::string key_type_word(const ValuePlan &key) {
  switch (key.kind) {
    case ValuePlan::Kind::kInteger: {
      const auto word = [](bool is_signed, uint32_t bytes) {
        return fmt::format("{}{}", is_signed ? 'i' : 'u', bytes);
      };
      const std::string whole = word(key.is_signed, key.size_bytes);
      return key.first_bytes == 0 ? whole : whole + "/" + word(key.first_is_signed, key.first_bytes);
    }
    case ValuePlan::Kind::kString:
    case ValuePlan::Kind::kConstString:
    case ValuePlan::Kind::kProbePart:
    case ValuePlan::Kind::kCgroupName:
      return "text";
    case ValuePlan::Kind::kKernelStack:
    case ValuePlan::Kind::kUserStack:
    case ValuePlan::Kind::kStack:
      return "stack";
    case ValuePlan::Kind::kKernelSymbol:
    case ValuePlan::Kind::kUserSymbol:
      return "symbol";
    case ValuePlan::Kind::kFloat:  // its digits are not all of it
    case ValuePlan::Kind::kBytes:
      break;
  }
  return "bytes";
}

void append_exact_shape(JsonWriter &json, const AggregationView &view, const AggregationPlan &plan) {
  json.member("id", view.id).key("types").begin_array();
  for (const ValuePlan &key : plan.keys) json.value(std::string_view(key_type_word(key)));
  json.end_array();
  const LquantizeParams &linear = plan.params.linear;
  const LlquantizeParams &log = plan.params.log_linear;
  if (view.shape.function == AggregatingFunction::kLquantize)
    json.key("parameters").begin_array().value(linear.base).value(linear.limit).value(linear.step).end_array();
  if (view.shape.function == AggregatingFunction::kLlquantize)
    json.key("parameters").begin_array().value(log.factor).value(log.low).value(log.high).value(log.steps).end_array();
}

void append_exact_entry(JsonWriter &json, const AggregationView &view, const AggregationEntry &entry) {
  json.key("words").begin_array();
  for (size_t i = 0; i < entry.words.size(); ++i) {
    if (!view.shape.is_histogram()) {
      json.value(entry.words[i]);
    } else if (entry.words[i] != 0) {
      json.begin_array().value(i).value(static_cast<int64_t>(entry.words[i])).end_array();
    }
  }
  json.end_array();
  if (std::ranges::none_of(entry.keys, needs_more)) return;
  json.key("exact").begin_array();
  for (const Value &key : entry.keys) append_more(json, key);
  json.end_array();
}

}  // namespace dtrace::runtime
