// SPDX-License-Identifier: Apache-2.0
// Source: System V Application Binary Interface, AMD64 Architecture Processor Supplement, 3.2.3 "Parameter Passing".
#include "arch/calling_convention.h"

#include <algorithm>
#include <array>

namespace dtrace::arch {
namespace {

using Place = PassedValue::Place;
using Kind = PassedPart::Kind;

constexpr uint64_t kWordBytes = 8, kWordBits = 64;
constexpr unsigned kRegisters = 6, kVectorRegisters = 8;
constexpr uint64_t kMaxInVectorBytes = 64;
constexpr std::string_view kWideVector =
    "vectors of more than 16 bytes are passed in a register or in memory, as options of the compiler say that the "
    "debug information does not state";
constexpr std::string_view kUnalignedRecord = "compilers disagree whether its members are aligned";
constexpr std::string_view kPadding =
    "compilers disagree whether unnamed bit-fields count, and the debug information does not state whether its padding "
    "is one";
constexpr std::string_view kSplitNumber =
    "compilers disagree whether a number of 16 bytes that does not fit takes the last register";
constexpr std::string_view kEmptyClass = "compilers disagree whether a class without members takes space";
constexpr std::string_view kNothing = "it has no bytes";

/// The class of eight bytes of a value.
enum class Class : uint8_t { kNone, kInteger, kSse, kSseUp, kX87, kX87Up, kComplexX87, kMemory };

bool is_x87(Class one) { return one == Class::kX87 || one == Class::kX87Up || one == Class::kComplexX87; }

/// The class of eight bytes that hold two parts.
Class merge(Class a, Class b) {
  if (a == b || b == Class::kNone) return a;
  if (a == Class::kNone) return b;
  if (a == Class::kMemory || b == Class::kMemory) return Class::kMemory;
  if (a == Class::kInteger || b == Class::kInteger) return Class::kInteger;
  return is_x87(a) || is_x87(b) ? Class::kMemory : Class::kSse;
}

/// A value's eightbytes.
struct Classes {
  std::array<Class, kMaxInVectorBytes / kWordBytes> of{};
  unsigned count = 0;
  std::string_view doubt;

  bool is_memory() const { return of[0] == Class::kMemory; }
  unsigned number_of(Class one) const { return static_cast<unsigned>(std::count(of.begin(), of.begin() + count, one)); }
};

Classes in_memory() {
  Classes classes;
  classes.of[0] = Class::kMemory;
  classes.count = 1;
  return classes;
}

/// The class of a part's first eightbyte, and of those behind it.
struct PartClass {
  Class first, rest;
};
PartClass class_of(const PassedPart &part) {
  switch (part.kind) {
    case Kind::kInteger:
      return {Class::kInteger, Class::kInteger};
    case Kind::kExtended:
      return {Class::kX87, Class::kX87Up};
    default:
      return {Class::kSse, Class::kSseUp};
  }
}

/// The ABI names vectors of these sizes only.
bool is_vector_of_abi(const PassedPart &part) {
  const uint64_t bytes = part.size_bits / 8;
  return bytes == 8 || bytes == 16 || bytes == 32 || bytes == 64;
}

/// "Post merger cleanup".
void clean_up(Classes &classes) {
  const auto begin = classes.of.begin(), end = begin + classes.count;
  bool is_in_memory = std::find(begin, end, Class::kMemory) != end;
  for (unsigned i = 0; i < classes.count; ++i)
    is_in_memory |= classes.of[i] == Class::kX87Up && (i == 0 || classes.of[i - 1] != Class::kX87);
  if (classes.count > 2)
    is_in_memory |=
        classes.of[0] != Class::kSse || std::any_of(begin + 1, end, [](Class one) { return one != Class::kSseUp; });
  if (is_in_memory) {
    const std::string_view doubt = classes.doubt;
    classes = in_memory();
    classes.doubt = doubt;
    return;
  }
  for (unsigned i = 0; i < classes.count; ++i)
    if (classes.of[i] == Class::kSseUp &&
        (i == 0 || (classes.of[i - 1] != Class::kSse && classes.of[i - 1] != Class::kSseUp)))
      classes.of[i] = Class::kSse;
}

/// Are there bits that no part has, in an eightbyte that they would make an integer?
bool has_open_padding(const PassedType &type, const Classes &classes) {
  for (unsigned i = 0; i < classes.count; ++i) {
    if (classes.of[i] == Class::kInteger) continue;
    const uint64_t begin = i * kWordBits, end = std::min(begin + kWordBits, type.size_bytes * 8);
    uint64_t covered_bits = 0;
    for (const PassedPart &part : type.parts) {
      const uint64_t from = std::max(part.off_bits, begin), to = std::min(part.off_bits + part.size_bits, end);
      for (uint64_t bit = from; bit < to; ++bit) covered_bits |= uint64_t{1} << (bit - begin);
    }
    const uint64_t all_bits = end - begin == kWordBits ? ~uint64_t{0} : (uint64_t{1} << (end - begin)) - 1;
    if (covered_bits != all_bits) return true;
  }
  return false;
}

Classes classify(const PassedType &type) {
  if (type.size_bytes > kMaxInVectorBytes) return in_memory();
  Classes classes;
  classes.doubt = type.doubt;
  classes.count = static_cast<unsigned>((type.size_bytes + kWordBytes - 1) / kWordBytes);
  bool is_unaligned = false;
  for (const PassedPart &part : type.parts) {
    if (part.kind == Kind::kVector && !is_vector_of_abi(part)) classes.doubt = kVectorOfOtherSize;
    is_unaligned |= !part.is_bit_field && part.off_bits % (uint64_t{part.align_bytes} * 8) != 0;
    const PartClass added = class_of(part);
    const uint64_t first = part.off_bits / kWordBits, end = part.off_bits + part.size_bits;
    for (uint64_t i = first; i * kWordBits < end && i < classes.count; ++i)
      classes.of[i] = merge(classes.of[i], i == first ? added.first : added.rest);
  }
  if (type.form == PassedType::Form::kComplex && type.size_bytes > 2 * kWordBytes) {
    const bool is_extended = type.parts.front().kind == Kind::kExtended;
    std::fill_n(classes.of.begin(), classes.count, is_extended ? Class::kComplexX87 : Class::kMemory);
    if (is_extended) return classes;
  }
  if (is_unaligned && type.is_record()) classes.of[0] = Class::kMemory;
  clean_up(classes);
  if (!type.is_record() || classes.is_memory()) return classes;
  if (type.has_unaligned_record) classes.doubt = kUnalignedRecord;
  if (has_open_padding(type, classes)) classes.doubt = type.is_empty() ? kEmptyClass : kPadding;
  return classes;
}

/// The classes of a parameter. What results have in the registers of the x87 is in memory.
Classes classify_parameter(const PassedType &type) {
  Classes classes = classify(type);
  if (std::any_of(classes.of.begin(), classes.of.begin() + classes.count, is_x87)) {
    const std::string_view doubt = classes.doubt;
    classes = in_memory();
    classes.doubt = doubt;
  }
  return classes;
}

/// In one register, if the compiler may use it. Else in memory.
bool is_wide_vector(const Classes &classes) { return classes.count > 2 && classes.of[0] == Class::kSse; }

PassedValue unknown(std::string_view reason) { return {.place = Place::kUnknown, .reason = reason}; }

/// The registers and stack words that parameters have taken so far. After a parameter in doubt some are not known.
class Taken {
 public:
  explicit Taken(const PassedType &result) {
    const Classes classes = classify(result);
    if (!classes.doubt.empty() || is_wide_vector(classes))
      is_sure_ = false;  // there may be an address for it in front
    else if (classes.is_memory())
      ++in_registers_;
  }

  PassedValue pass(const PassedType &type) {
    const Classes classes = classify_parameter(type);
    if (!classes.doubt.empty()) {
      is_sure_ = is_sure_of_vectors_ = is_sure_of_stack_ = false;
      return unknown(classes.doubt);
    }
    if (classes.is_memory()) return on_stack(type);
    if (is_wide_vector(classes)) {
      is_sure_of_vectors_ = is_sure_of_stack_ = false;
      return unknown(kWideVector);
    }
    if (type.size_bytes == 0) return unknown(kNothing);
    return in_registers(type, classes);
  }

 private:
  PassedValue in_registers(const PassedType &type, const Classes &classes) {
    const unsigned integers = classes.number_of(Class::kInteger), vectors = classes.number_of(Class::kSse);
    if ((integers != 0 && !is_sure_) || (vectors != 0 && !is_sure_of_vectors_)) {
      // In registers or on the stack.
      is_sure_ &= integers == 0;
      is_sure_of_vectors_ &= vectors == 0;
      is_sure_of_stack_ = false;
      return unknown(kAfterUnknown);
    }
    if (type.form == PassedType::Form::kNumber && integers == 2 && in_registers_ + 1 == kRegisters) {
      is_sure_ = is_sure_of_stack_ = false;
      return unknown(kSplitNumber);
    }
    if (in_registers_ + integers > kRegisters || in_vectors_ + vectors > kVectorRegisters) return on_stack(type);
    PassedValue value{type.is_record() ? Place::kWords : Place::kWord, in_registers_, {}};
    in_registers_ += integers;
    in_vectors_ += vectors;
    if (vectors != 0) value.place = Place::kVector;
    return value;
  }

  PassedValue on_stack(const PassedType &type) {
    if (!is_sure_of_stack_) return unknown(kAfterUnknown);
    const uint64_t align_words = std::max<uint64_t>(type.align_bytes / kWordBytes, 1);
    const uint64_t aligned = (on_stack_ + align_words - 1) / align_words * align_words;
    if (aligned != on_stack_ && type.is_align_unsure) {
      is_sure_of_stack_ = false;
      return unknown(kMaybePacked);
    }
    on_stack_ = aligned + (type.size_bytes + kWordBytes - 1) / kWordBytes;
    return {type.is_record() ? Place::kStack : Place::kWord, static_cast<unsigned>(kRegisters + aligned), {}};
  }

  unsigned in_registers_ = 0, in_vectors_ = 0;
  uint64_t on_stack_ = 0;
  bool is_sure_ = true, is_sure_of_vectors_ = true, is_sure_of_stack_ = true;
};

std::vector<PassedValue> parameters(const PassedType &result, std::span<const PassedType> types) {
  Taken taken(result);
  std::vector<PassedValue> values;
  for (const PassedType &type : types) values.push_back(taken.pass(type));
  return values;
}

PassedValue result(const PassedType &type) {
  const Classes classes = classify(type);
  if (!classes.doubt.empty()) return unknown(classes.doubt);
  if (classes.is_memory()) return {.place = Place::kPointed};
  if (is_wide_vector(classes)) return unknown(kWideVector);
  if (classes.number_of(Class::kInteger) != classes.count) return {.place = Place::kVector};
  return {.place = type.is_record() ? Place::kWords : Place::kWord};
}

}  // namespace

const CallingConvention kX86_64Calls{
    .parameters = parameters, .result = result, .has_extended_float = true, .max_bit_int_align = 8};

}  // namespace dtrace::arch
