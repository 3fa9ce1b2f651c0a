// SPDX-License-Identifier: Apache-2.0
// What `dtrace --merge` needs of an aggregation beside what people read: the words of values, and of keys what JSON's
// own types do not hold. runtime/merge reads it.
#pragma once

#include <string>

#include "plan/plan.h"
#include "runtime/events/aggregation_value.h"
#include "runtime/print/json.h"

namespace dtrace::runtime {

/// Members of an aggregation: "id", "types" of the keys, "parameters" of lquantize() and llquantize().
void append_exact_shape(JsonWriter &json, const AggregationView &view, const AggregationPlan &plan);
/// Members of an entry: "words", and "exact" if a key needs it.
void append_exact_entry(JsonWriter &json, const AggregationView &view, const AggregationEntry &entry);

/// The word for the type of a key: "text", "stack", "symbol"; "i8", of an integer of eight bytes with a sign, or
/// "u8/i4", shown as one of four where its value fits; "bytes", which JSON does not hold exactly.
std::string key_type_word(const ValuePlan &key);

}  // namespace dtrace::runtime
