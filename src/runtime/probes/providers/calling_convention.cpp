// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/providers/calling_convention.h"

#include <algorithm>

namespace dtrace::runtime {
namespace {

arch::PassedType passed_type(const TypeTable &types, TypeId type) {
  arch::PassedType passed{types.size_bytes(type), types.align_bytes(type), types.is_struct_or_union(type), false};
  const std::span<const Member> members = passed.is_record ? types.members(type) : std::span<const Member>();
  passed.has_unaligned_member = std::any_of(members.begin(), members.end(), [&](const Member &member) {
    return member.bits == 0 && member.off_bits % (uint64_t{types.align_bytes(member.type)} * 8) != 0;
  });
  return passed;
}

ArgPlace place_of(arch::PassedValue::Place place) {
  switch (place) {
    case arch::PassedValue::Place::kWord:
      return ArgPlace::kWord;
    case arch::PassedValue::Place::kWords:
      return ArgPlace::kWords;
    case arch::PassedValue::Place::kStack:
      return ArgPlace::kStack;
    case arch::PassedValue::Place::kPointed:
      return ArgPlace::kPointed;
    case arch::PassedValue::Place::kVector:
    case arch::PassedValue::Place::kNowhere:
      break;  // no kernel function has floating point; returned_value() says why it is missing
  }
  return ArgPlace::kWord;
}

}  // namespace

std::vector<ProbeArg> passed_values(const arch::CallingConvention &calls, const TypeTable &types, TypeId result,
                                    std::span<const TypeId> params) {
  std::vector<arch::PassedType> passed;
  for (const TypeId type : params) passed.push_back(passed_type(types, type));
  const std::vector<arch::PassedValue> values = calls.parameters(passed_type(types, result), passed);
  std::vector<ProbeArg> args;
  for (size_t i = 0; i < params.size(); ++i)
    args.push_back({params[i], params[i], values[i].raw_argument, {}, place_of(values[i].place)});
  return args;
}

ProbeArg returned_value(const arch::CallingConvention &calls, const TypeTable &types, TypeId result, unsigned source) {
  const arch::PassedValue::Place place = calls.result(passed_type(types, result));
  ProbeArg arg{result, result, source, {}, place_of(place)};
  if (place == arch::PassedValue::Place::kNowhere) arg.missing = arch::kOnlyCallerKnows;
  return arg;
}

}  // namespace dtrace::runtime
