// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/value_location.h"

#include <dwarf.h>

#include <algorithm>
#include <optional>
#include <span>

#include "arch/machine.h"
#include "base/foreign_limits.h"
#include "runtime/foreign/dwarf_entry.h"

namespace dtrace::runtime {
namespace {

using Kind = ValueLocation::Kind;
using Operations = std::span<const Dwarf_Op>;

constexpr uint64_t kPieceBytes = 8;

ValueLocation missing(std::string reason) {
  ValueLocation result;
  result.reason = std::move(reason);
  return result;
}

ValueLocation of_word(Kind kind, UserOperand operand) {
  ValueLocation result;
  result.kind = kind;
  result.words.push_back(std::move(operand));
  return result;
}

/// Byte offset in struct pt_regs of a register by DWARF's number. Nothing: programs cannot read it.
std::optional<uint16_t> register_offset(uint64_t number) {
  const std::span<const uint32_t> offsets = arch::host_machine().frame_registers.offsets;
  if (number >= offsets.size()) return std::nullopt;
  return static_cast<uint16_t>(offsets[number]);
}

ValueLocation in_register(uint64_t number) {
  const std::optional<uint16_t> offset = register_offset(number);
  if (!offset) return missing(std::string(kInVectorRegister));
  UserOperand operand;
  operand.kind = UserOperand::Kind::kRegister;
  operand.base = *offset;
  return of_word(Kind::kWords, std::move(operand));
}

/// Wraps around: a damaged file may say anything.
int64_t sum_of(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

ValueLocation at_register(uint64_t number, int64_t displacement) {
  const std::optional<uint16_t> offset = register_offset(number);
  if (!offset) return missing("its address is in a register that the kernel does not show to probes");
  UserOperand operand;
  operand.kind = UserOperand::Kind::kAddress;
  operand.base = *offset;
  operand.displacement = displacement;
  return of_word(Kind::kMemory, std::move(operand));
}

ValueLocation constant(uint64_t value) {
  UserOperand operand;
  operand.kind = UserOperand::Kind::kConstant;
  operand.displacement = static_cast<int64_t>(value);
  return of_word(Kind::kWords, std::move(operand));
}

/// One variable's location, and where it is asked for.
struct Question {
  Dwarf_Attribute *stated;  ///< the attribute whose operations these are
  const CodePoint &point;
  bool is_everywhere;  ///< the location is stated for the whole function, also for where it is not yet true
};

constexpr std::string_view kOptimisedOut = "it was optimised out";
constexpr std::string_view kNoFrame = "the function has no frame at this instruction, not yet or no longer";
constexpr std::string_view kUnknownFrame = "where the function's frame is at this instruction is not known";
constexpr std::string_view kComputed = "the compiler computes it from other values";

/// Why what is counted from a register, in the whole function, is not there at the instruction; empty: it is.
std::string_view frame_problem(uint64_t reg, const CodePoint &point) {
  const arch::FrameRegisters &registers = arch::host_machine().frame_registers;
  if (point.is_entry || point.frames == nullptr) return kUnknownFrame;
  const std::optional<CodeFrames::Cfa> cfa = point.frames->at(point.pc);
  if (!cfa) return kUnknownFrame;
  if (reg == registers.frame) return cfa->reg == registers.frame ? std::string_view() : kNoFrame;
  // The stack pointer moves while the frame is made and removed, and when arguments are pushed.
  if (reg == registers.stack && cfa->reg == registers.stack)
    return cfa == point.frames->of_body(point.start, point.end) ? std::string_view() : kNoFrame;
  return kUnknownFrame;
}

/// Relative to a register that holds the frame.
ValueLocation at_frame_register(uint64_t number, int64_t displacement, const Question &question) {
  if (const std::string_view problem = frame_problem(number, question.point); !problem.empty())
    return missing(std::string(problem));
  return at_register(number, displacement);
}

/// DW_OP_fbreg. Only what the caller has put on the stack is there when the function begins.
ValueLocation in_frame(const Question &question, int64_t offset) {
  const CodePoint &point = question.point;
  Dwarf_Die function = point.function;
  Dwarf_Attribute base;
  Dwarf_Op *operations = nullptr;
  size_t count = 0;
  const bool has_base = dwarf_attr_integrate(&function, DW_AT_frame_base, &base) != nullptr &&
                        dwarf_getlocation_addr(&base, point.pc, &operations, &count, 1) == 1 && count == 1;
  const bool is_from_cfa = has_base && operations[0].atom == DW_OP_call_frame_cfa;
  if (point.is_entry) {
    if (!is_from_cfa || offset < 0) return ValueLocation{Kind::kConvention, {}, {}};
    // The caller's frame ends where its stack arguments begin.
    const arch::Machine &machine = arch::host_machine();
    return at_register(machine.frame_registers.stack, sum_of(offset, machine.registers.stack_arguments));
  }
  if (!has_base) return missing(std::string(kUnknownFrame));
  const bool is_callers = is_from_cfa && offset >= 0;
  if (question.is_everywhere && !is_callers && (!point.body || point.pc < *point.body))
    return missing("the function has not stored it yet at this instruction");
  const Dwarf_Op &from = operations[0];
  if (is_from_cfa) {
    const std::optional<CodeFrames::Cfa> cfa =
        point.frames != nullptr ? point.frames->at(point.pc) : std::optional<CodeFrames::Cfa>();
    return cfa ? at_register(cfa->reg, sum_of(cfa->offset, offset)) : missing(std::string(kUnknownFrame));
  }
  uint64_t number = 0;
  if (from.atom >= DW_OP_reg0 && from.atom <= DW_OP_reg31) {
    number = from.atom - DW_OP_reg0;
  } else if (from.atom >= DW_OP_breg0 && from.atom <= DW_OP_breg31) {
    number = from.atom - DW_OP_breg0;
    offset = sum_of(offset, static_cast<int64_t>(from.number));
  } else {
    return missing(std::string(kUnknownFrame));
  }
  return at_frame_register(number, offset, question);
}

/// An address of the file, which lies at the same distance from the instruction in every process.
ValueLocation at_address(uint64_t address, uint64_t pc) {
  UserOperand operand;
  operand.kind = UserOperand::Kind::kAddress;
  operand.base = static_cast<uint16_t>(arch::host_machine().registers.instruction);
  operand.displacement = static_cast<int64_t>(address - pc);
  return of_word(Kind::kMemory, std::move(operand));
}

/// DW_OP_addr and its forms.
std::optional<uint64_t> stated_address(Dwarf_Attribute *stated, const Dwarf_Op &operation) {
  if (operation.atom == DW_OP_addr) return operation.number;
  if (operation.atom != DW_OP_addrx && operation.atom != DW_OP_GNU_addr_index) return std::nullopt;
  Dwarf_Attribute operand;
  Dwarf_Addr address = 0;
  if (dwarf_getlocation_attr(stated, &operation, &operand) != 0 || dwarf_formaddr(&operand, &address) != 0)
    return std::nullopt;
  return address;
}

std::optional<uint64_t> literal(const Dwarf_Op &operation) {
  if (operation.atom >= DW_OP_lit0 && operation.atom <= DW_OP_lit31) return operation.atom - DW_OP_lit0;
  switch (operation.atom) {
    case DW_OP_const1u:
    case DW_OP_const1s:
    case DW_OP_const2u:
    case DW_OP_const2s:
    case DW_OP_const4u:
    case DW_OP_const4s:
    case DW_OP_const8u:
    case DW_OP_const8s:
    case DW_OP_constu:
    case DW_OP_consts:
      return operation.number;
    default:
      return std::nullopt;
  }
}

/// The low part of a register to which a number was added.
struct LowPart {
  uint64_t bytes = 0;  ///< so many are right; 0: this is something else
  int64_t added = 0;
};

/// clang's expression for a value that is narrower than its register, or that is kept with a constant added: the
/// register, masked, converted, increased and decreased. The lowest bytes of each step depend on the lowest bytes only.
LowPart low_part(Operations operations, const Question &question) {
  if (operations.size() <= 2 || operations.front().atom < DW_OP_breg0 || operations.front().atom > DW_OP_breg31 ||
      operations.back().atom != DW_OP_stack_value)
    return {};
  const arch::FrameRegisters &registers = arch::host_machine().frame_registers;
  const uint64_t reg = operations.front().atom - DW_OP_breg0;
  if (reg == registers.stack || reg == registers.frame) return {};  // an address in a frame, which may not be there yet
  LowPart part{kPieceBytes, static_cast<int64_t>(operations.front().number)};
  const Operations between = operations.subspan(1, operations.size() - 2);
  for (size_t i = 0; i < between.size(); ++i) {
    const Dwarf_Op &operation = between[i];
    const std::optional<uint64_t> number = literal(operation);
    if (number && i + 1 < between.size()) {
      const uint8_t next = between[++i].atom;
      if (next == DW_OP_and && *number == UINT32_MAX)
        part.bytes = std::min<uint64_t>(part.bytes, sizeof(uint32_t));
      else if (next == DW_OP_plus)
        part.added = sum_of(part.added, static_cast<int64_t>(*number));
      else if (next == DW_OP_minus)
        part.added = sum_of(part.added, static_cast<int64_t>(-*number));
      else
        return {};
    } else if (operation.atom == DW_OP_plus_uconst) {
      part.added = sum_of(part.added, static_cast<int64_t>(operation.number));
    } else if (operation.atom == DW_OP_convert || operation.atom == DW_OP_GNU_convert) {
      Dwarf_Die type;
      if (operation.number == 0) continue;  // an address
      if (dwarf_getlocation_die(question.stated, &operation, &type) != 0) return {};
      part.bytes = std::min(part.bytes, dwarf_number(&type, DW_AT_byte_size).value_or(0));
    } else {
      return {};
    }
  }
  return part;
}

/// The location of a LowPart.
ValueLocation in_low_part(uint64_t number, int64_t added) {
  if (added == 0) return in_register(number);
  ValueLocation result = at_register(number, added);
  if (result.kind == Kind::kMemory) result.kind = Kind::kWords;  // the address itself
  return result;
}

/// DW_OP_entry_value: what a register had when the function began.
ValueLocation from_entry(const Dwarf_Op &operation, const Question &question) {
  if (!question.point.is_entry) return missing("only its value at the function's entry is known");
  Dwarf_Attribute inner;
  Dwarf_Op *at_entry = nullptr;
  size_t count = 0;
  if (dwarf_getlocation_attr(question.stated, &operation, &inner) == 0 &&
      dwarf_getlocation(&inner, &at_entry, &count) == 0 && count == 1 && at_entry[0].atom >= DW_OP_reg0 &&
      at_entry[0].atom <= DW_OP_reg31)
    return in_register(at_entry[0].atom - DW_OP_reg0);
  return missing(std::string(kComputed));
}

/// The register that a location is, or counts from.
std::optional<uint64_t> register_of(const Dwarf_Op &operation) {
  if (operation.atom >= DW_OP_reg0 && operation.atom <= DW_OP_reg31) return operation.atom - DW_OP_reg0;
  if (operation.atom >= DW_OP_breg0 && operation.atom <= DW_OP_breg31) return operation.atom - DW_OP_breg0;
  return std::nullopt;
}

/// Has gcc compiled the function without optimisation? Then a parameter has one location, which the function fills
/// first. False: or nothing says so.
bool is_unoptimised(Dwarf_Die function) {
  Dwarf_Die unit;
  Dwarf_Attribute found;
  if (dwarf_diecu(&function, &unit, nullptr, nullptr) == nullptr) return false;
  const char *text = dwarf_attr(&unit, DW_AT_producer, &found) == nullptr ? nullptr : dwarf_formstring(&found);
  const std::string_view producer = text == nullptr ? "" : text;
  // The processor is always among the options, if they are there.
  if (!producer.starts_with("GNU C") || producer.find(" -m") == std::string_view::npos) return false;
  for (size_t at = 0; (at = producer.find(" -O", at)) != std::string_view::npos; at += 3)
    if (!producer.substr(at + 3).starts_with('0')) return false;
  return true;
}

/// Does C pass arguments in that register?
bool passes_arguments(uint64_t number) {
  const std::optional<uint16_t> offset = register_offset(number);
  const auto &registers = arch::host_machine().registers.function_arguments;
  return offset && std::ranges::find(registers, *offset) != registers.end();
}

/// What is in a register, or where one points, in the whole function: where it is as long as the function may not have
/// filled that register. gcc states it so without optimisation, of what is declared `register` and of what is passed by
/// address, and with -fno-var-tracking. Nothing: it has filled it, or got it so.
std::optional<ValueLocation> before_filled(const Dwarf_Op &operation, const Question &question) {
  const CodePoint &point = question.point;
  const std::optional<uint64_t> number = register_of(operation);
  if (!question.is_everywhere || !number) return std::nullopt;
  const arch::FrameRegisters &registers = arch::host_machine().frame_registers;
  if (operation.atom >= DW_OP_breg0 && (*number == registers.stack || *number == registers.frame)) return std::nullopt;
  const bool is_before_body = point.is_entry || (point.body && point.pc < *point.body);
  if (!is_before_body || (passes_arguments(*number) && !is_unoptimised(point.function))) return std::nullopt;
  if (point.is_entry && is_unoptimised(point.function)) return ValueLocation{Kind::kConvention, {}, {}};
  return missing("the function has not stored it yet at this instruction");
}

/// One part of a value, without DW_OP_piece. `size_bytes`: of the value.
ValueLocation simple(Operations operations, const Question &question, uint64_t size_bytes) {
  if (operations.empty()) return missing(std::string(kOptimisedOut));
  const Dwarf_Op &first = operations[0];
  const Dwarf_Op &last = operations.back();
  const bool is_value = operations.size() == 2 && last.atom == DW_OP_stack_value;
  if (first.atom == DW_OP_implicit_pointer || first.atom == DW_OP_GNU_implicit_pointer)
    return missing("it points to something that was optimised out");
  if (first.atom == DW_OP_GNU_parameter_ref) return missing(std::string(kOnlyCallersKnow));
  if (first.atom == DW_OP_implicit_value) return missing("it is a constant that the program does not have in memory");
  if (last.atom == DW_OP_form_tls_address || last.atom == DW_OP_GNU_push_tls_address)
    return missing("it is thread-local, and has an address in each thread");
  if (const std::optional<uint64_t> number = literal(first); number && is_value) return constant(*number);
  if ((first.atom == DW_OP_entry_value || first.atom == DW_OP_GNU_entry_value) && is_value)
    return from_entry(first, question);
  const CodePoint &point = question.point;
  if (std::optional<ValueLocation> before = before_filled(first, question)) return *std::move(before);
  if (const LowPart part = low_part(operations, question); part.bytes >= size_bytes && part.bytes != 0)
    return in_low_part(first.atom - DW_OP_breg0, part.added);
  ValueLocation result;
  if (first.atom >= DW_OP_reg0 && first.atom <= DW_OP_reg31) {
    result = in_register(first.atom - DW_OP_reg0);
  } else if (first.atom == DW_OP_regx) {
    result = in_register(first.number);
  } else if (first.atom >= DW_OP_breg0 && first.atom <= DW_OP_breg31) {
    const uint64_t number = first.atom - DW_OP_breg0;
    const auto displacement = static_cast<int64_t>(first.number);
    // clang counts a function's own frame from the stack pointer, and says so from the first instruction on, which has
    // not made that frame yet. What the caller has put on the stack is found by the convention as well.
    const arch::FrameRegisters &registers = arch::host_machine().frame_registers;
    if (point.is_entry && (number == registers.stack || (number == registers.frame && question.is_everywhere)))
      return ValueLocation{Kind::kConvention, {}, {}};
    result = question.is_everywhere && !point.is_entry ? at_frame_register(number, displacement, question)
                                                       : at_register(number, displacement);
  } else if (first.atom == DW_OP_bregx) {
    result = at_register(first.number, static_cast<int64_t>(first.number2));
  } else if (first.atom == DW_OP_fbreg) {
    result = in_frame(question, static_cast<int64_t>(first.number));
    // What the function will copy a pointer to (an object passed by reference).
    if (result.kind == Kind::kConvention && operations.size() == 2 && last.atom == DW_OP_deref) return result;
  } else if (const std::optional<uint64_t> address = stated_address(question.stated, first)) {
    result = at_address(*address, point.pc);
  } else {
    return missing(std::string(kComputed));
  }
  if (operations.size() == 1) return result;
  if (is_value && result.kind == Kind::kMemory) {
    result.kind = Kind::kWords;  // the address itself
    return result;
  }
  if (operations.size() == 2 && last.atom == DW_OP_deref && result.kind == Kind::kMemory) {
    result.kind = Kind::kPointed;  // an object passed by reference
    result.words.front().kind = UserOperand::Kind::kMemory;
    return result;
  }
  return missing(result.kind == Kind::kMissing ? std::move(result.reason) : std::string(kComputed));
}

/// A struct in registers: parts of 8 bytes, in order.
ValueLocation in_pieces(Operations operations, const Question &question, uint64_t size_bytes) {
  constexpr std::string_view kScattered = "its parts are in registers or memory that D cannot combine";
  ValueLocation whole;
  whole.kind = Kind::kWords;
  uint64_t covered = 0;
  while (!operations.empty()) {
    size_t end = 0;
    while (end < operations.size() && operations[end].atom != DW_OP_piece) ++end;
    if (end == operations.size()) return missing(std::string(kScattered));
    const uint64_t bytes = operations[end].number;
    ValueLocation part = simple(operations.first(end), question, bytes);
    if (part.kind == Kind::kMissing) return end == 0 ? missing("a part of it was optimised out") : part;
    if (part.kind == Kind::kConvention) return part;
    const bool is_last = covered + bytes >= size_bytes;
    if (part.kind != Kind::kWords || bytes > kPieceBytes || (bytes != kPieceBytes && !is_last))
      return missing(std::string(kScattered));
    whole.words.push_back(std::move(part.words.front()));
    covered += bytes;
    operations = operations.subspan(end + 1);
  }
  return covered >= size_bytes ? whole : missing("a part of it was optimised out");
}

/// A value that calls state, because the function lacks the parameter.
ValueLocation by_caller(Dwarf_Die parameter, std::string_view otherwise) {
  ValueLocation result = missing(std::string(otherwise));
  result.kind = Kind::kByCaller;
  result.parameter = parameter;
  return result;
}

/// Clones that gcc makes of functions (.isra, .constprop) lack parameters. gcc says so (DW_OP_GNU_parameter_ref) in
/// some part of the function, not always at its first instruction, but the caller's value is the same in all parts.
std::optional<Dwarf_Die> removed_parameter(Dwarf_Attribute *location) {
  Dwarf_Addr base = 0, start = 0, end = 0;
  Dwarf_Op *operations = nullptr;
  size_t count = 0, left = limits::kMaxLocationRanges;
  for (ptrdiff_t at = 0;
       left != 0 && (at = dwarf_getlocations(location, at, &base, &start, &end, &operations, &count)) > 0; --left) {
    Dwarf_Die parameter;
    if (count == 2 && operations[0].atom == DW_OP_GNU_parameter_ref && operations[1].atom == DW_OP_stack_value &&
        dwarf_getlocation_die(location, operations, &parameter) == 0)
      return parameter;
  }
  return std::nullopt;
}

/// A location list has a location for each part of the function; other forms have one for the whole function.
bool is_list(Dwarf_Attribute *location) {
  switch (dwarf_whatform(location)) {
    case DW_FORM_exprloc:
    case DW_FORM_block:
    case DW_FORM_block1:
    case DW_FORM_block2:
    case DW_FORM_block4:
      return false;
    default:
      return true;
  }
}

}  // namespace

ValueLocation location_at(Dwarf_Die *variable, const CodePoint &point, uint64_t size_bytes) {
  if (const std::optional<uint64_t> known = dwarf_number(variable, DW_AT_const_value)) return constant(*known);
  Dwarf_Attribute location;
  if (dwarf_attr(variable, DW_AT_location, &location) == nullptr)
    return point.is_entry ? by_caller(*variable, kOptimisedOut) : missing(std::string(kOptimisedOut));
  Dwarf_Op *operations = nullptr;
  size_t count = 0;
  if (dwarf_getlocation_addr(&location, point.pc, &operations, &count, 1) <= 0) {
    if (!point.is_entry) return missing("it was optimised out at this instruction");
    if (const std::optional<Dwarf_Die> parameter = removed_parameter(&location))
      return by_caller(*parameter, kOnlyCallersKnow);
    ValueLocation nowhere = missing("the compiler does not say where it is when the function begins");
    nowhere.is_not_said = true;
    return nowhere;
  }
  if (count > limits::kMaxLocationOperations) return missing(std::string(kComputed));
  const Operations all(operations, count);
  if (point.is_entry && count == 2 && all[0].atom == DW_OP_GNU_parameter_ref)
    if (const std::optional<Dwarf_Die> parameter = removed_parameter(&location))
      return by_caller(*parameter, kOnlyCallersKnow);
  const Question question{&location, point, !is_list(&location)};
  const bool has_pieces = std::ranges::find(all, DW_OP_piece, &Dwarf_Op::atom) != all.end();
  const bool is_in_frame = !has_pieces && !all.empty() && all[0].atom >= DW_OP_breg0 && all[0].atom <= DW_OP_fbreg;
  if (point.begins_call && question.is_everywhere && is_in_frame)
    return missing("the call has not stored it yet at its beginning");
  ValueLocation result = has_pieces ? in_pieces(all, question, size_bytes) : simple(all, question, size_bytes);
  result.is_everywhere = question.is_everywhere;
  return result;
}

}  // namespace dtrace::runtime
