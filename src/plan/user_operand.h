// SPDX-License-Identifier: Apache-2.0
// An operand of a static probe's argument string, as data: the reader of notes makes it, the code generator compiles
// it, and programs that were there before the site interpret it (operand_row.h; kByCaller only the code generator).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dtrace {

/// Where one USDT argument lies at a site: how an operand of its argument string reads, symbols resolved.
struct UserOperand {
  enum class Kind : uint8_t {
    kUnavailable,   ///< `reason` says why; using it in a program is an error
    kConstant,      ///< `displacement`
    kRegister,      ///< register `base`, shifted right by `shift_bits`
    kRegisterPair,  ///< `base` is the low half, `index` the high half
    kMemory,        ///< at base + index * scale + displacement
    kAddress,       ///< that address itself
    kThreadMemory,  ///< at the thread pointer + displacement
    kByCaller,      ///< the address that the function returns to picks one of `choices`
  };
  static constexpr uint16_t kNoRegister = UINT16_MAX;
  Kind kind = Kind::kUnavailable;
  uint8_t size_bytes = 8;
  bool is_signed = false;
  bool is_float = false;
  uint8_t scale = 1;
  uint8_t shift_bits = 0;
  uint16_t base = kNoRegister;  ///< byte offset in struct pt_regs; of the instruction pointer for what lies relative to
                                ///< the site
  uint16_t index = kNoRegister;  ///< likewise
  bool is_index_narrow = false;  ///< its low 32 bits count (arm64: "w1, sxtw"),
  bool is_index_signed = false;  ///< sign-extended
  bool is_narrow = false;        ///< addresses have 32 bits
  int64_t displacement = 0;
  std::string reason;

  /// kByCaller: a call that passes `choices[choice]`. A call that is not in the list is a fault.
  struct Caller {
    int64_t distance = 0;  ///< from the instruction that the probe is at to the one behind the call
    uint32_t choice = 0;
    friend bool operator==(const Caller &, const Caller &) = default;
  };
  std::vector<Caller> callers = {};
  std::vector<UserOperand> choices = {};  ///< of the kinds between kConstant and kAddress
  friend bool operator==(const UserOperand &, const UserOperand &) = default;
};

}  // namespace dtrace
