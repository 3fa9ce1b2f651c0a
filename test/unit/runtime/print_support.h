// SPDX-License-Identifier: Apache-2.0
// What the printers' tests share: a symbolizer with fixed answers, and short ways to make values.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/text/format_string.h"
#include "runtime/events/value.h"
#include "runtime/symbols/symbolizer.h"

namespace dtrace::runtime::test {

/// Kernel: module`function from 0x1000, caller from 0x2000, module without symbols from 0x8000. User (any pid):
/// a.out`main from 0x400, libc without symbols from 0x900.
class FixedSymbols : public Symbolizer {
 public:
  std::string kernel_symbol(uint64_t address, bool want_offset) override {
    if (address >= 0x1000 && address < 0x2000) return named("module`function", address - 0x1000, want_offset);
    if (address >= 0x2000 && address < 0x3000) return named("module`caller", address - 0x2000, want_offset);
    if (address >= 0x8000 && address < 0x9000) return fmt::format("module`0x{:x}", address);
    return fmt::format("0x{:x}", address);
  }
  std::string kernel_module(uint64_t address) override {
    return address >= 0x1000 && address < 0x9000 ? "module" : fmt::format("0x{:x}", address);
  }
  std::string user_symbol(UserImage, uint64_t address, bool want_offset) override {
    if (address >= 0x400 && address < 0x500) return named("a.out`main", address - 0x400, want_offset);
    if (address >= 0x900 && address < 0xa00) return fmt::format("libc.so.6`0x{:x}", address);
    return fmt::format("0x{:x}", address);
  }
  std::string user_module(UserImage, uint64_t address) override {
    return address >= 0x900 && address < 0xa00 ? "libc.so.6" : "a.out";
  }

 private:
  static std::string named(std::string_view name, uint64_t offset, bool want_offset) {
    return offset == 0 || !want_offset ? std::string(name) : fmt::format("{}+0x{:x}", name, offset);
  }
};

inline Value i8(int64_t v) { return Integer{static_cast<uint64_t>(v), 1, true}; }
inline Value u8(uint64_t v) { return Integer{v, 1, false}; }
inline Value i16(int64_t v) { return Integer{static_cast<uint64_t>(v), 2, true}; }
inline Value u16(uint64_t v) { return Integer{v, 2, false}; }
inline Value i32(int64_t v) { return Integer{static_cast<uint64_t>(v), 4, true}; }
inline Value u32(uint64_t v) { return Integer{v, 4, false}; }
inline Value i64(int64_t v) { return Integer{static_cast<uint64_t>(v), 8, true}; }
inline Value u64(uint64_t v) { return Integer{v, 8, false}; }
inline Value text(std::string_view v) { return Text{v}; }

inline FormatString format(std::string_view text) {
  FormatError error{};
  return parse_format(text, error).value();
}

/// "text" padded with blanks to `columns`.
inline std::string padded(std::string_view text, size_t columns) { return fmt::format("{:<{}}", text, columns); }

}  // namespace dtrace::runtime::test
