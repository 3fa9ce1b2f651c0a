// SPDX-License-Identifier: Apache-2.0
// Stacks, symbols, raw dumps, escapes. A stack ends at its first 0 frame: fixed-size keys are padded with zeros.
#include "runtime/print/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "runtime/print/pad.h"
#include "runtime/symbols/managed_frames.h"
#include "runtime/symbols/symbolizer.h"

namespace dtrace::runtime {

namespace {

std::string hex_text(uint64_t address) {
  std::string text = "0x";
  append_hex(text, address);
  return text;
}

template <typename FrameText>
void append_frames(std::string &out, std::span<const uint64_t> frames, int indent, FrameText &&frame_text) {
  out += '\n';
  for (const uint64_t frame : frames) {
    if (frame == 0) break;
    append_padded(out, {}, indent);
    out += frame_text(frame);
    out += '\n';
  }
}

bool is_printable_byte(unsigned char byte) { return byte >= 0x20 && byte <= 0x7e; }

/// Bytes that text may hold: printable ones, white space, backspace and bell.
bool is_text_byte(unsigned char byte) { return is_printable_byte(byte) || (byte >= '\a' && byte <= '\r'); }

constexpr int kDumpMargin = 5;
constexpr size_t kDumpRow = 16;

}  // namespace

void append_stack(std::string &out, const KernelStack &stack, const TextContext &context, int indent) {
  append_frames(out, stack.frames, indent, [&](uint64_t frame) { return address_text(frame, 0, context); });
}

void append_stack(std::string &out, const UserStack &stack, const TextContext &context, int indent) {
  bool is_return = false;
  append_frames(out, stack.frames, indent, [&](uint64_t frame) {
    if (context.symbolizer == nullptr) return hex_text(frame);
    std::string text;
    for (const StackFrame &function : context.symbolizer->user_frames({stack.pid, stack.image}, frame, is_return)) {
      if (!text.empty()) {
        text += '\n';
        append_padded(text, {}, indent);
      }
      text += function.symbol;
      if (function.is_inlined) text += " [inlined]";
      if (!function.language.empty()) text += fmt::format(" [{}]", function.language);
      if (!function.source.empty()) text += fmt::format(" ({})", function.source);
    }
    is_return |= !is_managed(frame);
    return text;
  });
  if (const std::string_view end = stack_end_text(stack.end); !end.empty()) {
    append_padded(out, {}, indent);
    out += fmt::format("[cut: {}]\n", end);
  }
}

std::string_view shown_text(const Text &text, const TextContext &context, std::string &buffer) {
  std::string_view rest = text.view();
  if (!context.is_terminal || !text.is_traced || is_printable(rest)) return rest;
  buffer.clear();
  while (!rest.empty()) {
    const size_t layout = std::min(rest.find_first_of("\n\t"), rest.size());
    append_printable(buffer, rest.substr(0, layout));
    if (layout < rest.size()) buffer += rest[layout];
    rest.remove_prefix(std::min(layout + 1, rest.size()));
  }
  return buffer;
}

std::string symbol_text(const Symbol &symbol, const TextContext &context) {
  Symbolizer *symbolizer = context.symbolizer;
  if (symbolizer == nullptr) return hex_text(symbol.address);
  switch (symbol.kind) {
    case SymbolKind::kSym:
    case SymbolKind::kFunc:
      return symbolizer->kernel_symbol(symbol.address, false);
    case SymbolKind::kMod:
      return symbolizer->kernel_module(symbol.address);
    case SymbolKind::kUsym:
    case SymbolKind::kUfunc:
      return symbolizer->user_symbol({symbol.pid, symbol.image}, symbol.address, false);
    case SymbolKind::kUmod:
      return symbolizer->user_module({symbol.pid, symbol.image}, symbol.address);
    case SymbolKind::kUaddr:
      return symbolizer->user_symbol({symbol.pid, symbol.image}, symbol.address, true);
  }
  return hex_text(symbol.address);
}

std::string address_text(uint64_t address, pid_t pid, const TextContext &context) {
  if (context.symbolizer == nullptr) return hex_text(address);
  return pid == 0 ? context.symbolizer->kernel_symbol(address, true)
                  : context.symbolizer->user_symbol(pid, address, true);
}

void append_dump(std::string &out, std::string_view bytes) {
  if (bytes.empty()) return;
  out += '\n';
  append_padded(out, {}, kDumpMargin + 6);
  for (const char digit : std::string_view("0123456789abcdef")) {
    out += "  ";
    out += digit;
  }
  out += "  0123456789abcdef\n";

  for (size_t row = 0; row < bytes.size(); row += kDumpRow) {
    append_padded(out, {}, kDumpMargin);
    append_hex(out, row, 5);
    out += ':';
    const std::string_view line = bytes.substr(row, kDumpRow);
    for (const char c : line) {
      const auto byte = static_cast<unsigned char>(c);
      out += ' ';
      out += "0123456789abcdef"[byte >> 4];
      out += "0123456789abcdef"[byte & 15];
    }
    out.append((kDumpRow - line.size()) * 3 + 2, ' ');
    for (const char c : line) out += is_printable_byte(static_cast<unsigned char>(c)) ? c : '.';
    out += '\n';
  }
}

bool looks_like_text(std::string_view bytes, std::string_view &text) {
  size_t length = 0;
  while (length < bytes.size() && is_text_byte(static_cast<unsigned char>(bytes[length]))) length++;
  const bool ends_in_nuls = bytes.find_first_not_of('\0', length) == std::string_view::npos;
  if (length == 0 || !ends_in_nuls) return false;
  text = bytes.substr(0, length);
  return true;
}

void append_escaped(std::string &out, unsigned char byte, bool quotes) {
  static constexpr std::string_view kSpecial{"\0\a\b\f\n\r\t\v", 8};
  static constexpr std::string_view kLetter = "0abfnrtv";
  const size_t special = kSpecial.find(static_cast<char>(byte));
  if (special != std::string_view::npos) {
    out += '\\';
    out += kLetter[special];
  } else if (!is_printable_byte(byte)) {
    out += '\\';
    out += static_cast<char>('0' + (byte >> 6));
    out += static_cast<char>('0' + (byte >> 3 & 7));
    out += static_cast<char>('0' + (byte & 7));
  } else {
    if (quotes && (byte == '"' || byte == '\\')) out += '\\';
    out += static_cast<char>(byte);
  }
}

void append_utf8(std::string &out, uint32_t code_point) {
  const bool is_character = code_point <= 0x10ffff && !(code_point >= 0xd800 && code_point <= 0xdfff);
  const uint32_t c = is_character ? code_point : 0xfffd;
  if (c < 0x80) {
    out += static_cast<char>(c);
    return;
  }
  const int following = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  const uint32_t lead = following == 1 ? 0xc0 : following == 2 ? 0xe0 : 0xf0;
  out += static_cast<char>(lead | c >> (6 * following));
  for (int i = following - 1; i >= 0; i--) out += static_cast<char>(0x80 | (c >> (6 * i) & 0x3f));
}

}  // namespace dtrace::runtime
