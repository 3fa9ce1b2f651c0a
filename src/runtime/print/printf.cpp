// SPDX-License-Identifier: Apache-2.0
// printf() and printa() with a format. Integers are laid out here, by C's rules at the value's own size; only floating
// point and the grouping flag go through the C library.
#include "runtime/print/printf.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <limits>
#include <vector>

#include "runtime/print/pad.h"
#include "runtime/print/quantile.h"
#include "runtime/print/units.h"

namespace dtrace::runtime {

namespace {

/// Widths and precisions may come from a record, and nobody wants two gigabytes of blanks.
constexpr int kMaxColumns = 64 * 1024;

/// A conversion with its `*`s filled in.
struct Spec {
  const FormatConversion &conversion;
  bool left;
  int width;
  int precision;  // -1: none

  int padding() const { return left ? -width : width; }
};

Integer to_integer(const Value &value) {
  if (const auto *integer = std::get_if<Integer>(&value)) return *integer;
  if (const auto *symbol = std::get_if<Symbol>(&value)) return {symbol->address, 8, false};
  if (const auto *number = std::get_if<Floating>(&value)) {
    // What fits no integer is INT64_MIN, as the processor has it.
    const bool fits = number->value >= -0x1p63 && number->value < 0x1p63;
    return {static_cast<uint64_t>(fits ? static_cast<int64_t>(number->value) : INT64_MIN)};
  }
  return {0};
}

/// Text of a value under %s: of strings and arrays up to the NUL.
std::string to_text(const Value &value, const FormatContext &context) {
  if (const auto *text = std::get_if<Text>(&value)) return std::string(text->view());
  if (const auto *bytes = std::get_if<Bytes>(&value)) return std::string(Text{bytes->bytes}.view());
  if (const auto *symbol = std::get_if<Symbol>(&value)) return symbol_text(*symbol, context.text);
  const Integer integer = to_integer(value);
  if (!integer.name.empty()) return std::string(integer.name);
  return integer.is_signed ? fmt::format("{}", integer.as_signed()) : fmt::format("{}", integer.as_unsigned());
}

// ---------------------------------------------------------------- integers

std::string_view digits_of(uint64_t value, unsigned base, bool upper, char (&buffer)[64]) {
  const std::string_view alphabet = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  size_t begin = sizeof(buffer);
  for (; value != 0; value /= base) buffer[--begin] = alphabet[value % base];
  return {buffer + begin, sizeof(buffer) - begin};
}

/// Sign or base prefix, zeros to the precision, digits; then blanks or zeros to the width.
void append_digits(std::string &out, const Spec &spec, std::string_view prefix, std::string_view digits) {
  size_t zeros = 0;
  const size_t least = spec.precision < 0 ? 1 : static_cast<size_t>(spec.precision);
  if (digits.size() < least) zeros = least - digits.size();

  const auto width = static_cast<size_t>(spec.width);
  const size_t used = prefix.size() + zeros + digits.size();
  const size_t fill = width > used ? width - used : 0;
  const bool zero_fill = spec.conversion.zero_pad && !spec.left && spec.precision < 0;

  if (!spec.left && !zero_fill) out.append(fill, ' ');
  out += prefix;
  out.append(zeros + (zero_fill ? fill : 0), '0').append(digits);
  if (spec.left) out.append(fill, ' ');
}

/// Flags as C writes them.
std::string flag_text(const Spec &spec) {
  const FormatConversion &c = spec.conversion;
  std::string flags;
  if (c.alternate) flags += '#';
  if (c.zero_pad) flags += '0';
  if (spec.left) flags += '-';
  if (c.plus) flags += '+';
  if (c.blank) flags += ' ';
  if (c.group) flags += '\'';
  return flags;
}

template <typename T>
void append_with_libc(std::string &out, const Spec &spec, std::string_view name, T value) {
  const std::string format = "%" + flag_text(spec) + "*.*" + std::string(name);
  const int size = std::snprintf(nullptr, 0, format.c_str(), spec.width, spec.precision, value);
  if (size <= 0) return;
  const size_t begin = out.size();
  out.resize(begin + static_cast<size_t>(size) + 1);
  std::snprintf(out.data() + begin, static_cast<size_t>(size) + 1, format.c_str(), spec.width, spec.precision, value);
  out.resize(begin + static_cast<size_t>(size));
}

void append_decimal(std::string &out, const Spec &spec, const Integer &value, bool is_signed) {
  if (spec.conversion.group) {  // grouping is the locale's affair
    if (is_signed) return append_with_libc(out, spec, "lld", static_cast<long long>(value.as_signed()));
    return append_with_libc(out, spec, "llu", static_cast<unsigned long long>(value.as_unsigned()));
  }
  char buffer[64];
  if (!is_signed) return append_digits(out, spec, "", digits_of(value.as_unsigned(), 10, false, buffer));
  const int64_t number = value.as_signed();
  const std::string_view sign = number < 0 ? "-" : spec.conversion.plus ? "+" : spec.conversion.blank ? " " : "";
  append_digits(out, spec, sign, digits_of(magnitude_of(number), 10, false, buffer));
}

void append_hexadecimal(std::string &out, const Spec &spec, const Integer &value, bool upper) {
  char buffer[64];
  const uint64_t number = value.as_unsigned();
  const bool prefixed = spec.conversion.alternate && number != 0;
  append_digits(out, spec, prefixed ? (upper ? "0X" : "0x") : "", digits_of(number, 16, upper, buffer));
}

void append_octal(std::string &out, const Spec &spec, const Integer &value) {
  char buffer[64];
  const std::string_view digits = digits_of(value.as_unsigned(), 8, false, buffer);
  const bool shows_zero = digits.empty() && spec.precision != 0;  // already begins with 0
  if (!spec.conversion.alternate || shows_zero) return append_digits(out, spec, "", digits);
  // '#' asks for one leading zero; one that the precision brings is enough.
  const bool by_precision = spec.precision > static_cast<int>(digits.size());
  append_digits(out, spec, by_precision ? "" : "0", digits);
}

// ---------------------------------------------------------------- text

/// Pads and cuts like %s.
void append_text(std::string &out, const Spec &spec, std::string_view text) {
  if (spec.precision >= 0) text = text.substr(0, static_cast<size_t>(spec.precision));
  append_padded(out, text, spec.padding());
}

/// An array of 32-bit characters up to its first 0, or one character.
std::string wide_text(const Value &value) {
  std::string text;
  if (const auto *wide = std::get_if<Bytes>(&value)) {
    uint32_t character = 0;
    for (size_t at = 0; at + sizeof(character) <= wide->bytes.size(); at += sizeof(character)) {
      std::memcpy(&character, wide->bytes.data() + at, sizeof(character));
      if (character == 0) break;
      append_utf8(text, character);
    }
  } else {
    append_utf8(text, static_cast<uint32_t>(to_integer(value).bits));
  }
  return text;
}

std::string escaped_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) append_escaped(escaped, static_cast<unsigned char>(c), true);
  return escaped;
}

constexpr int kSubsecondDigits = 9;

/// The first digits of a nine-digit fraction of a second.
std::string subsecond_text(int64_t ns, int digits) {
  return fmt::format("{:09}", ns).substr(0, static_cast<size_t>(std::clamp(digits, 0, kSubsecondDigits)));
}

/// strftime's layout with %N, %3N, %6N and so on replaced by the fraction of the second, as date(1) has it.
std::string with_subseconds(std::string_view layout, int64_t ns) {
  std::string result;
  for (size_t at = 0; at < layout.size(); ++at) {
    if (layout[at] != '%' || at + 1 == layout.size()) {
      result += layout[at];
      continue;
    }
    const char next = layout[at + 1];
    const bool has_digit = next >= '1' && next <= '9' && at + 2 < layout.size() && layout[at + 2] == 'N';
    if (next == 'N' || has_digit) {
      result += subsecond_text(ns, has_digit ? next - '0' : kSubsecondDigits);
      at += has_digit ? 2 : 1;
    } else {
      result += {'%', next};
      ++at;
    }
  }
  return result;
}

/// `digits`: of the fraction of a second, behind a point at the end.
std::string time_text(const Value &value, std::string_view layout, int digits = 0) {
  constexpr int64_t kNsPerSecond = 1'000'000'000;
  const int64_t time_ns = to_integer(value).as_signed();
  int64_t whole = time_ns / kNsPerSecond, fraction = time_ns % kNsPerSecond;
  if (fraction < 0) {  // before 1970
    fraction += kNsPerSecond;
    --whole;
  }
  const auto seconds = static_cast<time_t>(whole);
  tm local{};
  if (::localtime_r(&seconds, &local) == nullptr) return fmt::format("{}", seconds);
  // strftime() gives 0 both for nothing and for too much; the blank tells them apart.
  const std::string format = with_subseconds(layout, fraction) + ' ';
  std::string text(format.size() + 128, '\0');
  size_t size = 0;
  while ((size = std::strftime(text.data(), text.size(), format.c_str(), &local)) == 0 && text.size() < kMaxColumns)
    text.resize(text.size() * 2);
  text.resize(size == 0 ? 0 : size - 1);
  if (digits > 0) text += '.' + subsecond_text(fraction, digits);
  return text;
}

constexpr std::string_view kTimeLayout = "%Y %b %e %T";

std::string address_text_of(const Value &value, const FormatContext &context, bool user) {
  if (const auto *symbol = std::get_if<Symbol>(&value)) return symbol_text(*symbol, context.text);
  const uint64_t address = to_integer(value).as_unsigned();
  if (user && context.target_pid == 0) return fmt::format("0x{:x}", address);
  return address_text(address, user ? context.target_pid : 0, context.text);
}

std::string port_text(const Value &value, const FormatContext &context) {
  const auto port = static_cast<uint16_t>(to_integer(value).bits);
  std::string name = context.names == nullptr ? std::string() : context.names->service(port);
  return name.empty() ? fmt::format("{}", port) : name;
}

std::string host_text(const Value &value, const FormatContext &context) {
  std::string address = to_text(value, context);
  std::string name = context.names == nullptr ? std::string() : context.names->host(address);
  return name.empty() ? address : name;
}

/// %k: the width is the indentation of the block, and only if left-aligned.
void append_stack_value(std::string &out, const Spec &spec, const Value &value, const FormatContext &context) {
  const int indent = spec.left ? spec.width : 0;
  if (const auto *kernel = std::get_if<KernelStack>(&value)) append_stack(out, *kernel, context.text, indent);
  if (const auto *user = std::get_if<UserStack>(&value)) append_stack(out, *user, context.text, indent);
}

long double to_float(const Value &value) {
  if (const auto *number = std::get_if<Floating>(&value)) return number->value;
  const Integer integer = to_integer(value);
  return integer.is_signed ? static_cast<long double>(integer.as_signed())
                           : static_cast<long double>(integer.as_unsigned());
}

void append_conversion(std::string &out, const Spec &spec, const Value &value, const FormatContext &context) {
  switch (spec.conversion.row->kind) {
    case Conversion::kDecimal: {
      const Integer integer = to_integer(value);
      return append_decimal(out, spec, integer, integer.is_signed);
    }
    case Conversion::kSigned:
      return append_decimal(out, spec, to_integer(value), true);
    case Conversion::kUnsigned:
      return append_decimal(out, spec, to_integer(value), false);
    case Conversion::kOctal:
      return append_octal(out, spec, to_integer(value));
    case Conversion::kHex:
    case Conversion::kPointer:
      return append_hexadecimal(out, spec, to_integer(value), false);
    case Conversion::kHexUpper:
      return append_hexadecimal(out, spec, to_integer(value), true);
    case Conversion::kChar: {
      const char byte = static_cast<char>(to_integer(value).bits);
      return append_padded(out, {&byte, 1}, spec.padding());
    }
    case Conversion::kCharEscaped: {
      std::string escaped;
      append_escaped(escaped, static_cast<unsigned char>(to_integer(value).bits), false);
      return append_padded(out, escaped, spec.padding());
    }
    case Conversion::kString: {
      std::string buffer;
      if (const auto *text = std::get_if<Text>(&value))
        return append_text(out, spec, shown_text(*text, context.text, buffer));
      if (const auto *bytes = std::get_if<Bytes>(&value))
        return append_text(out, spec, shown_text({bytes->bytes, true}, context.text, buffer));
      return append_text(out, spec, to_text(value, context));
    }
    case Conversion::kStringEscaped:
      return append_text(out, spec, escaped_text(to_text(value, context)));
    case Conversion::kWideString:
    case Conversion::kWideChar:
      return append_text(out, spec, wide_text(value));
    case Conversion::kKernelAddress:
      return append_text(out, spec, address_text_of(value, context, false));
    case Conversion::kUserAddress:
      return append_text(out, spec, address_text_of(value, context, true));
    case Conversion::kStack:
      return append_stack_value(out, spec, value, context);
    case Conversion::kWallTime: {
      const std::string &layout = spec.conversion.time_layout;
      const std::string text = time_text(value, layout.empty() ? kTimeLayout : layout, std::max(spec.precision, 0));
      return append_padded(out, text, spec.padding());
    }
    case Conversion::kMailTime:
      return append_text(out, spec, time_text(value, "%a, %d %b %Y %T %Z"));
    case Conversion::kPort:
      return append_text(out, spec, port_text(value, context));
    case Conversion::kHost:
      return append_text(out, spec, host_text(value, context));
    case Conversion::kFloatE:
      return append_with_libc(out, spec, "Le", to_float(value));
    case Conversion::kFloatEUpper:
      return append_with_libc(out, spec, "LE", to_float(value));
    case Conversion::kFloatF:
      return append_with_libc(out, spec, "Lf", to_float(value));
    case Conversion::kFloatG:
      return append_with_libc(out, spec, "Lg", to_float(value));
    case Conversion::kFloatGUpper:
      return append_with_libc(out, spec, "LG", to_float(value));
    case Conversion::kScaled:
    case Conversion::kBytes:
    case Conversion::kDuration:
      return append_padded(out, unit_text(to_float(value), spec.conversion.row->kind, spec.precision), spec.padding());
    case Conversion::kQuantile:
      return;  // of an aggregation, which is no value
  }
}

/// Does the conversion print more than whole numbers?
bool shows_fractions(Conversion kind) {
  switch (kind) {
    case Conversion::kFloatE:
    case Conversion::kFloatEUpper:
    case Conversion::kFloatF:
    case Conversion::kFloatG:
    case Conversion::kFloatGUpper:
    case Conversion::kScaled:
    case Conversion::kBytes:
    case Conversion::kDuration:
      return true;
    default:
      return false;
  }
}

/// Takes values left to right.
class Arguments {
 public:
  explicit Arguments(std::span<const Value> values) : values_(values) {}

  const Value &next() {
    static const Value kNone = Integer{};
    const size_t index = used_++;
    return index < values_.size() ? values_[index] : kNone;
  }

  size_t used() const { return used_; }

  /// The value of a conversion, computed if it is to be.
  Value value(const FormatConversion &conversion) {
    if (conversion.computed.empty()) return next();
    std::vector<long double> stack;
    const auto pop = [&stack] {
      const long double top = stack.empty() ? 0 : stack.back();
      if (!stack.empty()) stack.pop_back();
      return top;
    };
    for (const ComputedStep &step : conversion.computed) {
      using Kind = ComputedStep::Kind;
      if (step.kind == Kind::kArgument || step.kind == Kind::kConstant) {
        stack.push_back(step.kind == Kind::kArgument ? to_float(next()) : step.constant);
        continue;
      }
      const long double right = pop();
      const long double left = step.kind == Kind::kNegate ? 0 : pop();
      stack.push_back(step.kind == Kind::kNegate     ? -right
                      : step.kind == Kind::kAdd      ? left + right
                      : step.kind == Kind::kSubtract ? left - right
                      : step.kind == Kind::kMultiply ? left * right
                                                     : left / right);
    }
    return Floating{pop()};
  }

  /// Width and precision of `conversion`, its `*`s taken from the values.
  Spec spec(const FormatConversion &conversion) {
    Spec spec{conversion, conversion.left, std::min(conversion.width, kMaxColumns),
              std::min(conversion.precision, kMaxColumns)};
    if (conversion.dynamic_width) {
      const int width = std::clamp(next_int(), -kMaxColumns, kMaxColumns);
      spec.left |= width < 0;
      spec.width = width < 0 ? -width : width;
    }
    if (conversion.dynamic_precision) spec.precision = std::clamp(next_int(), -1, kMaxColumns);
    return spec;
  }

 private:
  int next_int() {
    using Limits = std::numeric_limits<int>;
    const int64_t number = to_integer(next()).as_signed();
    return static_cast<int>(std::clamp<int64_t>(number, -Limits::max(), Limits::max()));
  }

  std::span<const Value> values_;
  size_t used_ = 0;
};

/// ".99" is 99 of 100.
Quantile share_of(const FormatConversion &conversion) {
  return {static_cast<uint64_t>(conversion.precision),
          integer_power(10, static_cast<uint32_t>(conversion.precision_digits))};
}

void append_aggregation_value(std::string &out, const Spec &spec, const AggregationDatum &datum,
                              const FormatContext &context, const HistogramOptions &histograms) {
  if (spec.conversion.row->kind == Conversion::kQuantile)
    return append_padded(out, quantile_text(*datum.shape, datum.words, share_of(spec.conversion)), spec.padding());
  if (datum.shape->is_histogram()) {
    if (!datum.words.empty()) return append_histogram(out, *datum.shape, datum.words, datum.normal, histograms);
    const std::vector<uint64_t> nothing(datum.shape->words());
    return append_histogram(out, *datum.shape, nothing, datum.normal, histograms);
  }
  const bool shows = shows_fractions(spec.conversion.row->kind);
  if (shows || spec.conversion.per_second) {
    long double number = datum.words.empty() ? 0 : exact_result(*datum.shape, datum.words, datum.normal);
    if (spec.conversion.per_second) number *= 1e9L / static_cast<long double>(std::max<uint64_t>(datum.counted_ns, 1));
    return append_conversion(out, spec, Floating{shows ? number : std::round(number)}, context);
  }
  const ScalarResult result =
      datum.words.empty() ? ScalarResult{} : scalar_result(*datum.shape, datum.words, datum.normal);
  append_conversion(out, spec, Integer{static_cast<uint64_t>(result.value), 8, result.is_signed}, context);
}

}  // namespace

void append_printf(std::string &out, const FormatString &format, std::span<const Value> values,
                   const FormatContext &context) {
  Arguments arguments(values);
  for (const FormatConversion &conversion : format.conversions) {
    out += conversion.literal;
    const Spec spec = arguments.spec(conversion);
    append_conversion(out, spec, arguments.value(conversion), context);
  }
  out += format.tail;
}

std::vector<PrintfArgument> printf_arguments(const FormatString &format, std::span<const Value> values) {
  std::vector<PrintfArgument> list;
  Arguments arguments(values);
  for (const FormatConversion &conversion : format.conversions) {
    for (unsigned star = 0; star < conversion.dynamic_arguments(); ++star) {
      const size_t index = arguments.used();
      list.push_back({arguments.next(), index, {}});
    }
    const size_t index = arguments.used();
    list.push_back({arguments.value(conversion), index, conversion.computed_text});
  }
  return list;
}

void append_printa(std::string &out, const FormatString &format, std::span<const Value> keys,
                   std::span<const AggregationDatum> data, const FormatContext &context,
                   const HistogramOptions &histograms) {
  Arguments arguments(keys);
  size_t datum = 0;
  for (const FormatConversion &conversion : format.conversions) {
    out += conversion.literal;
    const Spec spec = arguments.spec(conversion);
    if (conversion.aggregation) {
      append_aggregation_value(out, spec, data[std::min(datum++, data.size() - 1)], context, histograms);
    } else {
      append_conversion(out, spec, arguments.next(), context);
    }
  }
  out += format.tail;
}

}  // namespace dtrace::runtime
