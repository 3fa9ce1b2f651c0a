// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/passed_parameters.h"

#include <dwarf.h>

#include "runtime/debug_info/passed_by_reference.h"
#include "runtime/debug_info/passed_type.h"

namespace dtrace::runtime {
namespace {

using Place = arch::PassedValue::Place;

constexpr std::string_view kUnsureCopies =
    "whether its class is passed by reference depends on default arguments, which the debug information does not state";
constexpr std::string_view kOtherCopy = "this copy of the function does not have it";

/// What a class that copies by code counts as where it is returned: any record that is too large for registers.
arch::PassedType returned_by_reference() {
  arch::PassedType type;
  type.form = arch::PassedType::Form::kRecord;
  type.size_bytes = 2 * arch::PassedType::kMaxPartsBytes;
  return type;
}

/// The type of a parameter, or of a function's result.
arch::PassedType type_of_object(const arch::Machine &machine, Dwarf_Die *entry, ObjectPassing passing,
                                const arch::PassedType &by_reference, DwarfBudget &budget) {
  if (passing == ObjectPassing::kByReference) return by_reference;
  arch::PassedType type = passed_type(entry, machine.calls, budget);
  if (passing == ObjectPassing::kUnsure && type.doubt.empty()) type.doubt = kUnsureCopies;
  return type;
}

arch::PassedType result_type(const arch::Machine &machine, Dwarf_Die function, DwarfBudget &budget) {
  return type_of_object(machine, &function, object_passing(&function, budget), returned_by_reference(), budget);
}

UserOperand raw_argument(const arch::Machine &machine, unsigned n) {
  const arch::Registers &registers = machine.registers;
  UserOperand operand;
  if (n < registers.function_arguments.size()) {
    operand.kind = UserOperand::Kind::kRegister;
    operand.base = static_cast<uint16_t>(registers.function_arguments[n]);
    return operand;
  }
  operand.kind = UserOperand::Kind::kMemory;
  operand.base = static_cast<uint16_t>(registers.stack);
  operand.displacement =
      static_cast<int64_t>(registers.stack_arguments) +
      static_cast<int64_t>(n - registers.function_arguments.size()) * int64_t{arch::kPassedWordBytes};
  return operand;
}

}  // namespace

std::vector<PassedParameter> passed_parameters(const arch::Machine &machine, Dwarf_Die function,
                                               std::span<DwarfParameter> parameters, DwarfBudget &budget) {
  std::vector<PassedParameter> result;
  std::vector<arch::PassedType> types;
  const auto is_absent = [](DwarfParameter &parameter) {
    return !parameter.is_kept && dwarf_has_flag(&parameter.die, DW_AT_artificial);
  };
  for (DwarfParameter &parameter : parameters) {
    PassedParameter &passed = result.emplace_back();
    const ObjectPassing passing = object_passing(&parameter.die, budget);
    passed.is_by_reference = passing == ObjectPassing::kByReference;
    passed.type = type_of_object(machine, &parameter.die, passing, arch::passed_pointer(), budget);
    if (!is_absent(parameter)) types.push_back(passed.type);
  }
  const std::vector<arch::PassedValue> values = machine.calls.parameters(result_type(machine, function, budget), types);
  auto value = values.begin();
  for (size_t i = 0; i < parameters.size(); ++i)
    result[i].value =
        is_absent(parameters[i]) ? arch::PassedValue{.place = Place::kUnknown, .reason = kOtherCopy} : *value++;
  return result;
}

arch::PassedValue passed_result(const arch::Machine &machine, Dwarf_Die function, DwarfBudget &budget) {
  return machine.calls.result(result_type(machine, function, budget));
}

ValueLocation convention_location(const arch::Machine &machine, const PassedParameter &parameter) {
  ValueLocation location;
  location.kind = ValueLocation::Kind::kWords;
  const arch::PassedValue &value = parameter.value;
  UserOperand first = raw_argument(machine, value.raw_argument);
  const auto at = [&] {
    location.kind = ValueLocation::Kind::kMemory;
    location.words.push_back(first);
    return location;
  };
  const auto on_stack = [&] {
    first.kind = UserOperand::Kind::kAddress;
    return at();
  };
  switch (value.place) {
    case Place::kVector:
    case Place::kNowhere:
    case Place::kUnknown:
      location.kind = ValueLocation::Kind::kMissing;
      location.reason = value.place == Place::kVector ? kInVectorRegister : value.reason;
      return location;
    case Place::kPointed:
      return at();
    case Place::kStack:
      return on_stack();
    case Place::kWord:
      if (parameter.is_by_reference) return at();
      if (first.kind == UserOperand::Kind::kMemory) return on_stack();
      [[fallthrough]];
    case Place::kWords:
      for (unsigned word = 0; word * arch::kPassedWordBytes < parameter.type.size_bytes; ++word)
        location.words.push_back(raw_argument(machine, value.raw_argument + word));
  }
  return location;
}

}  // namespace dtrace::runtime
