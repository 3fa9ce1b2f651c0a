// SPDX-License-Identifier: Apache-2.0
// print() of a pointer: the object in a layout of its own, from column 44. Members and trailing elements that are zero
// are left out, and numbers are decimal; print() of a value shows all of them.
#include <fmt/format.h>

#include "runtime/events/value.h"
#include "runtime/print/pad.h"
#include "runtime/print/typed.h"
#include "runtime/print/typed_reader.h"

namespace dtrace::runtime {

namespace {

constexpr int kObjectIndent = 44;

class ObjectPrinter {
 public:
  ObjectPrinter(std::string &out, const TypedReader &reader) : out_(out), reader_(reader) {}

  void print(const Datum &datum, std::string_view name, int depth) {
    if (!reader_.begins_inside(datum)) return cut(depth);
    const TypeKind kind = reader_.resolved(datum).kind;
    const bool has_members = kind == TypeKind::kStruct || kind == TypeKind::kUnion;
    const bool is_array = kind == TypeKind::kArray;
    if (!has_members && !is_array && !reader_.is_whole(datum)) return cut(depth);

    const std::string prefix = name.empty() ? std::string() : fmt::format(".{} = ", name);
    const std::string head = fmt::format("{}({})", prefix, reader_.type_name(datum.type));
    if (has_members) {
      line(depth, head + " {");
      print_members(datum, depth + 1);
      line(depth, depth == 0 ? "}" : "},");
    } else if (is_array) {
      line(depth, head + " [");
      print_elements(datum, depth + 1);
      line(depth, "],");
    } else {
      line(depth, head + scalar(datum) + ",");
    }
  }

 private:
  void line(int depth, std::string_view text) {
    append_padded(out_, {}, kObjectIndent + depth);
    out_.append(text).append(1, '\n');
  }

  void cut(int depth) {
    if (!cut_) line(depth, "...");
    cut_ = true;
  }

  void print_members(const Datum &datum, int depth) {
    for (const Member &member : reader_.types().members(reader_.types().resolve(datum.type))) {
      const Datum part = reader_.member(datum, member);
      if (!is_zero(part)) print(part, member.name, depth);
      if (cut_) return;
    }
  }

  void print_elements(const Datum &datum, int depth) {
    uint64_t count = reader_.resolved(datum).count;
    while (count > 0 && is_zero(reader_.element(datum, count - 1))) count--;
    for (uint64_t i = 0; i < count && !cut_; i++) print(reader_.element(datum, i), {}, depth);
  }

  /// Wholly recorded and zero.
  bool is_zero(const Datum &datum) const {
    if (!reader_.is_whole(datum)) return false;
    if (datum.bits != 0) return reader_.raw(datum) == 0;
    return reader_.bytes(datum).find_first_not_of('\0') == std::string_view::npos;
  }

  std::string scalar(const Datum &datum) const {
    const Type &type = reader_.resolved(datum);
    switch (type.kind) {
      case TypeKind::kPointer:
        return fmt::format("0x{:x}", reader_.raw(datum));
      case TypeKind::kFloat:
        return fmt::format("{:g}", reader_.floating(datum));
      case TypeKind::kEnum:
        if (const auto name = reader_.enumerator(datum)) return std::string(*name);
        return fmt::format("{}", reader_.raw_signed(datum));
      case TypeKind::kString:
        return quoted(Text{reader_.bytes(datum)}.view());
      default:
        break;
    }
    if (reader_.is_wide_integer(datum)) return reader_.wide_decimal_text(datum);
    const uint64_t raw = reader_.raw(datum);
    const bool is_printable = raw >= 0x20 && raw <= 0x7e;
    if (type.is_char && is_printable) return fmt::format("'{}'", static_cast<char>(raw));
    return type.is_signed ? fmt::format("{}", reader_.raw_signed(datum)) : fmt::format("{}", raw);
  }

  static std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) append_escaped(result, static_cast<unsigned char>(c), true);
    return result + '"';
  }

  std::string &out_;
  const TypedReader &reader_;
  bool cut_ = false;
};

}  // namespace

void append_pointed(std::string &out, const TypeTable &types, TypeId type, uint64_t address, std::string_view bytes) {
  fmt::format_to(std::back_inserter(out), "0x{:x} = *\n", address);
  const TypedReader reader(types, bytes);
  ObjectPrinter(out, reader).print({type}, {}, 0);
}

}  // namespace dtrace::runtime
