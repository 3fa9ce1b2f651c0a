// SPDX-License-Identifier: Apache-2.0
// The decoder is LLVM's.
#include "arch/machine_code.h"

#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstrAnalysis.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

#include "arch/llvm_start.h"
extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86Disassembler();
}

namespace dtrace::arch {
namespace {

/// DWARF's numbers of rsp, rbp, rbx, and of esp, ebp, ebx.
constexpr FrameRegisters kFrames64{
    .know_managed = false, .stack = 7, .frame = 6, .other = 3, .offsets = {}, .names = {}};
constexpr FrameRegisters kFrames32{
    .know_managed = false, .stack = 4, .frame = 5, .other = 3, .offsets = {}, .names = {}};

CallState after_call(bool is_64bit) { return is_64bit ? CallState{kFrames64, 8, -8} : CallState{kFrames32, 4, -4}; }

/// LLVM's machinery for one instruction set; made on first use.
class Decoder {
 public:
  Decoder(bool is_64bit, const char *triple) : is_64bit_(is_64bit) {
    start_llvm();
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
    std::string error;
    const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (target == nullptr) return;
    registers_.reset(target->createMCRegInfo(triple));
    assembly_.reset(target->createMCAsmInfo(*registers_, triple, llvm::MCTargetOptions()));
    subtarget_.reset(target->createMCSubtargetInfo(triple, "", ""));
    instructions_.reset(target->createMCInstrInfo());
    context_ =
        std::make_unique<llvm::MCContext>(llvm::Triple(triple), assembly_.get(), registers_.get(), subtarget_.get());
    disassembler_.reset(target->createMCDisassembler(*subtarget_, *context_));
    analysis_.reset(target->createMCInstrAnalysis(instructions_.get()));
  }

  DecodedCode decode(std::span<const std::byte> code, uint64_t address) const;

 private:
  bool writes_general(const llvm::MCInst &inst) const;
  /// Fills in memory_base and memory_offset.
  void set_memory(const llvm::MCInst &inst, std::span<const std::byte> bytes, Instruction &to) const;
  Instruction::Kind kind_of(const llvm::MCInst &inst, std::span<const std::byte> bytes) const;

  bool is_64bit_;
  std::unique_ptr<llvm::MCRegisterInfo> registers_;
  std::unique_ptr<llvm::MCAsmInfo> assembly_;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget_;
  std::unique_ptr<llvm::MCInstrInfo> instructions_;
  std::unique_ptr<llvm::MCContext> context_;
  std::unique_ptr<llvm::MCDisassembler> disassembler_;
  std::unique_ptr<llvm::MCInstrAnalysis> analysis_;
};

/// LLVM's decoder takes a LOCK prefix for an instruction of its own, and one of XACQUIRE or XRELEASE before it.
/// Returns how many bytes they are.
size_t lock_prefix_bytes(std::span<const std::byte> bytes) {
  auto at = [&](size_t i) { return i < bytes.size() ? std::to_integer<uint8_t>(bytes[i]) : 0; };
  const size_t i = at(0) == 0xf2 || at(0) == 0xf3 ? 1 : 0;
  return at(i) == 0xf0 ? i + 1 : 0;
}

/// NOP in all its lengths: 90 and 0f 1f with prefixes. By its bytes, as LLVM has dozens of names for it.
bool is_nop(std::span<const std::byte> bytes) {
  auto at = [&](size_t i) { return i < bytes.size() ? std::to_integer<uint8_t>(bytes[i]) : 0; };
  size_t i = 0;
  while (at(i) == 0x66 || at(i) == 0x2e) i++;
  const bool wide = at(i) == 0x48;
  if (wide) i++;
  return at(i) == 0x90 || (at(i) == 0x0f && at(i + 1) == 0x1f);
}

/// JMP through memory at a distance from itself, which no table of cases is reached by.
bool jumps_through_slot(std::span<const std::byte> bytes) {
  auto at = [&](size_t i) { return i < bytes.size() ? std::to_integer<uint8_t>(bytes[i]) : 0; };
  const size_t i = at(0) == 0xf2 ? 1 : 0;
  return at(i) == 0xff && at(i + 1) == 0x25;
}

/// The location's address: relative to the next instruction, in 32-bit code the address itself.
uint64_t slot_address(bool is_64bit, std::span<const std::byte> bytes, uint64_t next) {
  int32_t distance = 0;
  std::memcpy(&distance, bytes.data() + bytes.size() - sizeof distance, sizeof distance);
  return is_64bit ? next + static_cast<uint64_t>(int64_t{distance}) : static_cast<uint32_t>(distance);
}

/// MOVSLQ from an array of 4-byte numbers, or CLTQ behind a load: what a table of distances is read by.
bool loads_distance(std::span<const std::byte> bytes) {
  auto at = [&](size_t i) { return i < bytes.size() ? std::to_integer<uint8_t>(bytes[i]) : 0; };
  if (at(0) == 0x48 && at(1) == 0x98) return true;
  const bool by_index = (at(2) & 0xc7) == 0x04 || (at(2) & 0xc7) == 0x44;
  return (at(0) & 0xf8) == 0x48 && at(1) == 0x63 && by_index && at(3) >> 6 == 2;
}

/// ADD of registers, to make an address of the distance.
bool adds_registers(std::span<const std::byte> bytes) {
  auto at = [&](size_t i) { return i < bytes.size() ? std::to_integer<uint8_t>(bytes[i]) : 0; };
  return (at(0) & 0xf8) == 0x48 && (at(1) == 0x01 || at(1) == 0x03) && at(2) >> 6 == 3;
}

/// JMP to the address in a register.
bool jumps_by_register(std::span<const std::byte> bytes) {
  auto at = [&](size_t i) { return i < bytes.size() ? std::to_integer<uint8_t>(bytes[i]) : 0; };
  size_t i = 0;
  while (at(i) == 0x3e || at(i) == 0x41) i++;
  return at(i) == 0xff && (at(i + 1) & 0xf8) == 0xe0;
}

/// A memory operand that an index takes part in: what tables are read by. `modrm` is where its first byte is.
bool has_index(std::span<const std::byte> bytes, size_t modrm) {
  auto at = [&](size_t i) { return i < bytes.size() ? std::to_integer<uint8_t>(bytes[i]) : 0; };
  const bool extends_index = modrm >= 2 && (at(modrm - 2) & 0xf2) == 0x42;
  return at(modrm) >> 6 != 3 && (at(modrm) & 7) == 4 && ((at(modrm + 1) >> 3 & 7) != 4 || extends_index);
}

/// A load or a jump by an element of a table.
bool reads_table(std::span<const std::byte> bytes) {
  auto at = [&](size_t i) { return i < bytes.size() ? std::to_integer<uint8_t>(bytes[i]) : 0; };
  size_t i = 0;
  while (at(i) == 0x3e || at(i) == 0xf2) i++;
  if ((at(i) & 0xf0) == 0x40) i++;
  const bool is_jump = at(i) == 0xff && (at(i + 1) >> 3 & 7) == 4;
  return (at(i) == 0x8b || at(i) == 0x63 || is_jump) && has_index(bytes, i + 1);
}

/// POP, LEAVE, or an addition to the stack pointer: how a function gives its frame back.
bool frees_frame(bool is_64bit, std::span<const std::byte> bytes) {
  auto at = [&](size_t i) { return i < bytes.size() ? std::to_integer<uint8_t>(bytes[i]) : 0; };
  const size_t i = is_64bit && (at(0) & 0xf0) == 0x40 ? 1 : 0;
  const bool pops = (at(i) & 0xf8) == 0x58 || at(i) == 0xc9;
  const bool adds = (at(i) == 0x83 || at(i) == 0x81) && at(i + 1) == 0xc4;
  // LEA of an address above the stack pointer, into it; SUB of a negative number.
  const bool leaps = at(i) == 0x8d && (at(i + 1) & 0x3f) == 0x24 && at(i + 2) == 0x24 && at(i + 3) < 0x80;
  const bool subtracts = at(i) == 0x83 && at(i + 1) == 0xec && at(i + 2) >= 0x80;
  return pops || adds || leaps || subtracts;
}

/// PUSH or a subtraction from the stack pointer.
bool makes_frame(bool is_64bit, std::span<const std::byte> bytes) {
  auto at = [&](size_t i) { return i < bytes.size() ? std::to_integer<uint8_t>(bytes[i]) : 0; };
  const size_t i = is_64bit && (at(0) & 0xf0) == 0x40 ? 1 : 0;
  const bool subtracts = (at(i) == 0x83 || at(i) == 0x81) && at(i + 1) == 0xec;
  return (at(i) & 0xf8) == 0x50 || (subtracts && !frees_frame(is_64bit, bytes));
}

/// Follows straight code to its indirect jump. Where the frame has just been given back, the function is done: a jump
/// to one of its own cases keeps the frame, and goes by a table.
class TailCalls {
 public:
  explicit TailCalls(bool is_64bit) : is_64bit_(is_64bit) {}

  bool is_tail_call(Instruction::Kind kind, std::span<const std::byte> bytes) {
    using Kind = Instruction::Kind;
    if (reads_table(bytes)) by_table_ = true;
    const bool is_tail_call = kind == Kind::kIndirectJump && is_free_ && !by_table_;
    if (frees_frame(is_64bit_, bytes)) is_free_ = true;
    if (makes_frame(is_64bit_, bytes) || kind == Kind::kCall) is_free_ = false;
    const bool ends =
        kind == Kind::kJump || kind == Kind::kReturn || kind == Kind::kIndirectJump || kind == Kind::kTrap;
    if (ends) is_free_ = false;
    if (ends || kind == Kind::kBranch) by_table_ = false;
    return is_tail_call;
  }

 private:
  bool is_64bit_;
  bool is_free_ = false, by_table_ = false;
};

/// POP into a register or memory.
bool pops(bool is_64bit, std::span<const std::byte> bytes) {
  auto at = [&](size_t i) { return i < bytes.size() ? std::to_integer<uint8_t>(bytes[i]) : 0; };
  const size_t i = is_64bit && (at(0) & 0xf0) == 0x40 ? 1 : 0;
  return (at(i) & 0xf8) == 0x58 || (at(i) == 0x8f && (at(i + 1) >> 3 & 7) == 0);
}

/// Whether the encoding is one of those that AVX brought. In 32-bit code the first bytes mean LES, LDS and BOUND unless
/// a register is the second operand.
bool has_vector_prefix(bool is_64bit, std::span<const std::byte> bytes) {
  auto at = [&](size_t i) { return i < bytes.size() ? std::to_integer<uint8_t>(bytes[i]) : 0; };
  const uint8_t first = at(0);
  if (first == 0x8f) return (at(1) & 0x1f) >= 8;  // else POP
  if (first != 0x62 && first != 0xc4 && first != 0xc5) return false;
  return is_64bit || at(1) >= 0xc0;
}

/// LLVM's classes of general registers, by name, as its numbers are private to its back end.
bool Decoder::writes_general(const llvm::MCInst &inst) const {
  const llvm::MCInstrDesc &description = instructions_->get(inst.getOpcode());
  auto is_general = [&](unsigned number) {
    for (const llvm::MCRegisterClass &registers : registers_->regclasses()) {
      const llvm::StringRef name = registers_->getRegClassName(&registers);
      if ((name == "GR8" || name == "GR16" || name == "GR32" || name == "GR64") && registers.contains(number))
        return true;
    }
    return false;
  };
  for (unsigned i = 0; i < description.getNumDefs() && i < inst.getNumOperands(); i++)
    if (inst.getOperand(i).isReg() && is_general(inst.getOperand(i).getReg())) return true;
  for (llvm::MCPhysReg number : description.implicit_defs())
    if (is_general(number)) return true;
  return false;
}

/// LLVM has five operands for one in memory: base, scale, index, displacement, segment.
void Decoder::set_memory(const llvm::MCInst &inst, std::span<const std::byte> bytes, Instruction &to) const {
  const int stack_pointer = is_64bit_ ? kFrames64.stack : kFrames32.stack;
  if (pops(is_64bit_, bytes)) {
    to.memory_base = static_cast<uint8_t>(stack_pointer);
    return;
  }
  const llvm::ArrayRef<llvm::MCOperandInfo> operands = instructions_->get(inst.getOpcode()).operands();
  for (unsigned i = 0; i + 5 <= operands.size() && i + 5 <= inst.getNumOperands(); i++) {
    if (operands[i].OperandType != llvm::MCOI::OPERAND_MEMORY) continue;
    const llvm::MCOperand &base = inst.getOperand(i), &index = inst.getOperand(i + 2),
                          &displacement = inst.getOperand(i + 3), &segment = inst.getOperand(i + 4);
    if (!base.isReg() || base.getReg() == 0 || !index.isReg() || index.getReg() != 0 || !displacement.isImm()) return;
    if (segment.isReg() && segment.getReg() != 0) return;
    const int number = registers_->getDwarfRegNum(base.getReg(), false);
    if (number < 0 || number >= Instruction::kNoRegister) return;
    to.memory_base = static_cast<uint8_t>(number);
    to.memory_offset = static_cast<int32_t>(displacement.getImm());
    return;
  }
}

Instruction::Kind Decoder::kind_of(const llvm::MCInst &inst, std::span<const std::byte> bytes) const {
  using Kind = Instruction::Kind;
  const llvm::MCInstrDesc &description = instructions_->get(inst.getOpcode());
  if (is_nop(bytes)) return Kind::kNop;
  if (bytes.front() == std::byte{0xcc} || bytes.front() == std::byte{0xf4}) return Kind::kTrap;  // INT3, HLT
  if (description.isReturn()) return Kind::kReturn;
  if (description.isCall()) return Kind::kCall;
  if (description.isIndirectBranch()) return Kind::kIndirectJump;
  if (description.isConditionalBranch()) return Kind::kBranch;
  if (description.isUnconditionalBranch()) return Kind::kJump;
  if (description.isTrap() || description.isBarrier()) return Kind::kTrap;
  return Kind::kOther;
}

DecodedCode Decoder::decode(std::span<const std::byte> code, uint64_t address) const {
  DecodedCode decoded;
  if (disassembler_ == nullptr) return decoded;
  const llvm::ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(code.data()), code.size());
  size_t offset = 0, since_distance = SIZE_MAX, since_sum = SIZE_MAX;
  TailCalls tail_calls(is_64bit_);
  while (offset < code.size()) {
    const size_t prefix_bytes = lock_prefix_bytes(code.subspan(offset)), behind = offset + prefix_bytes;
    llvm::MCInst inst;
    uint64_t size = 0;
    if (behind == code.size() ||
        disassembler_->getInstruction(inst, size, bytes.slice(behind), address + behind, llvm::nulls()) !=
            llvm::MCDisassembler::Success ||
        size == 0 || size > code.size() - behind)
      return decoded;
    size += prefix_bytes;
    Instruction instruction;
    instruction.offset = static_cast<uint32_t>(offset);
    instruction.size_bytes = static_cast<uint8_t>(size);
    instruction.kind = kind_of(inst, code.subspan(offset, size));
    instruction.is_vector = has_vector_prefix(is_64bit_, code.subspan(offset, size));
    // Asked of vector instructions only: it is not cheap.
    instruction.writes_general = !instruction.is_vector || writes_general(inst);
    uint64_t target = 0;
    const bool direct = instruction.kind == Instruction::Kind::kJump || instruction.kind == Instruction::Kind::kBranch;
    if (direct && !analysis_->evaluateBranch(inst, address + offset, size, target))
      instruction.kind = Instruction::Kind::kIndirectJump;
    instruction.target = target;
    set_memory(inst, code.subspan(offset, size), instruction);
    instruction.is_through_slot =
        instruction.kind == Instruction::Kind::kIndirectJump && jumps_through_slot(code.subspan(offset, size));
    if (instruction.is_through_slot)
      instruction.target = slot_address(is_64bit_, code.subspan(offset, size), address + offset + size);
    // Table load, addition, jump: compilers put little in between.
    const std::span<const std::byte> bytes_here = code.subspan(offset, size);
    since_distance = loads_distance(bytes_here) ? 0 : std::max(since_distance, since_distance + 1);
    since_sum = adds_registers(bytes_here) ? 0 : std::max(since_sum, since_sum + 1);
    instruction.is_case_jump = instruction.kind == Instruction::Kind::kIndirectJump && since_sum < since_distance &&
                               since_distance <= 6 && jumps_by_register(bytes_here);
    instruction.is_tail_call = tail_calls.is_tail_call(instruction.kind, bytes_here) && !instruction.is_case_jump;
    decoded.instructions.push_back(instruction);
    offset += size;
  }
  decoded.complete = true;
  return decoded;
}

DecodedCode decode(bool is_64bit, std::span<const std::byte> code, uint64_t address) {
  if (is_64bit) {
    static const Decoder decoder(true, "x86_64-linux-gnu");
    return decoder.decode(code, address);
  }
  static const Decoder decoder(false, "i386-linux-gnu");
  return decoder.decode(code, address);
}

// ---------------------------------------------------------------- where the kernel takes no probe

/// The kernel refuses uprobes on instructions with these prefixes: segments other than FS and GS, and LOCK, as it
/// cannot step over them out of line.
bool has_refused_prefix(std::span<const std::byte> instruction) {
  for (std::byte byte : instruction) {
    switch (std::to_integer<uint8_t>(byte)) {
      case 0x26:
      case 0x2e:
      case 0x36:
      case 0x3e:
      case 0xf0:
        return true;
      case 0x64:
      case 0x65:
      case 0x66:
      case 0x67:
      case 0xf2:
      case 0xf3:
        continue;
      default:
        return false;
    }
  }
  return false;
}

/// SYSCALL, SYSENTER, or INT.
bool enters_kernel(std::span<const std::byte> instruction) {
  auto at = [&](size_t i) { return i < instruction.size() ? std::to_integer<uint8_t>(instruction[i]) : 0; };
  return at(0) == 0xcd || (at(0) == 0x0f && (at(1) == 0x05 || at(1) == 0x34));
}

bool may_be_hazard(std::byte first) {
  constexpr uint8_t kBytes[] = {0x26, 0x2e, 0x36, 0x3e, 0xf0, 0x64, 0x65, 0x66, 0x67,
                                0xf2, 0x62, 0x8f, 0xc4, 0xc5, 0xcc, 0xcd, 0x0f, 0xf4};
  return std::find(std::begin(kBytes), std::end(kBytes), std::to_integer<uint8_t>(first)) != std::end(kBytes);
}

/// Linux turns a uprobe on a 5-byte NOP into a call, which writes the stack below the stack pointer. A function may
/// keep values there that it has not finished with, so it would compute with garbage. Before its first instruction
/// nothing of it is there yet.
///
/// Linux judges instructions with VEX and EVEX prefixes by their opcode byte as if they had none, and so emulates or
/// steps over some of them as what they are not: a move from a vector register is taken for a conditional jump, and
/// never done.
///
/// The way back from a system call restores the trap flag, which then traps after one more instruction. That one is
/// executed in the kernel's copy of the code: its own probe would not fire, RET or CALL would leave the program astray,
/// and an address relative to the instruction pointer would be a wrong one.
std::string_view hazard(bool is_64bit, std::span<const std::byte> instruction, bool is_first) {
  constexpr size_t kOptimisedNopBytes = 5;
  if (!is_first && instruction.size() == kOptimisedNopBytes && is_nop(instruction))
    return "the kernel would turn its 5-byte NOP into a call, which overwrites stack memory that the function may use";
  if (has_vector_prefix(is_64bit, instruction))
    return "the kernel takes instructions with a VEX or EVEX prefix for others, and would do those instead";
  if (enters_kernel(instruction))
    return "the processor executes the instruction behind a system call before it stops, at a wrong address";
  if (has_refused_prefix(instruction)) return "the kernel cannot step over an instruction with its prefix";
  return {};
}

std::vector<std::string_view> hazards(bool is_64bit, std::span<const std::byte> code, uint64_t,
                                      std::span<const Instruction> instructions) {
  std::vector<std::string_view> reasons;
  for (const Instruction &instruction : instructions)
    reasons.push_back(
        hazard(is_64bit, code.subspan(instruction.offset, instruction.size_bytes), instruction.offset == 0));
  return reasons;
}

/// CALL rel32.
std::optional<uint64_t> called_before(std::span<const std::byte> before, uint64_t return_address) {
  constexpr size_t kCallBytes = 5;
  constexpr std::byte kCall{0xe8};
  if (before.size() < kCallBytes || before[before.size() - kCallBytes] != kCall) return std::nullopt;
  int32_t distance = 0;
  std::memcpy(&distance, before.data() + before.size() - sizeof distance, sizeof distance);
  return return_address + static_cast<uint64_t>(int64_t{distance});
}

}  // namespace

const MachineCode kX86_64Code{.decode = decode,
                              .may_be_hazard = may_be_hazard,
                              .hazards = hazards,
                              .called_before = called_before,
                              .after_call = after_call};

}  // namespace dtrace::arch
