// SPDX-License-Identifier: Apache-2.0
#include "runtime/user/function_exits.h"

#include <algorithm>
#include <string>

#include "runtime/user/function_code.h"

namespace dtrace::runtime {
namespace {

using Kind = Instruction::Kind;

constexpr size_t kMaxParts = 16;

bool contains(const UserFunction &part, uint64_t address) {
  return address >= part.address && address - part.address < part.size_bytes;
}

/// "work.cold" is what the compiler thinks seldom happens in "work".
bool is_part_of(const UserFunction &part, const UserFunction &function) {
  return std::any_of(part.names.begin(), part.names.end(), [&](std::string_view name) {
    return std::any_of(function.names.begin(), function.names.end(), [&](std::string_view whole) {
      return name.starts_with(whole) && name.substr(whole.size()).starts_with(".cold");
    });
  });
}

/// Collects the exits of a function part by part.
class Exits {
 public:
  Exits(UserObject &object, const UserFunction &function) : object_(object), parts_{function} {}

  /// False: not all can be known.
  bool collect() {
    for (size_t i = 0; i < parts_.size(); ++i)  // which grow
      if (!collect_part(parts_[i], i == 0)) return false;
    return true;
  }
  std::vector<FunctionExit> take() { return std::move(exits_); }

 private:
  bool collect_part(UserFunction part, bool is_first) {
    const FunctionCode code(object_, part);
    if (!code.complete() || code.instructions().empty()) return false;
    const Kind last = code.instructions().back().kind;
    if (last == Kind::kOther || last == Kind::kBranch || last == Kind::kNop) return false;  // runs into what follows
    for (const Instruction &instruction : code.instructions()) {
      if (instruction.is_case_jump) continue;
      const bool is_direct = instruction.kind == Kind::kJump || instruction.kind == Kind::kBranch;
      if (is_direct && is_inside(instruction.target)) continue;
      if (instruction.kind == Kind::kBranch) return false;  // the address does not say whether it is taken
      const bool leaves =
          is_direct || instruction.kind == Kind::kReturn || instruction.is_through_slot || instruction.is_tail_call;
      if (instruction.kind == Kind::kIndirectJump && !leaves) return false;  // to one of its own cases, or away
      if (!leaves) continue;
      if (!code.hazard(instruction).empty()) return false;
      exits_.push_back({part.offset + instruction.offset, is_first ? instruction.offset : 0});
    }
    return true;
  }

  /// In a part that is known, or that becomes known by this.
  bool is_inside(uint64_t address) {
    if (std::any_of(parts_.begin(), parts_.end(), [&](const UserFunction &part) { return contains(part, address); }))
      return true;
    const std::optional<UserFunction> there = object_.function_around(address);
    if (!there || parts_.size() == kMaxParts || !is_part_of(*there, parts_.front())) return false;
    parts_.push_back(*there);
    return true;
  }

  UserObject &object_;
  std::vector<UserFunction> parts_;
  std::vector<FunctionExit> exits_;
};

}  // namespace

std::optional<std::vector<FunctionExit>> exits_of(UserObject &object, const UserFunction &function) {
  Exits exits(object, function);
  return exits.collect() ? std::optional(exits.take()) : std::nullopt;
}

}  // namespace dtrace::runtime
