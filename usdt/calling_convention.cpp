// SPDX-License-Identifier: Apache-2.0
// System V ABIs of x86-64 and i386, and the AArch64 procedure call standard.
#include "usdt/calling_convention.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace dtrace::usdt {
namespace {

constexpr unsigned kWord = 0;  ///< as large as an address

struct ShapeRow {
  std::string_view name;
  unsigned size_bytes;
  bool is_signed;
};
constexpr ShapeRow kNamed[] = {
    {"_Bool", 1, false},        {"bool", 1, false},         {"boolean_t", 4, true},   {"char", 1, true},
    {"dev_t", 8, false},        {"gid_t", 4, false},        {"hrtime_t", 8, true},    {"id_t", 4, true},
    {"int16_t", 2, true},       {"int32_t", 4, true},       {"int64_t", 8, true},     {"int8_t", 1, true},
    {"longlong_t", 8, true},    {"mode_t", 4, false},       {"off_t", kWord, true},   {"pid_t", 4, true},
    {"projid_t", 4, true},      {"size_t", kWord, false},   {"ssize_t", kWord, true}, {"taskid_t", 4, true},
    {"time_t", kWord, true},    {"u_char", 1, false},       {"u_int", 4, false},      {"u_long", kWord, false},
    {"u_longlong_t", 8, false}, {"u_short", 2, false},      {"uchar_t", 1, false},    {"uid_t", 4, false},
    {"uint16_t", 2, false},     {"uint32_t", 4, false},     {"uint64_t", 8, false},   {"uint8_t", 1, false},
    {"uint_t", 4, false},       {"ulong_t", kWord, false},  {"ushort_t", 2, false},   {"zoneid_t", 4, true},
    {"intptr_t", kWord, true},  {"ptrdiff_t", kWord, true},
};

bool has_word(std::string_view type, std::string_view word) {
  for (size_t at = type.find(word); at != std::string_view::npos; at = type.find(word, at + 1)) {
    const bool begins = at == 0 || type[at - 1] == ' ';
    const bool ends = at + word.size() == type.size() || type[at + word.size()] == ' ';
    if (begins && ends) return true;
  }
  return false;
}

/// Registers of one kind, in order of use.
struct Registers {
  std::vector<std::string_view> integer, real;  ///< real: where the stub has put vector registers (stub_code.cpp)
  std::string_view stack;                       ///< format of an operand `{}` bytes from the stack pointer
  unsigned first_on_stack_bytes;
  unsigned slot_bytes;
};

const Registers &registers_of(const Target &target) {
  static const Registers kAmd64{
      {"%rdi", "%rsi", "%rdx", "%rcx", "%r8", "%r9"},
      {"-8(%rsp)", "-16(%rsp)", "-24(%rsp)", "-32(%rsp)", "-40(%rsp)", "-48(%rsp)", "-56(%rsp)", "-64(%rsp)"},
      "{}(%rsp)",
      8,
      8};
  static const Registers kI386{{}, {}, "{}(%esp)", 4, 4};
  static const Registers kArm64{{"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7"},
                                {"x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16"},
                                "[sp, {}]",
                                0,
                                8};
  if (target.machine == EM_AARCH64) return kArm64;
  return target.machine == EM_386 ? kI386 : kAmd64;
}

}  // namespace

TypeShape type_shape(std::string_view type, unsigned address_bytes) {
  const bool is_pointer = type.find_first_of("*&[(") != std::string_view::npos || type == "string" ||
                          type == "caddr_t" || type == "uintptr_t";
  if (is_pointer) return {address_bytes, false, false};
  for (std::string_view qualifier : {"const ", "volatile "})
    if (type.starts_with(qualifier)) type.remove_prefix(qualifier.size());
  if (type == "float") return {4, false, true};
  if (type == "double") return {8, false, true};
  if (type.starts_with("enum ")) return {4, false, false};
  const auto *named = std::ranges::find(kNamed, type, &ShapeRow::name);
  if (named != std::end(kNamed))
    return {named->size_bytes == kWord ? address_bytes : named->size_bytes, named->is_signed, false};
  // `unsigned long int` and the like, in any order.
  const bool is_signed = !has_word(type, "unsigned");
  if (has_word(type, "char")) return {1, is_signed, false};
  if (has_word(type, "short")) return {2, is_signed, false};
  if (type.find("long long") != std::string_view::npos) return {8, is_signed, false};
  if (has_word(type, "long")) return {address_bytes, is_signed, false};
  if (has_word(type, "int") || has_word(type, "signed") || !is_signed) return {4, is_signed, false};
  return {address_bytes, false, false};
}

std::string arguments_at_entry(const std::vector<Argument> &arguments, const Target &target) {
  const Registers &registers = registers_of(target);
  std::string text;
  size_t integers = 0;
  size_t reals = 0;
  unsigned stack_bytes = registers.first_on_stack_bytes;
  for (const Argument &argument : arguments) {
    const TypeShape shape = type_shape(argument.type, target.address_bytes());
    if (!text.empty()) text += ' ';
    fmt::format_to(std::back_inserter(text), "{}{}{}@", shape.is_signed ? "-" : "", shape.size_bytes,
                   shape.is_float ? "f" : "");
    const std::vector<std::string_view> &bank = shape.is_float ? registers.real : registers.integer;
    size_t &used = shape.is_float ? reals : integers;
    if (used < bank.size()) {
      text += bank[used++];
      continue;
    }
    text += fmt::format(fmt::runtime(registers.stack), stack_bytes);
    stack_bytes += std::max(registers.slot_bytes, shape.size_bytes);
  }
  return text;
}

std::vector<unsigned> real_sizes(const std::vector<Argument> &arguments, const Target &target) {
  std::vector<unsigned> sizes;
  for (const Argument &argument : arguments) {
    const TypeShape shape = type_shape(argument.type, target.address_bytes());
    if (shape.is_float && sizes.size() < registers_of(target).real.size()) sizes.push_back(shape.size_bytes);
  }
  return sizes;
}

}  // namespace dtrace::usdt
