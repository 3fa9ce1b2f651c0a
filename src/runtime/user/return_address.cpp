// SPDX-License-Identifier: Apache-2.0
#include "runtime/user/return_address.h"

#include <algorithm>
#include <array>
#include <optional>

#include "runtime/user/function_code.h"

namespace dtrace::runtime {
namespace {

using Kind = Instruction::Kind;

/// Functions that are reached from one by jumps: of more it is not asked.
constexpr size_t kMaxReached = 64;

/// As the rule of the function's first instruction says it. That a thread begins there may be said behind a mark for
/// indirect branches (x86-64: ENDBR64; arm64: BTI).
ReturnAddressUse use_at_entry(const std::vector<FrameRow> &rows, const arch::CallState &called) {
  constexpr uint64_t kMarkBytes = 4;
  const auto begins_thread = [&](const FrameRow &row) {
    return row.address - rows.front().address <= kMarkBytes && row.rule.return_address == DT_UNWIND_END;
  };
  if (std::ranges::any_of(rows, begins_thread)) return ReturnAddressUse::kMissing;
  const dt_unwind_rule &rule = rows.front().rule;
  if (rule.cfa == DT_UNWIND_NONE) return ReturnAddressUse::kUnknown;
  const bool in_memory = called.return_offset != 0;
  const bool is_there = rule.return_address == (in_memory ? DT_UNWIND_CFA : DT_UNWIND_NONE) &&
                        (!in_memory || rule.return_offset == called.return_offset);
  constexpr uint8_t kOtherRules = DT_UNWIND_DEREFERENCE | DT_UNWIND_SIGNAL | DT_UNWIND_PLT;
  const bool is_called = rule.cfa == DT_UNWIND_STACK && rule.cfa_offset == called.cfa_offset &&
                         (rule.flags & kOtherRules) == 0 && is_there;
  return is_called ? ReturnAddressUse::kReturns : ReturnAddressUse::kMissing;
}

/// The register, by DWARF's number, that a rule counts the canonical frame address from.
std::optional<uint16_t> base_of(const dt_unwind_rule &rule, const arch::FrameRegisters &registers) {
  switch (rule.cfa) {
    case DT_UNWIND_STACK:
      return registers.stack;
    case DT_UNWIND_FRAME:
      return registers.frame;
    case DT_UNWIND_OTHER:
      return registers.other;
    case DT_UNWIND_REGISTER:
      return rule.cfa_register;
    default:
      return std::nullopt;
  }
}

/// Whether the instruction's memory operand is the return address.
bool is_return_address(const Instruction &instruction, const dt_unwind_rule &rule,
                       const arch::FrameRegisters &registers) {
  if (instruction.memory_base == Instruction::kNoRegister || rule.return_address != DT_UNWIND_CFA ||
      (rule.flags & DT_UNWIND_DEREFERENCE) != 0)
    return false;
  return base_of(rule, registers) == instruction.memory_base &&
         int64_t{rule.cfa_offset} + rule.return_offset == instruction.memory_offset;
}

bool reads_return_address(const FunctionCode &code, const UserFunction &function, const std::vector<FrameRow> &rows,
                          const arch::FrameRegisters &registers) {
  size_t row = 0;
  for (const Instruction &instruction : code.instructions()) {
    while (row + 1 < rows.size() && rows[row + 1].address <= function.address + instruction.offset) row++;
    if (instruction.copies_link || is_return_address(instruction, rows[row].rule, registers)) return true;
  }
  return false;
}

/// The location through which code goes on at once: an entry of the procedure linkage table, which may begin with a
/// mark for indirect branches. Nothing: it is none, or does not say where its location is.
std::optional<uint64_t> slot_of_entry(UserObject &object, uint64_t address) {
  constexpr uint64_t kEntryBytes = 16;
  constexpr size_t kMaxInstructions = 2;
  std::optional<UserFunction> entry = object.function_at(address);
  if (!entry) return std::nullopt;
  entry->size_bytes = std::min(entry->size_bytes, kEntryBytes);
  const FunctionCode code(object, *entry);
  for (size_t i = 0; i < std::min(code.instructions().size(), kMaxInstructions); i++) {
    const Instruction &instruction = code.instructions()[i];
    if (instruction.is_through_slot && instruction.target != 0) return instruction.target;
  }
  return std::nullopt;
}

/// Whether a function of another file that reads its return address may be reached through the location.
bool leads_to_reader(UserObject &object, std::optional<uint64_t> slot) {
  return object.imports_reader_of_return_address() && (!slot || object.slots_of_readers().contains(*slot));
}

/// A jump out of the function leaves the return address to another one. True: to one of another file that may read it.
bool add_jumps(UserObject &object, const UserFunction &function, const FunctionCode &code, std::vector<uint64_t> &to) {
  bool leaves_to_reader = false;
  for (const Instruction &instruction : code.instructions()) {
    if (instruction.is_through_slot)
      leaves_to_reader |=
          leads_to_reader(object, instruction.target != 0 ? std::optional(instruction.target) : std::nullopt);
    const bool is_direct = instruction.kind == Kind::kJump || instruction.kind == Kind::kBranch;
    if (!is_direct || instruction.target - function.address < function.size_bytes) continue;
    const std::optional<UserFunction> there = object.function_around(instruction.target);
    // A symbol without a size may seem to contain an entry of the linkage table.
    const std::optional<uint64_t> slot =
        there && there->address == instruction.target ? std::nullopt : slot_of_entry(object, instruction.target);
    if (!there || slot)
      leaves_to_reader |= leads_to_reader(object, slot);
    else if (std::ranges::find(to, there->address) == to.end())
      to.push_back(there->address);
  }
  return leaves_to_reader;
}

/// Functions of the files that compilers add to every program: they are called, and have no call frame information.
bool is_of_start_files(std::string_view function) {
  constexpr std::array<std::string_view, 6> kNames = {
      "_init", "_fini", "frame_dummy", "__do_global_dtors_aux", "register_tm_clones", "deregister_tm_clones"};
  return std::ranges::find(kNames, function) != kNames.end();
}

ReturnAddressFacts find_facts(UserObject &object, const UserFunction &function) {
  ReturnAddressFacts facts;
  if (std::ranges::any_of(function.names, is_of_start_files)) {
    facts.own = ReturnAddressUse::kReturns;
    return facts;
  }
  const FunctionCode code(object, function);
  const bool leaves_to_reader = add_jumps(object, function, code, facts.jumps_to);
  if (leaves_to_reader || std::ranges::any_of(function.names, is_reader_of_return_address)) {
    facts.own = ReturnAddressUse::kReads;
    return facts;
  }
  CallFrames *frames = object.call_frames();
  if (frames == nullptr || function.size_bytes == 0) return facts;
  const std::vector<FrameRow> rows = frames->rows(function.address, function.address + function.size_bytes);
  if (rows.empty()) return facts;
  const arch::CallState called = arch::machine_code_of(object.machine()).after_call(object.is_64bit());
  facts.own = reads_return_address(code, function, rows, called.registers) ? ReturnAddressUse::kReads
                                                                           : use_at_entry(rows, called);
  return facts;
}

const ReturnAddressFacts &facts_of(UserObject &object, const UserFunction &function) {
  auto &known = object.return_address_facts();
  auto found = known.find(function.address);
  if (found == known.end()) found = known.emplace(function.address, find_facts(object, function)).first;
  return found->second;
}

}  // namespace

ReturnAddressUse return_address_use(UserObject &object, const UserFunction &function) {
  const ReturnAddressUse own = facts_of(object, function).own;
  if (own != ReturnAddressUse::kReturns) return own;
  // Functions that are reached by jumps alone have the same return address.
  std::vector<uint64_t> reached = {function.address};
  for (size_t i = 0; i < reached.size(); i++) {
    const std::optional<UserFunction> here = object.function_around(reached[i]);
    if (!here) continue;
    const ReturnAddressFacts &facts = facts_of(object, *here);
    if (facts.own == ReturnAddressUse::kReads || reached.size() > kMaxReached) return ReturnAddressUse::kReads;
    for (const uint64_t address : facts.jumps_to)
      if (std::ranges::find(reached, address) == reached.end()) reached.push_back(address);
  }
  return ReturnAddressUse::kReturns;
}

std::string_view refusal_of(ReturnAddressUse use) {
  switch (use) {
    case ReturnAddressUse::kReturns:
      return {};
    case ReturnAddressUse::kUnknown:
      return "no call frame information says where its return address is";
    case ReturnAddressUse::kMissing:
      return "it is not entered by a call, so it has no return address";
    case ReturnAddressUse::kReads:
      return "it reads its return address, which the kernel's return probe replaces";
  }
  return {};
}

bool is_reader_of_return_address(std::string_view function) {
  constexpr std::array<std::string_view, 26> kReaders = {
      // They return twice.
      "setjmp", "_setjmp", "__setjmp", "sigsetjmp", "__sigsetjmp", "__libc_sigsetjmp", "getcontext", "__getcontext",
      "swapcontext", "__swapcontext", "vfork", "__vfork", "__libc_vfork",
      // They ask which library has called.
      "dlopen", "__dlopen", "dlmopen", "__dlmopen", "dlsym", "__dlsym", "dlvsym", "__dlvsym",
      // Compilers add calls of them, which count the caller's calls.
      "mcount", "_mcount", "__fentry__", "__gnu_mcount_nc", "__mcount"};
  return std::ranges::find(kReaders, function) != kReaders.end();
}

}  // namespace dtrace::runtime
