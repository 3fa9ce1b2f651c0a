// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/providers/calling_convention.h"

#include <algorithm>

namespace dtrace::runtime {
namespace {

/// Adds the numbers that a value of the kernel is made of, all of them integers.
void add_parts(const TypeTable &types, TypeId type, uint64_t off_bits, unsigned depth, arch::PassedType &passed) {
  constexpr unsigned kMaxDepth = 16;
  constexpr size_t kMaxParts = 1024;
  const TypeId plain = types.resolve(types.complete(type));
  const uint64_t size_bytes = types.size_bytes(plain);
  if (off_bits >= arch::PassedType::kMaxPartsBytes * 8 || size_bytes == 0) return;
  if (depth == kMaxDepth || passed.parts.size() == kMaxParts) {
    passed.doubt = "its type has too many members";
    return;
  }
  const Type &at = types[plain];
  if (at.kind == TypeKind::kStruct || at.kind == TypeKind::kUnion) {
    for (const Member &member : types.members(plain)) {
      if (member.bits == 0)
        add_parts(types, member.type, off_bits + member.off_bits, depth + 1, passed);
      else
        passed.parts.push_back(
            {.is_bit_field = true, .off_bits = off_bits + member.off_bits, .size_bits = member.bits});
    }
  } else if (at.kind == TypeKind::kArray) {
    const uint64_t element_bits = types.size_bytes(at.target) * 8;
    for (uint64_t i = 0; i < std::min(at.count, arch::PassedType::kMaxPartsBytes) && passed.doubt.empty(); ++i)
      add_parts(types, at.target, off_bits + i * element_bits, depth + 1, passed);
  } else {
    passed.parts.push_back(
        {.off_bits = off_bits, .size_bits = size_bytes * 8, .align_bytes = types.align_bytes(plain)});
  }
}

arch::PassedType passed_type(const TypeTable &types, TypeId type) {
  arch::PassedType passed;
  if (types.is_void(type)) return passed;
  if (types.is_struct_or_union(type)) passed.form = arch::PassedType::Form::kRecord;
  passed.size_bytes = types.size_bytes(type);
  passed.align_bytes = passed.member_align_bytes = types.align_bytes(type);
  add_parts(types, type, 0, 0, passed);
  return passed;
}

ArgPlace place_of(arch::PassedValue::Place place) {
  switch (place) {
    case arch::PassedValue::Place::kWords:
      return ArgPlace::kWords;
    case arch::PassedValue::Place::kStack:
      return ArgPlace::kStack;
    case arch::PassedValue::Place::kPointed:
      return ArgPlace::kPointed;
    case arch::PassedValue::Place::kWord:
    case arch::PassedValue::Place::kVector:  // no kernel function has floating point
    case arch::PassedValue::Place::kNowhere:
    case arch::PassedValue::Place::kUnknown:
      break;
  }
  return ArgPlace::kWord;
}

std::string_view why_missing(const arch::PassedValue &value) {
  if (value.place == arch::PassedValue::Place::kNowhere) return arch::kOnlyCallerKnows;
  return value.reason;
}

}  // namespace

std::vector<ProbeArg> passed_values(const arch::CallingConvention &calls, const TypeTable &types, TypeId result,
                                    std::span<const TypeId> params) {
  std::vector<arch::PassedType> passed;
  for (const TypeId type : params) passed.push_back(passed_type(types, type));
  const std::vector<arch::PassedValue> values = calls.parameters(passed_type(types, result), passed);
  std::vector<ProbeArg> args;
  for (size_t i = 0; i < params.size(); ++i) {
    args.push_back({params[i], params[i], values[i].raw_argument, {}, place_of(values[i].place)});
    args.back().missing = why_missing(values[i]);
  }
  return args;
}

ProbeArg returned_value(const arch::CallingConvention &calls, const TypeTable &types, TypeId result, unsigned source) {
  const arch::PassedValue value = calls.result(passed_type(types, result));
  ProbeArg arg{result, result, source, {}, place_of(value.place)};
  arg.missing = why_missing(value);
  return arg;
}

}  // namespace dtrace::runtime
