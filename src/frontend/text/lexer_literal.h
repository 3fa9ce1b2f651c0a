// SPDX-License-Identifier: Apache-2.0
// Integer, string and character literals as pure functions of their text: the lexer and macro arguments share them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dtrace {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
inline bool is_word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool is_word(char c) { return is_word_start(c) || is_digit(c); }

/// Is `text` exactly one D identifier? Backquotes are identifier characters.
bool is_identifier(std::string_view text);

/// Length of the integer token that `text` begins with (digits and suffix), 0 if there is none.
size_t scan_integer(std::string_view text);

/// Length of the floating-point token that `text` begins with, 0 if there is none or if it is only an integer.
size_t scan_float(std::string_view text);

/// The value of one whole floating-point token.
long double parse_float(std::string_view text);

/// An integer or character constant as written.
struct IntegerLiteral {
  uint64_t value = 0;
  bool is_unsigned = false;  ///< suffix u
  uint8_t longs = 0;         ///< number of l's in the suffix
  bool decimal = true;       ///< written in decimal: other candidate types
  bool character = false;    ///< 'c': type int
};

struct IntegerValue {
  enum class Status : uint8_t {
    kOk,
    kOverflow,  ///< more than 64 bits
    kNoType,    ///< 64 bits, but no type of its form holds it
    kBadDigit,  ///< 8 or 9 in an octal constant, at `bad_digit`
  };
  Status status = Status::kOk;
  IntegerLiteral literal;
  size_t bad_digit = 0;
};

/// The value of one whole integer token, `text` as scan_integer() delimits it.
/// Source: the Dynamic Tracing Guide, "Types, Operators, and Expressions".
IntegerValue parse_integer(std::string_view text);

/// Replaces escape sequences; an unknown one keeps its backslash.
std::string unescape(std::string_view text);

/// `text` as a D string literal with its quotes.
std::string quoted(std::string_view text);

/// The value of a character constant of 1 to 8 bytes, first byte most significant; one byte has the sign of `char`.
uint64_t character_value(std::string_view bytes);

}  // namespace dtrace
