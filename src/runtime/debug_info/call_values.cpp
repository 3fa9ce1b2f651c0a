// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/call_values.h"

#include <dwarf.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <span>

#include "arch/machine.h"
#include "arch/machine_code.h"
#include "base/foreign_limits.h"
#include "runtime/foreign/dwarf_entry.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {
namespace {

constexpr unsigned kMaxCallDepth = 128;  // blocks and inlined functions in each other

// DWARF 4 has these in GNU's numbers.
bool is_call(int tag) { return tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site; }

/// Which attribute names the parameter; 0: the entry is no call's parameter.
unsigned attribute_of_parameter(int tag) {
  if (tag == DW_TAG_call_site_parameter) return DW_AT_call_parameter;
  return tag == DW_TAG_GNU_call_site_parameter ? DW_AT_abstract_origin : 0;
}

std::optional<uint64_t> stated_address(Dwarf_Die *die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Addr address = 0;
  if (dwarf_attr(die, attribute, &found) == nullptr || dwarf_formaddr(&found, &address) != 0) return std::nullopt;
  return address;
}

std::optional<uint64_t> return_address_of(Dwarf_Die *site) {
  const std::optional<uint64_t> stated = stated_address(site, DW_AT_call_return_pc);
  return stated || dwarf_tag(site) == DW_TAG_call_site ? stated : stated_address(site, DW_AT_low_pc);
}

UserOperand operand_of(UserOperand::Kind kind, uint16_t base, int64_t displacement) {
  UserOperand operand;
  operand.kind = kind;
  operand.base = base;
  operand.displacement = displacement;
  return operand;
}

/// A register of the caller plus a number. The stack pointer is what it was before the call.
std::optional<UserOperand> from_register(uint64_t number, int64_t added) {
  const arch::Machine &machine = arch::host_machine();
  const std::span<const uint32_t> offsets = machine.frame_registers.offsets;
  if (number >= offsets.size()) return std::nullopt;
  if (number == machine.frame_registers.stack)
    added = static_cast<int64_t>(static_cast<uint64_t>(added) + machine.registers.stack_arguments);
  const auto base = static_cast<uint16_t>(offsets[number]);
  if (base == machine.registers.instruction) return std::nullopt;
  return operand_of(added == 0 ? UserOperand::Kind::kRegister : UserOperand::Kind::kAddress, base, added);
}

std::optional<int64_t> literal_of(const Dwarf_Op &operation) {
  if (operation.atom >= DW_OP_lit0 && operation.atom <= DW_OP_lit31) return operation.atom - DW_OP_lit0;
  if (operation.atom >= DW_OP_const1u && operation.atom <= DW_OP_consts) return static_cast<int64_t>(operation.number);
  return std::nullopt;
}

}  // namespace

void CallValues::add_call(Dwarf_Die *site, const Dwarf_Die &function) {
  const std::optional<uint64_t> return_address = return_address_of(site);
  Dwarf_Die die, parameter;
  if (!return_address || !first_child(site, &die, debug_.budget())) return;
  do {
    Dwarf_Attribute found;
    const unsigned names = attribute_of_parameter(dwarf_tag(&die));
    if (names == 0 || dwarf_attr(&die, names, &found) == nullptr || dwarf_formref_die(&found, &parameter) == nullptr)
      continue;
    if (calls_left_ == 0) return;
    --calls_left_;
    by_parameter_[dwarf_origin(parameter).addr].push_back({*return_address, die, function});
  } while (next_sibling(&die, debug_.budget()));
}

void CallValues::read_scope(Dwarf_Die *scope, const Dwarf_Die &function, unsigned depth) {
  Dwarf_Die die;
  if (depth == kMaxCallDepth || !first_child(scope, &die, debug_.budget())) return;
  do {
    const int tag = dwarf_tag(&die);
    if (is_call(tag)) add_call(&die, function);
    if (may_hold_code(tag)) read_scope(&die, tag == DW_TAG_subprogram ? die : function, depth + 1);
  } while (next_sibling(&die, debug_.budget()));
}

void CallValues::read() {
  if (is_read_) return;
  is_read_ = true;
  Dwarf_Die unit;
  for (Dwarf_CU *cu = nullptr;
       debug_.budget().entries != 0 && dwarf_get_units(debug_.get(), cu, &cu, nullptr, nullptr, &unit, nullptr) == 0;) {
    --debug_.budget().entries;
    if (Result<Dwarf_Die> whole = debug_.whole_unit(unit)) read_scope(&*whole, *whole, 0);
  }
}

std::optional<uint64_t> CallValues::called_by(const Call &call, const usdt::ElfFile &elf) const {
  std::array<std::byte, arch::MachineCode::kMaxCallBytes> before{};
  if (call.return_address < before.size()) return std::nullopt;
  const std::optional<uint64_t> offset = elf.code_offset(call.return_address - before.size());
  if (!offset || !usdt::FileSource(file_->fd.get()).read(*offset, before)) return std::nullopt;
  return arch::machine_code_of(arch::host_machine().elf_machine).called_before(before, call.return_address);
}

/// In the frame of the function around the call.
std::optional<UserOperand> CallValues::frame_address(const Call &call, int64_t offset) {
  Dwarf_Die function = call.function;
  Dwarf_Attribute base;
  Dwarf_Op *operations = nullptr;
  size_t count = 0;
  if (dwarf_attr_integrate(&function, DW_AT_frame_base, &base) == nullptr ||
      dwarf_getlocation_addr(&base, call.return_address - 1, &operations, &count, 1) != 1 || count != 1 ||
      operations[0].atom != DW_OP_call_frame_cfa)
    return std::nullopt;
  // Behind a call that does not return another function may begin.
  const std::optional<CodeFrames::Cfa> cfa = frames_.at(call.return_address - 1);
  if (!cfa) return std::nullopt;
  const auto added = static_cast<int64_t>(static_cast<uint64_t>(cfa->offset) + static_cast<uint64_t>(offset));
  std::optional<UserOperand> address = from_register(cfa->reg, added);
  if (address) address->kind = UserOperand::Kind::kAddress;
  return address;
}

std::optional<UserOperand> CallValues::value_of(const Call &call, uint64_t entry) {
  Dwarf_Die die = call.value;
  Dwarf_Attribute stated;
  Dwarf_Op *operations = nullptr;
  size_t count = 0;
  if ((dwarf_attr(&die, DW_AT_call_value, &stated) == nullptr &&
       dwarf_attr(&die, DW_AT_GNU_call_site_value, &stated) == nullptr) ||
      dwarf_getlocation(&stated, &operations, &count) != 0 || count == 0)
    return std::nullopt;
  std::span<const Dwarf_Op> rest(operations, count);
  if (rest.size() > 1 && rest.back().atom == DW_OP_stack_value) rest = rest.first(rest.size() - 1);
  const bool is_loaded = rest.size() == 2 && rest.back().atom == DW_OP_deref;
  if (rest.size() != 1 && !is_loaded) return std::nullopt;
  const Dwarf_Op &first = rest.front();
  std::optional<UserOperand> value;
  if (const std::optional<int64_t> number = literal_of(first))
    return is_loaded ? std::nullopt
                     : std::optional(operand_of(UserOperand::Kind::kConstant, UserOperand::kNoRegister, *number));
  if (first.atom >= DW_OP_breg0 && first.atom <= DW_OP_breg31)
    value = from_register(first.atom - DW_OP_breg0, static_cast<int64_t>(first.number));
  else if (first.atom == DW_OP_bregx)
    value = from_register(first.number, static_cast<int64_t>(first.number2));
  else if (first.atom == DW_OP_fbreg)
    value = frame_address(call, static_cast<int64_t>(first.number));
  else if (first.atom == DW_OP_addr)
    value = operand_of(UserOperand::Kind::kAddress, static_cast<uint16_t>(arch::host_machine().registers.instruction),
                       static_cast<int64_t>(first.number - entry));
  if (value && is_loaded) value->kind = UserOperand::Kind::kMemory;
  return value;
}

std::optional<UserOperand> CallValues::of(uint64_t entry, Dwarf_Die parameter) {
  read();
  const auto known = by_parameter_.find(dwarf_origin(parameter).addr);
  const usdt::FileSource source(file_->fd.get());
  const Result<usdt::ElfFile> elf = usdt::ElfFile::open(source);
  if (known == by_parameter_.end() || !elf) return std::nullopt;
  UserOperand result;
  result.kind = UserOperand::Kind::kByCaller;
  for (const Call &call : known->second) {
    if (result.callers.size() == limits::kMaxCallers) break;
    if (called_by(call, *elf) != entry) continue;
    const auto distance = static_cast<int64_t>(call.return_address - entry);
    if (std::ranges::find(result.callers, distance, &UserOperand::Caller::distance) != result.callers.end()) continue;
    std::optional<UserOperand> value = value_of(call, entry);
    if (!value) continue;
    const auto same = std::ranges::find(result.choices, *value);
    if (same == result.choices.end() && result.choices.size() == limits::kMaxCallerValues) continue;
    result.callers.push_back({distance, static_cast<uint32_t>(same - result.choices.begin())});
    if (same == result.choices.end()) result.choices.push_back(std::move(*value));
  }
  return result.callers.empty() ? std::nullopt : std::optional(std::move(result));
}

}  // namespace dtrace::runtime
