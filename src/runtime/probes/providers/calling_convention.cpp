// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/providers/calling_convention.h"

#include <algorithm>

namespace dtrace {
namespace {

constexpr uint64_t kWordBytes = 8;
constexpr uint64_t kMaxInRegisters = 2 * kWordBytes;
constexpr unsigned kRegisters = 6;

uint64_t words_of(uint64_t bytes) { return (bytes + kWordBytes - 1) / kWordBytes; }

/// A packed struct with a member that is not aligned goes by memory, whatever its size.
bool has_unaligned_member(const TypeTable &types, TypeId record) {
  const std::span<const Member> members = types.members(record);
  return std::any_of(members.begin(), members.end(), [&](const Member &member) {
    return member.bits == 0 && member.off_bits % (uint64_t{types.align_bytes(member.type)} * 8) != 0;
  });
}

bool goes_by_memory(const TypeTable &types, TypeId type) {
  return types.is_struct_or_union(type) &&
         (types.size_bytes(type) > kMaxInRegisters || has_unaligned_member(types, type));
}

}  // namespace

std::vector<ProbeArg> passed_values(const TypeTable &types, TypeId result, std::span<const TypeId> params) {
  std::vector<ProbeArg> args;
  unsigned in_registers = goes_by_memory(types, result) ? 1 : 0;
  unsigned on_stack = 0;
  for (const TypeId type : params) {
    const bool is_record = types.is_struct_or_union(type);
    const uint64_t words =
        is_record ? words_of(types.size_bytes(type)) : std::max<uint64_t>(words_of(types.size_bytes(type)), 1);
    ProbeArg arg{type, type, in_registers};
    if (!goes_by_memory(types, type) && in_registers + words <= kRegisters) {
      if (is_record) arg.place = ArgPlace::kWords;
      in_registers += static_cast<unsigned>(words);
    } else {
      if (types.align_bytes(type) > kWordBytes) on_stack += on_stack % 2;
      arg.source = kRegisters + on_stack;
      if (is_record) arg.place = ArgPlace::kStack;
      on_stack += static_cast<unsigned>(words);
    }
    args.push_back(arg);
  }
  return args;
}

ProbeArg returned_value(const TypeTable &types, TypeId result, unsigned source) {
  ProbeArg arg{result, result, source};
  if (types.is_struct_or_union(result))
    arg.place = goes_by_memory(types, result) ? ArgPlace::kPointed : ArgPlace::kWords;
  return arg;
}

}  // namespace dtrace
