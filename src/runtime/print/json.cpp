// SPDX-License-Identifier: Apache-2.0
// JSON text. One flag is enough to write commas: it says whether a value was just finished at the current level.
#include "runtime/print/json.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "base/printable.h"
#include "base/utf8.h"

namespace dtrace::runtime {

namespace {

void append_ascii(std::string &out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
    out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
  else
    out += c;
}

/// A letter of several bytes by its number: readers get the same text, and a terminal does not obey it.
void append_escaped_letter(std::string &out, std::string_view letter) {
  uint32_t code = static_cast<unsigned char>(letter[0]) & (0x7fU >> letter.size());
  for (const char c : letter.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3f);
  if (code < 0x10000) {
    out += fmt::format("\\u{:04x}", code);
    return;
  }
  code -= 0x10000;
  out += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (code >> 10), 0xdc00 + (code & 0x3ff));
}

}  // namespace

void append_json_string(std::string &out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    if (length == 1)
      append_ascii(out, text[0]);
    else if (length == 0)
      out += "\\ufffd";
    else if (const std::string_view letter = text.substr(0, length); is_printable(letter))
      out += letter;
    else
      append_escaped_letter(out, letter);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

JsonWriter &JsonWriter::key(std::string_view name) {
  separate();
  append_json_string(out_, name);
  out_ += ':';
  needs_comma_ = false;
  return *this;
}

JsonWriter &JsonWriter::value(std::string_view text) {
  separate();
  append_json_string(out_, text);
  needs_comma_ = true;
  return *this;
}

JsonWriter &JsonWriter::value(double number) {
  return std::isfinite(number) ? literal(fmt::format("{}", number)) : null();
}

JsonWriter &JsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
  needs_comma_ = false;
  return *this;
}

JsonWriter &JsonWriter::close(char bracket) {
  out_ += bracket;
  needs_comma_ = true;
  return *this;
}

JsonWriter &JsonWriter::literal(std::string_view text) {
  separate();
  out_ += text;
  needs_comma_ = true;
  return *this;
}

void JsonWriter::separate() {
  if (needs_comma_) out_ += ',';
}

}  // namespace dtrace::runtime
