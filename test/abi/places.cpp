// SPDX-License-Identifier: Apache-2.0
// abi_places [--typed] MACHINE FILE: where the functions f0, f1, ... of a program's file have their parameters when
// they begin, a line for each: "FUNCTION PARAMETER" and
//   M OPERAND      the value is at the address that the operand is
//   W OPERAND...   the value is the operands, 8 bytes each
//   X REASON       it cannot be had
// An operand is r OFFSET (a register, by its offset in struct pt_regs), a OFFSET+N (the sum), m OFFSET+N (the word at
// that address) or c N (a constant). Without --typed by the calling convention alone, with it as args[] have them,
// which only this machine's files can be asked for.
#include <fcntl.h>
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "arch/machine.h"
#include "frontend/types/types.h"
#include "runtime/debug_info/passed_parameters.h"
#include "runtime/debug_info/typed_arguments.h"

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

std::string text(const UserOperand &operand) {
  switch (operand.kind) {
    case UserOperand::Kind::kRegister:
      return fmt::format("r{}", operand.base);
    case UserOperand::Kind::kAddress:
      return fmt::format("a{}+{}", operand.base, operand.displacement);
    case UserOperand::Kind::kMemory:
      return fmt::format("m{}+{}", operand.base, operand.displacement);
    case UserOperand::Kind::kConstant:
      return fmt::format("c{}", operand.displacement);
    default:
      return "?";
  }
}

void show(std::string_view function, size_t parameter, char mode, std::span<const UserOperand> operands) {
  fmt::print("{} {} {}", function.substr(1), parameter, mode);
  for (const UserOperand &operand : operands) fmt::print(" {}", text(operand));
  fmt::print("\n");
}

void refuse(std::string_view function, size_t parameter, std::string_view reason) {
  fmt::print("{} {} X {}\n", function.substr(1), parameter, reason);
}

void show_by_convention(const arch::Machine &machine, ObjectDebugInfo &info, std::string_view name, uint64_t address) {
  const std::optional<Dwarf_Die> function = info.functions().at(address);
  if (!function) return refuse(name, 0, "not described");
  std::vector<DwarfParameter> parameters = info.functions().parameters(*function);
  const auto passed = passed_parameters(machine, *function, parameters, info.file().budget());
  for (size_t i = 0; i < passed.size(); ++i) {
    const ValueLocation location = convention_location(machine, passed[i]);
    if (location.kind == ValueLocation::Kind::kMissing)
      refuse(name, i, location.reason);
    else
      show(name, i, location.kind == ValueLocation::Kind::kMemory ? 'M' : 'W', location.words);
  }
}

void show_typed(ObjectDebugInfo &info, std::string_view name, uint64_t address, TypeTable &types) {
  const Result<TypedArguments> typed = entry_arguments(info, address, 0, types);
  if (!typed) return refuse(name, 0, typed.error().text());
  for (size_t i = 0; i < typed->args.size(); ++i) {
    const ProbeArg &arg = typed->args[i];
    if (!arg.missing.empty()) {
      refuse(name, i, arg.missing);
      continue;
    }
    const size_t end = i + 1 < typed->args.size() ? typed->args[i + 1].source : typed->operands.size();
    const std::span<const UserOperand> operands(typed->operands.data() + arg.source, end - arg.source);
    show(name, i, arg.place == ArgPlace::kPointed ? 'M' : 'W', operands);
  }
}

bool is_numbered(std::string_view name) {
  return name.size() > 1 && name.front() == 'f' && name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

}  // namespace

int main(int argc, char **argv) {
  const bool is_typed = argc > 1 && std::string_view(argv[1]) == "--typed";
  if (argc != (is_typed ? 4 : 3)) {
    fmt::print(stderr, "usage: abi_places [--typed] MACHINE FILE\n");
    return 2;
  }
  const std::string_view wanted = argv[argc - 2];
  const arch::Machine &machine = wanted == arch::kAarch64.name ? arch::kAarch64 : arch::kX86_64;
  if (machine.name != wanted || (is_typed && &machine != &arch::host_machine())) {
    fmt::print(stderr, "abi_places: not for {}\n", wanted);
    return 2;
  }
  const auto file = std::make_shared<UserFile>();
  file->path = argv[argc - 1];
  file->fd = Fd(open(file->path.c_str(), O_RDONLY | O_CLOEXEC));
  const auto object = std::make_shared<UserObject>(file, file->path);
  Result<std::unique_ptr<ObjectDebugInfo>> info = ObjectDebugInfo::open(object, getpid(), {});
  if (!info) {
    fmt::print(stderr, "abi_places: {}\n", info.error().text());
    return 1;
  }
  TypeTable types;
  for (const UserFunction &function : object->functions())
    for (const std::string_view name : function.names) {
      if (!is_numbered(name)) continue;
      if (is_typed)
        show_typed(**info, name, function.address, types);
      else
        show_by_convention(machine, **info, name, function.address);
    }
  return 0;
}
