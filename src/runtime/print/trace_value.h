// SPDX-License-Identifier: Apache-2.0
// Columns of trace(), stack(), sym() and tracemem() in a row. Integers keep their own size and sign, so the same number
// may stand in columns of different width. Source: D language reference, 6.3 and 6.4.
#pragma once

#include <string>

#include "runtime/events/value.h"
#include "runtime/print/text.h"

namespace dtrace::runtime {

/// Appends one datum: in a column, or bare if context.quiet. Stacks are blocks of lines in both.
void append_trace(std::string &out, const Value &value, const TextContext &context);

}  // namespace dtrace::runtime
