// SPDX-License-Identifier: Apache-2.0
// Literal values. A suffix order other than u-then-l is not part of the token: `1lu` is `1l` followed by `u`.
#include "frontend/text/lexer_literal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace dtrace {

namespace {

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_octal_digit(char c) { return c >= '0' && c <= '7'; }

size_t scan_digits(std::string_view text, size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

bool is_hex_prefix(std::string_view text) {
  return text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && hex_digit(text[2]) >= 0;
}

/// Can a type of the literal's form hold its value? Hexadecimal and octal ones may always become unsigned.
bool has_type(const IntegerLiteral &literal) {
  return literal.is_unsigned || !literal.decimal ||
         literal.value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
}

}  // namespace

bool is_identifier(std::string_view text) {
  if (text.empty() || is_digit(text[0])) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return is_word(c) || c == '`'; });
}

size_t scan_integer(std::string_view text) {
  size_t at = 0;
  if (is_hex_prefix(text)) {
    at = 2;
    while (at < text.size() && hex_digit(text[at]) >= 0) ++at;
  } else {
    at = scan_digits(text, 0);
    if (at == 0) return 0;
  }
  if (at < text.size() && (text[at] == 'u' || text[at] == 'U')) ++at;
  for (int i = 0; i < 2; ++i) {
    if (at < text.size() && (text[at] == 'l' || text[at] == 'L')) ++at;
  }
  return at;
}

size_t scan_float(std::string_view text) {
  if (is_hex_prefix(text)) return 0;
  size_t whole = scan_digits(text, 0);
  size_t at = whole;
  bool fraction =
      at < text.size() && text[at] == '.' && (whole > 0 || (at + 1 < text.size() && is_digit(text[at + 1])));
  if (fraction) at = scan_digits(text, at + 1);
  if (at == 0) return 0;
  size_t exponent = at;
  if (exponent < text.size() && (text[exponent] == 'e' || text[exponent] == 'E')) {
    ++exponent;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    size_t end = scan_digits(text, exponent);
    if (end > exponent) {
      fraction = true;
      at = end;
    }
  }
  if (!fraction) return 0;
  if (at < text.size() && std::string_view("fFlL").find(text[at]) != std::string_view::npos) ++at;
  return at;
}

long double parse_float(std::string_view text) { return std::strtold(std::string(text).c_str(), nullptr); }

IntegerValue parse_integer(std::string_view text) {
  IntegerValue result;
  IntegerLiteral &literal = result.literal;
  unsigned base = 10;
  size_t at = 0;
  if (is_hex_prefix(text)) {
    base = 16;
    at = 2;
  } else if (text.size() > 1 && text[0] == '0' && is_digit(text[1])) {
    base = 8;
    at = 1;
  }
  literal.decimal = base == 10 && text[0] != '0';
  for (; at < text.size(); ++at) {
    int digit = base == 16 ? hex_digit(text[at]) : is_digit(text[at]) ? text[at] - '0' : -1;
    if (digit < 0) break;
    if (static_cast<unsigned>(digit) >= base) {
      result.status = IntegerValue::Status::kBadDigit;
      result.bad_digit = at;
      return result;
    }
    if (__builtin_mul_overflow(literal.value, uint64_t{base}, &literal.value) ||
        __builtin_add_overflow(literal.value, static_cast<uint64_t>(digit), &literal.value)) {
      result.status = IntegerValue::Status::kOverflow;
      return result;
    }
  }
  for (; at < text.size(); ++at) {
    if (text[at] == 'u' || text[at] == 'U') literal.is_unsigned = true;
    if (text[at] == 'l' || text[at] == 'L') ++literal.longs;
  }
  if (!has_type(literal)) result.status = IntegerValue::Status::kNoType;
  return result;
}

std::string unescape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    char c = text[++i];
    constexpr std::string_view kNames = "abfnrtv\"\\'";
    constexpr std::string_view kValues = "\a\b\f\n\r\t\v\"\\'";
    if (size_t simple = kNames.find(c); simple != std::string_view::npos) {
      out += kValues[simple];
    } else if (is_octal_digit(c)) {
      unsigned value = 0;
      size_t end = std::min(i + 3, text.size());
      for (; i < end && is_octal_digit(text[i]); ++i) value = value * 8 + static_cast<unsigned>(text[i] - '0');
      --i;
      out += static_cast<char>(value);
    } else if (c == 'x' && i + 1 < text.size() && hex_digit(text[i + 1]) >= 0) {
      unsigned value = 0;
      for (; i + 1 < text.size() && hex_digit(text[i + 1]) >= 0; ++i) {
        value = (value << 4 | static_cast<unsigned>(hex_digit(text[i + 1]))) & 0xff;
      }
      out += static_cast<char>(value);
    } else {
      out += '\\';
      out += c;
    }
  }
  return out;
}

uint64_t character_value(std::string_view bytes) {
  if (bytes.size() == 1) return static_cast<uint64_t>(int64_t{static_cast<int8_t>(bytes[0])});
  uint64_t value = 0;
  for (char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < ' ' || byte == 0x7f) {
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  return out += '"';
}

}  // namespace dtrace
