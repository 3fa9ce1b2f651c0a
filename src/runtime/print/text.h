// SPDX-License-Identifier: Apache-2.0
// Texts that every layout shares: stacks, symbols, raw dumps, escapes.
// Source: D language reference, 6.4, 6.6 and 6.7.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "runtime/events/value.h"

namespace dtrace::runtime {

class Symbolizer;

/// What turns values into text beside the values: options of the consumer, read anew for each record.
struct TextContext {
  Symbolizer *symbolizer = nullptr;  ///< null: addresses stay addresses
  int stack_indent = 14;             ///< option stackindent
  bool quiet = false;
  bool raw_bytes = false;    ///< option rawbytes
  bool is_terminal = false;  ///< the output is one: it would obey control bytes of traced strings
};

/// "\n", then per frame `indent` blanks, its text and "\n".
void append_stack(std::string &out, const KernelStack &stack, const TextContext &context, int indent);
void append_stack(std::string &out, const UserStack &stack, const TextContext &context, int indent);

/// A string as trace(), keys and %s show it. On a terminal, control characters of a traced string but newline and tab
/// become octal digits. The view is into `text` or `buffer`.
std::string_view shown_text(const Text &text, const TextContext &context, std::string &buffer);

/// Text of a symbol value, by its kind: without offset, except uaddr().
std::string symbol_text(const Symbol &symbol, const TextContext &context);

/// "module`symbol+0xoff" as %a and %A print an address; pid 0: kernel.
std::string address_text(uint64_t address, pid_t pid, const TextContext &context);

/// 16 bytes a row with offset and characters, after a newline and a ruler. Nothing for no bytes.
void append_dump(std::string &out, std::string_view bytes);

/// Text that byte data looks like: printable characters, then NULs to the end if any. False: show it as a dump.
bool looks_like_text(std::string_view bytes, std::string_view &text);

/// One byte as %S and %C write it: itself if printable, else \n, \t, \0, \ooo. `quotes` also escapes " and \.
void append_escaped(std::string &out, unsigned char byte, bool quotes);

/// One code point as UTF-8; U+FFFD for what is none.
void append_utf8(std::string &out, uint32_t code_point);

}  // namespace dtrace::runtime
