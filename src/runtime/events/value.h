// SPDX-License-Identifier: Apache-2.0
// Values as the printers take them: elements of a record, aggregation keys, arguments of printf().
//
// Values borrow: text, bytes and frames stay in the record, key or table they were decoded from, which must outlive the
// call.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

namespace dtrace::runtime {

/// An integer, enum or pointer with its own size and sign; `bits` above the size are ignored.
struct Integer {
  uint64_t bits = 0;
  uint8_t size_bytes = 8;  ///< 1, 2, 4 or 8
  bool is_signed = true;
  std::string_view name = {};  ///< of an enum's value, if it has one

  constexpr uint64_t as_unsigned() const {
    return size_bytes >= 8 ? bits : bits & ((uint64_t{1} << size_bytes * 8) - 1);
  }
  constexpr int64_t as_signed() const {
    const unsigned unused = size_bytes >= 8 ? 0 : 64 - size_bytes * 8u;
    return static_cast<int64_t>(bits << unused) >> unused;
  }
};

/// A string: `bytes` up to its first NUL, or all of it.
struct Text {
  std::string_view bytes;
  bool is_traced = false;  ///< what a process or the kernel holds, not a literal of the D program
  std::string_view view() const { return bytes.substr(0, bytes.find('\0')); }
};

/// A struct, an array or raw memory, whole.
struct Bytes {
  std::string_view bytes;
  uint32_t align_bytes = 1;  ///< of its type: only data of alignment 1 may print as text
};

/// Return addresses, innermost first; a 0 ends them early.
struct KernelStack {
  std::span<const uint64_t> frames;
};
struct UserStack {
  pid_t pid = 0;  ///< thread group id
  std::span<const uint64_t> frames;
  uint32_t end = 0;    ///< enum dt_unwind_end: why there are no more of them
  uint32_t image = 0;  ///< dt_image_mark(); 0: not known
};
/// Why a stack is cut, for people; empty: it is whole.
std::string_view stack_end_text(uint32_t end);

/// Which of sym(), func(), mod(), usym(), ufunc(), umod(), uaddr().
enum class SymbolKind : uint8_t { kSym, kFunc, kMod, kUsym, kUfunc, kUmod, kUaddr };

struct Symbol {
  SymbolKind kind = SymbolKind::kSym;
  pid_t pid = 0;  ///< thread group id; user kinds only
  uint64_t address = 0;
  uint32_t image = 0;  ///< dt_image_mark(), of user kinds; 0: not known
};

struct Floating {
  long double value = 0;
};

using Value = std::variant<Integer, Text, Bytes, KernelStack, UserStack, Symbol, Floating>;

/// The name of an enum's value; empty: it is something else, or has none.
inline std::string_view name_of(const Value &value) {
  const auto *integer = std::get_if<Integer>(&value);
  return integer != nullptr ? integer->name : std::string_view();
}

/// Orders two values of the same type as aggregation keys are ordered: integers unsigned by their size, text and bytes
/// bytewise, stacks frame by frame, symbols by process, address, kind and image. Values of different types order by
/// their type.
int compare_values(const Value &a, const Value &b);

/// A number that orders values of one type as compare_values() does, as far as it goes: equal numbers decide nothing.
uint64_t order_prefix(const Value &value);

}  // namespace dtrace::runtime
