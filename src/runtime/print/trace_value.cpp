// SPDX-License-Identifier: Apache-2.0
// Columns of trace(). Widths hold the longest number of each size and sign.
#include "runtime/print/trace_value.h"

#include "runtime/print/pad.h"

namespace dtrace::runtime {

namespace {

constexpr int kTextWidth = -33;
constexpr int kSymbolWidth = -50;

int integer_width(const Integer &value) {
  switch (value.size_bytes) {
    case 1:
      return 3;
    case 2:
      return 5;
    case 4:
      return 10;
    default:
      return value.is_signed ? 19 : 20;
  }
}

void append_text(std::string &out, std::string_view text, const TextContext &context) {
  if (!context.quiet) out += "  ";
  append_padded(out, text, context.quiet ? 0 : kTextWidth);
}

struct TracePrinter {
  std::string &out;
  const TextContext &context;

  void operator()(const Integer &value) const {
    const int width = context.quiet ? 0 : integer_width(value);
    if (!context.quiet) out += ' ';
    if (value.is_signed)
      append_number(out, value.as_signed(), width);
    else
      append_number(out, value.as_unsigned(), width);
  }
  void operator()(const Text &value) const {
    if (context.raw_bytes) return append_dump(out, value.bytes);
    std::string buffer;
    append_text(out, shown_text(value, context, buffer), context);
  }
  void operator()(const Bytes &value) const {
    std::string_view text;
    if (context.raw_bytes || value.align_bytes != 1 || !looks_like_text(value.bytes, text))
      return append_dump(out, value.bytes);
    std::string buffer;
    append_text(out, shown_text({text, true}, context, buffer), context);
  }
  void operator()(const KernelStack &value) const { append_stack(out, value, context, context.stack_indent); }
  void operator()(const UserStack &value) const { append_stack(out, value, context, context.stack_indent); }
  void operator()(const Symbol &value) const {
    out += "  ";
    append_padded(out, symbol_text(value, context), kSymbolWidth);
  }
  void operator()(const Floating &value) const {
    if (!context.quiet) out += ' ';
    fmt::format_to(std::back_inserter(out), "{:g}", value.value);
  }
};

}  // namespace

void append_trace(std::string &out, const Value &value, const TextContext &context) {
  std::visit(TracePrinter{out, context}, value);
}

}  // namespace dtrace::runtime
