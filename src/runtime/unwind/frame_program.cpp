// SPDX-License-Identifier: Apache-2.0
#include "runtime/unwind/frame_program.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "runtime/unwind/frame_reader.h"

namespace dtrace::runtime {
namespace {

// DW_CFA_*. The upper two bits say which of the first three it is; their lower six are an operand.
enum Operation : uint8_t {
  kAdvance = 0x40,
  kOffset = 0x80,
  kRestore = 0xc0,
  kNop = 0x00,
  kSetLocation = 0x01,
  kAdvance1 = 0x02,
  kAdvance2 = 0x03,
  kAdvance4 = 0x04,
  kOffsetExtended = 0x05,
  kRestoreExtended = 0x06,
  kUndefined = 0x07,
  kSameValue = 0x08,
  kRegister = 0x09,
  kRememberState = 0x0a,
  kRestoreState = 0x0b,
  kDefineCfa = 0x0c,
  kDefineCfaRegister = 0x0d,
  kDefineCfaOffset = 0x0e,
  kDefineCfaExpression = 0x0f,
  kExpression = 0x10,
  kOffsetExtendedSigned = 0x11,
  kDefineCfaSigned = 0x12,
  kDefineCfaOffsetSigned = 0x13,
  kValueOffset = 0x14,
  kValueOffsetSigned = 0x15,
  kValueExpression = 0x16,
  kNegateReturnStateWithPc = 0x2c,  // aarch64: whether return addresses are signed, which walks need not know
  kNegateReturnState = 0x2d,
  kArgumentsSize = 0x2e,
  kNegativeOffsetExtended = 0x2f,
};

// DW_OP_* that the expressions we know are made of.
enum ExpressionOperation : uint8_t {
  kDereference = 0x06,
  kAnd = 0x1a,
  kPlus = 0x22,
  kPlusConstant = 0x23,
  kShiftLeft = 0x24,
  kGreaterOrEqual = 0x2a,
  kLiteral0 = 0x30,
  kBaseRegister0 = 0x70,
  kBaseRegisterX = 0x92,
};

using Bytes = std::span<const std::byte>;

/// A register's value plus an offset.
struct Address {
  uint64_t reg = 0;
  int64_t offset = 0;
};

/// Reads DW_OP_breg0..31 or DW_OP_bregx.
std::optional<Address> read_based_address(FrameReader &reader) {
  Address address;
  const uint8_t operation = reader.u8();
  if (operation == kBaseRegisterX)
    address.reg = reader.uleb();
  else if (operation >= kBaseRegister0 && operation < kBaseRegister0 + 32)
    address.reg = operation - kBaseRegister0;
  else
    return std::nullopt;
  address.offset = reader.sleb();
  if (!reader.is_whole()) return std::nullopt;
  return address;
}

/// Where the value that a register had in the caller is.
struct Saved {
  enum class Kind : uint8_t { kSame, kUndefined, kAtCfa, kExpression, kRegister, kUnknown };
  Kind kind = Kind::kSame;
  int64_t offset = 0;  ///< kRegister: its number
  Bytes expression = {};
};

struct Cfa {
  enum class Kind : uint8_t { kNone, kRegister, kExpression };
  Kind kind = Kind::kNone;
  Address address = {};
  Bytes expression = {};
};

/// The registers that we follow.
struct State {
  Cfa cfa;
  Saved return_address, frame, other;
};

class Program {
 public:
  Program(const CommonEntry &common, const arch::FrameRegisters &registers, const CodeRange &code,
          uint64_t &nr_operations, const TakeRule &take)
      : common_(common), registers_(registers), code_(code), at_(code.start), left_(nr_operations), take_(take) {}

  bool run(Bytes instructions) {
    FrameReader reader(common_.instructions, 0);
    if (!run(reader)) return false;
    initial_ = state_;
    // Instructions are relative to themselves only in DW_CFA_set_loc, which no compiler writes.
    FrameReader own(instructions, 0);
    if (!run(own)) return false;
    advance_to(code_.end);
    return true;
  }

 private:
  bool run(FrameReader &reader) {
    while (!reader.at_end()) {
      if (left_ == 0) return false;
      --left_;
      if (!step(reader)) return false;
    }
    return reader.is_whole();
  }

  void advance_to(uint64_t address) {
    const uint64_t end = std::min(address, code_.end);
    if (end > at_) {
      take_(at_, end, rule());
      at_ = end;
    }
  }
  bool advance(uint64_t units) {
    const uint64_t most = code_.end - at_;
    if (common_.code_align != 0 && units > most / common_.code_align) {
      advance_to(code_.end);  // what follows is about no code of this entry
      return true;
    }
    advance_to(at_ + units * common_.code_align);
    return true;
  }

  Saved *followed(uint64_t reg) {
    if (reg == common_.return_register) return &state_.return_address;
    if (reg == registers_.frame) return &state_.frame;
    if (reg == registers_.other) return &state_.other;
    return nullptr;
  }
  bool save(uint64_t reg, Saved saved) {
    if (Saved *place = followed(reg)) *place = saved;
    return true;
  }
  bool save_at_cfa(uint64_t reg, int64_t units) {
    int64_t offset = 0;
    if (__builtin_mul_overflow(units, common_.data_align, &offset)) return save(reg, {Saved::Kind::kUnknown});
    return save(reg, {Saved::Kind::kAtCfa, offset});
  }
  bool restore(uint64_t reg) {
    if (reg == common_.return_register) state_.return_address = initial_.return_address;
    if (reg == registers_.frame) state_.frame = initial_.frame;
    if (reg == registers_.other) state_.other = initial_.other;
    return true;
  }
  bool define_cfa(uint64_t reg, int64_t offset) {
    state_.cfa = {Cfa::Kind::kRegister, {reg, offset}};
    return true;
  }
  bool define_cfa_offset(int64_t offset) {
    if (state_.cfa.kind == Cfa::Kind::kRegister) state_.cfa.address.offset = offset;
    return state_.cfa.kind == Cfa::Kind::kRegister;
  }
  int64_t factored(int64_t units) const {
    int64_t offset = 0;
    return __builtin_mul_overflow(units, common_.data_align, &offset) ? std::numeric_limits<int64_t>::max() : offset;
  }
  static Bytes block(FrameReader &reader) { return reader.bytes(reader.uleb()); }
  static int64_t as_signed(uint64_t value) { return static_cast<int64_t>(value); }

  bool step(FrameReader &reader);

  dt_unwind_rule rule() const;
  uint8_t base_of(uint64_t reg) const {
    if (reg == registers_.stack) return DT_UNWIND_STACK;
    if (reg == registers_.frame) return DT_UNWIND_FRAME;
    if (reg == registers_.other) return DT_UNWIND_OTHER;
    return DT_UNWIND_NONE;
  }
  bool set_cfa(dt_unwind_rule &rule) const;
  bool set_cfa_by_expression(dt_unwind_rule &rule) const;
  /// The base of the location, or DT_UNWIND_LOST.
  uint8_t place_of(const Saved &saved, int32_t &offset) const;

  const CommonEntry &common_;
  const arch::FrameRegisters &registers_;
  CodeRange code_;
  uint64_t at_;
  uint64_t &left_;
  const TakeRule &take_;
  State state_, initial_;
  std::vector<State> remembered_;
};

constexpr size_t kMaxRemembered = 64;  // compilers nest them once or twice

bool Program::step(FrameReader &reader) {
  const uint8_t byte = reader.u8();
  const uint8_t operand = byte & 0x3f;
  switch (byte & 0xc0) {
    case kAdvance:
      return advance(operand);
    case kOffset:
      return save_at_cfa(operand, as_signed(reader.uleb()));
    case kRestore:
      return restore(operand);
    default:
      break;
  }
  switch (operand) {
    case kNop:
    case kNegateReturnState:
    case kNegateReturnStateWithPc:
      return true;
    case kAdvance1:
      return advance(reader.u8());
    case kAdvance2:
      return advance(reader.u16());
    case kAdvance4:
      return advance(reader.u32());
    case kOffsetExtended: {
      const uint64_t reg = reader.uleb();
      return save_at_cfa(reg, as_signed(reader.uleb()));
    }
    case kOffsetExtendedSigned: {
      const uint64_t reg = reader.uleb();
      return save_at_cfa(reg, reader.sleb());
    }
    case kNegativeOffsetExtended: {
      const uint64_t reg = reader.uleb();
      return save_at_cfa(reg, static_cast<int64_t>(-reader.uleb()));
    }
    case kRestoreExtended:
      return restore(reader.uleb());
    case kUndefined:
      return save(reader.uleb(), {Saved::Kind::kUndefined});
    case kSameValue:
      return save(reader.uleb(), {Saved::Kind::kSame});
    case kRegister: {
      const uint64_t reg = reader.uleb();
      return save(reg, {Saved::Kind::kRegister, as_signed(reader.uleb())});
    }
    case kRememberState:
      if (remembered_.size() == kMaxRemembered) return false;
      remembered_.push_back(state_);
      return true;
    case kRestoreState:
      if (remembered_.empty()) return false;
      state_ = remembered_.back();
      remembered_.pop_back();
      return true;
    case kDefineCfa: {
      const uint64_t reg = reader.uleb();
      return define_cfa(reg, as_signed(reader.uleb()));
    }
    case kDefineCfaSigned: {
      const uint64_t reg = reader.uleb();
      return define_cfa(reg, factored(reader.sleb()));
    }
    case kDefineCfaRegister:
      if (state_.cfa.kind != Cfa::Kind::kRegister) return false;
      return define_cfa(reader.uleb(), state_.cfa.address.offset);
    case kDefineCfaOffset:
      return define_cfa_offset(as_signed(reader.uleb()));
    case kDefineCfaOffsetSigned:
      return define_cfa_offset(factored(reader.sleb()));
    case kDefineCfaExpression:
      state_.cfa = {Cfa::Kind::kExpression, {}, block(reader)};
      return true;
    case kExpression: {
      const uint64_t reg = reader.uleb();
      return save(reg, {Saved::Kind::kExpression, 0, block(reader)});
    }
    case kValueOffset:
    case kValueOffsetSigned: {
      const uint64_t reg = reader.uleb();
      reader.uleb();
      return save(reg, {Saved::Kind::kUnknown});
    }
    case kValueExpression: {
      const uint64_t reg = reader.uleb();
      block(reader);
      return save(reg, {Saved::Kind::kUnknown});
    }
    case kArgumentsSize:
      reader.uleb();
      return true;
    default:
      return false;
  }
}

bool is_single_byte(int64_t number) { return number >= 0 && number <= std::numeric_limits<uint8_t>::max(); }

bool fits(int64_t offset) {
  return offset >= std::numeric_limits<int32_t>::min() && offset <= std::numeric_limits<int32_t>::max();
}

bool Program::set_cfa_by_expression(dt_unwind_rule &rule) const {
  FrameReader reader(state_.cfa.expression, 0);
  const std::optional<Address> address = read_based_address(reader);
  if (!address || !fits(address->offset)) return false;
  rule.cfa = base_of(address->reg);
  rule.cfa_offset = static_cast<int32_t>(address->offset);
  if (reader.at_end()) return rule.cfa != DT_UNWIND_NONE;
  uint8_t operation = reader.u8();
  if (operation == kDereference && reader.at_end()) {
    rule.flags |= DT_UNWIND_DEREFERENCE;
    return rule.cfa != DT_UNWIND_NONE;
  }
  // A procedure linkage table's: rsp + 8 + ((rip & 15) >= N) * 8, as the linkers write it.
  const auto literal = [](uint8_t code) { return static_cast<uint8_t>(code - kLiteral0); };
  if (operation != kBaseRegister0 + common_.return_register || reader.sleb() != 0) return false;
  if (literal(reader.u8()) != 15 || reader.u8() != kAnd) return false;
  rule.plt_from = literal(reader.u8());
  if (rule.plt_from > 15 || reader.u8() != kGreaterOrEqual) return false;
  if (literal(reader.u8()) != 3 || reader.u8() != kShiftLeft || reader.u8() != kPlus) return false;
  rule.flags |= DT_UNWIND_PLT;
  return reader.is_whole() && reader.at_end() && rule.cfa == DT_UNWIND_STACK;
}

bool Program::set_cfa(dt_unwind_rule &rule) const {
  switch (state_.cfa.kind) {
    case Cfa::Kind::kNone:
      return false;
    case Cfa::Kind::kExpression:
      return set_cfa_by_expression(rule);
    case Cfa::Kind::kRegister:
      rule.cfa = base_of(state_.cfa.address.reg);
      rule.cfa_offset = static_cast<int32_t>(state_.cfa.address.offset);
      if (rule.cfa == DT_UNWIND_NONE) {
        rule.cfa = DT_UNWIND_REGISTER;
        rule.cfa_register = static_cast<uint8_t>(state_.cfa.address.reg);
        if (!is_single_byte(static_cast<int64_t>(state_.cfa.address.reg))) return false;
      }
      return fits(state_.cfa.address.offset);
  }
  return false;
}

uint8_t Program::place_of(const Saved &saved, int32_t &offset) const {
  switch (saved.kind) {
    case Saved::Kind::kSame:
      return DT_UNWIND_NONE;
    case Saved::Kind::kAtCfa:
      if (!fits(saved.offset)) return DT_UNWIND_LOST;
      offset = static_cast<int32_t>(saved.offset);
      return DT_UNWIND_CFA;
    case Saved::Kind::kExpression: {
      FrameReader reader(saved.expression, 0);
      const std::optional<Address> address = read_based_address(reader);
      if (!address || !reader.at_end() || !fits(address->offset)) return DT_UNWIND_LOST;
      offset = static_cast<int32_t>(address->offset);
      const uint8_t base = base_of(address->reg);
      return base == DT_UNWIND_NONE ? static_cast<uint8_t>(DT_UNWIND_LOST) : base;
    }
    case Saved::Kind::kUndefined:
    case Saved::Kind::kRegister:
    case Saved::Kind::kUnknown:
      break;
  }
  return DT_UNWIND_LOST;
}

/// No frame on the stack ends below its return address. glibc's _dl_runtime_resolve of arm64 says that of its own,
/// which begins with two words that the procedure linkage table has pushed.
void take_in_return_address(dt_unwind_rule &rule) {
  constexpr int64_t kWordBytes = 8;
  if (rule.cfa != DT_UNWIND_STACK || rule.return_address != DT_UNWIND_CFA || rule.return_offset < 0) return;
  const int64_t more = rule.return_offset + kWordBytes;
  const auto moved = [&](uint8_t base, int32_t offset) { return base == DT_UNWIND_CFA ? offset - more : offset; };
  const int64_t cfa = rule.cfa_offset + more, frame = moved(rule.frame, rule.frame_offset),
                other = moved(rule.other, rule.other_offset);
  if (!fits(cfa) || !fits(frame) || !fits(other)) return;
  rule.cfa_offset = static_cast<int32_t>(cfa);
  rule.return_offset = static_cast<int32_t>(-kWordBytes);
  rule.frame_offset = static_cast<int32_t>(frame);
  rule.other_offset = static_cast<int32_t>(other);
}

dt_unwind_rule Program::rule() const {
  dt_unwind_rule rule{};
  if (state_.return_address.kind == Saved::Kind::kUndefined) {
    rule.cfa = DT_UNWIND_STACK;
    rule.return_address = DT_UNWIND_END;
    return rule;
  }
  if (!set_cfa(rule)) return {};
  rule.return_address = place_of(state_.return_address, rule.return_offset);
  if (rule.return_address == DT_UNWIND_LOST) {
    const Saved &saved = state_.return_address;
    if (saved.kind != Saved::Kind::kRegister || !is_single_byte(saved.offset)) return {};
    rule.return_address = DT_UNWIND_REGISTER;
    rule.return_register = static_cast<uint8_t>(saved.offset);
  }
  rule.frame = place_of(state_.frame, rule.frame_offset);
  rule.other = place_of(state_.other, rule.other_offset);
  take_in_return_address(rule);
  if (common_.is_signal) rule.flags |= DT_UNWIND_SIGNAL;
  return rule;
}

}  // namespace

bool operator==(const dt_unwind_rule &a, const dt_unwind_rule &b) { return std::memcmp(&a, &b, sizeof a) == 0; }

bool run_frame_program(const CommonEntry &common, std::span<const std::byte> instructions, const CodeRange &code,
                       const arch::FrameRegisters &registers, uint64_t &nr_operations, const TakeRule &take) {
  if (code.end < code.start) return false;
  return Program(common, registers, code, nr_operations, take).run(instructions);
}

}  // namespace dtrace::runtime
