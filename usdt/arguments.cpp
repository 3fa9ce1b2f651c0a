// SPDX-License-Identifier: Apache-2.0
// The text of argument strings. An argument begins at the beginning or after a blank, where a size and `@` stand:
// neither blanks nor `@` separate arguments, for operands hold both.
#include "usdt/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "usdt/registers.h"

namespace dtrace::usdt {
namespace {

constexpr size_t kMaxTextBytes = 64 << 10;
constexpr int kMaxTerms = 16;  // of a sum

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_symbol_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// The size and sign in front of `@`, and how long they are; nothing if no argument begins here.
struct Prefix {
  uint64_t size_bytes;
  bool is_signed, is_float;
  size_t length;
};
std::optional<Prefix> prefix_at(std::string_view text) {
  Prefix prefix{};
  size_t at = 0;
  if (at < text.size() && text[at] == '-') prefix.is_signed = ++at != 0;
  const size_t digits = at;
  while (at < text.size() && is_digit(text[at]) && at - digits < 6)
    prefix.size_bytes = prefix.size_bytes * 10 + static_cast<uint64_t>(text[at++] - '0');
  if (at == digits) return std::nullopt;
  if (at < text.size() && text[at] == 'f') prefix.is_float = ++at != 0;
  if (at >= text.size() || text[at] != '@') return std::nullopt;
  prefix.length = at + 1;
  return prefix;
}

Operand invalid(std::string reason) {
  Operand operand;
  operand.reason = std::move(reason);
  return operand;
}

/// Reads one operand from left to right.
class OperandParser {
 public:
  OperandParser(std::string_view text, Machine machine) : text_(text), all_(text), machine_(machine) {}

  Operand parse() {
    if (text_.empty()) return invalid("the note has no location for it");
    if (text_.find(" PTR ") != std::string_view::npos) return invalid("it is written in Intel syntax");
    const bool is_sound = machine_ == Machine::kAarch64 ? parse_arm() : parse_x86();
    if (!is_sound || !text_.empty())
      return invalid(reason_.empty() ? fmt::format("its location \"{}\" is not understood", all_) : reason_);
    return std::move(operand_);
  }

 private:
  bool take(std::string_view start) {
    if (!text_.starts_with(start)) return false;
    text_.remove_prefix(start.size());
    return true;
  }
  void skip_blanks() {
    while (take(" ")) {
    }
  }
  std::string_view take_word() {
    size_t length = 0;
    while (length < text_.size() && is_symbol_char(text_[length])) ++length;
    const std::string_view word = text_.substr(0, length);
    text_.remove_prefix(length);
    return word;
  }

  /// A decimal, octal or hexadecimal number without a sign.
  std::optional<uint64_t> number(std::string_view word) {
    int base = 10;
    if (word.starts_with("0x") || word.starts_with("0X")) {
      base = 16;
      word.remove_prefix(2);
    } else if (word.size() > 1 && word[0] == '0') {
      base = 8;
    }
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return value;
  }

  /// `@` and what stands behind it.
  bool modifier() {
    struct Row {
      std::string_view name;
      Operand::Use use;
    };
    constexpr Row kRows[] = {
        {"GOTPCREL", Operand::Use::kGotSlot},    {"GOTOFF", Operand::Use::kGotOffset},
        {"GOT", Operand::Use::kGotSlotOffset},   {"tpoff", Operand::Use::kThreadOffset},
        {"ntpoff", Operand::Use::kThreadOffset}, {"PLT", Operand::Use::kAddress},
    };
    const std::string_view name = take_word();
    for (const Row &row : kRows) {
      std::string_view rest = name;
      const bool is_same =
          rest.size() == row.name.size() && std::equal(rest.begin(), rest.end(), row.name.begin(),
                                                       [](char a, char b) { return (a | 0x20) == (b | 0x20); });
      if (!is_same) continue;
      operand_.use = row.use;
      return true;
    }
    reason_ = fmt::format("\"@{}\" in its location \"{}\" is not understood", name, all_);
    return false;
  }

  /// A sum of numbers and at most one symbol. False if there is none here.
  bool sum() {
    bool any = false;
    for (int term = 0; term < kMaxTerms; ++term) {
      const bool minus = take("-");
      const bool sign = minus || take("+");
      if (any && !sign) return true;
      skip_parentheses();
      if (text_.empty() || !is_symbol_char(text_.front())) return any && !sign;
      const bool is_number = is_digit(text_.front());
      const std::string_view word = take_word();
      if (is_number) {
        const std::optional<uint64_t> value = number(word);
        if (!value) return false;
        const auto d = static_cast<uint64_t>(operand_.displacement);
        operand_.displacement = static_cast<int64_t>(minus ? d - *value : d + *value);
      } else {
        if (minus || !operand_.symbol.empty()) return false;
        operand_.symbol = word;
        if (take("@") && !modifier()) return false;
      }
      close_parentheses();
      any = true;
    }
    return false;
  }
  /// Assemblers write `(sym+4)(%rip)` now and then; a `(` before a register or `,` is the address's own.
  void skip_parentheses() {
    while (text_.size() > 1 && text_[0] == '(' && text_[1] != '%' && text_[1] != ',') {
      take("(");
      ++open_;
    }
  }
  void close_parentheses() {
    while (open_ > 0 && take(")")) --open_;
  }

  /// A register with its `%`.
  bool x86_register(std::string_view &name) {
    if (!take("%")) return false;
    name = take_word();
    if (find_register(machine_, name)) return true;
    if (is_unseen_register(machine_, name)) {
      if (take("("))
        while (!text_.empty() && !take(")")) text_.remove_prefix(1);
      reason_ = fmt::format("it is in the register %{}, which a probe cannot see", name);
    } else {
      reason_ = fmt::format("\"%{}\" in its location \"{}\" is not a register", name, all_);
    }
    return false;
  }

  bool parse_x86() {
    if (take("$")) {
      operand_.form = Operand::Form::kConstant;
      return sum();
    }
    if (text_.starts_with('%')) {
      std::string_view name;
      const std::string_view rest = text_;
      take("%");
      const std::string_view segment = take_word();
      if (take(":")) return segment_relative(segment);
      text_ = rest;
      operand_.form = Operand::Form::kRegister;
      if (!x86_register(name)) return false;
      operand_.base = name;
      return true;
    }
    return x86_memory();
  }

  bool segment_relative(std::string_view segment) {
    const std::string_view own = machine_ == Machine::kX86_64 ? "fs" : "gs";
    if (segment == own) {
      operand_.is_thread_relative = true;
    } else if (segment != "ds" && segment != "es" && segment != "cs" && segment != "ss") {
      reason_ = fmt::format("the segment %{} of its location \"{}\" is not the thread's", segment, all_);
      return false;
    }
    return x86_memory();
  }

  bool x86_memory() {
    operand_.form = Operand::Form::kMemory;
    const bool has_sum = sum();
    if (!reason_.empty()) return false;
    if (!take("(")) return has_sum;
    if (text_.starts_with('%') && !x86_register(operand_.base)) return false;
    if (take(",")) {
      skip_blanks();
      if (text_.starts_with('%') && !x86_register(operand_.index)) return false;
      if (take(",")) {
        skip_blanks();
        const std::optional<uint64_t> scale = number(take_word());
        if (!scale || (*scale != 1 && *scale != 2 && *scale != 4 && *scale != 8)) return false;
        operand_.scale = static_cast<uint8_t>(*scale);
      }
    }
    return take(")");
  }

  bool parse_arm() {
    if (take("[")) return arm_memory();
    take("#");
    if (!text_.empty() && (is_digit(text_.front()) || text_.front() == '-' || text_.front() == '+')) {
      operand_.form = Operand::Form::kConstant;
      return sum();
    }
    const std::string_view rest = text_;
    const std::string_view name = take_word();
    if (text_.empty() && (name == "xzr" || name == "wzr")) {
      operand_.form = Operand::Form::kConstant;
      return true;
    }
    if (text_.empty() && find_register(machine_, name)) {
      operand_.form = Operand::Form::kRegister;
      operand_.base = name;
      return true;
    }
    if (text_.empty() && is_unseen_register(machine_, name)) {
      reason_ = fmt::format("it is in the register {}, which a probe cannot see", name);
      return false;
    }
    text_ = rest;
    operand_.form = Operand::Form::kMemory;
    return sum();
  }

  bool arm_memory() {
    operand_.form = Operand::Form::kMemory;
    operand_.base = take_word();
    if (!find_register(machine_, operand_.base)) return false;
    skip_blanks();
    if (take("]")) return true;
    if (!take(",")) return false;
    skip_blanks();
    if (take(":lo12:")) {
      operand_.use = Operand::Use::kLowBits;
      return sum() && take("]");
    }
    if (take("#") || (!text_.empty() && (is_digit(text_.front()) || text_.front() == '-'))) return sum() && take("]");
    operand_.index = take_word();
    const std::optional<RegisterPlace> index = find_register(machine_, operand_.index);
    if (!index) return false;
    operand_.index_is_narrow = index->size_bytes == 4;
    skip_blanks();
    if (take(",")) {
      skip_blanks();
      const std::string_view how = take_word();
      if (how != "lsl" && how != "uxtw" && how != "sxtw" && how != "sxtx") return false;
      operand_.index_is_signed = how[0] == 's';
      skip_blanks();
      take("#");
      if (!text_.starts_with(']')) {
        const std::optional<uint64_t> shift = number(take_word());
        if (!shift || *shift > 4) return false;
        operand_.scale = static_cast<uint8_t>(1 << *shift);
      }
    }
    return take("]");
  }

  std::string_view text_, all_;
  Machine machine_;
  Operand operand_;
  std::string reason_;
  int open_ = 0;
};

}  // namespace

std::vector<SiteArgument> parse_arguments(std::string_view text, Machine machine) {
  std::vector<SiteArgument> arguments;
  text = text.substr(0, kMaxTextBytes);
  for (size_t at = 0; at < text.size() && arguments.size() < kMaxArguments;) {
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    const std::optional<Prefix> prefix = prefix_at(text.substr(at));
    size_t end = at + (prefix ? prefix->length : 0);
    while (end < text.size() && !(text[end] == ' ' && prefix_at(text.substr(end + 1)))) ++end;
    SiteArgument argument;
    if (!prefix) {
      argument.operand = invalid(fmt::format("\"{}\" has no size", trimmed(text.substr(at, end - at))));
    } else {
      argument.size_bytes = prefix->size_bytes;
      argument.is_signed = prefix->is_signed;
      argument.is_float = prefix->is_float;
      argument.operand =
          OperandParser(trimmed(text.substr(at + prefix->length, end - at - prefix->length)), machine).parse();
    }
    arguments.push_back(std::move(argument));
    at = end;
  }
  return arguments;
}

}  // namespace dtrace::usdt
