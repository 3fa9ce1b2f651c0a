// SPDX-License-Identifier: Apache-2.0
// What waits to be handed to the caller: rows with their text, faults, drops and messages, in the order they came. They
// own what they have, since functions of the caller may do anything meanwhile but end the handle.
#pragma once

#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "capi/layout.h"
#include "runtime/print/row.h"

namespace dtrace::capi {

/// Text of one action, or a part of printa()'s.
struct TextPart {
  std::string text;
  uint32_t flags = 0;                            ///< DTRACE_BUFDATA_*
  std::shared_ptr<AggregationData> aggregation;  ///< whose entry it is
};

/// What one action of a row shows, or does to the output.
struct Item {
  uint32_t record = 0;  ///< its first
  std::vector<TextPart> parts;
  enum class Then : uint8_t { kNothing, kRedirect, kTruncate } then = Then::kNothing;
  std::shared_ptr<FILE> target;  ///< of kRedirect; null: where the caller wants it
};

struct Row {
  const EnabledProbe *enabled = nullptr;
  unsigned cpu = 0;
  Bytes data;
  bool has_flow = false;
  runtime::FlowStep flow;
  std::vector<Item> items;
  bool is_complete = false;

  // --- how far it has been handed over
  bool is_begun = false;
  bool is_refused = false;  ///< by the function for rows
  size_t next = 0;
};

struct Fault {
  const EnabledProbe *enabled = nullptr;  ///< null: not known
  int code = 0;
  uint64_t address = 0;
  int offset = -1;
  std::string message;
};

struct Drop {
  dtrace_dropkind_t kind = DTRACEDROP_PRINCIPAL;
  int cpu = DTRACE_CPUALL;
  uint64_t count = 0;
  bool must_be_handled = true;  ///< without a handler, it is a failure
  std::string message;
};

struct Message {
  std::string text;
};

using Event = std::variant<std::shared_ptr<Row>, Fault, Drop, Message>;
using Events = std::deque<Event>;

}  // namespace dtrace::capi
