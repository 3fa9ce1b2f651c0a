// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/typed_arguments.h"

#include <dwarf.h>
#include <fmt/format.h>

#include <algorithm>

#include "arch/machine.h"
#include "runtime/debug_info/local_variables.h"
#include "runtime/debug_info/location_text.h"
#include "runtime/debug_info/passed_by_reference.h"
#include "runtime/debug_info/rust_calls.h"
#include "runtime/debug_info/value_location.h"

namespace dtrace::runtime {
namespace {

constexpr uint64_t kWordBytes = 8;
constexpr uint64_t kMaxInRegistersBytes = 16;
// Values of DW_AT_language that elfutils of Debian 12 does not have yet.
constexpr uint64_t kLangCxx17 = 0x2a, kLangCxx20 = 0x2b, kLangC17 = 0x2c;
constexpr std::string_view kInVector =
    "it is in a floating-point or vector register, which the kernel does not show to probes";

/// Which words of a small value hold floating point, and which anything else. `left` bounds the walk.
struct WordUse {
  uint8_t floating = 0, other = 0;
};
void note_words(const TypeTable &types, TypeId type, uint64_t off_bits, unsigned depth, unsigned &left, WordUse &use) {
  const TypeId plain = types.resolve(types.complete(type));
  if (depth > limits::kMaxDwarfDepth || left == 0 || off_bits >= kMaxInRegistersBytes * 8) return;
  --left;
  const Type &at = types[plain];
  if (at.kind == TypeKind::kStruct || at.kind == TypeKind::kUnion) {
    for (const Member &member : types.members(plain))
      note_words(types, member.type, off_bits + member.off_bits, depth + 1, left, use);
  } else if (at.kind == TypeKind::kArray) {
    const uint64_t element_bits = types.size_bytes(at.target) * 8;
    const uint64_t count = std::min<uint64_t>(at.count, kMaxInRegistersBytes);
    for (uint64_t i = 0; i < count; ++i)
      note_words(types, at.target, off_bits + i * element_bits, depth + 1, left, use);
  } else {
    const uint64_t word = off_bits / (kWordBytes * 8);
    const bool is_wide = types.size_bytes(plain) > kWordBytes && word == 0;
    const auto bits = static_cast<uint8_t>((is_wide ? 3U : 1U) << word);
    (at.kind == TypeKind::kFloat ? use.floating : use.other) |= bits;
  }
}

/// Adds the numbers that a value is made of, until they are more than a calling convention counts or are not all
/// floating point of one size.
struct FloatCount {
  static constexpr uint64_t kMax = 4;
  uint64_t size_bytes = 0, count = 0;
  bool all_alike = true;
};
void count_floats(const TypeTable &types, TypeId type, unsigned depth, FloatCount &floats) {
  const TypeId plain = types.resolve(types.complete(type));
  const Type &at = types[plain];
  if (depth > limits::kMaxDwarfDepth) floats.all_alike = false;
  if (!floats.all_alike) return;
  if (at.kind == TypeKind::kStruct) {
    for (const Member &member : types.members(plain)) count_floats(types, member.type, depth + 1, floats);
  } else if (at.kind == TypeKind::kUnion) {  // as many as its largest member
    const FloatCount before = floats;
    uint64_t most = 0;
    for (const Member &member : types.members(plain)) {
      floats.count = before.count;
      count_floats(types, member.type, depth + 1, floats);
      most = std::max(most, floats.count);
    }
    floats.count = std::max(most, before.count);
  } else if (at.kind == TypeKind::kArray) {
    for (uint64_t i = 0; i < std::min<uint64_t>(at.count, FloatCount::kMax + 1); ++i)
      count_floats(types, at.target, depth + 1, floats);
  } else {
    const uint64_t size_bytes = types.size_bytes(plain);
    floats.all_alike &= at.kind == TypeKind::kFloat && (floats.count == 0 || floats.size_bytes == size_bytes);
    floats.size_bytes = size_bytes;
    floats.all_alike &= ++floats.count <= FloatCount::kMax;
  }
}

arch::PassedType passed_type(const TypeTable &types, TypeId type) {
  arch::PassedType passed{types.size_bytes(type), types.align_bytes(type), types.is_struct_or_union(type)};
  const bool is_float = types.resolved(type).kind == TypeKind::kFloat;
  passed.is_extended_float = is_float && passed.size_bytes > kWordBytes && !types.is_quad_float(type);
  FloatCount floats;
  count_floats(types, type, 0, floats);
  if (floats.all_alike) passed.equal_floats = static_cast<uint8_t>(floats.count);
  if (passed.is_extended_float || passed.size_bytes > kMaxInRegistersBytes) return passed;
  WordUse use;
  unsigned left = 256;
  note_words(types, type, 0, 0, left, use);
  passed.floating_words = use.floating & static_cast<uint8_t>(~use.other);
  const std::span<const Member> members = passed.is_record ? types.members(type) : std::span<const Member>();
  passed.has_unaligned_member = std::ranges::any_of(members, [&](const Member &member) {
    return member.bits == 0 && member.off_bits % (uint64_t{types.align_bytes(member.type)} * 8) != 0;
  });
  return passed;
}

/// Any record that is too large for registers.
constexpr arch::PassedType kInMemory{.size_bytes = 64 * kWordBytes, .is_record = true};

arch::PassedType passed_pointer() { return {kWordBytes, static_cast<uint32_t>(kWordBytes)}; }

/// A raw argument, counted as fbt counts them: the registers, then words on the stack.
UserOperand raw_argument(unsigned n) {
  const arch::Registers &registers = arch::host_machine().registers;
  UserOperand operand;
  if (n < registers.function_arguments.size()) {
    operand.kind = UserOperand::Kind::kRegister;
    operand.base = static_cast<uint16_t>(registers.function_arguments[n]);
    return operand;
  }
  operand.kind = UserOperand::Kind::kMemory;
  operand.base = static_cast<uint16_t>(registers.stack);
  operand.displacement =
      static_cast<int64_t>(registers.stack_arguments + (n - registers.function_arguments.size()) * kWordBytes);
  return operand;
}

/// What the calling convention says, as debug information would.
ValueLocation by_convention(const arch::PassedValue &passed, uint64_t size_bytes) {
  using Place = arch::PassedValue::Place;
  ValueLocation location;
  location.kind = ValueLocation::Kind::kWords;
  UserOperand first = raw_argument(passed.raw_argument);
  switch (passed.place) {
    case Place::kVector:
    case Place::kNowhere:
      location.kind = ValueLocation::Kind::kMissing;
      location.reason = passed.place == Place::kVector ? kInVector : arch::kOnlyCallerKnows;
      return location;
    case Place::kStack:
    case Place::kWord:
      if (first.kind == UserOperand::Kind::kMemory) {
        location.kind = ValueLocation::Kind::kMemory;
        first.kind = UserOperand::Kind::kAddress;
        break;
      }
      [[fallthrough]];
    case Place::kWords:
      for (uint64_t word = 1; word * kWordBytes < size_bytes; ++word)
        location.words.push_back(raw_argument(passed.raw_argument + static_cast<unsigned>(word)));
      break;
    case Place::kPointed:
      location.kind = ValueLocation::Kind::kMemory;
      break;
  }
  location.words.insert(location.words.begin(), first);
  return location;
}

/// Debug information may state a constant in more bytes than its type has, or without its sign.
int64_t narrowed(int64_t value, uint64_t size_bytes, bool is_signed) {
  const uint64_t unused_bits = (kWordBytes - size_bytes) * 8;
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
    return (kind == TypeKind::kInt || kind == TypeKind::kFloat) && size_bytes_ == 2 * kWordBytes;
  }

  void lies(ValueLocation location) {
    const bool is_float = types_.resolved(arg_.native).kind == TypeKind::kFloat;
    if (location.kind == ValueLocation::Kind::kMissing) return miss(std::move(location.reason));
    if (!is_record() && location.kind == ValueLocation::Kind::kPointed)
      return miss("the compiler computes it from other values");
    if (is_wide_number()) return lies_as_bytes(std::move(location));
    if (!is_record() && (size_bytes_ == 0 || size_bytes_ > kWordBytes))
      return miss(fmt::format("it has {} bytes, and D's numbers have at most {}", size_bytes_, kWordBytes));
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
      if (operand.kind == UserOperand::Kind::kConstant && !is_float && size_bytes_ < kWordBytes)
        operand.displacement = narrowed(operand.displacement, size_bytes_, operand.is_signed);
    };
    is_read_as(operands_.front());
    std::ranges::for_each(operands_.front().choices, is_read_as);
  }

  /// A parameter that the compiler removed from this copy of the function.
  void is_passed_by_callers(std::optional<UserOperand> calls, std::string_view otherwise) {
    if (!calls || is_record() || size_bytes_ > kWordBytes) return miss(std::string(otherwise));
    lies({ValueLocation::Kind::kWords, {std::move(*calls)}, {}});
  }

  void append_to(TypedArguments &out, unsigned first_source) && {
    // A float becomes a double.
    if (types_.resolved(arg_.native).kind == TypeKind::kFloat && size_bytes_ <= kWordBytes)
      arg_.native = arg_.translated = types_.floating(kWordBytes);
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
    if (!is_in_memory && location.words.size() * kWordBytes < size_bytes_)
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

bool is_c_or_cxx(Dwarf_Die function) {
  Dwarf_Die unit;
  if (dwarf_diecu(&function, &unit, nullptr, nullptr) == nullptr) return false;
  switch (dwarf_number(&unit, DW_AT_language).value_or(0)) {
    case DW_LANG_C89:
    case DW_LANG_C:
    case DW_LANG_C99:
    case DW_LANG_C11:
    case kLangC17:
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
  const TypeId result = types.from_user(info.types(), info.types().type_of(&*function));
  arch::PassedType passed_result = types.is_void(result) ? arch::PassedType() : passed_type(types, result);
  // The address that the result goes to is passed in front of all.
  if (is_passed_by_reference(&*function, info.file().budget())) passed_result = kInMemory;

  std::vector<DwarfParameter> parameters = info.functions().parameters(*function);
  std::vector<TypeId> parameter_types;
  std::vector<arch::PassedType> passed;
  for (DwarfParameter &parameter : parameters) {
    parameter_types.push_back(types.from_user(info.types(), info.types().type_of(&parameter.die)));
    passed.push_back(is_passed_by_reference(&parameter.die, info.file().budget())
                         ? passed_pointer()
                         : passed_type(types, parameter_types.back()));
  }
  const std::vector<arch::PassedValue> values = arch::host_machine().calls.parameters(passed_result, passed);
  const bool is_all_passed = is_passed_all(info, address, *function, parameters);
  const size_t certain = parameters_as_in_c(types, result, parameter_types, is_rust(*function));

  TypedArguments out;
  for (size_t i = 0; i < parameters.size(); ++i) {
    Argument argument(types, parameter_types[i]);
    argument.is_called(parameters[i].name);
    ValueLocation location{.kind = ValueLocation::Kind::kByCaller, .words = {}, .reason = "it was optimised out"};
    location.parameter = parameters[i].die;
    if (parameters[i].is_kept)
      location = location_at(&parameters[i].die, {address, *function, true}, argument.size_bytes());
    // What is passed in memory is there when the function begins, even if its location list begins later.
    const bool is_in_memory =
        values[i].place == arch::PassedValue::Place::kStack && is_external(info, address, *function);
    const bool is_unsure =
        location.is_not_said || location.is_everywhere || location.kind == ValueLocation::Kind::kByCaller;
    if ((is_unsure && is_all_passed && i < certain) || (location.is_not_said && is_in_memory))
      location.kind = ValueLocation::Kind::kConvention;
    if (location.kind == ValueLocation::Kind::kConvention) {
      arch::PassedValue value = values[i];
      if (argument.is_record() && !passed[i].is_record) value.place = arch::PassedValue::Place::kPointed;
      location = by_convention(value, argument.size_bytes());
      if (i >= certain) location = {ValueLocation::Kind::kMissing, {}, std::string(kNotAsInC)};
    }
    if (location.kind == ValueLocation::Kind::kByCaller)
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
  const arch::PassedType passed = passed_type(types, type);
  using Place = arch::PassedValue::Place;
  const bool is_in_memory = is_passed_by_reference(&*function, info.file().budget());
  const Place place = arch::host_machine().calls.result(is_in_memory ? kInMemory : passed);
  if (is_rust(*function) && !is_passed_as_in_c(types, type))
    result.missing = kNotAsInC;
  else if (place == Place::kVector)
    result.missing = kInVector;
  else if (place == Place::kNowhere)
    result.missing = arch::kOnlyCallerKnows;
  else if (passed.size_bytes == 0)
    result.missing = "its type is not complete";
  else if (!passed.is_record && passed.size_bytes == 2 * kWordBytes && place == Place::kWord)
    result.place = ArgPlace::kWords;
  else if (!passed.is_record && passed.size_bytes > kWordBytes)
    result.missing = fmt::format("it has {} bytes, and D's numbers have at most {}", passed.size_bytes, kWordBytes);
  else if (place == Place::kWords)
    result.place = ArgPlace::kWords;
  else if (place == Place::kPointed)
    result.place = ArgPlace::kPointed;
  args.push_back(std::move(result));
  return args;
}

}  // namespace dtrace::runtime
