// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/typed_arguments.h"

#include <dwarf.h>
#include <fmt/format.h>

#include <algorithm>

#include "arch/machine.h"
#include "runtime/debug_info/local_variables.h"
#include "runtime/debug_info/location_text.h"
#include "runtime/debug_info/passed_parameters.h"
#include "runtime/debug_info/rust_calls.h"
#include "runtime/debug_info/value_location.h"

namespace dtrace::runtime {
namespace {

// Values of DW_AT_language that elfutils of Debian 12 does not have yet.
constexpr uint64_t kLangCxx17 = 0x2a, kLangCxx20 = 0x2b, kLangC17 = 0x2c;
constexpr std::string_view kContradiction =
    "its debug information contradicts the calling convention of C, which the function may not have";
constexpr std::string_view kFewerParameters = "the compiler removed parameters from this copy of the function";
constexpr std::string_view kPromoted = "its caller passes a double, because the function has no prototype";

/// Debug information may state a constant in more bytes than its type has, or without its sign.
int64_t narrowed(int64_t value, uint64_t size_bytes, bool is_signed) {
  const uint64_t unused_bits = (arch::kPassedWordBytes - size_bytes) * 8;
  const uint64_t top = static_cast<uint64_t>(value) << unused_bits;
  return is_signed ? static_cast<int64_t>(top) >> unused_bits : static_cast<int64_t>(top >> unused_bits);
}

/// One parameter of a function whose first instruction runs.
class Argument {
 public:
  Argument(const TypeTable &types, TypeId type) : types_(types), size_bytes_(types.size_bytes(type)) {
    arg_.native = arg_.translated = type;
    arg_.space = Space::kUser;
  }

  /// A structure, or an array, which only variables are.
  bool is_record() const {
    const TypeKind kind = types_.resolved(arg_.native).kind;
    return types_.is_struct_or_union(arg_.native) || kind == TypeKind::kArray || kind == TypeKind::kForward;
  }
  uint64_t size_bytes() const { return size_bytes_; }
  void is_called(std::string_view name) { arg_.name = name; }
  void miss(std::string reason) { arg_.missing = std::move(reason); }

  /// A number of 16 bytes: D takes it as it takes a structure, as memory or words.
  bool is_wide_number() const {
    const TypeKind kind = types_.resolved(arg_.native).kind;
    return (kind == TypeKind::kInt || kind == TypeKind::kFloat) && size_bytes_ == 2 * arch::kPassedWordBytes;
  }

  /// D's types have not the number's size.
  bool is_number_of_other_size(const PassedParameter &passed) const {
    return !is_record() && !passed.is_by_reference && size_bytes_ != 0 && passed.type.doubt.empty() &&
           passed.type.size_bytes != size_bytes_;
  }

  void lies(ValueLocation location) {
    const bool is_float = types_.resolved(arg_.native).kind == TypeKind::kFloat;
    if (location.kind == ValueLocation::Kind::kMissing) return miss(std::move(location.reason));
    if (!is_record() && location.kind == ValueLocation::Kind::kPointed)
      return miss("the compiler computes it from other values");
    if (is_wide_number()) return lies_as_bytes(std::move(location));
    if (!is_record() && (size_bytes_ == 0 || size_bytes_ > arch::kPassedWordBytes))
      return miss(fmt::format("it has {} bytes, and D's numbers have at most {}", size_bytes_, arch::kPassedWordBytes));
    // The address of a class is known, also where the program does not describe its members.
    const bool is_in_memory =
        location.kind == ValueLocation::Kind::kMemory || location.kind == ValueLocation::Kind::kPointed;
    if (is_record() && size_bytes_ == 0 && !is_in_memory) return miss("its type is not complete");
    operands_ = std::move(location.words);
    if (is_in_memory) {
      if (is_record()) {
        arg_.place = ArgPlace::kPointed;  // the operand is the address
        return;
      }
      operands_.front().kind = UserOperand::Kind::kMemory;
    } else if (is_record()) {
      if (!types_.is_struct_or_union(arg_.native)) return miss("it is an array that is not in memory");
      arg_.place = ArgPlace::kWords;
    }
    if (is_record()) return;
    const auto is_read_as = [&](UserOperand &operand) {
      operand.size_bytes = static_cast<uint8_t>(size_bytes_);
      operand.is_signed = types_.is_signed(arg_.native);
      operand.is_float = is_float;
      if (operand.kind == UserOperand::Kind::kConstant && !is_float && size_bytes_ < arch::kPassedWordBytes)
        operand.displacement = narrowed(operand.displacement, size_bytes_, operand.is_signed);
    };
    is_read_as(operands_.front());
    std::ranges::for_each(operands_.front().choices, is_read_as);
  }

  /// A parameter that the compiler removed from this copy of the function.
  void is_passed_by_callers(std::optional<UserOperand> calls, std::string_view otherwise) {
    if (!calls || is_record() || size_bytes_ > arch::kPassedWordBytes) return miss(std::string(otherwise));
    lies({ValueLocation::Kind::kWords, {std::move(*calls)}, {}});
  }

  void append_to(TypedArguments &out, unsigned first_source) && {
    // A float becomes a double.
    if (types_.resolved(arg_.native).kind == TypeKind::kFloat && size_bytes_ <= arch::kPassedWordBytes)
      arg_.native = arg_.translated = types_.floating(arch::kPassedWordBytes);
    arg_.source = first_source + static_cast<unsigned>(out.operands.size());
    arg_.where = location_text(operands_, arg_.place == ArgPlace::kPointed);
    // A value that cannot be had keeps its slot, so that another function of the same types has the same sources.
    if (operands_.empty()) operands_.emplace_back().reason = arg_.missing;
    std::ranges::move(operands_, std::back_inserter(out.operands));
    out.args.push_back(std::move(arg_));
  }

 private:
  void lies_as_bytes(ValueLocation location) {
    const bool is_in_memory = location.kind == ValueLocation::Kind::kMemory;
    if (!is_in_memory && location.words.size() * arch::kPassedWordBytes < size_bytes_)
      return miss("a part of it was optimised out");
    arg_.place = is_in_memory ? ArgPlace::kPointed : ArgPlace::kWords;
    operands_ = std::move(location.words);
  }

  const TypeTable &types_;
  uint64_t size_bytes_;
  ProbeArg arg_;
  std::vector<UserOperand> operands_;
};

/// The location of what the running function has, not its caller.
ValueLocation location_inside(Dwarf_Die *variable, const CodePoint &point, uint64_t size_bytes) {
  ValueLocation location = location_at(variable, point, size_bytes);
  if (location.kind == ValueLocation::Kind::kConvention)
    return {ValueLocation::Kind::kMissing, {}, "the function has not stored it yet at this instruction"};
  if (location.kind == ValueLocation::Kind::kByCaller)
    return {ValueLocation::Kind::kMissing, {}, std::move(location.reason)};
  return location;
}

/// Not a clone, which is local and looks external in debug information.
bool is_external(const ObjectDebugInfo &info, uint64_t address, Dwarf_Die function) {
  return dwarf_has_flag(&function, DW_AT_external) && info.is_global(address).value_or(true);
}

uint64_t language_of(Dwarf_Die function) {
  Dwarf_Die unit;
  if (dwarf_diecu(&function, &unit, nullptr, nullptr) == nullptr) return 0;
  return dwarf_number(&unit, DW_AT_language).value_or(0);
}

bool is_c(Dwarf_Die function) {
  switch (language_of(function)) {
    case DW_LANG_C89:
    case DW_LANG_C:
    case DW_LANG_C99:
    case DW_LANG_C11:
    case kLangC17:
      return true;
    default:
      return false;
  }
}

bool is_c_or_cxx(Dwarf_Die function) {
  if (is_c(function)) return true;
  switch (language_of(function)) {
    case DW_LANG_C_plus_plus:
    case DW_LANG_C_plus_plus_03:
    case DW_LANG_C_plus_plus_11:
    case DW_LANG_C_plus_plus_14:
    case kLangCxx17:
    case kLangCxx20:
      return true;
    default:
      return false;
  }
}

/// Are all parameters where the calling convention has them when the function begins, whatever its debug information
/// leaves out? A compiler removes and moves parameters only in clones, which are local: other files call a global
/// function as it is declared.
bool is_passed_all(ObjectDebugInfo &info, uint64_t address, Dwarf_Die function,
                   std::span<const DwarfParameter> parameters) {
  // Which copies of a C++ constructor have those that nobody wrote, nothing says.
  const bool is_certain = std::ranges::all_of(parameters, [](DwarfParameter parameter) {
    return parameter.is_kept || !dwarf_has_flag(&parameter.die, DW_AT_artificial);
  });
  return is_certain && is_c_or_cxx(function) && info.is_global(address).value_or(false);
}

/// The debug information states for the whole function that the caller puts it on the stack.
bool is_on_stack(const ValueLocation &stated) {
  const bool is_in_memory = stated.kind == ValueLocation::Kind::kMemory || stated.kind == ValueLocation::Kind::kPointed;
  return is_in_memory && stated.is_everywhere && stated.words.front().base == arch::host_machine().registers.stack;
}

/// Where the types do not tell: an optimised program may state the register that the caller puts it into.
bool is_in_argument_register(const ValueLocation &stated) {
  return stated.kind == ValueLocation::Kind::kWords && stated.is_everywhere &&
         std::ranges::all_of(stated.words, [](const UserOperand &word) {
           return word.kind == UserOperand::Kind::kRegister &&
                  std::ranges::find(arch::host_machine().registers.function_arguments, word.base) !=
                      arch::host_machine().registers.function_arguments.end();
         });
}

/// On the stack, but not where the convention has it: as of a function with another convention (ms_abi).
bool is_contradiction(const ValueLocation &stated, const PassedParameter &passed) {
  if (!is_on_stack(stated) || passed.value.place == arch::PassedValue::Place::kUnknown) return false;
  const ValueLocation expected = convention_location(arch::host_machine(), passed);
  return expected.kind != ValueLocation::Kind::kMemory || expected.words.front().base != stated.words.front().base ||
         expected.words.front().displacement != stated.words.front().displacement;
}

/// Callers of a function without a prototype make a double of a float, and the function a float of that.
bool is_promoted(Dwarf_Die function, const PassedParameter &passed) {
  const auto &parts = passed.type.parts;
  return passed.type.form == arch::PassedType::Form::kNumber && parts.size() == 1 &&
         passed.type.size_bytes < arch::kPassedWordBytes && parts.front().kind == arch::PassedPart::Kind::kFloat &&
         is_c(function) && !dwarf_has_flag(&function, DW_AT_prototyped);
}

/// What decides for all parameters of a function whether the calling convention has them where they are.
struct Conventional {
  bool is_all_passed = false;    ///< also those that the debug information does not say where they are
  bool is_contradicted = false;  ///< the function does not have it
  bool is_shrunk = false;        ///< the compiler removed parameters from this copy
  size_t certain = 0;            ///< how many of the first parameters are passed as in C
};

ValueLocation without_value(std::string_view reason) {
  return {.kind = ValueLocation::Kind::kMissing, .words = {}, .reason = std::string(reason)};
}

ValueLocation by_convention(const PassedParameter &passed, size_t number, const Conventional &conventional) {
  if (number >= conventional.certain) return without_value(kNotAsInC);
  if (conventional.is_shrunk && !conventional.is_all_passed) return without_value(kFewerParameters);
  return convention_location(arch::host_machine(), passed);
}

ValueLocation stated_at_entry(DwarfParameter &parameter, const CodePoint &point, uint64_t size_bytes) {
  if (parameter.is_kept) return location_at(&parameter.die, point, size_bytes);
  ValueLocation location{.kind = ValueLocation::Kind::kByCaller, .words = {}, .reason = "it was optimised out"};
  location.parameter = parameter.die;
  return location;
}

Result<Dwarf_Die> function_at(ObjectDebugInfo &info, uint64_t address) {
  const std::optional<Dwarf_Die> function = info.functions().at(address);
  if (!function && !info.file().missing_unit().empty()) return Error(info.file().missing_unit());
  if (!function) return Error(fmt::format("the debug information of {} does not describe it", info.types().module()));
  return *function;
}

}  // namespace

Result<TypedArguments> entry_arguments(ObjectDebugInfo &info, uint64_t address, unsigned first_source,
                                       TypeTable &types) {
  Result<Dwarf_Die> function = function_at(info, address);
  if (!function) return std::move(function).error();
  std::vector<DwarfParameter> parameters = info.functions().parameters(*function);
  std::vector<PassedParameter> passed =
      passed_parameters(arch::host_machine(), *function, parameters, info.file().budget());
  std::vector<TypeId> parameter_types;
  std::vector<ValueLocation> stated;
  Conventional conventional;
  for (size_t i = 0; i < parameters.size(); ++i) {
    parameter_types.push_back(types.from_user(info.types(), info.types().type_of(&parameters[i].die)));
    stated.push_back(stated_at_entry(parameters[i], {address, *function, true}, types.size_bytes(parameter_types[i])));
    conventional.is_contradicted |= is_contradiction(stated[i], passed[i]);
    conventional.is_shrunk |= !parameters[i].is_kept && !dwarf_has_flag(&parameters[i].die, DW_AT_artificial);
  }
  conventional.is_all_passed = is_passed_all(info, address, *function, parameters);
  const TypeId result = types.from_user(info.types(), info.types().type_of(&*function));
  conventional.certain =
      is_rust(*function) ? rust_parameters_as_in_c(types, result, parameter_types) : parameters.size();
  // What is passed in memory is there when the function begins, even if its location list begins later.
  const bool is_stack_sure = is_external(info, address, *function);

  TypedArguments out;
  for (size_t i = 0; i < parameters.size(); ++i) {
    Argument argument(types, parameter_types[i]);
    argument.is_called(parameters[i].name);
    ValueLocation &location = stated[i];
    const bool is_unsure =
        location.is_not_said || location.is_everywhere || location.kind == ValueLocation::Kind::kByCaller;
    const bool is_in_memory = passed[i].value.place == arch::PassedValue::Place::kStack && is_stack_sure;
    const bool is_stated = is_on_stack(location) || (passed[i].value.place == arch::PassedValue::Place::kUnknown &&
                                                     is_in_argument_register(location));
    if ((is_unsure && conventional.is_all_passed && i < conventional.certain && !is_stated) ||
        (location.is_not_said && is_in_memory))
      location.kind = ValueLocation::Kind::kConvention;
    if (conventional.is_contradicted && (location.kind == ValueLocation::Kind::kConvention || is_on_stack(location)))
      location = without_value(kContradiction);
    if (location.kind == ValueLocation::Kind::kConvention)
      location =
          is_promoted(*function, passed[i]) ? without_value(kPromoted) : by_convention(passed[i], i, conventional);
    if (argument.is_number_of_other_size(passed[i]))
      argument.miss(fmt::format("D has no type of its {} bytes", passed[i].type.size_bytes));
    else if (location.kind == ValueLocation::Kind::kByCaller)
      argument.is_passed_by_callers(info.call_values().of(address, location.parameter), location.reason);
    else
      argument.lies(std::move(location));
    std::move(argument).append_to(out, first_source);
  }
  return out;
}

Result<TypedArguments> inlined_arguments(ObjectDebugInfo &info, uint64_t pc, uint32_t call, TypeTable &types) {
  std::optional<CodePoint> point = info.point_at(pc);
  if (!point)
    return Error(fmt::format("the debug information of {} does not describe the function", info.types().module()));
  point->begins_call = true;
  TypedArguments out;
  for (DwarfParameter &parameter : info.functions().parameters(info.inlined().call(call).die)) {
    Argument argument(types, types.from_user(info.types(), info.types().type_of(&parameter.die)));
    argument.is_called(parameter.name);
    if (parameter.is_kept)
      argument.lies(location_inside(&parameter.die, *point, argument.size_bytes()));
    else
      argument.miss("it was optimised out");
    std::move(argument).append_to(out, 0);
  }
  return out;
}

namespace {

Result<TypedArguments> typed_local(ObjectDebugInfo &info, CodePoint point, LocalVariable variable,
                                   unsigned first_source, TypeTable &types) {
  point.begins_call &= variable.is_inlined;
  TypedArguments out;
  if (point.is_entry && variable.is_parameter) {  // where the caller put it
    Result<TypedArguments> all = entry_arguments(info, point.pc, 0, types);
    if (!all) return std::move(all).error();
    const auto same = std::ranges::find(all->args, variable.name, &ProbeArg::name);
    if (same != all->args.end()) {
      const auto from = all->operands.begin() + same->source;
      const auto to = same + 1 == all->args.end() ? all->operands.end() : all->operands.begin() + (same + 1)->source;
      out.operands.assign(from, to);
      out.args.push_back(*same);
      out.args.front().source = first_source;
      return out;
    }
  }
  Argument argument(types, types.from_user(info.types(), info.types().type_of(&variable.die)));
  argument.is_called(variable.name);
  if (variable.is_kept)
    argument.lies(location_inside(&variable.die, point, argument.size_bytes()));
  else
    argument.miss("it was optimised out");
  std::move(argument).append_to(out, first_source);
  return out;
}

}  // namespace

Result<TypedArguments> local_variable(ObjectDebugInfo &info, uint64_t pc, std::string_view name, unsigned first_source,
                                      TypeTable &types, bool begins_call) {
  std::optional<CodePoint> point = info.point_at(pc);
  if (!point)
    return Error(fmt::format("the debug information of {} does not describe the function", info.types().module()))
        .tagged("D_LOCALS_NONE");
  point->begins_call = begins_call;
  Result<LocalVariable> found = find_local(info, *point, name);
  if (!found) return std::move(found).error();
  return typed_local(info, *point, *found, first_source, types);
}

std::vector<ProbeArg> local_variables(ObjectDebugInfo &info, uint64_t pc, TypeTable &types, bool begins_call) {
  std::vector<ProbeArg> result;
  std::optional<CodePoint> point = info.point_at(pc);
  if (!point) return result;
  point->begins_call = begins_call;
  for (const LocalVariable &variable : all_locals(info, *point)) {
    Result<TypedArguments> typed = typed_local(info, *point, variable, 0, types);
    if (typed) result.push_back(std::move(typed->args.front()));
  }
  return result;
}

Result<std::vector<ProbeArg>> return_arguments(ObjectDebugInfo &info, uint64_t address, TypeTable &types) {
  Result<Dwarf_Die> function = function_at(info, address);
  if (!function) return std::move(function).error();
  const TypeId offset = types.find(TagKind::kOrdinary, "uint64_t").value_or(types.ulong_type());
  std::vector<ProbeArg> args{{offset, offset, 0}};
  const TypeId type = types.from_user(info.types(), info.types().type_of(&*function));
  if (types.is_void(type)) return args;
  ProbeArg result{type, type, 1};
  result.space = Space::kUser;
  using Place = arch::PassedValue::Place;
  const arch::PassedValue passed = passed_result(arch::host_machine(), *function, info.file().budget());
  const bool is_record = types.is_struct_or_union(type);
  const uint64_t size_bytes = types.size_bytes(type);
  if (is_rust(*function) && !is_passed_as_in_c(types, type))
    result.missing = kNotAsInC;
  else if (passed.place == Place::kVector)
    result.missing = kInVectorRegister;
  else if (passed.place == Place::kNowhere)
    result.missing = arch::kOnlyCallerKnows;
  else if (passed.place == Place::kUnknown)
    result.missing = passed.reason;
  else if (size_bytes == 0)
    result.missing = "its type is not complete";
  else if (passed.place == Place::kPointed)
    result.place = ArgPlace::kPointed;
  else if (is_record || size_bytes == 2 * arch::kPassedWordBytes)
    result.place = ArgPlace::kWords;
  else if (size_bytes > arch::kPassedWordBytes)
    result.missing =
        fmt::format("it has {} bytes, and D's numbers have at most {}", size_bytes, arch::kPassedWordBytes);
  args.push_back(std::move(result));
  return args;
}

}  // namespace dtrace::runtime
