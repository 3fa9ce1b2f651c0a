// SPDX-License-Identifier: Apache-2.0
#include "runtime/user/function_code.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace dtrace::runtime {
namespace {

std::vector<std::byte> read_code(const UserFile &file, uint64_t offset, uint64_t size_bytes) {
  std::vector<std::byte> code(size_bytes);
  size_t done = 0;
  while (done < code.size()) {
    const ssize_t n = pread(file.fd.get(), code.data() + done, code.size() - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  code.resize(done);
  return code;
}

}  // namespace

std::optional<uint32_t> entry_of(UserObject &object, const UserFunction &function) {
  std::byte first{};
  if (pread(object.file()->fd.get(), &first, 1, static_cast<off_t>(function.offset)) != 1) return std::nullopt;
  return arch::machine_code_of(object.machine()).may_be_hazard(first) ? FunctionCode(object, function).entry()
                                                                      : std::optional<uint32_t>(0);
}

FunctionCode::FunctionCode(UserObject &object, const UserFunction &function)
    : address_(function.address), size_bytes_(function.size_bytes) {
  const std::vector<std::byte> code = read_code(*object.file(), function.offset, function.size_bytes);
  const arch::MachineCode &machine = arch::machine_code_of(object.machine());
  code_ = machine.decode(object.is_64bit(), code, function.address);
  code_.complete &= code.size() == function.size_bytes;
  hazards_ = machine.hazards(object.is_64bit(), code, function.address, code_.instructions);
}

const Instruction *FunctionCode::at(uint64_t offset) const {
  const auto found = std::lower_bound(code_.instructions.begin(), code_.instructions.end(), offset,
                                      [](const Instruction &i, uint64_t wanted) { return i.offset < wanted; });
  return found != code_.instructions.end() && found->offset == offset ? &*found : nullptr;
}

std::optional<uint32_t> FunctionCode::entry() const {
  for (const Instruction &instruction : code_.instructions) {
    if (hazard(instruction).empty()) {
      // One that the function jumps back to would be seen again and again.
      const bool again = instruction.offset != 0 &&
                         std::any_of(code_.instructions.begin(), code_.instructions.end(), [&](const Instruction &i) {
                           return (i.kind == Instruction::Kind::kJump || i.kind == Instruction::Kind::kBranch) &&
                                  i.target - address_ <= instruction.offset;
                         });
      return again ? std::nullopt : std::optional(instruction.offset);
    }
    const bool passes = instruction.is_vector && !instruction.writes_general;
    if (!passes) return std::nullopt;
  }
  return std::nullopt;
}

std::vector<uint32_t> FunctionCode::returns() const {
  std::vector<uint32_t> offsets;
  for (const Instruction &instruction : code_.instructions)
    if (instruction.kind == Instruction::Kind::kReturn) offsets.push_back(instruction.offset);
  return offsets;
}

bool FunctionCode::leaves_by_returns_only() const {
  if (!code_.complete || code_.instructions.empty()) return false;
  auto outside = [&](const Instruction &i) { return i.target < address_ || i.target - address_ >= size_bytes_; };
  // Behind the last instruction lies another function.
  const Instruction::Kind last = code_.instructions.back().kind;
  using Kind = Instruction::Kind;
  if (last == Kind::kOther || last == Kind::kBranch || last == Kind::kNop) return false;
  bool any = false;
  for (const Instruction &instruction : code_.instructions) {
    switch (instruction.kind) {
      case Kind::kIndirectJump:
        return false;
      case Kind::kJump:
      case Kind::kBranch:
        if (outside(instruction)) return false;
        break;
      case Kind::kReturn:
        if (!hazard(instruction).empty()) return false;
        any = true;
        break;
      default:
        break;
    }
  }
  return any;
}

bool FunctionCode::calls_nothing() const {
  return code_.complete && std::none_of(code_.instructions.begin(), code_.instructions.end(),
                                        [](const Instruction &i) { return i.kind == Instruction::Kind::kCall; });
}

std::string_view FunctionCode::hazard(const Instruction &instruction) const {
  if (instruction.kind == Instruction::Kind::kTrap) return "it is one that stops the program";
  return hazards_[static_cast<size_t>(&instruction - code_.instructions.data())];
}

}  // namespace dtrace::runtime
