// SPDX-License-Identifier: Apache-2.0
// D format strings of printf(), printa(), system() and freopen(): parsed once by the front end, applied by the
// consumer.
//
// What a reader would get wrong: the size prefixes (h, l, ll) only narrow which arguments the checker accepts. The
// value is always printed at its own size, and for `d` with its own sign. Source: D language reference, 6.6.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dtrace {

/// What a conversion does with its value.
enum class Conversion : uint8_t {
  kDecimal,        ///< d: signed or unsigned by the value's type
  kSigned,         ///< i
  kUnsigned,       ///< u
  kOctal,          ///< o
  kHex,            ///< x
  kHexUpper,       ///< X
  kChar,           ///< c: one byte
  kCharEscaped,    ///< C
  kString,         ///< s
  kStringEscaped,  ///< S
  kWideString,     ///< ws, ls
  kWideChar,       ///< wc, lc
  kPointer,        ///< p: hex without 0x
  kKernelAddress,  ///< a
  kUserAddress,    ///< A
  kStack,          ///< k
  kWallTime,       ///< Y
  kMailTime,       ///< T: RFC 822
  kPort,           ///< P
  kHost,           ///< I
  kQuantile,       ///< q: of a histogram, the precision being the share: %@.99q
  kScaled,         ///< K: 12.3k, 4.56M
  kBytes,          ///< B: 12.3KiB, 4.56MiB
  kDuration,       ///< N: of nanoseconds, 12.3us, 4.56ms
  kFloatE,
  kFloatEUpper,
  kFloatF,
  kFloatG,
  kFloatGUpper,
};

/// Which argument types the checker lets through; the wording of a refusal is ConversionRow::prototype.
enum class Accepts : uint8_t {
  kInteger,  ///< any integer or enum
  kSignedChar,
  kUnsignedChar,
  kAnyChar,
  kShort,
  kUnsignedShort,
  kAnyShort,
  kLong,
  kUnsignedLong,
  kAnyLong,
  kLongLong,
  kUnsignedLongLong,
  kAnyLongLong,    ///< also [u]int64_t and their typedefs
  kSmallInteger,   ///< integer of at most 4 bytes
  kText,           ///< string or char array, not char *
  kWideText,       ///< array of 32-bit integers
  kWideChar,       ///< 32-bit integer
  kPointer,        ///< pointer or integer
  kKernelAddress,  ///< pointer, integer or _symaddr
  kUserAddress,    ///< pointer or integer with -p/-c, or _usymaddr
  kStack,          ///< stack() or ustack() value
  kTime,           ///< 8-byte integer
  kPort,           ///< uint16_t
  kHostText,       ///< string
  kFloating,       ///< float, double or long double
  kLongDouble,
  kHistogram,  ///< aggregation by quantize(), lquantize() or llquantize()
  kNumber,     ///< any integer or floating-point number
};

/// One row of the conversion table.
struct ConversionRow {
  std::string_view name;  ///< "d", "llx", "ws"
  Conversion kind;
  Accepts accepts;
  std::string_view prototype;  ///< for D_PRINTF_ARG_TYPE's "prototype:" line
  bool is_own = false;         ///< beyond what every DTrace has: not under option strict
};

/// All conversions, for checks and documentation.
std::span<const ConversionRow> conversion_table();

/// A step of what is computed in floating point when it is printed, in postfix order.
struct ComputedStep {
  enum class Kind : uint8_t { kArgument, kConstant, kNegate, kAdd, kSubtract, kMultiply, kDivide };
  Kind kind = Kind::kArgument;
  long double constant = 0;
};

/// Literal text, then one conversion.
struct FormatConversion {
  std::string literal;  ///< text before the conversion, %% already folded to %
  const ConversionRow *row = nullptr;
  bool alternate = false;      ///< '#'
  bool zero_pad = false;       ///< '0'
  bool left = false;           ///< '-'
  bool plus = false;           ///< '+'
  bool blank = false;          ///< ' '
  bool group = false;          ///< '\''
  bool per_second = false;     ///< '/': an aggregation's value by the seconds in which it was counted
  bool aggregation = false;    ///< '@': takes an aggregation's value, not an argument
  bool dynamic_width = false;  ///< '*': the width is an integer argument before the value
  bool dynamic_precision = false;
  int width = 0;       ///< 16 for '?'
  int precision = -1;  ///< -1: none given
  /// Digits that the precision was written with: ".05" has two.
  int precision_digits = 0;
  uint32_t offset = 0;      ///< of the '%' in the parsed text
  std::string time_layout;  ///< "%H:%M:%S" of %{%H:%M:%S}Y; empty: that of %Y
  /// How the value comes of its arguments, which are then more or fewer than one; the checker fills it. Empty: the
  /// argument is the value.
  std::vector<ComputedStep> computed;
  std::string computed_text;  ///< D text of what is computed

  /// Integer arguments that '*' takes before the value.
  unsigned dynamic_arguments() const { return unsigned{dynamic_width} + unsigned{dynamic_precision}; }
  /// All ordinary arguments it takes.
  unsigned arguments() const { return dynamic_arguments() + (aggregation ? 0 : 1); }
  /// Is it something that only this DTrace has?
  bool is_own() const;
};

struct FormatString {
  std::vector<FormatConversion> conversions;
  std::string tail;  ///< text after the last conversion

  /// Ordinary arguments that the whole format takes.
  size_t arguments() const;
};

enum class FormatErrorKind : uint8_t {
  kEmpty,         ///< the format is "": D_PRINTF_FMT_EMPTY; all others are D_SYNTAX
  kManyStars,     ///< more than one '*' in width or precision
  kManyDots,      ///< more than one '.'
  kPositional,    ///< %n$
  kPercent,       ///< %% with something between
  kUnterminated,  ///< ends after '%'
  kUndefined,     ///< no such conversion name
  kNoQuantile,    ///< %q whose precision is no share between 0 and 1
  kNoRate,        ///< '/' without '@'
  kLayout,        ///< {...} that does not end, or is not in front of Y
  kSubseconds,    ///< %Y with more than nine digits
};

struct FormatError {
  FormatErrorKind kind;
  unsigned conversion = 0;  ///< counted from 1
  uint32_t offset = 0;      ///< of its '%'
  std::string name;         ///< kUndefined: the name as written
  /// One line, lower case, no full stop.
  std::string text() const;
};

/// Parses `text` (escapes already decoded, may hold NULs). On failure sets `error` and returns nothing.
std::optional<FormatString> parse_format(std::string_view text, FormatError &error);

}  // namespace dtrace
