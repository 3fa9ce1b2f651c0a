// SPDX-License-Identifier: Apache-2.0
// Data of a type, read out of recorded bytes: what print() shows and what JSON is made of. A Datum is a position in the
// bytes and the type to see it as; bit-fields differ only in having a width.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "base/wide_float.h"
#include "frontend/types/types.h"

namespace dtrace::runtime {

struct Datum {
  TypeId type;
  uint64_t off_bits = 0;
  uint32_t bits = 0;  ///< width of a bit-field, else 0
};

/// Reads data of a type out of recorded bytes.
class TypedReader {
 public:
  TypedReader(const TypeTable &types, std::string_view bytes) : types_(types), bytes_(bytes) {}

  const TypeTable &types() const { return types_; }
  const Type &resolved(const Datum &datum) const { return types_.resolved(datum.type); }
  uint64_t size_bits(const Datum &datum) const {
    return datum.bits != 0 ? datum.bits : types_.size_bytes(datum.type) * 8;
  }
  bool begins_inside(const Datum &datum) const { return datum.off_bits < bytes_.size() * 8; }
  bool is_whole(const Datum &datum) const { return datum.off_bits + size_bits(datum) <= bytes_.size() * 8; }

  /// The bytes of a datum that is no bit-field, as far as they were recorded.
  std::string_view bytes(const Datum &datum) const {
    if (!begins_inside(datum)) return {};
    return bytes_.substr(datum.off_bits / 8, size_bits(datum) / 8);
  }

  /// An integer, enum or pointer of at most 64 bits; little-endian bit-fields.
  uint64_t raw(const Datum &datum) const {
    const uint64_t width = std::min<uint64_t>(size_bits(datum), 64);
    uint64_t value = 0;
    for (uint64_t i = 0; i < width; i++) {
      const uint64_t at = datum.off_bits + i;
      if (at / 8 >= bytes_.size()) break;
      value |= uint64_t{static_cast<unsigned char>(bytes_[at / 8]) >> (at % 8) & 1u} << i;
    }
    return value;
  }
  int64_t raw_signed(const Datum &datum) const {
    const uint64_t width = std::clamp<uint64_t>(size_bits(datum), 1, 64);
    return static_cast<int64_t>(raw(datum) << (64 - width)) >> (64 - width);
  }

  /// Is it an integer of 128 bits? Its text is hex_text() or decimal_text().
  bool is_wide_integer(const Datum &datum) const {
    return datum.bits == 0 && resolved(datum).kind == TypeKind::kInt && size_bits(datum) == kWideBits;
  }
  std::string wide_hex_text(const Datum &datum) const;
  std::string wide_decimal_text(const Datum &datum) const;

  Datum element(const Datum &array, uint64_t index) const {
    const TypeId type = resolved(array).target;
    return {type, array.off_bits + index * types_.size_bytes(type) * 8};
  }
  Datum member(const Datum &aggregate, const Member &member) const {
    return {member.type, aggregate.off_bits + member.off_bits, member.bits};
  }

  long double floating(const Datum &datum) const {
    const std::string_view data = bytes(datum);
    if (data.size() == sizeof(float)) return read<float>(data);
    if (data.size() == sizeof(double)) return read<double>(data);
    return data.size() == sizeof(long double) ? wide_float(data.data(), types_.is_quad_float(datum.type)) : 0;
  }

  std::optional<std::string_view> enumerator(const Datum &datum) const {
    for (const Enumerator &e : types_.enumerators(types_.resolve(datum.type)))
      if (e.value == raw_signed(datum) || e.value == static_cast<int64_t>(raw(datum))) return e.name;
    return std::nullopt;
  }

  bool is_function_pointer(const Datum &datum) const {
    const Type &type = resolved(datum);
    return type.kind == TypeKind::kPointer && types_.resolved(type.target).kind == TypeKind::kFunction;
  }

  /// C spelling; an unnamed struct or union is just "struct", "union".
  std::string type_name(TypeId id) const {
    const Type &type = types_[id];
    if (type.name.empty() && type.kind == TypeKind::kStruct) return "struct";
    if (type.name.empty() && type.kind == TypeKind::kUnion) return "union";
    return types_.name(id);
  }

 private:
  static constexpr uint64_t kWideBits = 128;

  template <typename T>
  static T read(std::string_view data) {
    T value;
    std::memcpy(&value, data.data(), sizeof(value));
    return value;
  }

  const TypeTable &types_;
  std::string_view bytes_;
};

}  // namespace dtrace::runtime
