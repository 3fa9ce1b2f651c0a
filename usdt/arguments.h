// SPDX-License-Identifier: Apache-2.0
// The argument string of a probe's site: where the compiler keeps each argument there. `-4@40+CheckpointStats(%rip)` is
// a signed 4-byte value 40 bytes behind a variable.
//
// In two steps: parse_arguments() reads the text, which needs nothing; resolve() gives symbols their addresses. What it
// finds is expressed relative to the site's instruction pointer, so it holds wherever the file is loaded.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "plan/hook.h"
#include "usdt/elf_file.h"

namespace dtrace::usdt {

/// An operand as written. Names are parts of the text.
struct Operand {
  enum class Form : uint8_t {
    kInvalid,   ///< `reason` says why
    kConstant,  ///< displacement, of a symbol too: its address
    kRegister,  ///< base
    kMemory,    ///< at displacement + symbol + base + index * scale
  };
  /// What the text wants of the symbol.
  enum class Use : uint8_t {
    kAddress,        ///< its address
    kGotSlot,        ///< the slot where the loader puts its address
    kGotOffset,      ///< its distance from the global offset table, which a register holds
    kGotSlotOffset,  ///< the same for that slot
    kThreadOffset,   ///< its distance from the thread pointer
    kLowBits,        ///< the low 12 bits of its address, the rest is in a register
  };
  Form form = Form::kInvalid;
  int64_t displacement = 0;
  std::string_view symbol;
  Use use = Use::kAddress;
  std::string_view base, index;  ///< without `%`; empty: none
  uint8_t scale = 1;
  bool index_is_narrow = false;  ///< its low 32 bits count,
  bool index_is_signed = false;  ///< sign-extended
  bool is_thread_relative = false;
  std::string reason;
};

struct SiteArgument {
  uint64_t size_bytes = 8;
  bool is_signed = false;
  bool is_float = false;
  Operand operand;
};

/// Reads an argument string. An argument that makes no sense becomes one of form kInvalid; the others do not suffer.
/// At most kMaxArguments; `text` must outlive the result.
std::vector<SiteArgument> parse_arguments(std::string_view text, Machine machine);
inline constexpr size_t kMaxArguments = 64;

/// What the symbols of a file's argument strings are, found in one go.
class ArgumentSymbols {
 public:
  /// Remembers what resolve() will ask for.
  void want(const std::vector<SiteArgument> &arguments);
  bool wants_any() const { return !names_.empty(); }
  /// Looks the wanted names up in the file and, if some are not there, in its separate debug file (may be nullptr).
  void find(const ElfFile &file, const ElfFile *debug);

  /// Where the arguments lie at the site whose instruction is at `pc` in the file. Those that cannot be known have kind
  /// kUnavailable and a reason.
  std::vector<UserOperand> resolve(const std::vector<SiteArgument> &arguments, const ElfFile &file, uint64_t pc) const;

 private:
  friend class Resolver;
  std::set<std::string, std::less<>> names_;
  std::map<std::string, Symbol, std::less<>> symbols_;
  std::map<std::string, uint64_t, std::less<>> slots_;
  std::optional<uint64_t> got_;
  std::optional<int64_t> thread_block_;
};

}  // namespace dtrace::usdt
