// SPDX-License-Identifier: Apache-2.0
// Parser of D format strings. Flags, width, precision and name come in that order. `*` may appear once for the width
// and once for the precision, `.` only once.
#include "frontend/text/format_string.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace dtrace {

namespace {

constexpr ConversionRow kConversions[] = {
    {"a", Conversion::kKernelAddress, Accepts::kKernelAddress, "pointer or integer"},
    {"A", Conversion::kUserAddress, Accepts::kUserAddress,
     "pointer or integer (with -p/-c) or _usymaddr (without -p/-c)"},
    {"c", Conversion::kChar, Accepts::kSmallInteger, "char, short, or int"},
    {"B", Conversion::kBytes, Accepts::kNumber, "any number", true},
    {"C", Conversion::kCharEscaped, Accepts::kSmallInteger, "char, short, or int"},
    {"d", Conversion::kDecimal, Accepts::kInteger, "any integer"},
    {"e", Conversion::kFloatE, Accepts::kFloating, "float, double or long double"},
    {"E", Conversion::kFloatEUpper, Accepts::kFloating, "float, double or long double"},
    {"f", Conversion::kFloatF, Accepts::kFloating, "float, double or long double"},
    {"g", Conversion::kFloatG, Accepts::kFloating, "float, double or long double"},
    {"G", Conversion::kFloatGUpper, Accepts::kFloating, "float, double or long double"},
    {"hd", Conversion::kDecimal, Accepts::kShort, "short"},
    {"hi", Conversion::kSigned, Accepts::kShort, "short"},
    {"ho", Conversion::kOctal, Accepts::kUnsignedShort, "unsigned short"},
    {"hu", Conversion::kUnsigned, Accepts::kUnsignedShort, "unsigned short"},
    {"hx", Conversion::kHex, Accepts::kAnyShort, "short or unsigned short"},
    {"hX", Conversion::kHexUpper, Accepts::kAnyShort, "short or unsigned short"},
    {"hhd", Conversion::kDecimal, Accepts::kSignedChar, "char"},
    {"hhi", Conversion::kSigned, Accepts::kSignedChar, "char"},
    {"hho", Conversion::kOctal, Accepts::kUnsignedChar, "unsigned char"},
    {"hhu", Conversion::kUnsigned, Accepts::kUnsignedChar, "unsigned char"},
    {"hhx", Conversion::kHex, Accepts::kAnyChar, "char or unsigned char"},
    {"hhX", Conversion::kHexUpper, Accepts::kAnyChar, "char or unsigned char"},
    {"i", Conversion::kSigned, Accepts::kInteger, "any integer"},
    {"I", Conversion::kHost, Accepts::kHostText, "string"},
    {"k", Conversion::kStack, Accepts::kStack, "stack or ustack"},
    {"K", Conversion::kScaled, Accepts::kNumber, "any number", true},
    {"lc", Conversion::kWideChar, Accepts::kWideChar, "int"},
    {"ld", Conversion::kDecimal, Accepts::kLong, "long"},
    {"li", Conversion::kSigned, Accepts::kLong, "long"},
    {"lo", Conversion::kOctal, Accepts::kUnsignedLong, "unsigned long"},
    {"lu", Conversion::kUnsigned, Accepts::kUnsignedLong, "unsigned long"},
    {"ls", Conversion::kWideString, Accepts::kWideText, "int []"},
    {"lx", Conversion::kHex, Accepts::kAnyLong, "long or unsigned long"},
    {"lX", Conversion::kHexUpper, Accepts::kAnyLong, "long or unsigned long"},
    {"lld", Conversion::kDecimal, Accepts::kLongLong, "long long"},
    {"lli", Conversion::kSigned, Accepts::kLongLong, "long long"},
    {"llo", Conversion::kOctal, Accepts::kUnsignedLongLong, "unsigned long long"},
    {"llu", Conversion::kUnsigned, Accepts::kUnsignedLongLong, "unsigned long long"},
    {"llx", Conversion::kHex, Accepts::kAnyLongLong, "long long, unsigned long long, int64_t, or uint64_t"},
    {"llX", Conversion::kHexUpper, Accepts::kAnyLongLong, "long long, unsigned long long, int64_t, or uint64_t"},
    {"Le", Conversion::kFloatE, Accepts::kLongDouble, "long double"},
    {"LE", Conversion::kFloatEUpper, Accepts::kLongDouble, "long double"},
    {"Lf", Conversion::kFloatF, Accepts::kLongDouble, "long double"},
    {"Lg", Conversion::kFloatG, Accepts::kLongDouble, "long double"},
    {"LG", Conversion::kFloatGUpper, Accepts::kLongDouble, "long double"},
    {"N", Conversion::kDuration, Accepts::kNumber, "any number", true},
    {"o", Conversion::kOctal, Accepts::kInteger, "any integer"},
    {"p", Conversion::kPointer, Accepts::kPointer, "pointer or integer"},
    {"P", Conversion::kPort, Accepts::kPort, "uint16_t"},
    {"q", Conversion::kQuantile, Accepts::kHistogram, "quantize( ), lquantize( ) or llquantize( ) (%@.99q)"},
    {"s", Conversion::kString, Accepts::kText, "char [] or string (or use stringof)"},
    {"S", Conversion::kStringEscaped, Accepts::kText, "char [] or string (or use stringof)"},
    {"T", Conversion::kMailTime, Accepts::kTime, "int64_t or uint64_t"},
    {"u", Conversion::kUnsigned, Accepts::kInteger, "any integer"},
    {"wc", Conversion::kWideChar, Accepts::kWideChar, "int"},
    {"ws", Conversion::kWideString, Accepts::kWideText, "int []"},
    {"x", Conversion::kHex, Accepts::kInteger, "any integer"},
    {"X", Conversion::kHexUpper, Accepts::kInteger, "any integer"},
    {"Y", Conversion::kWallTime, Accepts::kTime, "int64_t or uint64_t"},
};

constexpr int kMaxShareDigits = 9;  // of a quantile, so that the precision holds it exactly
constexpr int kMaxSubsecondDigits = 9;
constexpr int kPointerWidth = 16;  // hexadecimal digits of a pointer: the `?` flag

const ConversionRow *find_conversion(std::string_view name) {
  const auto *row = std::ranges::find(kConversions, name, &ConversionRow::name);
  return row == std::end(kConversions) ? nullptr : row;
}

/// Reads one format; stops at the first error.
class FormatParser {
 public:
  FormatParser(std::string_view text, FormatError &error) : text_(text), error_(error) {}

  std::optional<FormatString> parse() {
    if (text_.empty()) {
      error_ = {FormatErrorKind::kEmpty, 0, 0, {}};
      return std::nullopt;
    }
    FormatString format;
    std::string literal;
    while (pos_ < text_.size()) {
      if (text_[pos_] != '%') {
        literal += text_[pos_++];
      } else if (peek(1) == '%') {
        literal += '%';
        pos_ += 2;
      } else {
        FormatConversion conversion;
        conversion.literal = std::move(literal);
        literal.clear();
        number_++;
        if (!parse_conversion(conversion)) return std::nullopt;
        format.conversions.push_back(std::move(conversion));
      }
    }
    format.tail = std::move(literal);
    return format;
  }

 private:
  char peek(size_t ahead = 0) const { return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0'; }
  bool at_end() const { return pos_ >= text_.size(); }

  bool fail(FormatErrorKind kind, std::string name = {}) {
    error_ = {kind, number_, start_, std::move(name)};
    return false;
  }

  bool parse_conversion(FormatConversion &out) {
    start_ = static_cast<uint32_t>(pos_);
    out.offset = start_;
    pos_++;
    parse_flags(out);
    if (!parse_width(out)) return false;
    parse_at_signs(out);  // "%8@d" is "%@8d"
    if (!parse_precision(out)) return false;
    parse_at_signs(out);
    if (!parse_layout(out)) return false;
    if (at_end()) return fail(FormatErrorKind::kUnterminated);
    return parse_name(out);
  }

  void parse_at_signs(FormatConversion &out) {
    for (; peek() == '@'; pos_++) out.aggregation = true;
  }

  void parse_flags(FormatConversion &out) {
    for (;; pos_++) {
      switch (peek()) {
        case '#':
          out.alternate = true;
          break;
        case '0':
          out.zero_pad = true;
          break;
        case '-':
          out.left = true;
          break;
        case '+':
          out.plus = true;
          break;
        case ' ':
          out.blank = true;
          break;
        case '\'':
          out.group = true;
          break;
        case '@':
          out.aggregation = true;
          break;
        case '/':
          out.per_second = true;
          break;
        case '?':
          out.width = kPointerWidth;
          break;
        default:
          return;
      }
    }
  }

  /// Digits or one `*` into `value`; leaves it alone if there are neither.
  bool parse_number(int &value, bool &dynamic) {
    if (peek() == '*') {
      dynamic = true;
      pos_++;
      return peek() != '*' || fail(FormatErrorKind::kManyStars);
    }
    if (peek() < '0' || peek() > '9') return true;
    int64_t number = 0;
    for (; peek() >= '0' && peek() <= '9'; pos_++)
      number = std::min<int64_t>(number * 10 + (peek() - '0'), std::numeric_limits<int>::max());
    value = static_cast<int>(number);
    return peek() != '$' || fail(FormatErrorKind::kPositional);
  }

  bool parse_width(FormatConversion &out) { return parse_number(out.width, out.dynamic_width); }

  bool parse_precision(FormatConversion &out) {
    if (peek() != '.') return true;
    pos_++;
    out.precision = 0;  // "%.d" is "%.0d"
    if (peek() == '.') return fail(FormatErrorKind::kManyDots);
    const size_t begin = pos_;
    if (!parse_number(out.precision, out.dynamic_precision)) return false;
    out.precision_digits = static_cast<int>(pos_ - begin);
    return peek() != '.' || fail(FormatErrorKind::kManyDots);
  }

  /// {strftime's words}, which may hold no }.
  bool parse_layout(FormatConversion &out) {
    if (peek() != '{') return true;
    const size_t end = text_.find('}', pos_);
    if (end == std::string_view::npos || end == pos_ + 1) return fail(FormatErrorKind::kLayout);
    out.time_layout = text_.substr(pos_ + 1, end - pos_ - 1);
    pos_ = end + 1;
    return true;
  }

  bool parse_name(FormatConversion &out) {
    const size_t begin = pos_;
    while (peek() == 'h' || peek() == 'l' || peek() == 'L' || peek() == 'w') pos_++;
    if (at_end()) return fail(FormatErrorKind::kUnterminated);
    pos_++;
    const std::string_view name = text_.substr(begin, pos_ - begin);
    if (name == "%") return fail(FormatErrorKind::kPercent);
    out.row = find_conversion(name);
    if (out.row == nullptr) return fail(FormatErrorKind::kUndefined, std::string(name));
    if (out.per_second && !out.aggregation) return fail(FormatErrorKind::kNoRate);
    const bool is_time = out.row->kind == Conversion::kWallTime;
    if (!out.time_layout.empty() && !is_time) return fail(FormatErrorKind::kLayout);
    if (is_time && out.precision > kMaxSubsecondDigits) return fail(FormatErrorKind::kSubseconds);
    if (out.row->kind != Conversion::kQuantile) return true;
    const bool is_share = out.precision > 0 && !out.dynamic_precision && out.precision_digits <= kMaxShareDigits;
    return is_share || fail(FormatErrorKind::kNoQuantile);
  }

  std::string_view text_;
  FormatError &error_;
  size_t pos_ = 0;
  uint32_t start_ = 0;
  unsigned number_ = 0;
};

}  // namespace

std::span<const ConversionRow> conversion_table() { return kConversions; }

bool FormatConversion::is_own() const {
  const bool is_time = row->kind == Conversion::kWallTime;
  return row->is_own || per_second || (is_time && (precision >= 0 || dynamic_precision || !time_layout.empty()));
}

size_t FormatString::arguments() const {
  size_t count = 0;
  for (const FormatConversion &c : conversions) count += c.arguments();
  return count;
}

std::string FormatError::text() const {
  switch (kind) {
    case FormatErrorKind::kEmpty:
      return "format string is empty";
    case FormatErrorKind::kManyStars:
      return fmt::format("format conversion #{} has more than one '*' specified", conversion);
    case FormatErrorKind::kManyDots:
      return fmt::format("format conversion #{} has more than one '.' specified", conversion);
    case FormatErrorKind::kPositional:
      return fmt::format("format conversion #{} uses a positional argument (n$)", conversion);
    case FormatErrorKind::kPercent:
      return fmt::format("format conversion #{} must be exactly %%", conversion);
    case FormatErrorKind::kUnterminated:
      return fmt::format("format conversion #{} name expected before end of format string", conversion);
    case FormatErrorKind::kUndefined:
      return fmt::format("format conversion #{} is undefined: %{}", conversion, name);
    case FormatErrorKind::kNoQuantile:
      return fmt::format(
          "format conversion #{} is a quantile without its share: %@.5q is the median, %@.99q the 99th percentile",
          conversion);
    case FormatErrorKind::kNoRate:
      return fmt::format("format conversion #{} is a rate, which aggregations have: printa(\"%@/d\", @a)", conversion);
    case FormatErrorKind::kLayout:
      return fmt::format("format conversion #{} has a time format that is not written %{{%H:%M:%S}}Y", conversion);
    case FormatErrorKind::kSubseconds:
      return fmt::format("format conversion #{} has more than nine digits of a second", conversion);
  }
  return {};
}

std::optional<FormatString> parse_format(std::string_view text, FormatError &error) {
  return FormatParser(text, error).parse();
}

}  // namespace dtrace
