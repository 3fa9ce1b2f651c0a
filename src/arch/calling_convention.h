// SPDX-License-Identifier: Apache-2.0
// Where functions of C and C++ find their parameters, and their callers the result: the rules of each architecture, as
// pure functions of the types.
//
// What a reader would get wrong: debug information does not state all that these rules ask for. A type or a position
// that it leaves in doubt is kUnknown with a reason, and so is every later parameter whose position depends on it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace dtrace::arch {

inline constexpr uint64_t kPassedWordBytes = 8;  ///< of a raw argument

/// One number that a value is made of.
struct PassedPart {
  enum class Kind : uint8_t {
    kInteger,   ///< also a pointer, an enumerator, a bit-field
    kFloat,     ///< of IEEE 754: 2, 4, 8 or 16 bytes
    kBrain,     ///< bfloat16
    kExtended,  ///< x87's, in 16 bytes
    kDecimal,   ///< _Decimal32 and its like
    kVector,    ///< of the compilers' vector extension
  };
  Kind kind = Kind::kInteger;
  bool is_bit_field = false;
  uint64_t off_bits = 0, size_bits = 0;
  uint32_t align_bytes = 1;  ///< of such a number that stands alone
};

/// What calling conventions ask of the type of a parameter or a result.
struct PassedType {
  enum class Form : uint8_t {
    kNumber,   ///< one part: also a pointer or a vector
    kComplex,  ///< two parts
    kRecord,   ///< struct, class, union; also a pointer to a member function
  };
  /// No convention asks for the parts of larger values.
  static constexpr uint64_t kMaxPartsBytes = 64;

  Form form = Form::kNumber;
  uint64_t size_bytes = 0;
  uint32_t align_bytes = 1;         ///< as the source has it
  uint32_t member_align_bytes = 1;  ///< of a record without an alignment of its own: that of its members
  /// The alignments may be smaller, because debug information does not state that a record is packed.
  bool is_align_unsure = false;
  /// A member that is a record does not have its alignment. Compilers disagree whether that counts as unaligned.
  bool has_unaligned_record = false;
  std::vector<PassedPart> parts;  ///< by where the source has them
  std::string_view doubt;         ///< why the rules cannot be applied; empty: they can

  bool is_record() const { return form == Form::kRecord; }
  bool is_empty() const { return is_record() && parts.empty() && size_bytes <= kMaxPartsBytes; }
};

/// Where a value lies. Raw arguments are counted as fbt counts them: those in registers first, then the words on the
/// stack.
struct PassedValue {
  enum class Place : uint8_t {
    kWord,     ///< in a raw argument; a number of 16 bytes in two
    kWords,    ///< a struct in one raw argument, or in two that follow one another
    kStack,    ///< a struct on the stack, where the raw argument would lie
    kPointed,  ///< a struct that the raw argument points to
    kVector,   ///< in registers for floating point, at least in part
    kNowhere,  ///< a result at an address that only the caller knows
    kUnknown,  ///< `reason` says why
  };
  Place place = Place::kWord;
  unsigned raw_argument = 0;
  std::string_view reason = {};
};

/// Why a result is kNowhere, for messages.
inline constexpr std::string_view kOnlyCallerKnows =
    "it is at an address that only the function's caller knows when the function returns";
/// Why later parameters are kUnknown, for messages.
inline constexpr std::string_view kAfterUnknown =
    "its position depends on an earlier parameter, or on the result, whose position is not known";
inline constexpr std::string_view kMaybePacked =
    "its position depends on its alignment, and the debug information does not state whether it is packed";
inline constexpr std::string_view kVectorOfOtherSize = "compilers pass vectors of this size in different ways";

struct CallingConvention {
  /// The parameters of a function that returns `result`; of void, a type without size.
  std::vector<PassedValue> (*parameters)(const PassedType &result, std::span<const PassedType> parameters);
  /// The result, whose first register counts as the raw argument.
  PassedValue (*result)(const PassedType &result);
  bool has_extended_float;     ///< `long double` is x87's, else binary128
  uint32_t max_bit_int_align;  ///< in bytes, of _BitInt(N)
};

/// A pointer to an object of a class that copies by code, instead of the object.
inline PassedType passed_pointer() {
  constexpr uint32_t kPointerBytes = 8;
  PassedType pointer;
  pointer.size_bytes = pointer.align_bytes = kPointerBytes;
  pointer.parts = {{.size_bits = kPointerBytes * 8, .align_bytes = kPointerBytes}};
  return pointer;
}

extern const CallingConvention kX86_64Calls, kAarch64Calls;

}  // namespace dtrace::arch
