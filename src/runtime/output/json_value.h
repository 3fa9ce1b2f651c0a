// SPDX-License-Identifier: Apache-2.0
// Values as JSON, by their types: numbers are numbers, text is text, structs are objects, arrays are arrays, stacks are
// arrays of frames.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "frontend/types/types.h"
#include "runtime/events/aggregation_value.h"
#include "runtime/events/value.h"
#include "runtime/print/json.h"
#include "runtime/print/text.h"
#include "runtime/symbols/symbolizer.h"

namespace dtrace::runtime {

class JsonValues {
 public:
  JsonValues(const TypeTable &types, Symbolizer &symbolizer) : types_(types), symbolizer_(symbolizer) {}

  /// A value of a record or key; `type` says what its bytes are, if it has some.
  void append(JsonWriter &json, const Value &value, TypeId type) const;
  /// Member `member` beside an array of these values: of each the name of its number, or null. None has one: nothing.
  static void append_names(JsonWriter &json, std::string_view member, std::span<const Value> values);
  /// An object of a type; null for what of it was not recorded.
  void append_object(JsonWriter &json, TypeId type, std::string_view bytes) const;
  /// Members of the object that is open: "value", or "buckets" with bounds and counts; all divided by `normal`.
  void append_result(JsonWriter &json, const AggregationShape &shape, std::span<const uint64_t> words,
                     uint64_t normal) const;

 private:
  void append_frame(JsonWriter &json, UserImage image, uint64_t address, bool is_return) const;
  std::string symbol_name(const Symbol &symbol) const;

  const TypeTable &types_;
  Symbolizer &symbolizer_;
};

}  // namespace dtrace::runtime
