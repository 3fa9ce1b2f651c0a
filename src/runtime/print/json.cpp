// SPDX-License-Identifier: Apache-2.0
// JSON text. One flag is enough to write commas: it says whether a value was just finished at the current level.
#include "runtime/print/json.h"

#include "base/utf8.h"

#include <fmt/format.h>

#include <cmath>

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

}  // namespace

void append_json_string(std::string &out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    if (length == 1)
      append_ascii(out, text[0]);
    else if (length == 0)
      out += "\\ufffd";
    else
      out += text.substr(0, length);
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
