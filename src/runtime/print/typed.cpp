// SPDX-License-Identifier: Apache-2.0
// Typed dumps. A Datum is a position in the recorded bytes and the type to see it as; bit-fields differ only in having
// a width.
#include "runtime/print/typed.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

#include "runtime/print/pad.h"
#include "runtime/print/value.h"

namespace dtrace {

namespace {

struct Datum {
  TypeId type;
  uint64_t off_bits = 0;
  uint32_t bits = 0;  ///< width of a bit-field, else 0
};

/// Reads data of a type out of recorded bytes.
class Reader {
 public:
  Reader(const TypeTable &types, std::string_view bytes) : types_(types), bytes_(bytes) {}

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
    return data.size() == sizeof(long double) ? read<long double>(data) : 0;
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
  template <typename T>
  static T read(std::string_view data) {
    T value;
    std::memcpy(&value, data.data(), sizeof(value));
    return value;
  }

  const TypeTable &types_;
  std::string_view bytes_;
};

bool is_aggregate(TypeKind kind) { return kind == TypeKind::kStruct || kind == TypeKind::kUnion; }

bool is_printable(uint64_t byte) { return byte >= 0x20 && byte <= 0x7e; }

constexpr int kMemberIndent = 4;

class ValuePrinter {
 public:
  ValuePrinter(std::string &out, const Reader &reader, const TextContext &context)
      : out_(out), reader_(reader), context_(context) {}

  void print(const Datum &datum) {
    out_.append(reader_.type_name(datum.type)).append(1, ' ');
    print_value(datum, 0);
  }

 private:
  void indent(int depth) { append_padded(out_, {}, depth * kMemberIndent); }

  void print_value(const Datum &datum, int depth) {
    const TypeKind kind = reader_.resolved(datum).kind;
    if (is_aggregate(kind))
      print_members(datum, depth);
    else if (kind == TypeKind::kArray)
      print_array(datum, depth);
    else
      out_ += reader_.is_whole(datum) ? scalar(datum) : "...";
  }

  void print_members(const Datum &datum, int depth) {
    out_ += "{\n";
    for (const Member &member : reader_.types().members(reader_.types().resolve(datum.type))) {
      indent(depth + 1);
      out_.append(reader_.type_name(member.type)).append(1, ' ');
      if (!member.name.empty()) out_.append(member.name).append(" = ");
      print_value(reader_.member(datum, member), depth + 1);
      out_ += '\n';
    }
    indent(depth);
    out_ += '}';
  }

  void print_array(const Datum &datum, int depth) {
    const Type &array = reader_.resolved(datum);
    const Type &element = reader_.types().resolved(array.target);
    if (element.kind == TypeKind::kInt && element.is_char) return print_characters(datum);
    const bool nested = is_aggregate(element.kind);
    out_ += nested ? "[\n" : "[ ";
    for (uint64_t i = 0; i < array.count; i++) {
      const Datum part = reader_.element(datum, i);
      if (nested) indent(depth + 1);
      if (!reader_.begins_inside(part)) {
        out_ += nested ? "...\n" : "... ";
        break;
      }
      print_value(part, nested ? depth + 1 : depth);
      if (i + 1 < array.count) out_ += nested ? "," : ", ";
      if (nested) out_ += '\n';
    }
    if (nested)
      indent(depth);
    else if (!out_.ends_with(' '))
      out_ += ' ';
    out_ += ']';
  }

  void print_characters(const Datum &datum) {
    out_ += "[ \"";
    for (const char c : Text{reader_.bytes(datum)}.view()) append_escaped(out_, static_cast<unsigned char>(c), true);
    out_ += "\" ]";
  }

  /// "%#x": no prefix on zero.
  static std::string hex(uint64_t value) { return value == 0 ? "0" : fmt::format("0x{:x}", value); }

  std::string scalar(const Datum &datum) const {
    const Type &type = reader_.resolved(datum);
    const uint64_t raw = reader_.raw(datum);
    switch (type.kind) {
      case TypeKind::kPointer:
        if (raw != 0 && reader_.is_function_pointer(datum)) return symbol_text({SymbolKind::kFunc, 0, raw}, context_);
        return hex(raw);
      case TypeKind::kFloat: {
        char text[64];
        std::snprintf(text, sizeof(text), "%+.7Le", reader_.floating(datum));
        return text;
      }
      case TypeKind::kEnum:
        if (const auto name = reader_.enumerator(datum)) return std::string(*name);
        return fmt::format("{}", reader_.raw_signed(datum));
      case TypeKind::kString: {
        std::string text = "\"";
        for (const char c : Text{reader_.bytes(datum)}.view())
          append_escaped(text, static_cast<unsigned char>(c), true);
        return text + '"';
      }
      default:
        break;
    }
    if (!type.is_char || datum.bits != 0) return hex(raw);
    if (raw == 0) return "'\\0'";
    return is_printable(raw) ? fmt::format("'{}'", static_cast<char>(raw)) : fmt::format("'\\{:03o}'", raw);
  }

  std::string &out_;
  const Reader &reader_;
  const TextContext &context_;
};

}  // namespace

void append_typed_value(std::string &out, const TypeTable &types, TypeId type, std::string_view bytes,
                        const TextContext &context) {
  const Reader reader(types, bytes);
  ValuePrinter(out, reader, context).print({type});
}

void append_pointed(std::string &out, const TypeTable &types, TypeId type, uint64_t address, std::string_view bytes,
                    const TextContext &context) {
  fmt::format_to(std::back_inserter(out), "0x{:x} = *\n", address);
  append_typed_value(out, types, type, bytes, context);
}

}  // namespace dtrace
