// SPDX-License-Identifier: Apache-2.0
#include "runtime/print/typed.h"

#include <cstdio>

#include "runtime/events/value.h"
#include "runtime/print/pad.h"
#include "runtime/print/typed_reader.h"

namespace dtrace::runtime {

namespace {

bool is_aggregate(TypeKind kind) { return kind == TypeKind::kStruct || kind == TypeKind::kUnion; }

bool is_printable(uint64_t byte) { return byte >= 0x20 && byte <= 0x7e; }

constexpr int kMemberIndent = 4;

class ValuePrinter {
 public:
  ValuePrinter(std::string &out, const TypedReader &reader, const TextContext &context)
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
    append_text(out_, datum);
    out_ += "\" ]";
  }

  void append_text(std::string &out, const Datum &datum) const {
    const std::string_view text = Text{reader_.bytes(datum)}.view();
    for (const char c : text) append_escaped(out, static_cast<unsigned char>(c), true);
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
        append_text(text, datum);
        return text + '"';
      }
      default:
        break;
    }
    if (reader_.is_wide_integer(datum)) return reader_.wide_hex_text(datum);
    if (!type.is_char || datum.bits != 0) return hex(raw);
    if (raw == 0) return "'\\0'";
    return is_printable(raw) ? fmt::format("'{}'", static_cast<char>(raw)) : fmt::format("'\\{:03o}'", raw);
  }

  std::string &out_;
  const TypedReader &reader_;
  const TextContext &context_;
};

}  // namespace

void append_typed_value(std::string &out, const TypeTable &types, TypeId type, std::string_view bytes,
                        const TextContext &context) {
  const TypedReader reader(types, bytes);
  ValuePrinter(out, reader, context).print({type});
}

}  // namespace dtrace::runtime
