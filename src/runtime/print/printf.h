// SPDX-License-Identifier: Apache-2.0
// Applies a parsed format to values: printf(), and each entry of a printa() with a format. Adds nothing of its own.
//
// The checker has made values fit their conversions; a value that does not fit all the same prints as best it can.
// Source: D language reference, 5.8 and 6.6.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/text/format_string.h"
#include "runtime/events/aggregation_value.h"
#include "runtime/events/value.h"
#include "runtime/print/histogram.h"
#include "runtime/print/text.h"

namespace dtrace::runtime {

/// Names behind numbers, for %P and %I.
class NameLookup {
 public:
  virtual ~NameLookup() = default;
  /// Service of a port in host order; "" if it has none.
  virtual std::string service(uint16_t port) = 0;
  /// Host name of a numeric address; "" if it has none.
  virtual std::string host(std::string_view address) = 0;
};

struct FormatContext {
  TextContext text;
  pid_t target_pid = 0;         ///< of -p/-c: whose symbol %A prints; 0: none
  NameLookup *names = nullptr;  ///< null: numbers stay numbers
};

/// Appends `format` applied to `values`, which it takes left to right.
void append_printf(std::string &out, const FormatString &format, std::span<const Value> values,
                   const FormatContext &context);

/// An argument of printf() as the program has it.
struct PrintfArgument {
  Value value;
  size_t index = 0;                ///< of the value, and of its type in the action; unused if it is computed
  std::string_view computed_text;  ///< D text of what is computed, from any number of values; else empty
};

/// The arguments of `format`, in their order; without `values` only what they are.
std::vector<PrintfArgument> printf_arguments(const FormatString &format, std::span<const Value> values);

/// A value of an aggregation as %@ takes it. No words: the entry does not exist, which prints as zero.
struct AggregationDatum {
  const AggregationShape *shape = nullptr;
  std::span<const uint64_t> words;
  uint64_t normal = 1;
  uint64_t counted_ns = 0;  ///< AggregationView::counted_ns
};

/// One entry of printa("format", ...): plain conversions take keys, %@ takes data in order, the last one again and
/// again.
void append_printa(std::string &out, const FormatString &format, std::span<const Value> keys,
                   std::span<const AggregationDatum> data, const FormatContext &context,
                   const HistogramOptions &histograms);

}  // namespace dtrace::runtime
