// SPDX-License-Identifier: Apache-2.0
// Source: Procedure Call Standard for the Arm 64-bit Architecture (AAPCS64), 6.8.2 "Parameter passing rules". Its names
// are kept: NGRN and NSRN are the next general-purpose and SIMD register, NSAA is the next stack address.
#include "arch/calling_convention.h"

#include <algorithm>

namespace dtrace::arch {
namespace {

using Place = PassedValue::Place;
using Kind = PassedPart::Kind;

constexpr uint64_t kWordBytes = 8;
constexpr unsigned kRegisters = 8;
constexpr uint64_t kMaxInRegistersBytes = 16, kMaxFloats = 4;
constexpr std::string_view kMixedFloats = "compilers disagree whether it is an aggregate of numbers of one type";
constexpr std::string_view kEmptyRecord = "compilers disagree whether a class without members takes a register";
constexpr std::string_view kNothing = "it has no bytes";

uint64_t words_of(const PassedType &type) { return (type.size_bytes + kWordBytes - 1) / kWordBytes; }

bool is_float(const PassedPart &part) { return part.kind != Kind::kInteger; }

/// Short vectors have 8 or 16 bytes.
bool is_short_vector(const PassedPart &part) { return part.size_bits == 64 || part.size_bits == 128; }

/// How many members a homogeneous aggregate of floating-point numbers or short vectors has (HFA, HVA); also a single
/// number is one here. 0: it is none.
uint64_t floats_of(const PassedType &type) {
  if (type.parts.empty()) return 0;
  const PassedPart &first = type.parts.front();
  const bool are_alike = std::all_of(type.parts.begin(), type.parts.end(), [&](const PassedPart &part) {
    return is_float(part) && part.kind == first.kind && part.size_bits == first.size_bits;
  });
  const uint64_t part_bytes = first.size_bits / 8;
  if (!are_alike || part_bytes == 0 || type.size_bytes % part_bytes != 0) return 0;
  // No padding: as many numbers begin as there is room for.
  std::vector<uint64_t> offsets;
  for (const PassedPart &part : type.parts) offsets.push_back(part.off_bits);
  std::sort(offsets.begin(), offsets.end());
  const auto count = static_cast<uint64_t>(std::unique(offsets.begin(), offsets.end()) - offsets.begin());
  return count <= kMaxFloats && count * part_bytes == type.size_bytes ? count : 0;
}

/// Numbers of one size, but of several types.
bool has_mixed_floats(const PassedType &type) {
  const auto is_other = [&](const PassedPart &part) { return part.kind != type.parts.front().kind; };
  return type.is_record() && std::all_of(type.parts.begin(), type.parts.end(), is_float) &&
         std::any_of(type.parts.begin(), type.parts.end(), is_other);
}

std::string_view doubt_of(const PassedType &type) {
  if (!type.doubt.empty()) return type.doubt;
  const auto is_odd = [](const PassedPart &part) { return part.kind == Kind::kVector && !is_short_vector(part); };
  const bool is_number = type.form == PassedType::Form::kNumber;
  const bool may_be_in_registers = is_number || type.size_bytes <= PassedType::kMaxPartsBytes;
  if (may_be_in_registers && std::any_of(type.parts.begin(), type.parts.end(), is_odd)) return kVectorOfOtherSize;
  if (type.size_bytes <= kMaxFloats * kMaxInRegistersBytes && has_mixed_floats(type)) return kMixedFloats;
  if (type.is_empty() && type.size_bytes != 0) return kEmptyRecord;
  return {};
}

/// Stage B: a larger composite type is copied to memory, and its address is passed.
bool goes_by_address(const PassedType &type) { return type.size_bytes > kMaxInRegistersBytes && floats_of(type) == 0; }

PassedValue unknown(std::string_view reason) { return {.place = Place::kUnknown, .reason = reason}; }

/// Stage C.
class Taken {
 public:
  PassedValue pass(const PassedType &type) {
    if (const std::string_view doubt = doubt_of(type); !doubt.empty()) {
      is_sure_ = is_sure_of_vectors_ = is_sure_of_stack_ = false;
      return unknown(doubt);
    }
    if (const auto floats = static_cast<unsigned>(floats_of(type)); floats != 0) return pass_floats(type, floats);
    if (goes_by_address(type)) {
      PassedValue pointer = pass_words(passed_pointer());
      if (pointer.place == Place::kWord) pointer.place = Place::kPointed;
      return pointer;
    }
    if (type.is_record() && type.size_bytes == 0) return unknown(kNothing);
    return pass_words(type);
  }

 private:
  /// What counts for registers and on the stack. An alignment that a record has for itself does not.
  static bool is_wide(const PassedType &type) {
    const uint32_t align_bytes = type.is_record() ? type.member_align_bytes : type.align_bytes;
    return align_bytes > kWordBytes;
  }

  PassedValue pass_words(const PassedType &type) {
    const auto words = static_cast<unsigned>(words_of(type));
    if (!is_sure_) {
      is_sure_of_stack_ = false;
      return unknown(kAfterUnknown);
    }
    const bool is_moved = is_wide(type) && ngrn_ % 2 != 0;
    if (is_moved && type.is_align_unsure) {
      is_sure_ = is_sure_of_stack_ = false;
      return unknown(kMaybePacked);
    }
    if (is_moved) ++ngrn_;
    if (ngrn_ + words <= kRegisters) {
      const PassedValue value{type.is_record() ? Place::kWords : Place::kWord, ngrn_, {}};
      ngrn_ += words;
      return value;
    }
    ngrn_ = kRegisters;  // what follows is on the stack, too
    return on_stack(type);
  }

  PassedValue pass_floats(const PassedType &type, unsigned count) {
    if (!is_sure_of_vectors_) {
      is_sure_of_stack_ = false;
      return unknown(kAfterUnknown);
    }
    if (nsrn_ + count <= kRegisters) {
      nsrn_ += count;
      return {.place = Place::kVector};
    }
    nsrn_ = kRegisters;
    return on_stack(type);
  }

  PassedValue on_stack(const PassedType &type) {
    if (!is_sure_of_stack_) return unknown(kAfterUnknown);
    if (is_wide(type) && nsaa_words_ % 2 != 0) {
      if (type.is_align_unsure) {
        is_sure_of_stack_ = false;
        return unknown(kMaybePacked);
      }
      ++nsaa_words_;
    }
    const PassedValue value{type.is_record() ? Place::kStack : Place::kWord, kRegisters + nsaa_words_, {}};
    nsaa_words_ += static_cast<unsigned>(words_of(type));
    return value;
  }

  unsigned ngrn_ = 0, nsrn_ = 0, nsaa_words_ = 0;
  bool is_sure_ = true, is_sure_of_vectors_ = true, is_sure_of_stack_ = true;
};

/// The address of a result in memory has a register of its own, x8.
std::vector<PassedValue> parameters(const PassedType &, std::span<const PassedType> types) {
  Taken taken;
  std::vector<PassedValue> values;
  for (const PassedType &type : types) values.push_back(taken.pass(type));
  return values;
}

PassedValue result(const PassedType &type) {
  if (const std::string_view doubt = doubt_of(type); !doubt.empty()) return unknown(doubt);
  if (floats_of(type) != 0) return {.place = Place::kVector};
  if (goes_by_address(type)) return {.place = Place::kNowhere};
  return {.place = type.is_record() ? Place::kWords : Place::kWord};
}

}  // namespace

const CallingConvention kAarch64Calls{
    .parameters = parameters, .result = result, .has_extended_float = false, .max_bit_int_align = 16};

}  // namespace dtrace::arch
