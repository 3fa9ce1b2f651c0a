// SPDX-License-Identifier: Apache-2.0
// Values of rows as texts, and what they are called: the same in all formats that have columns or fields.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runtime/output/formats.h"
#include "runtime/output/json_value.h"
#include "runtime/print/printf.h"
#include "runtime/print/system_names.h"

namespace dtrace::runtime {

/// D text on one line.
std::string one_line(std::string_view text);
/// The D text of an action's value; the action's name if it has none.
std::string value_name(const ActionPlan &action, size_t value);
/// How many values of an action a row shows, of what value_name() names. A printf() shows its arguments; without any,
/// its text.
size_t nr_shown_values(const ActionPlan &action);
/// The type of printf()'s argument; none of what is computed.
TypeId printf_type(const ActionPlan &action, const PrintfArgument &argument);

class RowValues {
 public:
  explicit RowValues(const SinkParts &parts);
  RowValues(const RowValues &) = delete;
  RowValues &operator=(const RowValues &) = delete;
  void refresh(const Options &options) { format_.text.raw_bytes = options.flag(Opt::rawbytes); }

  /// Numbers as digits, objects as JSON, stacks as frames "outermost;...;innermost". Valid UTF-8.
  std::string text(const Value &value, TypeId type) const;
  std::string text(const ObjectEvent &object) const;
  std::string formatted(const ActionPlan &action, std::span<const Value> values) const;

 private:
  JsonValues values_;
  Symbolizer &symbolizer_;
  SystemNames names_;
  FormatContext format_;
};

}  // namespace dtrace::runtime
