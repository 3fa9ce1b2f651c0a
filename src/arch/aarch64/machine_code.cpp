// SPDX-License-Identifier: Apache-2.0
// Every instruction has four bytes, so boundaries need no decoder; this one tells where control goes, and what the
// kernel does with a probe. Sources: Arm Architecture Reference Manual, "A64 instruction set encoding";
// arch/arm64/kernel/probes/decode-insn.c.
#include "arch/machine_code.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace dtrace::arch {
namespace {

using Kind = Instruction::Kind;

constexpr uint32_t kBytes = 4;
constexpr uint32_t kNopWord = 0xd503201f;

/// Instructions of one form: those bits of it that are fixed.
struct Form {
  uint32_t mask, value;
  constexpr bool has(uint32_t word) const { return (word & mask) == value; }
};

template <size_t N>
constexpr bool any_has(const Form (&forms)[N], uint32_t word) {
  for (const Form &form : forms)
    if (form.has(word)) return true;
  return false;
}

constexpr uint32_t field(uint32_t word, unsigned from, unsigned bits) { return word >> from & ((1U << bits) - 1); }
constexpr uint32_t first_register(uint32_t word) { return field(word, 0, 5); }
constexpr uint32_t base_register(uint32_t word) { return field(word, 5, 5); }

uint32_t word_at(std::span<const std::byte> code, size_t offset) {
  uint32_t word = 0;
  std::memcpy(&word, code.data() + offset, sizeof word);
  return word;
}

/// The field of `bits` bits at `from`: a signed distance in instructions.
uint64_t distance(uint32_t word, unsigned from, unsigned bits) {
  const auto aligned = static_cast<int32_t>(word << (32 - from - bits));
  return static_cast<uint64_t>(int64_t{aligned >> (32 - bits)} * kBytes);
}

// ---------------------------------------------------------------- where control goes

constexpr Form kCalls[] = {{0xfc000000, 0x94000000},           // BL
                           {0xfffffc1f, 0xd63f0000},           // BLR
                           {0xfefff800, 0xd63f0800}};          // BLRAA, BLRAB and those with zero
constexpr Form kReturns[] = {{0xfffffc1f, 0xd65f0000},         // RET
                             {0xfffffbff, 0xd65f0bff}};        // RETAA, RETAB
constexpr Form kIndirectJumps[] = {{0xfffffc1f, 0xd61f0000},   // BR
                                   {0xfefff800, 0xd61f0800}};  // BRAA, BRAB and those with zero
constexpr Form kTraps[] = {{0xffff0000, 0x00000000},           // UDF
                           {0xffe0001f, 0xd4200000},           // BRK
                           {0xffe0001f, 0xd4400000},           // HLT
                           {0xffffffff, 0xd69f03e0},           // ERET
                           {0xfffffbff, 0xd69f0bff}};          // ERETAA, ERETAB
constexpr Form kJump{0xfc000000, 0x14000000};                  // B
constexpr Form kConditional{0xff000000, 0x54000000};           // B.cond, BC.cond
constexpr Form kCompareBranch{0x7e000000, 0x34000000};         // CBZ, CBNZ
constexpr Form kTestBranch{0x7e000000, 0x36000000};            // TBZ, TBNZ

/// Kind and target of the instruction at `address`.
Instruction decoded(uint32_t word, uint64_t address) {
  Instruction instruction;
  instruction.size_bytes = kBytes;
  const auto goes = [&](Kind kind, unsigned from, unsigned bits) {
    instruction.kind = kind;
    instruction.target = address + distance(word, from, bits);
  };
  if (word == kNopWord)
    instruction.kind = Kind::kNop;
  else if (kJump.has(word))
    goes(Kind::kJump, 0, 26);
  else if (kConditional.has(word) || kCompareBranch.has(word))
    goes(Kind::kBranch, 5, 19);
  else if (kTestBranch.has(word))
    goes(Kind::kBranch, 5, 14);
  else if (any_has(kCalls, word))
    instruction.kind = Kind::kCall;
  else if (any_has(kReturns, word))
    instruction.kind = Kind::kReturn;
  else if (any_has(kIndirectJumps, word))
    instruction.kind = Kind::kIndirectJump;
  else if (any_has(kTraps, word))
    instruction.kind = Kind::kTrap;
  return instruction;
}

bool ends_straight_code(Kind kind) {
  return kind == Kind::kJump || kind == Kind::kBranch || kind == Kind::kReturn || kind == Kind::kIndirectJump ||
         kind == Kind::kTrap;
}

// ---------------------------------------------------------------- indirect jumps

constexpr Form kPageAddress{0x9f000000, 0x90000000};        // ADRP
constexpr Form kLoadWord{0xffc00000, 0xf9400000};           // LDR Xt, [Xn, #distance]
constexpr Form kLoadByIndex{0x3f200c00, 0x38200800};        // loads and stores of general registers by an index
constexpr Form kAddRegisters{0xff000000, 0x8b000000};       // ADD of two registers of 8 bytes
constexpr Form kPairs{0x3e000000, 0x28000000};              // LDP, STP of general registers
constexpr Form kFreesFrame[] = {{0xffc003e0, 0xa8c003e0},   // LDP of 8 bytes each, behind which sp is moved
                                {0xffe00fe0, 0xf84007e0},   // LDR, the same
                                {0xff8003ff, 0x910003ff}};  // ADD sp, sp, #bytes
constexpr Form kMakesFrame[] = {{0xffc003e0, 0xa98003e0},   // STP, before which sp is moved
                                {0xffe00fe0, 0xf8000fe0},   // STR, the same
                                {0xff8003ff, 0xd10003ff}};  // SUB sp, sp, #bytes

bool reads_table(uint32_t word) { return kLoadByIndex.has(word) && field(word, 22, 2) != 0; }

/// Follows straight code to its indirect jump, and says what that is.
class JumpPurpose {
 public:
  void note(uint32_t word, Instruction &instruction) {
    if (instruction.kind == Kind::kIndirectJump) {
      const Holds target = registers_[base_register(word)];
      instruction.is_case_jump = target == Holds::kCase;
      instruction.is_through_slot = target == Holds::kSlot;
      instruction.is_tail_call = is_free_ && !by_table_ && !instruction.is_through_slot;
    }
    if (ends_straight_code(instruction.kind) || instruction.kind == Kind::kCall) {
      registers_ = {};
      if (instruction.kind != Kind::kBranch) is_free_ = false;
      by_table_ = false;
      return;
    }
    if (reads_table(word)) by_table_ = true;
    if (any_has(kFreesFrame, word)) is_free_ = true;
    if (any_has(kMakesFrame, word)) is_free_ = false;
    note_registers(word);
  }

 private:
  enum class Holds : uint8_t { kAnything, kPage, kSlot, kDistance, kCase };

  /// What is not known to write a register is taken to: less is known then, and nothing wrong.
  void note_registers(uint32_t word) {
    const Holds base = registers_[base_register(word)], second = registers_[field(word, 16, 5)];
    Holds made = Holds::kAnything;
    if (kPageAddress.has(word)) made = Holds::kPage;
    if (kLoadWord.has(word) && base == Holds::kPage) made = Holds::kSlot;
    const bool is_word = field(word, 30, 2) == 3 && field(word, 22, 2) == 1;  // a table of addresses
    if (reads_table(word) && !is_word) made = Holds::kDistance;
    if (kAddRegisters.has(word) && (base == Holds::kDistance || second == Holds::kDistance)) made = Holds::kCase;
    if (kPairs.has(word)) registers_[field(word, 10, 5)] = Holds::kAnything;
    registers_[first_register(word)] = made;
  }

  std::array<Holds, 32> registers_{};
  bool is_free_ = false, by_table_ = false;
};

// ---------------------------------------------------------------- the return address

constexpr uint32_t kFramePointer = 29, kLink = 30, kStackPointer = 31;

constexpr Form kStoreWord[] = {{0xffc00000, 0xf9000000},    // STR Xt, [Xn, #distance]
                               {0xffe00000, 0xf8000000}};   // STUR, and STR that moves the base
constexpr Form kStorePair{0xfe400000, 0xa8000000};          // STP of 8 bytes each
constexpr Form kLoadNear{0xffe00c00, 0xf8400000};           // LDUR Xt, [Xn, #distance]
constexpr Form kOfRegisters{0x0e000000, 0x0a000000};        // data processing of registers
constexpr Form kOfImmediate{0x1c000000, 0x10000000};        // data processing with an immediate, and no register but Xn
constexpr Form kWithoutBase[] = {{0x1f000000, 0x10000000},  // ADR, ADRP
                                 {0x1f800000, 0x12800000}};  // MOVZ, MOVN, MOVK
constexpr uint32_t kStripsLink = 0xd50320ff;                 // XPACLRI

bool copies_link(uint32_t word) {
  const uint32_t base = base_register(word);
  const bool to_frame = base == kStackPointer || base == kFramePointer;
  if (any_has(kStoreWord, word)) return first_register(word) == kLink && !to_frame;
  if (kStorePair.has(word)) return (first_register(word) == kLink || field(word, 10, 5) == kLink) && !to_frame;
  if (kOfRegisters.has(word)) return base == kLink || field(word, 16, 5) == kLink;
  if (kOfImmediate.has(word)) return base == kLink && !any_has(kWithoutBase, word);
  return word == kStripsLink;
}

void set_memory(uint32_t word, Instruction &instruction) {
  const bool is_load = kLoadWord.has(word), is_near = kLoadNear.has(word);
  if ((!is_load && !is_near) || first_register(word) == kLink) return;
  instruction.memory_base = static_cast<uint8_t>(base_register(word));
  constexpr int32_t kWordBytes = 8;
  const auto near = static_cast<int32_t>(field(word, 12, 9));
  instruction.memory_offset =
      is_load ? static_cast<int32_t>(field(word, 10, 12)) * kWordBytes : near - (near >= 256 ? 512 : 0);
}

CallState after_call(bool) {
  constexpr FrameRegisters kFrames{
      .know_managed = false, .stack = kStackPointer, .frame = kFramePointer, .other = 19, .offsets = {}, .names = {}};
  return {kFrames, 0, 0};
}

DecodedCode decode(bool is_64bit, std::span<const std::byte> code, uint64_t address) {
  DecodedCode decoded_code;
  if (!is_64bit) return decoded_code;  // the kernel takes no probes in 32-bit programs
  JumpPurpose purpose;
  size_t offset = 0;
  for (; code.size() - offset >= kBytes; offset += kBytes) {
    const uint32_t word = word_at(code, offset);
    Instruction instruction = decoded(word, address + offset);
    instruction.offset = static_cast<uint32_t>(offset);
    instruction.copies_link = copies_link(word);
    set_memory(word, instruction);
    purpose.note(word, instruction);
    decoded_code.instructions.push_back(instruction);
  }
  decoded_code.complete = offset == code.size();
  return decoded_code;
}

// ---------------------------------------------------------------- where the kernel takes no probe

constexpr Form kExclusiveLoads{0x3fc00000, 0x08400000};
constexpr Form kExclusiveStores{0x3fc00000, 0x08000000};
constexpr Form kSwapsOfPairs{0xbfa00000, 0x08200000};     // CASP, in the midst of them
constexpr Form kClearsExclusive{0xfffff0ff, 0xd503305f};  // CLREX
/// Exclusive loads and stores, also of pairs; kernels before 6.15 take for such those with an order, and swaps.
constexpr Form kExclusive{0x3f000000, 0x08000000};

constexpr Form kLiteralLoad{0x3b000000, 0x18000000};  // LDR, LDRSW, PRFM, also of vector registers

constexpr Form kHint{0xfffff01f, 0xd503201f};
/// Hints that the kernel steps over: NOP, XPACLRI, PACIA1716, PACIB1716, PACIAZ, PACIASP, PACIBZ, PACIBSP, BTI.
constexpr uint8_t kSteppedHints[] = {0, 7, 8, 10, 24, 25, 26, 27, 32, 34, 36, 38};

constexpr Form kAuthenticating[] = {{0xfffffbff, 0xd65f0bff},   // RETAA, RETAB
                                    {0xfefff800, 0xd61f0800},   // BRAA ...
                                    {0xfefff800, 0xd63f0800}};  // BLRAA ...
constexpr Form kSystem[] = {{0xff000000, 0xd4000000},           // SVC, HVC, SMC, DCPS
                            {0xfff8f01f, 0xd500401f},           // MSR of a field, CFINV and the like
                            {0xfff00000, 0xd5100000},           // MSR
                            {0xffffffe0, 0xd53b4220}};          // MRS of DAIF
constexpr Form kMemoryCopy{0x3b200c00, 0x19000400};             // CPYP ..., SETP ...

bool is_exclusive_load(uint32_t word) { return kExclusiveLoads.has(word) && !kSwapsOfPairs.has(word); }
bool is_exclusive_store(uint32_t word) { return kExclusiveStores.has(word) && !kSwapsOfPairs.has(word); }

bool is_refused_hint(uint32_t word) {
  if (!kHint.has(word)) return false;
  for (const uint8_t number : kSteppedHints)
    if (field(word, 5, 7) == number) return false;
  return true;
}

/// Why the kernel refuses the instruction by itself, or does it wrong.
std::string_view refusal(uint32_t word) {
  if (kExclusive.has(word)) return "the kernel cannot step over an exclusive or ordered load or store";
  if (kLiteralLoad.has(word)) return "the kernel would step over a copy of it, which loads from elsewhere";
  if (any_has(kAuthenticating, word)) return "the kernel cannot step over a branch that authenticates its target";
  if (any_has(kSystem, word)) return "the kernel cannot step over a system instruction";
  if (kMemoryCopy.has(word)) return "the kernel cannot step over a memory copy or set instruction";
  if (is_refused_hint(word)) return "the kernel cannot step over this hint instruction";
  return {};
}

/// The instructions between an exclusive load and its store. The kernel's trap clears the mark that the load has set,
/// so with a probe there the store fails each time: the program tries again without end.
class ExclusiveRanges {
 public:
  ExclusiveRanges(std::span<const std::byte> code, uint64_t address, std::span<const Instruction> instructions)
      : code_(code), address_(address), instructions_(instructions) {}

  /// For each instruction, whether it lies on a way from a load to a store. Empty: there is no load at all.
  std::vector<bool> find() const {
    std::vector<size_t> loads, stores;
    for (size_t i = 0; i < instructions_.size(); ++i) {
      if (is_exclusive_load(word(i))) loads.push_back(i);
      if (is_exclusive_store(word(i))) stores.push_back(i);
    }
    if (loads.empty() || stores.empty()) return {};
    std::vector<std::vector<size_t>> next(instructions_.size()), before(instructions_.size());
    for (size_t i = 0; i < instructions_.size(); ++i)
      for (const size_t to : followers(i)) {
        next[i].push_back(to);
        before[to].push_back(i);
      }
    std::vector<bool> between = reached(loads, next);
    const std::vector<bool> leads_to_store = reached(stores, before);
    for (size_t i = 0; i < between.size(); ++i) between[i] = between[i] && leads_to_store[i] && !ends_range(i);
    return between;
  }

 private:
  uint32_t word(size_t i) const { return word_at(code_, instructions_[i].offset); }
  bool ends_range(size_t i) const {
    return is_exclusive_load(word(i)) || is_exclusive_store(word(i)) || kClearsExclusive.has(word(i));
  }

  std::vector<size_t> followers(size_t i) const {
    const Instruction &instruction = instructions_[i];
    std::vector<size_t> to;
    const bool goes_on = !ends_straight_code(instruction.kind) || instruction.kind == Kind::kBranch;
    if (goes_on && i + 1 < instructions_.size()) to.push_back(i + 1);
    const bool is_direct = instruction.kind == Kind::kJump || instruction.kind == Kind::kBranch;
    const uint64_t target = (instruction.target - address_) / kBytes;
    if (is_direct && instruction.target >= address_ && target < instructions_.size()) to.push_back(target);
    return to;
  }

  /// What can be reached from `starts`, without going past the end of a range.
  std::vector<bool> reached(std::vector<size_t> todo, const std::vector<std::vector<size_t>> &ways) const {
    std::vector<bool> found(instructions_.size());
    const size_t nr_starts = todo.size();
    for (size_t i = 0; i < todo.size(); ++i) {
      if (i >= nr_starts && ends_range(todo[i])) continue;
      for (const size_t to : ways[todo[i]]) {
        if (found[to]) continue;
        found[to] = true;
        todo.push_back(to);
      }
    }
    return found;
  }

  std::span<const std::byte> code_;
  uint64_t address_;
  std::span<const Instruction> instructions_;
};

/// Always: of a loop with exclusive loads the first instruction may be in their range.
bool may_be_hazard(std::byte) { return true; }

std::vector<std::string_view> hazards(bool, std::span<const std::byte> code, uint64_t address,
                                      std::span<const Instruction> instructions) {
  std::vector<std::string_view> reasons;
  for (const Instruction &instruction : instructions) reasons.push_back(refusal(word_at(code, instruction.offset)));
  const std::vector<bool> between = ExclusiveRanges(code, address, instructions).find();
  for (size_t i = 0; i < between.size(); ++i)
    if (between[i] && reasons[i].empty())
      reasons[i] = "it lies between an exclusive load and its store, which would fail each time";
  return reasons;
}

/// BL.
std::optional<uint64_t> called_before(std::span<const std::byte> before, uint64_t return_address) {
  constexpr uint32_t kCallBytes = 4;
  constexpr uint32_t kOpcode = 0x94000000, kOpcodeMask = 0xfc000000, kSignBit = 0x02000000;
  if (before.size() < kCallBytes) return std::nullopt;
  const uint32_t word = word_at(before, before.size() - kCallBytes);
  if ((word & kOpcodeMask) != kOpcode) return std::nullopt;
  const int64_t words = int64_t{word & ~kOpcodeMask} - ((word & kSignBit) != 0 ? int64_t{kSignBit} * 2 : 0);
  return return_address - kCallBytes + static_cast<uint64_t>(words * int64_t{kCallBytes});
}

}  // namespace

const MachineCode kAarch64Code{.decode = decode,
                               .may_be_hazard = may_be_hazard,
                               .hazards = hazards,
                               .called_before = called_before,
                               .after_call = after_call};

}  // namespace dtrace::arch
