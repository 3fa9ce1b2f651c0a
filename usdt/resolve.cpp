// SPDX-License-Identifier: Apache-2.0
// Operands that name symbols become distances: from the site's instruction pointer, or from the thread pointer.
#include <fmt/format.h>

#include <algorithm>

#include "usdt/arguments.h"
#include "usdt/registers.h"

namespace dtrace::usdt {
namespace {

/// A constant as an argument of its size and sign has it.
int64_t extended(int64_t value, unsigned size_bytes, bool is_signed) {
  const unsigned unused_bits = 64 - size_bytes * 8;
  const uint64_t high = static_cast<uint64_t>(value) << unused_bits;
  return is_signed ? static_cast<int64_t>(high) >> unused_bits : static_cast<int64_t>(high >> unused_bits);
}

}  // namespace

/// Resolves the arguments of one site.
class Resolver {
 public:
  Resolver(const ArgumentSymbols &symbols, const ElfFile &file, uint64_t pc)
      : symbols_(symbols), file_(file), machine_(file.machine()), pc_(pc) {}

  UserOperand resolve(const SiteArgument &argument) {
    out_ = {};
    out_.is_signed = argument.is_signed;
    out_.is_float = argument.is_float;
    out_.is_narrow = machine_ == Machine::kI386;
    const Operand &operand = argument.operand;
    if (operand.form == Operand::Form::kInvalid) return unavailable(operand.reason);
    const uint64_t size = argument.size_bytes;
    if (argument.is_float && size != 4 && size != 8)
      return unavailable(fmt::format("it is a floating-point number of {} bytes", size));
    if (size != 1 && size != 2 && size != 4 && size != 8 && size != 16)
      return unavailable(fmt::format("it is a structure of {} bytes", size));
    // D has the low half of 16 bytes; in a pair of registers that is the one named.
    out_.size_bytes = static_cast<uint8_t>(std::min<uint64_t>(size, 8));
    switch (operand.form) {
      case Operand::Form::kConstant:
        return constant(operand);
      case Operand::Form::kRegister:
        return in_register(operand);
      default:
        return in_memory(operand);
    }
  }

 private:
  UserOperand unavailable(std::string reason) {
    out_.kind = UserOperand::Kind::kUnavailable;
    out_.reason = std::move(reason);
    return out_;
  }

  UserOperand constant(const Operand &operand) {
    out_.displacement = operand.displacement;
    out_.kind = UserOperand::Kind::kConstant;
    if (operand.symbol.empty()) {
      out_.displacement = extended(operand.displacement, out_.size_bytes, out_.is_signed);
      return out_;
    }
    const Symbol *symbol = find(operand.symbol);
    if (symbol == nullptr) return out_;
    out_.kind = UserOperand::Kind::kAddress;
    relative_to_site(symbol->value);
    return out_;
  }

  UserOperand in_register(const Operand &operand) {
    const RegisterPlace place = *find_register(machine_, operand.base);
    out_.kind = UserOperand::Kind::kRegister;
    out_.base = place.offset;
    out_.shift_bits = place.shift_bits;
    if (machine_ != Machine::kI386 || out_.size_bytes != 8) return out_;
    const std::optional<uint16_t> high = pair_of(machine_, place.offset);
    if (!high) return unavailable(fmt::format("no register goes with %{} to hold 8 bytes", operand.base));
    out_.kind = UserOperand::Kind::kRegisterPair;
    out_.index = *high;
    return out_;
  }

  UserOperand in_memory(const Operand &operand) {
    out_.kind = UserOperand::Kind::kMemory;
    out_.displacement = operand.displacement;
    out_.scale = operand.scale;
    const uint16_t ip = instruction_pointer(machine_);
    const bool is_ip_relative = operand.base == "rip" || operand.base == "eip";
    if (is_ip_relative && operand.symbol.empty())
      return unavailable("it is relative to an instruction that the note does not name");
    if (!operand.base.empty() && !is_ip_relative) out_.base = find_register(machine_, operand.base)->offset;
    if (!operand.index.empty()) {
      out_.is_index_narrow = operand.index_is_narrow;
      out_.is_index_signed = operand.index_is_signed;
      out_.index = find_register(machine_, operand.index)->offset;
    }
    if (operand.is_thread_relative) return in_thread(operand);
    if (operand.symbol.empty()) return out_;  // registers and a distance, or an absolute address
    const std::optional<uint64_t> target = target_of(operand);
    if (!target) return out_;
    if (operand.use == Operand::Use::kLowBits) {
      add(*target & 0xfff);
      return out_;
    }
    const bool is_got_relative = operand.use == Operand::Use::kGotOffset || operand.use == Operand::Use::kGotSlotOffset;
    if (is_got_relative) {
      if (!symbols_.got_) return unavailable("the file has no global offset table");
      add(*target - *symbols_.got_);
      return out_;
    }
    if (out_.base == UserOperand::kNoRegister) {
      out_.base = ip;
      relative(*target);
      return out_;
    }
    if (out_.index == UserOperand::kNoRegister) {
      // Both the register and the symbol: the instruction pointer stands for the missing index.
      out_.index = ip;
      out_.scale = 1;
      relative(*target);
      return out_;
    }
    if (file_.is_position_independent()) return unavailable("its location depends on too many registers");
    add(*target);
    return out_;
  }

  /// The address that the symbol part of the operand stands for; nothing, with the reason set, if it is not known.
  std::optional<uint64_t> target_of(const Operand &operand) {
    const bool is_slot = operand.use == Operand::Use::kGotSlot || operand.use == Operand::Use::kGotSlotOffset;
    if (is_slot) {
      if (const auto slot = symbols_.slots_.find(operand.symbol); slot != symbols_.slots_.end()) return slot->second;
      // The linker has done without the slot, or filled it for good: the symbol's own address is what it would hold.
      const Symbol *symbol = find(operand.symbol);
      if (symbol == nullptr) return std::nullopt;
      if (operand.use == Operand::Use::kGotSlotOffset && !symbols_.got_) {
        unavailable("the file has no global offset table");
        return std::nullopt;
      }
      out_.kind = UserOperand::Kind::kAddress;
      return symbol->value;
    }
    const Symbol *symbol = find(operand.symbol);
    return symbol == nullptr ? std::nullopt : std::optional(symbol->value);
  }

  /// Round the end of the address space, as the processor does it: symbols and distances are whatever a file says.
  void add(uint64_t distance) {
    out_.displacement = static_cast<int64_t>(static_cast<uint64_t>(out_.displacement) + distance);
  }

  UserOperand in_thread(const Operand &operand) {
    if (out_.base != UserOperand::kNoRegister || out_.index != UserOperand::kNoRegister)
      return unavailable("its location depends on the thread and on a register");
    out_.kind = UserOperand::Kind::kThreadMemory;
    if (operand.symbol.empty()) return out_;
    const Symbol *symbol = find(operand.symbol, true);
    if (symbol == nullptr) return out_;
    if (!symbols_.thread_block_) return unavailable("the file has no thread-local variables");
    add(static_cast<uint64_t>(*symbols_.thread_block_) + symbol->value);
    return out_;
  }

  const Symbol *find(std::string_view name, bool thread_local_wanted = false) {
    const auto found = symbols_.symbols_.find(name);
    if (found == symbols_.symbols_.end()) {
      if (name.starts_with(".L"))
        unavailable(fmt::format("the compiler's label {} is not kept in the file", name));
      else
        unavailable(fmt::format("the file has no symbol {} (its debugging information may have)", name));
      return nullptr;
    }
    if (found->second.is_thread_local != thread_local_wanted) {
      unavailable(fmt::format("{} is {}a thread-local variable", name, thread_local_wanted ? "not " : ""));
      return nullptr;
    }
    return &found->second;
  }

  void relative_to_site(uint64_t address) {
    out_.base = instruction_pointer(machine_);
    relative(address);
  }
  void relative(uint64_t address) { add(address - pc_); }

  const ArgumentSymbols &symbols_;
  const ElfFile &file_;
  Machine machine_;
  uint64_t pc_;
  UserOperand out_;
};

void ArgumentSymbols::want(const std::vector<SiteArgument> &arguments) {
  for (const SiteArgument &argument : arguments)
    if (!argument.operand.symbol.empty() && !argument.operand.symbol.starts_with(".L"))
      names_.emplace(argument.operand.symbol);
}

void ArgumentSymbols::find(const ElfFile &file, const ElfFile *debug) {
  if (names_.empty()) return;
  symbols_ = file.symbols(names_);
  if (symbols_.size() < names_.size() && debug != nullptr)
    for (auto &[name, symbol] : debug->symbols(names_)) symbols_.try_emplace(name, symbol);
  slots_ = file.got_slots(names_);
  got_ = file.got_address();
  thread_block_ = file.thread_block_offset();
}

std::vector<UserOperand> ArgumentSymbols::resolve(const std::vector<SiteArgument> &arguments, const ElfFile &file,
                                                  uint64_t pc) const {
  std::vector<UserOperand> operands;
  operands.reserve(arguments.size());
  Resolver resolver(*this, file, pc);
  for (const SiteArgument &argument : arguments) operands.push_back(resolver.resolve(argument));
  return operands;
}

}  // namespace dtrace::usdt
